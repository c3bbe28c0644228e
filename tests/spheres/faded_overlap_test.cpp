#include "spheres/faded_overlap.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <utility>

#include "sphere_scene.h"
#include "spheres/sphere_overlap.h"
#include "support/campaign.h"
#include "support/instruction_sets.h"

namespace plimsoll {
namespace {

using test::find;
using test::RandomPair;
using test::SphereScene;

SphereScene random_scene(Random& random, std::size_t max_count) {
  const auto body = [&] { return test::many_balls(random, 1 + random.below(max_count)); };
  const double scale = random.below(3) == 0 ? random.uniform(0.2, 3) : 1;
  return {body(), body(), test::random_similarity(random, random.uniform(0, 2), scale)};
}

// The bound of block_overlap.h, and forces as sums of the same terms in another order.
TEST_CASE("without a budget the volume, its moment and the forces are those of all pairs") {
  Random random(1);
  FadedOverlapSearch search;
  SphereWalk walk;
  for (int i = 0; i < test::campaign(200); ++i) {
    CAPTURE(i);
    const SphereScene scene = i % 4 == 0   ? SphereScene(test::nested_pair(random, 40, 300))
                              : i % 4 == 1 ? SphereScene(RandomPair(random, 300))
                                           : random_scene(random, 2000);
    for (const NodeBall ball : {NodeBall::kPrimary, NodeBall::kSecondary}) {
      ForceSum forces(ForceDirection::kConesOrCenters, {});
      const TimedOverlap found = find(search, scene, {}, &forces, ball);
      const TimedOverlap alone = find(search, scene, {}, nullptr, ball);
      const SphereOverlap all = sphere_overlap(scene.posed(), walk, ball);
      const SphereForces whole =
          sphere_forces(scene.posed(), walk, ForceDirection::kConesOrCenters, {});
      const double rounding = 0x1p-20 * (scene.size() * all.area + all.volume);
      for (const TimedOverlap& sum : {found, alone}) {
        CHECK(sum.is_complete);
        CHECK(std::abs(sum.volume - all.volume) <= rounding);
        CHECK((sum.moment - all.moment).norm() <= scene.size() * (rounding + 0x1p-20 * all.volume));
      }
      const double force_rounding = 1e-12 * (1 + all.volume);
      CHECK((forces.sum().force_on_a - whole.force_on_a).norm() <= force_rounding);
      CHECK((forces.sum().torque_on_b - whole.torque_on_b).norm() <= 10 * force_rounding);
    }
  }
}

/// The volume and the force that a budget finds.
struct Answer {
  double volume = 0;
  Vec3 force = Vec3::Zero();
  bool is_complete = false;
};

Answer ask(const SphereScene& scene, std::size_t expansions, bool is_faded, bool with_forces) {
  FadedOverlapSearch faded;
  TimedOverlapSearch published;
  ForceSum forces(ForceDirection::kCenters, {});
  ForceSum* wanted = with_forces ? &forces : nullptr;
  const OverlapBudget budget{.max_expansions = expansions};
  const TimedOverlap found = is_faded ? find(faded, scene, budget, wanted)
                                      : published.find(scene.posed(), NodeBall::kSecondary,
                                                       PairOrder::kUncertainty, budget, wanted);
  return {found.volume, forces.sum().force_on_a, found.is_complete};
}

/// The largest changes of volume and force over `count` steps on a path.
struct Changes {
  double volume = 0, force = 0;
  int at = 0;  ///< The step where the volume changes most.
  bool is_complete = false;
};

Changes along(SphereScene& scene, std::size_t expansions, bool is_faded, bool with_forces,
              const Vec3& start, const Vec3& step, int count) {
  const Similarity begin = scene.a_from_b;
  Changes changes;
  Answer before;
  for (int k = 0; k <= count; ++k) {
    scene.a_from_b.translation() = begin.translation() + start + k * step;
    const Answer here = ask(scene, expansions, is_faded, with_forces);
    changes.is_complete = changes.is_complete || here.is_complete;
    if (k > 0) {
      const double change = std::abs(here.volume - before.volume);
      if (change > changes.volume) changes.at = k - 1;
      changes.volume = std::max(changes.volume, change);
      changes.force = std::max(changes.force, (here.force - before.force).norm());
    }
    before = here;
  }
  scene.a_from_b = begin;
  return changes;
}

// Where the change of a step is largest, the step is cut into a hundred. What is nearly straight
// over the step changes by 1 % of that each time; a jump, by all of it. Where the slope changes
// within the step, as it does where keys change places, it may be some times as much. Floats round
// volumes of some m^3 by 1e-6 at most.
TEST_CASE(
    "under a budget of expansions volume and force have no jumps, as the published order has") {
  Random random(3);
  const int scenes = std::max(test::kAddressSanitizer ? 3 : 8, test::campaign(80));
  int budgets = 0, published_jumps = 0;
  for (int i = 0; i < scenes; ++i) {
    CAPTURE(i);
    SphereScene scene = random_scene(random, 3000);
    const Vec3 step = 1e-3 * test::random_vector(random);
    for (const bool with_forces : {false, true})
      for (const std::size_t expansions : {3, 10, 50}) {
        CAPTURE(expansions);
        for (const bool is_faded : {false, true}) {
          const auto changes = [&](const Vec3& start, const Vec3& by) {
            return along(scene, expansions, is_faded, with_forces, start, by, 100);
          };
          const Changes whole = changes(Vec3::Zero(), step);
          if (whole.is_complete || whole.volume < 1e-5) continue;
          const Changes parts = changes(whole.at * step, 0.01 * step);
          if (is_faded) {
            ++budgets;
            CHECK(parts.volume <= 0.1 * whole.volume + 1e-6);
            CHECK(parts.force <= 0.1 * whole.force + 1e-6);
          } else {
            published_jumps += parts.volume > 0.5 * whole.volume ? 1 : 0;
          }
        }
      }
  }
  CHECK(budgets >= scenes);
  CHECK(published_jumps > (test::kAddressSanitizer ? 0 : 5));
}

// Over all bodies: for one, an estimate may be right by accident.
TEST_CASE("more expansions bring the estimate nearer to the volume") {
  Random random(4);
  FadedOverlapSearch search;
  std::map<std::size_t, double> errors;
  for (int i = 0; i < test::campaign(200); ++i) {
    const SphereScene scene = random_scene(random, 4000);
    const double whole = find(search, scene, {}).volume;
    for (const std::size_t budget : {0, 10, 100}) {
      const TimedOverlap found = find(search, scene, {.max_expansions = budget});
      CHECK(found.expansions <= budget);
      CHECK(found.volume >= 0);
      errors[budget] += std::abs(found.volume - whole);
    }
  }
  CHECK(errors[10] < 0.6 * errors[0]);
  CHECK(errors[100] < 0.4 * errors[10]);
}

TEST_CASE("an answer has the same bits for every instruction set and after any other question") {
  Random random(5);
  FadedOverlapSearch used;
  for (int i = 0; i < test::campaign(100); ++i) {
    const SphereScene scene = random_scene(random, 2000);
    const OverlapBudget budget{.max_expansions = random.below(30)};
    ForceSum forces(ForceDirection::kConesOrCenters, {});
    const TimedOverlap x = find(used, scene, budget, &forces);
    const TimedOverlap alone = find(used, scene, budget);
    test::for_each_instruction_set([&] {
      FadedOverlapSearch fresh;
      ForceSum again(ForceDirection::kConesOrCenters, {});
      const TimedOverlap y = find(fresh, scene, budget, &again);
      CHECK(find(fresh, scene, budget).volume == alone.volume);
      CHECK(x.volume == y.volume);
      CHECK(x.moment == y.moment);
      CHECK(x.expansions == y.expansions);
      CHECK(forces.sum().force_on_a == again.sum().force_on_a);
      CHECK(forces.sum().torque_on_b == again.sum().torque_on_b);
    });
  }
}

TEST_CASE("no time is no expansion, and much time or no room are what they say") {
  Random random(6);
  FadedOverlapSearch search;
  int incomplete = 0;
  for (int i = 0; i < 20; ++i) {
    const SphereScene scene = random_scene(random, 2000);
    const TimedOverlap all = find(search, scene, {}), none = find(search, scene, {.max_time = 0});
    CHECK(none.expansions == 0);
    CHECK(none.volume == find(search, scene, {.max_expansions = 0}).volume);
    CHECK(none.volume == find(search, scene, {.max_waiting = 0}).volume);
    CHECK(find(search, scene, {.max_time = 3600}).volume == all.volume);
    const TimedOverlap few = find(search, scene, {.max_waiting = 20});
    CHECK(few.expansions <= all.expansions);
    incomplete += few.is_complete ? 0 : 1;
  }
  CHECK(incomplete > 0);
}

// Balls of 1 of which each is alone in its tree: the push is the expected volume along the line.
TEST_CASE(
    "a pair that is left pushes with its expected volume along the line of centers or cones") {
  SphereNode leaf = test::leaf(Vec3(0, 0, 0), 1, 1.1, 1.2);
  for (const bool is_narrow : {false, true}) {
    leaf.cone = {.axis = Vec3(0, 0, 1), .angle = is_narrow ? 0.1 : 3.0};
    const SphereHierarchy ball = test::median_hierarchy({leaf});
    Similarity pose(Eigen::Translation3d(1, 0, 0));
    pose.linear() = Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitY()).toRotationMatrix();
    const SphereScene scene(ball, ball, pose);
    FadedOverlapSearch search;
    for (const ForceDirection direction :
         {ForceDirection::kCenters, ForceDirection::kConesOrCenters}) {
      ForceSum forces(direction, {});
      const TimedOverlap none =
          find(search, scene, {.max_expansions = 0}, &forces, NodeBall::kPrimary);
      const bool by_cones = is_narrow && direction == ForceDirection::kConesOrCenters;
      const Vec3 on_a = by_cones ? Vec3(1, 0, 0) : Vec3(-1, 0, 0);
      const Vec3 on_b = by_cones ? Vec3(0, 0, 1) : Vec3(1, 0, 0);
      CHECK((forces.sum().force_on_a - none.volume * on_a).norm() <= 1e-5);
      CHECK((forces.sum().force_on_b - none.volume * on_b).norm() <= 1e-5);
      CHECK(none.volume > 0.1);
    }
  }
}

}  // namespace
}  // namespace plimsoll
