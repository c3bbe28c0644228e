// Bodies of a game, thousands of which float at once: boxes, small hulls and primitives under one
// plane after the other, on one thread. Prints a CSV to stdout; README.md tells how to read it.
//
//   small_bodies [--only SCENARIO] [--rounds N]
#include <plimsoll/mesh_generators.h>
#include <plimsoll/parallel.h>
#include <plimsoll/submersion_tracker.h>
#include <plimsoll/version.h>
#include <plimsoll/world.h>

#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "checked.h"
#include "harness.h"
#include "options.h"
#include "support/convex_bodies.h"
#include "water_planes.h"

namespace plimsoll::bench {
namespace {

volatile double sink;  // what is computed must look used

/// The convex hull of random points on a sphere, of which all are corners.
TriangleMesh hull(std::uint32_t points) {
  Random random(points);
  std::vector<Vec3> on_sphere;
  for (std::uint32_t i = 0; i < points; ++i) on_sphere.push_back(random.direction());
  return test::hull_of(std::move(on_sphere));
}

using Ask = std::function<double(const WaterPlane&)>;

/// Asks about all planes, one after the other.
std::function<void()> asking(const Ask& ask, const std::vector<WaterPlane>& planes) {
  return [&planes, ask] {
    for (const WaterPlane& plane : planes) sink = ask(plane);
  };
}

void measure(const std::string& scenario, std::size_t triangles,
             const std::vector<std::pair<std::string, Ask>>& systems,
             const std::vector<WaterPlane>& planes, int rounds) {
  std::vector<Row> rows;
  for (const auto& [name, ask] : systems) rows.push_back({name, 1, 0, asking(ask, planes)});
  const std::vector<double> seconds = time_interleaved(rows, rounds);
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::printf("%s,%zu,%s,%.4g\n", scenario.c_str(), triangles, rows[i].system.c_str(),
                1e9 * seconds[i] / static_cast<double>(planes.size()));
  std::fflush(stdout);
}

constexpr SubmersionParts kVolumeAndCenter{.wetted_area = false, .waterplane = false};

void measure_mesh(const std::string& name, const TriangleMesh& mesh, int rounds) {
  const CheckedMesh whole = checked(mesh);
  const SolidTree tree(whole);
  SubmersionTracker tracker(tree);
  const std::vector<std::pair<std::string, Ask>> systems = {
      {"tree", [&](const WaterPlane& w) { return tree.submersion(w, kVolumeAndCenter).volume; }},
      {"tree_everything", [&](const WaterPlane& w) { return tree.submersion(w).volume; }},
      {"tracker",
       [&](const WaterPlane& w) { return tracker.submersion(w, kVolumeAndCenter).volume; }},
      {"clip_all", [&](const WaterPlane& w) { return submersion(whole, w).volume; }}};
  measure(name + "_random", mesh.triangles.size(), systems, random_planes(tree), rounds);
  measure(name + "_hot", mesh.triangles.size(), systems, hot_planes(MeshView(mesh), tree), rounds);
}

void measure_primitive(const std::string& name, const Shape& shape, int rounds) {
  const TriangleMesh sides = make_box(bounding_box(shape).sizes());
  const SolidTree box{checked(sides)};  // for the planes
  const std::vector<std::pair<std::string, Ask>> systems = {
      {"shape",
       [&](const WaterPlane& w) { return submersion(shape, w, kVolumeAndCenter)->volume; }},
      {"shape_everything", [&](const WaterPlane& w) { return submersion(shape, w)->volume; }}};
  measure(name + "_random", 0, systems, random_planes(box), rounds);
}

/// Boxes of half the density of water in rows on still water, half a second after they were let go
/// in any pose; a query is a step of one body.
Result<void> measure_world(int rounds) {
  constexpr int kBodies = 10'000, kSide = 100, kSettling = 100;
  constexpr double kStep = 0.005;
  Random random(3);
  const auto symmetric = [&] { return 2 * random.number() - 1; };
  std::vector<RigidBody> bodies(kBodies);
  for (int i = 0; i < kBodies; ++i) {
    RigidBody& body = bodies[static_cast<std::size_t>(i)];
    Vec3 size;
    for (double& edge : size) edge = 1 + 0.3 * symmetric();
    body.shape.solid = BoxSolid{size};
    body.density = 500;
    const Vec3 axis = random.direction();
    body.pose = Eigen::Translation3d(3.0 * (i % kSide), 3.0 * (i / kSide), 0.3 * symmetric()) *
                Eigen::AngleAxisd(std::numbers::pi * random.number(), axis);
  }
  Result<World> world = World::create({}, bodies);
  if (!world) return world.error();
  Result<void> done;
  const auto step = [&] {
    if (done) done = world->step(kStep);
  };
  for (int i = 0; i < kSettling; ++i) step();
  const std::vector<double> seconds = time_interleaved({{"step", 1, 0, step}}, rounds);
  std::printf("world_10000_boxes,12,step,%.4g\n", 1e9 * seconds[0] / kBodies);
  return done;
}

Result<void> run(const Options& options) {
  std::puts("scenario,triangles,system,ns_per_query");
  const auto is_wanted = [&](const std::string& name) {
    return options.only.empty() || options.only == name;
  };
  const auto mesh = [&](const std::string& name, const TriangleMesh& body) {
    if (is_wanted(name)) measure_mesh(name, body, options.rounds);
  };
  const auto primitive = [&](const std::string& name, const Shape& shape) {
    if (is_wanted(name)) measure_primitive(name, shape, options.rounds);
  };
  mesh("box", make_box({1, 2, 3}));
  for (const std::uint32_t points : {8u, 16u, 64u, 254u})
    mesh("hull_" + std::to_string(points), hull(points));
  primitive("box_solid", {BoxSolid{{1, 2, 3}}});
  primitive("sphere", {Sphere{1}});
  primitive("ellipsoid", {Ellipsoid{{1, 2, 3}}});
  primitive("cylinder", {Cylinder{1, 2}});
  primitive("capsule", {Capsule{1, 2}});
  primitive("cone", {Cone{1, 2}});
  primitive("torus", {Torus{2, 0.5}});
  return is_wanted("world_10000_boxes") ? measure_world(options.rounds) : Result<void>();
}

}  // namespace
}  // namespace plimsoll::bench

int main(int argc, char** argv) {
  using namespace plimsoll::bench;
  const std::optional<Options> options = options_of(argc, argv);
  if (!options) return 2;
  std::fprintf(stderr, "plimsoll %s, %s\n", plimsoll::version().c_str(),
               plimsoll::simd_level().c_str());
  print_load();
  plimsoll::Result<void> done;
  plimsoll::with_threads(1, [&] { done = run(*options); });
  return exit_code(done);
}
