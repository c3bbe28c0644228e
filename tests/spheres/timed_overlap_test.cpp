#include "spheres/timed_overlap.h"

#include <doctest/doctest.h>

#include <map>

#include "random_spheres.h"
#include "spheres/lens.h"
#include "spheres/sphere_overlap.h"
#include "support/campaign.h"

namespace plimsoll {
namespace {

using test::RandomPair;

constexpr PairOrder kOrders[] = {PairOrder::kUncertainty, PairOrder::kOverlap,
                                 PairOrder::kChildOverlap};

/// Algorithm 3 as a list that is searched and summed anew at each step.
class SlowTimedOverlap {
 public:
  SlowTimedOverlap(const RandomPair& pair, PairOrder order) : pair_(pair), order_(order) {
    if (overlap({0, 0}) > 0) open_.push_back({0, 0});
  }

  [[nodiscard]] double volume() const {
    double sum = 0;
    for (const SpherePair& pair : open_) sum += share(pair) * overlap(pair);
    return sum;
  }
  [[nodiscard]] double node_overlap() const {
    double sum = 0;
    for (const SpherePair& pair : open_)
      sum += is_known(pair) ? share(pair) * overlap(pair) : overlap(pair);
    return sum;
  }
  [[nodiscard]] double child_overlap() const {
    double sum = 0;
    for (const SpherePair& pair : open_)
      sum += is_known(pair) ? share(pair) * overlap(pair) : children(pair);
    return sum;
  }
  /// Opens the pair with the largest key; false where there are only leaves, or where rounding may
  /// decide which key is the largest.
  bool open() {
    auto best = open_.end();
    double first = 0, second = 0;
    for (auto at = open_.begin(); at != open_.end(); ++at) {
      if (is_known(*at)) continue;
      const double number = key(*at);
      second = std::max(second, std::min(first, number));
      if (number > first || best == open_.end()) best = at;
      first = std::max(first, number);
    }
    if (best == open_.end() || second >= first * (1 - 1e-12)) return false;
    const SpherePair opened = *best;
    open_.erase(best);
    for_children(opened, [&](SpherePair child) {
      if (overlap(child) > 0) open_.push_back(child);
    });
    return true;
  }

 private:
  [[nodiscard]] const SphereNode& a(SpherePair pair) const { return pair_.a.nodes[pair.a]; }
  [[nodiscard]] const SphereNode& b(SpherePair pair) const { return pair_.b.nodes[pair.b]; }
  /// Whether the volume of a pair is known without opening it.
  [[nodiscard]] bool is_known(SpherePair pair) const {
    const double scale = pair_.a_from_b.linear().col(0).norm();
    const double r = a(pair).secondary_radius, s = scale * b(pair).secondary_radius;
    const double d = distance(pair);
    return (a(pair).children == 0 && (b(pair).children == 0 || d + s < r)) ||
           (b(pair).children == 0 && d + r < s);
  }
  [[nodiscard]] double distance(SpherePair pair) const {
    return (pair_.a_from_b * b(pair).center - a(pair).center).norm();
  }
  template <class Visit>
  void for_children(SpherePair pair, const Visit& visit) const {
    const auto below = [](const SphereNode& node, std::uint32_t number) {
      std::vector<std::uint32_t> numbers;
      for (std::uint32_t k = 0; k < node.children; ++k) numbers.push_back(node.first + k);
      if (numbers.empty()) numbers.push_back(number);
      return numbers;
    };
    for (const std::uint32_t i : below(a(pair), pair.a))
      for (const std::uint32_t j : below(b(pair), pair.b)) visit(SpherePair{i, j});
  }
  [[nodiscard]] double overlap(SpherePair pair) const {
    const double scale = pair_.a_from_b.linear().col(0).norm();
    return lens_volume(a(pair).secondary_radius, scale * b(pair).secondary_radius, distance(pair));
  }
  [[nodiscard]] double share(SpherePair pair) const {
    const auto filled = [](const SphereNode& node) {
      return std::min(1.0, node.secondary_volume / test::ball_volume(node.secondary_radius));
    };
    return filled(a(pair)) * filled(b(pair));
  }
  [[nodiscard]] double children(SpherePair pair) const {
    double sum = 0;
    for_children(pair, [&](SpherePair child) { sum += overlap(child); });
    return sum;
  }
  [[nodiscard]] double key(SpherePair pair) const {
    switch (order_) {
      case PairOrder::kUncertainty:
        return (1 - share(pair)) * overlap(pair);
      case PairOrder::kOverlap:
        return overlap(pair);
      default:
        return children(pair);
    }
  }

