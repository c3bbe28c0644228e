// Sides of triangles in one plane whose corners are moved, against rational numbers.
#include "overlap/triangle_crossing.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>

#include "core/random.h"
#include "support/campaign.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

using Rational = boost::multiprecision::cpp_rational;

/// A vector of whole numbers up to `size`.
Vec3 whole(Random& random, int size) {
  Vec3 v;
  for (double& x : v) x = static_cast<double>(random.below(2 * size + 1)) - size;
  return v;
}

/// How far a normal leads along the ways of the corners: the least and the most.
std::array<Rational, 2> range_along(const Vec3& normal, const CrossingTriangle& of) {
  std::array<Rational, 3> h;
  for (int k = 0; k < 3; ++k) {
    h[k] = 0;
    for (int i = 0; i < 3; ++i) h[k] += Rational(normal[i]) * Rational((*of.ways)[k][i]);
  }
  return {*std::min_element(h.begin(), h.end()), *std::max_element(h.begin(), h.end())};
}

// Corners are whole numbers, so that they are in one plane exactly and their normal is exact too.
// All are moved alike but for what lies in the plane, which is rounded: how far they come along the
// normal differs by as little as the rounding of a product. Whatever rounding hides, corners that
// are not moved apart are on the sides that exact signs tell (moved_points_test.cpp).
TEST_CASE("triangles in one plane come apart only where all of their ways do") {
  Random random(451);
  int together = 0, apart = 0;
  for (int round = 0; round < test::campaign(2000); ++round) {
    CAPTURE(round);
    const int size = 1 << random.below(20);
    const Vec3 e = whole(random, size), f = whole(random, size), from = whole(random, size);
    const Vec3 normal = e.cross(f);
    if (normal.isZero()) continue;
    const auto corner = [&]() -> Vec3 {
      const Vec3 steps = whole(random, 2);
      return from + steps[0] * e + steps[1] * f;
    };
    CrossingTriangle t{{from, from + e, from + f}, {0, 1, 2}, nullptr};
    CrossingTriangle u{{corner(), corner(), corner()}, {3, 4, 5}, nullptr};
    // Every third pair is moved apart by far more than rounding.
    const Vec3 common = test::random_vector(random) / 2;
    const Vec3 lift = round % 3 == 0 ? Vec3(normal / (2 * normal.norm())) : Vec3(Vec3::Zero());
    const auto way = [&](const Vec3& by) -> Vec3 {
      const Vec3 steps = test::random_vector(random) / (8.0 * size);
      return common + by + steps[0] * e + steps[1] * f;
    };
    const Vec3 zero = Vec3::Zero();
    t.ways = {way(zero), way(zero), way(zero)};
    u.ways = {way(lift), way(lift), way(lift)};
    const CornerSides found = sides_of(t, u);
    CHECK(found.in_plane);
    const auto [t_low, t_high] = range_along(normal, t);
    const auto [u_low, u_high] = range_along(normal, u);
    const bool are_apart = t_low > u_high || u_low > t_high;
    unsigned above = 0;
    for (int k = 0; k < 3; ++k)
      if (moved_orient3d(t.moved(0), t.moved(1), t.moved(2), u.moved(k)) > 0) above |= 1U << k;
    if (are_apart) CHECK((found.above == 0 || found.above == above));
    if (!are_apart) CHECK(found.above == above);
    if (round % 3 == 0) CHECK(found.above == 0);
    together += are_apart ? 0 : 1;
    apart += are_apart ? 1 : 0;
  }
  CHECK(together > test::campaign(2000) / 10);
  CHECK(apart > test::campaign(2000) / 10);
}

}  // namespace
}  // namespace plimsoll
