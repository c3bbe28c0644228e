#include "tree/corner_hull.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/campaign.h"
#include "support/instruction_sets.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

using Points = std::vector<Vec3>;

/// Some points of a box, perhaps flat or a line, turned and shifted.
Points random_points(Random& random, const Similarity& pose) {
  Vec3 size;
  for (double& x : size) x = random.below(3) == 0 ? 0 : std::pow(10, random.uniform(-3, 0));
  Points points(1 + random.below(CornerHull::kMostPoints));
  for (Vec3& p : points) p = pose * size.cwiseProduct(test::random_vector(random));
  return points;
}

/// Hulls of hulls of hulls, as trees have them.
CornerHull hull_of(const Points& points) {
  std::vector<CornerHull> hulls;
  for (std::size_t i = 0; i < points.size(); i += 9)
    hulls.push_back(CornerHull::around(
        std::span(points).subspan(i, std::min<std::size_t>(9, points.size() - i))));
  return CornerHull::around(std::span<const CornerHull>(hulls));
}

double most_along(const CornerHull& hull, const Vec3& d) {
  double most = -1e300;
  for (std::size_t i = 0; i < CornerHull::kBoxes; ++i) {
    double value = d.dot(Vec3(hull.center[0][i], hull.center[1][i], hull.center[2][i]));
    for (std::size_t j = 0; j < 3; ++j)
      value += hull.half[j][i] * std::abs(d.dot(Vec3::Map(hull.axis[j])));
    most = std::max(most, value);
  }
  return most;
}

TEST_CASE("a hull reaches as far as its points in every direction, and stays where they are") {
  Random random(1);
  for (int i = 0; i < test::campaign(20000); ++i) {
    const Similarity pose = test::random_similarity(random, 1);
    const Points points = random_points(random, pose);
    const CornerHull hull = hull_of(points);
    double size = 0;
    for (const Vec3& p : points) size = std::max(size, (p - points[0]).norm());
    const Vec3 d = test::random_vector(random).normalized();
    double most = -1e300;
    for (const Vec3& p : points) most = std::max(most, d.dot(p));
    REQUIRE(most_along(hull, d) >= most - 0x1p-49 * hull.reach);
    REQUIRE(most_along(hull, d) <= most + 2 * size + 1e-9);
    const Similarity other = test::random_similarity(random, 1, 0.5);
    double posed = -1e300;
    for (const Vec3& p : points) posed = std::max(posed, d.dot(other * p));
    REQUIRE(most_along(hull.posed(other), d) >= posed - 0x1p-48 * hull.posed(other).reach);
  }
}

// A register holds all boxes of a hull, or a part of them.
TEST_CASE("reaches are those of the farthest box, by every instruction set") {
  Random random(4);
  test::for_each_instruction_set([&] {
    for (int i = 0; i < 200; ++i) {
      const CornerHull a = hull_of(random_points(random, test::random_similarity(random, 1)));
      const CornerHull b = hull_of(random_points(random, test::random_similarity(random, 1)));
      const Vec3 d = test::random_vector(random).normalized();
      const HullReaches found = reaches_of(a, b, d);
      CHECK(std::fabs(found.a.most - most_along(a, d)) <= 0x1p-49 * a.reach);
      CHECK(std::fabs(found.b.most - most_along(b, -d)) <= 0x1p-49 * b.reach);
    }
  });
}

// Of two sets with a common point, whatever their shape, none may be said to be apart.
TEST_CASE("hulls with a point in common are not apart") {
  Random random(2);
  HullSeparation separation;  // one for all, so that it begins with planes of others
  for (int i = 0; i < test::campaign(20000); ++i) {
    const Similarity pose = test::random_similarity(random, 1);
    Points a = random_points(random, pose), b = random_points(random, pose);
    const auto inner = [&](const Points& p) -> Vec3 {
      const double s = random.below(3) == 0 ? 0 : random.unit();
      return (1 - s) * p[random.below(p.size())] + s * p[random.below(p.size())];
    };
    const Vec3 shift = inner(a) - inner(b);
    for (Vec3& p : b) p += shift;
    REQUIRE_FALSE(separation.are_apart(hull_of(a), hull_of(b)));
  }
}

// Flat ones lie in one plane, as strips of one face do.
TEST_CASE("convex patches of one plane and of others are apart where a gap parts them") {
  Random random(3);
  int apart = 0, flat = 0;
  HullSeparation separation;
  for (int i = 0; i < test::campaign(20000); ++i) {
    const Similarity pose = test::random_similarity(random, 1);
    const bool is_flat = random.below(2) == 0;
    const double gap = std::pow(10, random.uniform(-8, 0)), width = 10 * gap * random.unit();
    Points a, b;
    for (int k = 0; k < 4; ++k) {
      const double z = is_flat ? 0 : 1;
      a.push_back(pose * Vec3(random.unit(), -gap / 2 - width * (k % 2), z * random.unit()));
      b.push_back(pose * Vec3(random.unit(), gap / 2 + width * (k % 2), z * random.unit()));
    }
    const bool told = separation.are_apart(hull_of(a), hull_of(b));
    apart += told ? 1 : 0;
    flat += told && is_flat ? 1 : 0;
  }
  CHECK(apart >= 0.999 * test::campaign(20000));
  CHECK(flat >= 0.45 * test::campaign(20000));
}

}  // namespace
}  // namespace plimsoll