  const RandomPair& pair_;
  PairOrder order_;
  std::vector<SpherePair> open_;
};

/// By secondary radii, within a number of expansions.
TimedOverlap find(TimedOverlapSearch& search, const RandomPair& pair, PairOrder order,
                  std::size_t expansions, ForceSum* forces = nullptr) {
  return search.find(pair.posed(), NodeBall::kSecondary, order, {.max_expansions = expansions},
                     forces);
}

// Sums of thousands of terms that are added and taken away, of balls of up to 100 m^3 at the root.
TEST_CASE("after each expansion the estimate is that of a slow list") {
  Random random(1);
  TimedOverlapSearch search;
  int steps = 0;
  for (int i = 0; i < test::campaign(200); ++i) {
    CAPTURE(i);
    const RandomPair pair(random, 40);
    for (const PairOrder order : kOrders) {
      SlowTimedOverlap slow(pair, order);
      for (std::size_t expansions = 0; expansions < 30; ++expansions, ++steps) {
        const TimedOverlap found = find(search, pair, order, expansions);
        if (found.expansions < expansions) break;
        CHECK(std::abs(found.volume - slow.volume()) <= 1e-11);
        CHECK(std::abs(found.node_overlap - slow.node_overlap()) <= 1e-11);
        if (order == PairOrder::kChildOverlap)
          CHECK(std::abs(found.child_overlap - slow.child_overlap()) <= 1e-11);
        else
          CHECK(found.child_overlap == 0);
        if (!slow.open()) break;
      }
    }
  }
  CHECK(steps > test::campaign(1000));
}

// The same lenses in another order, of at most 30 m^3 in all.
TEST_CASE("without a budget the volume is that of the whole traversal, in any order") {
  Random random(2);
  TimedOverlapSearch search;
  SphereWalk walk;
  for (int i = 0; i < test::campaign(1000); ++i) {
    CAPTURE(i);
    const RandomPair pair(random, 200);
    for (const NodeBall ball : {NodeBall::kPrimary, NodeBall::kSecondary}) {
      const double whole = sphere_overlap(pair.posed(), walk, ball).volume;
      for (const PairOrder order : kOrders) {
        const TimedOverlap found = search.find(pair.posed(), ball, order, {});
        CHECK(found.is_complete);
        CHECK(std::abs(found.volume - whole) <= 1e-12 * (1 + whole));
        CHECK(found.node_overlap == found.volume);
      }
    }
  }
}

TEST_CASE("an estimate is never below 0 nor above what the balls have in common") {
  Random random(3);
  TimedOverlapSearch search;
  for (int i = 0; i < test::campaign(2000); ++i) {
    const RandomPair pair(random, 200);
    const std::size_t budget = random.below(1000);
    const PairOrder order = kOrders[random.below(3)];
    const TimedOverlap found = find(search, pair, order, budget);
    CHECK(found.volume >= 0);
    CHECK(found.volume <= found.node_overlap);
    CHECK(found.expansions <= budget);
    // Earlier questions change no bit.
    TimedOverlapSearch fresh;
    CHECK(find(fresh, pair, order, budget).volume == found.volume);
  }
}

// Over all bodies: for one, an estimate may be right by accident.
TEST_CASE("more expansions bring the estimate nearer to the volume") {
  Random random(4);
  TimedOverlapSearch search;
  std::map<std::size_t, double> errors;
  for (int i = 0; i < test::campaign(500); ++i) {
    const RandomPair pair(random, 300);
    const double whole = find(search, pair, PairOrder::kUncertainty, 1'000'000).volume;
    for (const std::size_t budget : {0u, 10u, 100u, 1000u})
      errors[budget] +=
          std::abs(find(search, pair, PairOrder::kUncertainty, budget).volume - whole);
  }
  CHECK(errors[10] < 0.6 * errors[0]);
  CHECK(errors[100] < 0.6 * errors[0]);
  CHECK(errors[1000] < 0.4 * errors[100]);
}

TEST_CASE("no time is no expansion, and much time is the whole volume") {
  Random random(5);
  TimedOverlapSearch search;
  for (int i = 0; i < 20; ++i) {
    const RandomPair pair(random, 200);
    const auto in_time = [&](double time) {
      return search.find(pair.posed(), NodeBall::kSecondary, PairOrder::kUncertainty,
                         {.max_time = time});
    };
    CHECK(in_time(0).expansions == 0);
    CHECK(in_time(0).volume == find(search, pair, PairOrder::kUncertainty, 0).volume);
    CHECK(in_time(3600).volume == find(search, pair, PairOrder::kUncertainty, 1'000'000).volume);
    CHECK(in_time(3600).is_complete);
  }
}

TEST_CASE("pairs for which there is no room count with what is expected of them") {
  Random random(6);
  TimedOverlapSearch search;
  int incomplete = 0;
  for (int i = 0; i < test::campaign(300); ++i) {
    const RandomPair pair(random, 200);
    const auto found = search.find(pair.posed(), NodeBall::kSecondary, PairOrder::kUncertainty,
                                   {.max_waiting = 1 + random.below(20)});
    CHECK(found.volume >= 0);
    CHECK(found.volume <= found.node_overlap);
    if (found.is_complete) {
      const double whole = find(search, pair, PairOrder::kUncertainty, 1'000'000).volume;
      CHECK(std::abs(found.volume - whole) <= 1e-12 * (1 + whole));
    } else {
      ++incomplete;
    }
  }
  CHECK(incomplete > 0);
  // The roots themselves wait in no room.
  const RandomPair pair(random, 200);
  const auto none =
      search.find(pair.posed(), NodeBall::kSecondary, PairOrder::kUncertainty, {.max_waiting = 0});
  CHECK(none.volume == find(search, pair, PairOrder::kUncertainty, 0).volume);
}

TEST_CASE("forces of a complete search are those of all pairs") {
  Random random(7);
  TimedOverlapSearch search;
  SphereWalk walk;
  for (int i = 0; i < test::campaign(500); ++i) {
    CAPTURE(i);
    const RandomPair pair(random, 150);
    const TorquePoints about{test::random_vector(random), test::random_vector(random)};
    for (const auto direction : {ForceDirection::kConesOrCenters, ForceDirection::kCenters}) {
      ForceSum forces(direction, about);
      CHECK(find(search, pair, PairOrder::kUncertainty, 1'000'000, &forces).is_complete);
      const SphereForces all = sphere_forces(pair.posed(), walk, direction, about);
      // The same forces in another order.
      CHECK((forces.sum().force_on_a - all.force_on_a).norm() <= 1e-12);
      CHECK((forces.sum().torque_on_b - all.torque_on_b).norm() <= 1e-12);
      CHECK(std::abs(forces.sum().energy - all.energy) <= 1e-12);
    }
  }
}

TEST_CASE("a pair that is left pushes with its expected volume along the line of centers") {
  Random random(8);
  TimedOverlapSearch search;
  int pushed = 0;
  for (int i = 0; i < test::campaign(500); ++i) {
    const RandomPair pair(random, 100);
    const SphereNode &a = pair.a.nodes[0], &b = pair.b.nodes[0];
    if (a.children == 0 || b.children == 0) continue;
    ForceSum forces(ForceDirection::kCenters, {});
    REQUIRE(find(search, pair, PairOrder::kUncertainty, 0, &forces).expansions == 0);
    const double scale = pair.a_from_b.linear().col(0).norm(), s = scale * b.radius;
    const Vec3 off = pair.a_from_b * b.center - a.center;
    const double expected = a.volume / test::ball_volume(a.radius) * b.volume /
                            test::ball_volume(b.radius) * lens_volume(a.radius, s, off.norm());
    const double faded = std::min(1.0, off.norm() / (0.5 * std::min(a.radius, s)));
    CHECK((forces.sum().force_on_b - expected * faded * off.normalized()).norm() <= 1e-12);
    CHECK(forces.sum().force_on_a == -forces.sum().force_on_b);
    if (expected > 0) ++pushed;
  }
  CHECK(pushed > 0);
}

}  // namespace
}  // namespace plimsoll
