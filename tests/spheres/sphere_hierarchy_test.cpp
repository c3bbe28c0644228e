#include "spheres/sphere_hierarchy.h"

#include <doctest/doctest.h>
#include <plimsoll/parallel.h>

#include <bit>
#include <cmath>
#include <numbers>
#include <vector>

#include "ball_cases.h"

namespace plimsoll {
namespace {

constexpr double kPi = std::numbers::pi;

using LongVec = Eigen::Matrix<long double, 3, 1>;

/// In long double, whose own roundings are 2^-11 of what radii are rounded up by at least.
bool encloses(const Vec3& center, double radius, const Vec3& of_ball, double ball_radius) {
  const LongVec d = of_ball.cast<long double>() - center.cast<long double>();
  return d.norm() + static_cast<long double>(ball_radius) <= static_cast<long double>(radius);
}

std::vector<SphereShare> random_shares(Random& random, std::span<const PlacedSphere> spheres) {
  std::vector<SphereShare> shares;
  for (const PlacedSphere& sphere : spheres) {
    const double volume = 4 * kPi / 3 * std::pow(sphere.radius, 3);
    SphereShare share{.volume = volume * random.uniform(0.5, 2),
                      .published_volume = random.below(4) == 0 ? 0 : volume * random.unit(),
                      .uncovered = volume * random.unit(),
                      .reach = sphere.radius * random.uniform(1, 2),
                      .cone = {}};
    share.cone = {(Vec3(0, 0, 1) + 0.3 * test::point_in_cube(random)).normalized(),
                  random.uniform(0, 0.5)};
    shares.push_back(share);
  }
  return shares;
}

/// What the nodes say of their leaves, checked from below.
class Checker {
 public:
  explicit Checker(const SphereHierarchy& hierarchy) : hierarchy_(hierarchy) { descend(0, 0); }

  [[nodiscard]] const std::vector<std::uint32_t>& leaves() const { return leaves_; }
  [[nodiscard]] std::size_t depth() const { return depth_; }

 private:
  const SphereNode& node(std::size_t i) const { return hierarchy_.nodes[i]; }

  void descend(std::size_t i, std::size_t depth) {
    depth_ = std::max(depth_, depth);
    const SphereNode& here = node(i);
    const std::size_t first_leaf = leaves_.size();
    if (here.children == 0) {
      leaves_.push_back(static_cast<std::uint32_t>(i));
      return;
    }
    REQUIRE(here.children >= 2);
    REQUIRE(here.children <= hierarchy_.branching);
    REQUIRE(here.first > i);
    for (std::size_t k = 0; k < here.children; ++k) descend(here.first + k, depth + 1);
    for (std::size_t leaf = first_leaf; leaf < leaves_.size(); ++leaf)
      check(here, node(leaves_[leaf]));
    check_few(here, leaves_.size() - first_leaf);
    check_sums(here);
  }

  static void check(const SphereNode& above, const SphereNode& leaf) {
    REQUIRE(encloses(above.center, above.radius, leaf.center, leaf.radius));
    REQUIRE(encloses(above.center, above.secondary_radius, leaf.center, leaf.secondary_radius));
    REQUIRE(encloses(above.center, above.reach, leaf.center, leaf.reach));
    if (above.cone.angle >= kPi) return;
    const double cosine = above.cone.axis.dot(leaf.cone.axis);
    const double sine = above.cone.axis.cross(leaf.cone.axis).norm();
    // Roundings of angles below pi.
    REQUIRE(std::atan2(sine, cosine) + leaf.cone.angle <= above.cone.angle + 1e-15);
  }

  void check_few(const SphereNode& here, std::size_t count) const {
    REQUIRE(here.children >= std::min(count, hierarchy_.branching));
    if (count > hierarchy_.branching) return;
    for (std::size_t k = 0; k < here.children; ++k) REQUIRE(node(here.first + k).children == 0);
  }

  /// For sums of up to 16 terms in any order; volumes of huge spheres are infinite.
  static bool are_close(double a, double b) { return a == b || std::abs(a - b) <= 4e-15 * b; }

  void check_sums(const SphereNode& here) const {
    double volume = 0, secondary = 0, uncovered = 0;
    for (std::size_t k = 0; k < here.children; ++k) {
      volume += node(here.first + k).volume;
      secondary += node(here.first + k).secondary_volume;
      uncovered += node(here.first + k).uncovered;
    }
    REQUIRE(are_close(here.volume, volume));
    REQUIRE(are_close(here.secondary_volume, secondary));
    REQUIRE(are_close(here.uncovered, uncovered));
  }

