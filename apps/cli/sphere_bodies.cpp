#include "sphere_bodies.h"

#include <fmt/format.h>
#include <algorithm>
#include <limits>
#include <utility>

#include "failure.h"
#include "floating_input.h"
#include "input.h"
#include "packed_body.h"

namespace plimsoll::cli {
namespace {

bool are_one(const TriangleMesh& a, const TriangleMesh& b) {
  return a.vertices == b.vertices && a.triangles == b.triangles;
}

}  // namespace

void declare_spheres(CommandLine& line, SphereArguments& arguments, const char* methods) {
  line.option("--method", "M", arguments.method, methods);
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
                fmt::format("found a shape that is no mesh and no box: others have no {} in this "
                            "version",
                            asked),
                body.name};
}

double budget_of(const SphereArguments& arguments) {
  if (!arguments.budget) return std::numeric_limits<double>::infinity();
  return 1e-6 * parse_positive(*arguments.budget, "--budget-us");
}

HalfSpace parse_half_space(const std::string& text, const char* option) {
  const WaterPlane plane = parse_plane(text, option);
  return {plane.normal, plane.offset};
}

SphereBodies pack_bodies(std::array<Body, 2> bodies, const SphereArguments& arguments,
                         Progress& progress) {
  const PackingOptions options{
      .max_count = arguments.spheres ? parse_count(*arguments.spheres, "--spheres", kMostSpheres)
                                     : kDefaultSpheres};
  SphereBodies packed;
  for (const Body& body : bodies) require_mesh(body, "trees of spheres");
  const bool is_one_mesh = are_one(mesh_of(bodies[0], "spheres"), mesh_of(bodies[1], "spheres"));
  for (std::size_t i = 0; i < 2; ++i) {
    if (i == 1 && is_one_mesh) {
      packed.trees[1] = packed.trees[0];
      continue;
    }
    Body packed_one = bodies[i];
    if (is_one_mesh) packed_one.name = names_of(bodies);
    const PackedBody body = pack_body(std::move(packed_one), options, progress);
    if (!body.tree)
      throw Failure{kRejected, "no_spheres", "found no room for a sphere in the solid",
                    body.body.name};
    packed.status = std::min(packed.status, body.status);
    packed.trees[i] = body.tree;
  }
  if (bodies[1].partial) packed.status = with_missing_parts(packed.status, true);
  packed.bodies = std::move(bodies);
  return packed;
}

}  // namespace plimsoll::cli
