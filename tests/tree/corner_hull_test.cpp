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

// Points lie within w of a line or of a plane. The first axis leads from one point to the one that
// is farthest from it, so that it leaves the line, or the plane, by 2 w at most over all points. A
// point is within w of the line, and so is the one that the axis begins at: no point is more than
// 4 w from the axis. The second axis leads to the point that is farthest from the first and leaves
// the plane by 2 w for both points and 2 w for the first axis, so that no point is more than
// 2 w + 2 w + 4 w off the plane of both.
TEST_CASE("the axes of a thin hull lie along its points, in whatever order these are") {
  Random random(5);
  constexpr double kThin = 1e-6;
  for (int i = 0; i < test::campaign(2000); ++i) {
    CAPTURE(i);
    const bool is_flat = i % 2 == 1;
    const Similarity pose = test::random_similarity(random, 1);
    const double scale = pose.linear().col(0).norm();
    Points points(3 + random.below(CornerHull::kMostPoints - 2));
    for (Vec3& p : points) {
      const Vec3 off = kThin * random.unit() * test::random_vector(random).normalized();
      p = pose * Vec3(Vec3(random.unit(), is_flat ? random.unit() : 0, 0) + off);
    }
    const CornerHull hull = CornerHull::around(std::span<const Vec3>(points));
    Mat3 axes;
    for (int j = 0; j < 3; ++j) axes.row(j) = Vec3::Map(hull.axis[j]);
    // Components are rounded a few times each.
    CHECK((axes * axes.transpose() - Mat3::Identity()).cwiseAbs().maxCoeff() <= 8e-15);
    // Coordinates are rounded, at sizes of 10 or less.
    const double w = kThin * scale, rounding = 1e-14;
    for (std::size_t box = 0; box < CornerHull::kBoxes; ++box) {
      if (!is_flat) CHECK(hull.half[1][box] <= 4 * w + rounding);
      CHECK(hull.half[2][box] <= (is_flat ? 8 : 4) * w + rounding);
    }
  }
}

}  // namespace
}  // namespace plimsoll