  const SphereHierarchy& hierarchy_;
  std::vector<std::uint32_t> leaves_;
  std::size_t depth_ = 0;
};

void check_leaves(const SphereHierarchy& hierarchy, std::span<const PlacedSphere> spheres,
                  const Checker& checker) {
  std::vector<int> visits(spheres.size());
  for (const std::uint32_t leaf : checker.leaves()) {
    const SphereNode& node = hierarchy.nodes[leaf];
    REQUIRE(node.first < spheres.size());
    ++visits[node.first];
    REQUIRE(node.center == spheres[node.first].center);
    REQUIRE(node.radius == spheres[node.first].radius);
  }
  CHECK(visits == std::vector<int>(spheres.size(), 1));
}

/// Returns the depth.
std::size_t check(const SphereHierarchy& hierarchy, std::span<const PlacedSphere> spheres) {
  const Checker checker(hierarchy);
  check_leaves(hierarchy, spheres, checker);
  const std::size_t inner = hierarchy.nodes.size() - spheres.size();
  CHECK((spheres.size() == 1 ? inner == 0 : inner >= 1));
  CHECK(checker.depth() <= kMaxSphereDepth);
  return checker.depth();
}

/// All numbers of a node, in one row.
std::vector<double> numbers(const SphereNode& node) {
  std::vector<double> row{
      node.radius,     node.secondary_radius,           node.reach,
      node.volume,     node.secondary_volume,           node.uncovered,
      node.cone.angle, static_cast<double>(node.first), static_cast<double>(node.children)};
  for (const Vec3& v : {node.center, node.volume_center, node.secondary_center, node.cone.axis})
    row.insert(row.end(), {v[0], v[1], v[2]});
  return row;
}

TEST_CASE("a hierarchy follows from its layout and the spheres to the last bit") {
  Random random(7);
  for (const std::size_t branching : {2U, 4U, 16U})
    for (int kind = 0; kind < test::kBallCaseKinds; ++kind) {
      const SecondaryRadii radii =
          kind % 2 == 0 ? SecondaryRadii::kPublished : SecondaryRadii::kShares;
      const std::vector<PlacedSphere> spheres = test::ball_case(random, kind, 300);
      const std::vector<SphereShare> shares = random_shares(random, spheres);
      const SphereHierarchy made = make_sphere_hierarchy(spheres, shares, radii, branching);
      const SphereHierarchy again = make_sphere_hierarchy(spheres, shares, radii, layout_of(made));
      REQUIRE(again.branching == made.branching);
      REQUIRE(again.nodes.size() == made.nodes.size());
      for (std::size_t i = 0; i < made.nodes.size(); ++i)
        REQUIRE(numbers(again.nodes[i]) == numbers(made.nodes[i]));
    }
}

TEST_CASE("the balls of each node enclose all leaves below, and each sphere is one leaf") {
  Random random(1);
  for (std::size_t branching = 2; branching <= 16; ++branching)
    for (int kind = 0; kind < test::kBallCaseKinds; ++kind)
      for (const std::size_t count : {1U, 2U, 5U, 17U, 400U}) {
        CAPTURE(branching);
        CAPTURE(kind);
        CAPTURE(count);
        const auto spheres = test::ball_case(random, kind, count);
        const auto shares = random_shares(random, spheres);
        for (const SecondaryRadii radii :
             {SecondaryRadii::kPrimary, SecondaryRadii::kPublished, SecondaryRadii::kShares})
          check(make_sphere_hierarchy(spheres, shares, radii, branching), spheres);
      }
}

TEST_CASE("one sphere is a leaf, and as few as the branching are leaves below the root") {
  const std::vector<PlacedSphere> spheres = {{{1, 2, 3}, 0.5}, {{2, 3, 4}, 0.25}, {{0, 0, 0}, 1}};
  const SphereHierarchy one =
      make_sphere_hierarchy(std::span(spheres).first(1), {}, SecondaryRadii::kPrimary, 4);
  REQUIRE(one.nodes.size() == 1);
  CHECK(one.nodes[0].children == 0);
  CHECK(one.nodes[0].reach == 0.5);
  CHECK(one.nodes[0].cone.angle == kPi);
  const SphereHierarchy three = make_sphere_hierarchy(spheres, {}, SecondaryRadii::kPrimary, 4);
  REQUIRE(three.nodes.size() == 4);
  CHECK(three.nodes[0].children == 3);
}

// A root of the third order, its third power and a product with pi are a few roundings.
TEST_CASE("a secondary sphere has the volume that its leaf stands for") {
  Random random(2);
  const auto spheres = test::ball_case(random, 0, 50);
  const auto shares = random_shares(random, spheres);
  for (const SecondaryRadii radii :
       {SecondaryRadii::kPrimary, SecondaryRadii::kPublished, SecondaryRadii::kShares}) {
    const SphereHierarchy hierarchy = make_sphere_hierarchy(spheres, shares, radii, 4);
    for (const SphereNode& node : hierarchy.nodes) {
      if (node.children != 0) continue;
      const SphereShare& share = shares[node.first];
      const double primary = 4 * kPi / 3 * std::pow(node.radius, 3);
      const double volume = radii == SecondaryRadii::kPrimary     ? primary
                            : radii == SecondaryRadii::kPublished ? share.published_volume
                                                                  : share.volume;
      CHECK(std::abs(4 * kPi / 3 * std::pow(node.secondary_radius, 3) - volume) <= 1e-14 * volume);
      CHECK(std::abs(node.secondary_volume - volume) <= 1e-14 * volume);
      CHECK(std::abs(node.volume - primary) <= 1e-14 * primary);
      CHECK(node.reach == share.reach);
      CHECK(node.uncovered == share.uncovered);
    }
  }
}

TEST_CASE("a cone is about the mean of the axes, each as often as its volume") {
  const std::vector<PlacedSphere> spheres = {{{0, 0, 0}, 1}, {{4, 0, 0}, 2}};  // volumes 1 : 8
  std::vector<SphereShare> shares(2, SphereShare{.reach = 2, .cone = {}});
  shares[0].cone = {Vec3(1, 0, 0), 0.25};
  shares[1].cone = {Vec3(0, 1, 0), 0.5};
  const auto cone_of = [&] {
    return make_sphere_hierarchy(spheres, shares, SecondaryRadii::kPrimary, 2).nodes[0].cone;
  };
  CHECK((cone_of().axis - Vec3(1, 8, 0).normalized()).norm() <= 1e-15);
  // The axis of the first is atan(8) away. Some roundings of an angle of about 1.7.
  CHECK(std::abs(cone_of().angle - (std::atan(8) + 0.25)) <= 4e-15);

  shares[1].cone = {Vec3(0, 1, 0), 3.1};  // more than all directions from the common axis
  CHECK(cone_of().angle == kPi);
  CHECK(cone_of().axis == Vec3::Zero());
  shares[1].cone = {Vec3::Zero(), kPi};
  CHECK(cone_of().angle == kPi);
  CHECK(cone_of().axis == Vec3::Zero());
}

TEST_CASE("spheres at one place have a shallow tree") {
  const std::vector<PlacedSphere> spheres(5000, PlacedSphere{{1, 2, 3}, 0.5});
  for (const std::size_t branching : {2U, 4U, 16U}) {
    const auto hierarchy = make_sphere_hierarchy(spheres, {}, SecondaryRadii::kPrimary, branching);
    // Halves of halves, shared out: no more levels than a tree of two children has.
    CHECK(check(hierarchy, spheres) <= 13);
  }
}

// Each of 900 spheres is smaller than the one before, which has 7 / 8 of the volume of all that
// follow: clusters alone would take away a few of them at a time.
TEST_CASE("spheres of a geometric progression have a tree of bounded depth") {
  std::vector<PlacedSphere> spheres;
  for (int i = 0; i < 900; ++i)
    spheres.push_back({Vec3(std::ldexp(3, -i), 0, 0), std::ldexp(1, -i)});
  for (const std::size_t branching : {2U, 4U}) {
    const auto hierarchy = make_sphere_hierarchy(spheres, {}, SecondaryRadii::kPrimary, branching);
    CHECK(check(hierarchy, spheres) <= 8 + 3 * std::bit_width(spheres.size()));
  }
}

void check_equal(const SphereHierarchy& a, const SphereHierarchy& b) {
  REQUIRE(a.nodes.size() == b.nodes.size());
  for (std::size_t i = 0; i < a.nodes.size(); ++i) {
    const SphereNode &p = a.nodes[i], &q = b.nodes[i];
    REQUIRE(p.center == q.center);
    REQUIRE(p.radius == q.radius);
    REQUIRE(p.secondary_radius == q.secondary_radius);
    REQUIRE(p.reach == q.reach);
    REQUIRE(p.volume == q.volume);
    REQUIRE(p.secondary_volume == q.secondary_volume);
    REQUIRE(p.uncovered == q.uncovered);
    REQUIRE(p.cone.axis == q.cone.axis);
    REQUIRE(p.cone.angle == q.cone.angle);
    REQUIRE(p.first == q.first);
    REQUIRE(p.children == q.children);
  }
}

TEST_CASE("the tree has the same bits for any number of threads") {
  Random random(3);
  const auto spheres = test::ball_case(random, 6, 3000);
  const auto shares = random_shares(random, spheres);
  SphereHierarchy one;
  with_threads(1,
               [&] { one = make_sphere_hierarchy(spheres, shares, SecondaryRadii::kShares, 4); });
  for (const int threads : {1, 2, 4})
    with_threads(threads, [&] {
      check_equal(make_sphere_hierarchy(spheres, shares, SecondaryRadii::kShares, 4), one);
    });
}

// Powers of two change no rounding, but where radii are rounded up among the least doubles.
TEST_CASE("the tree encloses its leaves at any scale") {
  Random random(4);
  const auto spheres = test::ball_case(random, 0, 300);
  for (const int exponent : {-1000, -300, 300, 1000}) {
    std::vector<PlacedSphere> scaled = spheres;
    for (PlacedSphere& sphere : scaled)
      sphere = {sphere.center * std::ldexp(1, exponent), std::ldexp(sphere.radius, exponent)};
    check(make_sphere_hierarchy(scaled, {}, SecondaryRadii::kPrimary, 4), scaled);
  }
}

}  // namespace
}  // namespace plimsoll
