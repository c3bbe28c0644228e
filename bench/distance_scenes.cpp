#include "distance_scenes.h"

#include <plimsoll/mesh_generators.h>
#include <plimsoll/mesh_io.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "bunnies.h"
#include "checked.h"
#include "water_planes.h"

namespace plimsoll::bench {
namespace {

DistanceScene twins(const Scenario& of, bool is_aside = false) {
  return {of.name,
          [make = of.make]() -> Result<TwoMeshes> {
            Result<TriangleMesh> mesh = make();
            if (!mesh) return mesh.error();
            return TwoMeshes{*mesh, *mesh};
          },
          is_aside};
}

Result<TriangleMesh> read_armadillo(const std::filesystem::path& cache) {
  Result<MeshFile> file = read_mesh(cache / "cgal" / "armadillo.off");
  if (!file) return file.error();
  return weld(checked(file->mesh));
}

Mat3 random_turn(Random& random) {
  const Vec3 axis = random.direction();
  return Eigen::AngleAxisd(2 * std::numbers::pi * random.number(), axis).toRotationMatrix();
}

/// Two bodies, the first at the origin, the second on its way along a direction.
class Approach {
 public:
  Approach(const TwoTrees& trees, Random& random)
      : trees_(trees),
        a_turn_(random_turn(random)),
        b_turn(random_turn(random)),
        direction(random.direction()) {}

  [[nodiscard]] PosedPair at(double radius) const {
    return {pose_about(trees_.a.box().center(), a_turn_, Vec3::Zero()),
            pose_about(trees_.b.box().center(), b_turn, radius * direction)};
  }

  [[nodiscard]] double distance_at(double radius) {
    const PosedPair pair = at(radius);
    const Result<SurfaceDistance> found =
        search_.find(trees_.a, pair.world_from_a, trees_.b, pair.world_from_b,
                     {.last = last_ ? &*last_ : nullptr});
    if (!found) std::abort();
    last_ = *found;
    return found->distance;
  }

  /// From `radius` inward, never past where they are `gap` apart: the distance shrinks by no more
  /// than the way [m]. Ends at `nearest`, or where no more than a thousandth of the gap is left.
  double approach(double radius, double gap, double nearest) {
    constexpr int kMaxSteps = 200;
    for (int i = 0; i < kMaxSteps; ++i) {
      const double room = distance_at(radius) - gap;
      if (room <= 1e-3 * gap || radius <= nearest) break;
      radius = std::max(nearest, radius - room);
    }
    return radius;
  }

  /// Where boxes, however turned, are that far apart.
  [[nodiscard]] double far_away(double gap) const {
    return (trees_.a.box().diagonal().norm() + trees_.b.box().diagonal().norm()) / 2 + gap;
  }

 private:
  const TwoTrees& trees_;
  Mat3 a_turn_;

 public:
  Mat3 b_turn;
  Vec3 direction;

 private:
  DistanceSearch search_;
  std::optional<SurfaceDistance> last_;
};

}  // namespace

std::vector<DistanceScene> distance_scenes(const std::filesystem::path& cache) {
  const std::vector<Scenario> solids = scenarios(cache);
  const auto knot = std::find_if(solids.begin(), solids.end(), [](const Scenario& scenario) {
    return scenario.name == "knot_70k";
  });
  return {twins(bunny("bunny_5k", cache, 5000)),
          twins({"bunny_75k", [=] { return read_scan(cache); }}),
          twins(bunny("bunny_700k", cache, 43750, 2)),
          twins(*knot),
          twins({"armadillo_52k", [=] { return read_armadillo(cache); }}, true),
          twins({"bumpy_72k", [] { return make_bumpy_sphere(1, 0.3, 151, 240, 7); }}, true)};
}

Similarity pose_about(const Vec3& center, const Mat3& turn, const Vec3& at) {
  Similarity pose = Similarity::Identity();
  pose.linear() = turn;
  pose.translation() = at - turn * center;
  return pose;
}

std::vector<Poses> cold_poses(const TwoTrees& trees, double gap, int blocks, std::uint64_t seed) {
  constexpr int kUncounted = 4, kCounted = 16;
  Random random(seed);
  std::vector<Poses> all(static_cast<std::size_t>(blocks));
  for (Poses& block : all)
    for (int i = 0; i < kUncounted + kCounted; ++i) {
      Approach approach(trees, random);
      const double far_away = approach.far_away(gap * trees.size);
      const double radius = approach.approach(far_away, gap * trees.size, 0);
      (i < kUncounted ? block.uncounted : block.counted).push_back(approach.at(radius));
    }
  return all;
}

std::vector<Poses> moving_poses(const TwoTrees& trees, const Motion& motion, int blocks,
                                std::uint64_t seed) {
  constexpr int kUncounted = 8, kCounted = 96;
  constexpr double kTurn = 5;  // radians per size, so that corners move about as far as the center
  Random random(seed);
  const double gap = motion.gap * trees.size, step = motion.step * trees.size;
  std::vector<Poses> all(static_cast<std::size_t>(blocks));
  for (Poses& block : all) {
    Approach path(trees, random);
    const Eigen::AngleAxisd turn(kTurn * motion.step, random.direction());
    const Vec3 about = path.direction.cross(random.direction()).normalized();
    double radius = path.approach(path.far_away(gap), gap, 0);
    for (int i = 0; i < kUncounted + kCounted; ++i) {
      path.b_turn = turn * path.b_turn;
      path.direction = Eigen::AngleAxisd(step / radius, about) * path.direction;
      path.direction.normalize();
      const double nearest = radius - step;
      while (path.distance_at(radius) < gap) radius += step;
      radius = path.approach(radius + step, gap, std::max(nearest, step));
      (i < kUncounted ? block.uncounted : block.counted).push_back(path.at(radius));
    }
  }
  return all;
}

}  // namespace plimsoll::bench
