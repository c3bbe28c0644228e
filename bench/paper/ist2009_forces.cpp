#include <Eigen/Geometry>
#include <array>
#include <cstdio>
#include <numbers>

#include "checked.h"
#include "distance_scenes.h"
#include "paper/ist2009.h"
#include "spheres/sphere_forces.h"
#include "water_planes.h"

namespace plimsoll::bench {
namespace {

constexpr std::size_t kSpheres = 50'000;
constexpr std::uint64_t kSeed = 3;

struct Answer {
  Vec3 force, other_force, torque;  // on the twin, on the body; about the twin's center of mass
};

class Twins {
 public:
  Twins(const PackedSolid& body, const PackedTrees& trees) : body_(body), trees_(trees) {}

  [[nodiscard]] Answer at(const Similarity& pose, ForceDirection direction) {
    const PosedHierarchies bodies(trees_.by_shares, trees_.by_shares, pose);
    const SphereForces found =
        sphere_forces(bodies, walk_, direction, {body_.center, pose * body_.center});
    return {found.force_on_b, found.force_on_a, found.torque_on_b};
  }

 private:
  const PackedSolid& body_;
  const PackedTrees& trees_;
  SphereWalk walk_;
};

constexpr std::array kDirections = {std::pair("cones", ForceDirection::kConesOrCenters),
                                    std::pair("centers", ForceDirection::kCenters)};

struct Loaded {
  PackedSolid body;
  PackedTrees trees;
};

Result<Loaded> load(const Scenario& scenario, std::size_t count) {
  Result<PackedSolid> body = packed(scenario, count);
  if (!body) return body.error();
  Result<PackedTrees> trees = trees_of(*body, count);
  if (!trees) return trees.error();
  return Loaded{std::move(*body), std::move(*trees)};
}

/// Poses from `middle` that come back to it: the center goes round a circle while the body rocks.
Similarity on_loop(const PackedSolid& body, const Similarity& middle, double phase, Random random) {
  constexpr double kWay = 0.01, kRock = 0.05;  // in sizes, in radians
  const Vec3 across = random.direction(), axis = random.direction();
  const Vec3 u = across.unitOrthogonal(), v = across.cross(u);
  const double way = kWay * body.size;
  const Vec3 shift = way * ((std::cos(phase) - 1) * u + std::sin(phase) * v);
  const Mat3 rock = Eigen::AngleAxisd(kRock * std::sin(phase), axis).toRotationMatrix();
  return pose_about(body.center, rock * middle.linear(), middle * body.center + shift);
}

/// The motion from one pose to the next: of the center, and the vector of the turn.
struct PoseChange {
  Vec3 shift, turn;
};

PoseChange change_of(const PackedSolid& body, const Similarity& from, const Similarity& to) {
  const Eigen::AngleAxisd turn(Mat3(to.linear() * from.linear().transpose()));
  return {to * body.center - from * body.center, turn.angle() * turn.axis()};
}

struct Loop {
  double work = 0, all_work = 0;  // the sum, and that of its absolute values
  double unlike = 0;              // the largest |sum of both forces| over the larger
};

Loop loop_around(const Loaded& of, const Similarity& middle, ForceDirection direction, int steps,
                 const Random& random) {
  Twins twins(of.body, of.trees);
  Loop loop;
  Similarity before = on_loop(of.body, middle, 0, random);
  Answer force_before = twins.at(before, direction);
  for (int i = 1; i <= steps; ++i) {
    const Similarity pose = on_loop(of.body, middle, 2 * std::numbers::pi * i / steps, random);
    const Answer force = twins.at(pose, direction);
    const PoseChange change = change_of(of.body, before, pose);
    const double work = ((force.force + force_before.force).dot(change.shift) +
                         (force.torque + force_before.torque).dot(change.turn)) /
                        2;
    loop.work += work;
    loop.all_work += std::abs(work);
    loop.unlike =
        std::fmax(loop.unlike, (force.force + force.other_force).norm() /
                                   std::fmax(force.force.norm(), force.other_force.norm()));
    before = pose;
    force_before = force;
  }
  return loop;
}

}  // namespace

Result<void> print_path(const Options& options) {
  constexpr int kSteps = 400;
  std::puts(
      "body,step,direction,volume_share,force,force_x,force_y,force_z,torque,torque_x,"
      "torque_y,torque_z");
  for (const Scenario& scenario : volume_bodies()) {
    if (!is_wanted(options, scenario)) continue;
    const Result<Loaded> of = load(scenario, kSpheres);
    if (!of) return of.error();
    Random random(kSeed);
    const Vec3 axis = random.direction();
    Twins twins(of->body, of->trees);
    SphereSearch search;
    const double width = bounding_box(checked(of->body.mesh)).sizes().x();
    for (int i = 0; i <= kSteps; ++i) {
      // Past the side of the body, turning, from clear of it to clear of it.
      const double part = static_cast<double>(i) / kSteps;
      const Vec3 way(0.6 * width, (1.1 - 2.2 * part) * width,
                     0.1 * of->body.size * std::sin(6 * part));
      const Similarity pose =
          pose_about(of->body.center, Eigen::AngleAxisd(1 + part, axis).toRotationMatrix(),
                     of->body.center + way);
      const Result<SphereVolume> volume =
          search.volume(of->trees.tree(), Similarity::Identity(), of->trees.tree(), pose,
                        {.with_bounds = false, .with_forces = false});
      if (!volume) return volume.error();
      for (const auto& [name, direction] : kDirections) {
        const Answer answer = twins.at(pose, direction);
        const auto unit = [](const Vec3& v) { return v.isZero(0) ? v : Vec3(v.normalized()); };
        const Vec3 f = unit(answer.force), t = unit(answer.torque);
        std::printf("%s,%d,%s,%.5g,%.5g,%.4f,%.4f,%.4f,%.5g,%.4f,%.4f,%.4f\n",
                    scenario.name.c_str(), i, name, volume->volume / of->body.volume,
                    answer.force.norm() / of->body.volume, f.x(), f.y(), f.z(),
                    answer.torque.norm() / (of->body.volume * of->body.size), t.x(), t.y(), t.z());
      }
    }
  }
  return {};
}

Result<void> print_loops(const Options& options) {
  constexpr int kLoops = 4;
  std::puts("body,spheres,direction,steps,work_over_all_work,unlike_mean,unlike_worst");
  for (const Scenario& scenario : volume_bodies()) {
    if (!is_wanted(options, scenario)) continue;
    const Result<Loaded> of = load(scenario, kSpheres);
    if (!of) return of.error();
    const std::vector<OverlapPose> poses =
        overlap_poses(of->body, of->trees, {0.05}, kLoops, kSeed);
    for (const auto& [name, direction] : kDirections)
      for (const int steps : {100, 400}) {
        MeanAndWorst work, unlike;
        for (int i = 0; i < kLoops; ++i) {
          const Loop loop = loop_around(*of, poses[static_cast<std::size_t>(i)].pose, direction,
                                        steps, Random(kSeed + static_cast<std::uint64_t>(i)));
          work.add(std::abs(loop.work) / loop.all_work);
          unlike.add(loop.unlike);
        }
        std::printf("%s,%zu,%s,%d,%.3g,%.3g,%.3g\n", scenario.name.c_str(), of->trees.count, name,
                    steps, work.mean(), unlike.mean(), unlike.worst());
        std::fflush(stdout);
      }
  }
  return {};
}

}  // namespace plimsoll::bench
