#include "core/predicates.h"

#include <doctest/doctest.h>

#include <boost/multiprecision/cpp_int.hpp>

#include <algorithm>
#include <cmath>

#include "core/predicate_cases.h"
#include "support/campaign.h"

namespace plimsoll {
namespace {

using Rational = boost::multiprecision::cpp_rational;

// Straight from the definition, in fractions.
Rational area(const Vec3& a, const Vec3& b, const Vec3& c, int axis) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const Rational au(a[u]), av(a[v]);
  return (Rational(b[u]) - au) * (Rational(c[v]) - av) -
         (Rational(b[v]) - av) * (Rational(c[u]) - au);
}

Rational volume(const std::array<Vec3, 4>& p) {
  Rational sum = 0;
  for (int k = 0; k < 3; ++k)
    sum += (Rational(p[3][k]) - Rational(p[0][k])) * area(p[0], p[1], p[2], k);
  return sum;
}

int orientation(const std::array<Vec3, 4>& p) { return orient3d(p[0], p[1], p[2], p[3]); }

TEST_CASE("a point on the side from which a triangle runs counter-clockwise is in front of it") {
  const Vec3 a(0, 0, 0), b(1, 0, 0), c(0, 1, 0);
  CHECK(orient3d(a, b, c, Vec3(0.2, 0.2, 1)) == 1);
  CHECK(orient3d(a, b, c, Vec3(0.2, 0.2, -1)) == -1);
  CHECK(orient3d(a, b, c, Vec3(5, -7, 0)) == 0);
  CHECK(orient2d(a, b, c, 2) == 1);
  CHECK(orient2d(a, c, b, 2) == -1);
  CHECK(orient2d(a, b, c, 0) == 0);
}

TEST_CASE("the smallest step off a plane is seen") {
  // 2^-53 is half a unit in the last place of 1: the sum 1 + 2^-53 would round it away.
  const Vec3 a(1, 0, 1), b(0, 1, 1), c(-1, -1, 1);
  for (const double step : {0x1p-52, 0x1p-53}) {
    CHECK(orient3d(a, b, c, Vec3(0, 0, step == 0x1p-52 ? 1 + step : 1 - step)) ==
          (step == 0x1p-52 ? 1 : -1));
  }
  CHECK(orient3d(Vec3(12, 12, 12), Vec3(24, 24, 24), Vec3(0.5, 0.5 + 0x1p-53, 0.5),
                 Vec3(0.5, 0.5, 0.5)) == 0);
  CHECK(orient2d(Vec3(12, 12, 0), Vec3(24, 24, 0), Vec3(0.5, 0.5 + 0x1p-53, 0), 2) == 1);
}

TEST_CASE("the subnormal and the largest doubles are oriented like any others") {
  for (const double size :
       {0x1p-1074, 0x1p-1022, 0x1p-540, 0x1p-340, 0x1p340, 0x1p1000, 0x1p1023}) {
    const Vec3 a(-size, -size, size), b(size, -size, -size), c(size, size, size);
    CHECK(orient3d(a, b, c, Vec3(-size, size, -size)) ==
          orient3d(a / size, b / size, c / size, Vec3(-1, 1, -1)));
    CHECK(orient3d(a, b, c, Vec3(0, -size, 0)) == 0);  // between a and b
    CHECK(orient2d(a, b, c, 2) == 1);
    CHECK(are_collinear(a, c, Vec3(0, 0, size)));
    CHECK_FALSE(are_collinear(a, b, c));
  }
}

// The plane x - y = e is parallel to (1, 1, 1), and so passes the point (-1, -1, -1) at e /
// sqrt(2), however small e is: the determinant is e^3, of differences that are 1 and a few e. So
// does the line x - y = e in the plane, and its determinant is e^2.
TEST_CASE("a point is told from a plane by less than the cube of the smallest difference") {
  for (const double e : {0x1p-60, 0x1p-299, 0x1p-300, 0x1p-301, 0x1p-352, 0x1p-400, 0x1p-540,
                         0x1p-600, 0x1p-1000, 0x1p-1073, 0x1p-1074}) {
    CAPTURE(e);
    const Vec3 points[] = {{-1, -1, -1}, {e, 0, 0}, {2 * e, e, 0}, {e, 0, e}};
    for (int turn = 0; turn < 3; ++turn) {
      CAPTURE(turn);
      std::array<Vec3, 4> p;
      for (std::size_t i = 0; i < 4; ++i)
        for (int k = 0; k < 3; ++k) p[i][(k + turn) % 3] = points[i][k];
      // A swap of two points turns the sign, whichever of them the others are taken relative to.
      CHECK(orient3d(p[0], p[1], p[2], p[3]) == 1);
      CHECK(orient3d(p[0], p[2], p[1], p[3]) == -1);
      CHECK(orient3d(p[0], p[1], p[3], p[2]) == -1);
      CHECK(orient3d(p[1], p[0], p[2], p[3]) == -1);
      CHECK(orient3d(p[3], p[1], p[2], p[0]) == -1);
      const int axis = (2 + turn) % 3;
      CHECK(orient2d(p[0], p[1], p[2], axis) == 1);
      CHECK(orient2d(p[0], p[2], p[1], axis) == -1);
      CHECK(orient2d(p[1], p[2], p[0], axis) == 1);
      CHECK_FALSE(are_collinear(p[0], p[1], p[2]));
    }
  }
}

TEST_CASE("the signs are those of the fractions") {
  Random random(1);
  int zeros = 0;
  for (int i = 0; i < test::campaign(200000); ++i) {
    const auto p = test::predicate_case(random, i % test::kPredicateCaseKinds);
    const int expected = volume(p).sign();
    zeros += expected == 0 ? 1 : 0;
    REQUIRE(orientation(p) == expected);
    bool collinear = true;
    for (int axis = 0; axis < 3; ++axis) {
      const int plane = area(p[0], p[1], p[2], axis).sign();
      collinear = collinear && plane == 0;
      REQUIRE(orient2d(p[0], p[1], p[2], axis) == plane);
    }
    REQUIRE(are_collinear(p[0], p[1], p[2]) == collinear);
  }
  CHECK(zeros > 0);  // else the flat cases were not flat
}

// Products of three such coordinates are beyond all doubles, or below.
TEST_CASE("points whose coordinates have sizes of their own are oriented as the fractions say") {
  Random random(4);
  const auto far_number = [&] {
    if (random.below(8) == 0) return 0.0;
    return (random.below(2) == 0 ? -1 : 1) * std::exp2(random.uniform(-1073, 1023));
  };
  for (int i = 0; i < test::campaign(20000); ++i) {
    CAPTURE(i);
    std::array<Vec3, 4> p;
    for (Vec3& each : p)
      for (double& x : each) x = far_number();
    if (i % 2 == 0) p[3] += p[0] / 2;
    REQUIRE(orientation(p) == volume(p).sign());
  }
}

// Differences of such points are rounded, and the plane is an exact one all the same.
TEST_CASE("points of a plane along an axis that is turned about it are in one plane") {
  Random random(5);
  for (int i = 0; i < test::campaign(20000); ++i) {
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1) * std::exp2(-20 * (i % 3));
    const double other_x = random.uniform(-1, 1), other_y = random.uniform(-1, 1);
    std::array<Vec3, 4> p{Vec3(x, y, random.unit()), Vec3(x, y, random.unit() - 1),
                          Vec3(other_x, other_y, random.uniform(-2, 2)),
                          Vec3(other_x, other_y, random.uniform(-2, 2))};
    const int turned = i % 3;
    for (Vec3& each : p) std::rotate(each.begin(), each.begin() + turned, each.end());
    REQUIRE(orientation(p) == 0);
    const auto k = static_cast<int>(random.below(3));
    p[3][k] = std::nextafter(p[3][k], 9);
    REQUIRE(orientation(p) == volume(p).sign());
  }
}

