#include "sphere_bodies.h"

#include <fmt/format.h>
#include <plimsoll/mesh_health.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "failure.h"
#include "input.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

bool are_one(const TriangleMesh& a, const TriangleMesh& b) {
  return a.vertices == b.vertices && a.triangles == b.triangles;
}

SphereTree packed(const Body& body, Status status, std::size_t count, Progress& progress) {
  const std::string name = printable(body.name);
  const Result<ClosedMesh> solid = ClosedMesh::borrow(mesh_of(body, "spheres"));
  if (!solid) throw Failure{kRejected, to_string(status), solid.error().message, body.name};
  if (status == Status::kZeroVolume)
    throw Failure{kRejected, to_string(status), "found a mesh without volume, expected a solid",
                  body.name};
  PackingOptions options{.max_count = count};
  options.progress = [&](std::size_t spheres) {
    progress.say([&] { return fmt::format("packing {}: {} spheres", name, spheres); });
    return true;
  };
  const Result<SpherePacking> packing = pack_spheres(*solid, options);
  if (!packing) throw failure_of(packing.error());
  progress.begin("building the tree of " + name);
  Result<SphereTree> tree = SphereTree::create(*solid, packing->spheres);
  if (!tree) throw failure_of(tree.error());
  return std::move(*tree);
}

}  // namespace

void declare_spheres(CommandLine& line, SphereArguments& arguments) {
  line.option("--method", "M", arguments.method, "exact spheres (exact)");
  line.option("--spheres", "N", arguments.spheres, "Inner spheres of each body (20000)");
  line.option("--budget-us", "B", arguments.budget, "Microseconds that the query may take");
}

bool asks_spheres(const SphereArguments& arguments) {
  if (parse_choice(arguments.method, {"exact", "spheres"}, "--method") == 1) return true;
  if (arguments.spheres) throw usage_failure("it is of --method spheres", "--spheres");
  return false;
}

const TriangleMesh& mesh_of(const Body& body, const char* asked) {
  if (body.mesh() != nullptr) return *body.mesh();
  throw Failure{kRejected, "unavailable",
                fmt::format("found a shape that is no mesh, expected two meshes: other shapes have "
                            "no {} in this version",
                            asked),
                body.name};
}

double budget_of(const SphereArguments& arguments) {
  if (!arguments.budget) return std::numeric_limits<double>::infinity();
  return 1e-6 * parse_positive(*arguments.budget, "--budget-us");
}

SphereBodies pack_bodies(std::array<Body, 2> bodies, const SphereArguments& arguments,
                         Progress& progress) {
  SphereBodies packed_bodies;
  const std::size_t count = arguments.spheres
                                ? parse_count(*arguments.spheres, "--spheres", kMostSpheres)
                                : kDefaultSpheres;
  for (std::size_t i = 0; i < 2; ++i) {
    const TriangleMesh& mesh = mesh_of(bodies[i], "spheres");
    const MeshHealth health = examine(checked_mesh(mesh), {.check_self_intersections = true});
    const Status status = with_missing_parts(status_of(health.status), bodies[i].partial);
    packed_bodies.status = std::min(packed_bodies.status, status);
    packed_bodies.trees[i] = i == 1 && are_one(mesh_of(bodies[0], "spheres"), mesh)
                                 ? packed_bodies.trees[0]
                                 : packed(bodies[i], status, count, progress);
  }
  packed_bodies.bodies = std::move(bodies);
  return packed_bodies;
}

}  // namespace plimsoll::cli
