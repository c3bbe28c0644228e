// How much the volume and the force that inner sphere trees find under a budget of opened pairs
// change from step to step of a path, in the published order and by blocks with fading. Prints a
// CSV to stdout; README.md tells how to read it.
//
//   sphere_jumps [--cache DIR] [--only MESH]
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/mesh_io.h>
#include <plimsoll/sphere_packing.h>

#include <Eigen/Geometry>
#include <string>

#include "harness.h"
#include "options.h"
#include "spheres/faded_overlap.h"
#include "spheres/sphere_overlap.h"
#include "spheres/sphere_shares.h"

namespace plimsoll::bench {
namespace {

struct Body {
  SphereHierarchy tree;
  SphereBlocks blocks;
  double volume = 0, size = 0;
  Vec3 center = Vec3::Zero();

  /// Turned about the center of mass and moved along x and y.
  [[nodiscard]] Similarity pose(double along, double across) const {
    const Eigen::AngleAxisd turn(0.7, Vec3(1, 2, 3).normalized());
    Similarity pose = Similarity::Identity();
    pose.linear() = turn.toRotationMatrix();
    pose.translation() = center + Vec3(along, across, 0) - turn * center;
    return pose;
  }
};

Result<Body> make_body(const ClosedMesh& solid) {
  const Result<SpherePacking> packing = pack_spheres(solid, {.max_count = 5000});
  if (!packing) return packing.error();
  const Result<SphereShares> shares = share_solid(solid, packing->spheres, 150);
  if (!shares) return shares.error();
  const MassProperties mass = mass_properties(solid);
  Body body;
  body.tree = make_sphere_hierarchy(packing->spheres, shares->shares, SecondaryRadii::kShares, 4);
  body.blocks = make_sphere_blocks(body.tree);
  body.volume = mass.volume;
  body.size = 2 * body.tree.nodes[0].radius;
  body.center = mass.center_of_mass;
  return body;
}

struct Answer {
  double volume = 0;
  Vec3 force = Vec3::Zero();
};

/// The largest changes along a path, over the volume of the body; and the mean error.
struct Changes {
  double volume = 0, force = 0, error = 0, microseconds = 0;
};

template <class Ask>
Changes along_path(const Body& body, double step, const Ask& ask) {
  constexpr int kSteps = 1000;
  SphereWalk walk;
  Changes found;
  Answer before;
  double seconds = 0;
  for (int i = 0; i <= kSteps; ++i) {
    const Similarity pose =
        body.pose(0.4 * body.size - 0.8 * i * step * body.size, 0.6 * i * step * body.size);
    const PosedHierarchies bodies(body.tree, body.tree, pose);
    const double start = seconds_now(1);
    const Answer here = ask(bodies, pose);
    seconds += seconds_now(1) - start;
    const double whole = sphere_overlap(bodies, walk, NodeBall::kSecondary).volume;
    found.error += std::abs(here.volume / whole - 1) / (kSteps + 1);
    if (i > 0) {
      found.volume = std::max(found.volume, std::abs(here.volume - before.volume) / body.volume);
      found.force = std::max(found.force, (here.force - before.force).norm() / body.volume);
    }
    before = here;
  }
  found.microseconds = 1e6 * seconds / (kSteps + 1);
  return found;
}

void measure(const std::string& name, const Body& body) {
  TimedOverlapSearch published;
  FadedOverlapSearch faded;
  for (const std::size_t expansions : {10, 100, 1000, 10000})
    for (const double step : {1e-4, 1e-6}) {
      const OverlapBudget budget{.max_expansions = expansions};
      const auto print = [&](const char* system, const Changes& x) {
        std::printf("%s,%s,%zu,%g,%.3g,%.3g,%.3g,%.3g\n", name.c_str(), system, expansions, step,
                    x.volume, x.force, x.error, x.microseconds);
        std::fflush(stdout);
      };
      print("published",
            along_path(body, step, [&](const PosedHierarchies& bodies, const Similarity&) {
              ForceSum forces(ForceDirection::kCenters, {});
              const TimedOverlap found = published.find(bodies, NodeBall::kSecondary,
                                                        PairOrder::kUncertainty, budget, &forces);
              return Answer{found.volume, forces.sum().force_on_a};
            }));
      print("faded_blocks",
            along_path(body, step, [&](const PosedHierarchies& bodies, const Similarity& pose) {
              ForceSum forces(ForceDirection::kCenters, {});
              const TimedOverlap found =
                  faded.find(bodies, PosedBlocks(body.blocks, body.blocks, pose),
                             NodeBall::kSecondary, budget, &forces);
              return Answer{found.volume, forces.sum().force_on_a};
            }));
    }
}

Result<void> run(const Options& options) {
  std::puts("mesh,system,expansions,step,volume_jump,force_jump,mean_error,us");
  for (const char* name : {"bunny00.off", "elephant.off"}) {
    if (!options.only.empty() && options.only != name) continue;
    const Result<MeshFile> mesh = read_mesh(options.cache + "/cgal/" + name);
    if (!mesh) continue;
    const Result<ClosedMesh> solid = ClosedMesh::from_triangles(mesh->mesh);
    if (!solid) return solid.error();
    const Result<Body> body = make_body(*solid);
    if (!body) return body.error();
    measure(name, *body);
  }
  return {};
}

}  // namespace
}  // namespace plimsoll::bench

int main(int argc, char** argv) {
  return plimsoll::bench::run_with_options(argc, argv, plimsoll::bench::run);
}