TEST_CASE("swapping two points turns the sign, whatever the points") {
  Random random(2);
  for (int i = 0; i < test::campaign(20000); ++i) {
    const auto p = test::predicate_case(random, i % test::kPredicateCaseKinds);
    const int sign = orientation(p);
    std::array<int, 4> order{0, 1, 2, 3};
    do {
      int inversions = 0;
      for (int j = 0; j < 4; ++j)
        for (int k = j + 1; k < 4; ++k) inversions += order[j] > order[k] ? 1 : 0;
      REQUIRE(orientation({p[order[0]], p[order[1]], p[order[2]], p[order[3]]}) ==
              (inversions % 2 == 0 ? sign : -sign));
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

TEST_CASE("a mirror turns the sign and a power of two keeps it") {
  Random random(3);
  for (int i = 0; i < test::campaign(20000); ++i) {
    auto p = test::predicate_case(random, i % 4);
    const int sign = orientation(p);
    for (Vec3& each : p) each = Vec3(-each.x(), each.z(), each.y());
    REQUIRE(orientation(p) == sign);  // two mirrors
    for (Vec3& each : p) each = Vec3(each.x(), -each.y(), each.z()) * 0x1p-700;
    REQUIRE(orientation(p) == -sign);
  }
}

}  // namespace
}  // namespace plimsoll
