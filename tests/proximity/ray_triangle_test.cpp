#include "proximity/ray_triangle.h"

#include <doctest/doctest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

#include "core/random.h"

namespace plimsoll {
namespace {

using Rational = boost::multiprecision::cpp_rational;

/// A ray and a triangle in the plane that two axes span; all have the same height.
struct Flat {
  RayPoints ray;
  std::array<Vec3, 3> triangle;
  int axis;
};

/// The part of the triangle that is on the line is from the least to the largest place at which the
/// line meets an edge.
std::optional<double> expected_along(const Flat& flat) {
  const int u = (flat.axis + 1) % 3, v = (flat.axis + 2) % 3;
  const auto along = [&](const Vec3& p, int k) {
    return Rational(p[k]) - Rational(flat.ray.from[k]);
  };
  const Rational du = along(flat.ray.through, u), dv = along(flat.ray.through, v);
  std::optional<Rational> low, high;
  const auto extend = [&](const Rational& x) {
    if (!low || x < *low) low = x;
    if (!high || x > *high) high = x;
  };
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 &p = flat.triangle[k], &q = flat.triangle[(k + 1) % 3];
    const Rational pu = along(p, u), pv = along(p, v), qu = along(q, u), qv = along(q, v);
    const Rational cp = du * pv - dv * pu, cq = du * qv - dv * qu;
    const Rational dd = du * du + dv * dv;
    const Rational p_along = (pu * du + pv * dv) / dd, q_along = (qu * du + qv * dv) / dd;
    if (cp == 0) extend(p_along);
    if (cp.sign() * cq.sign() < 0) extend(Rational(p_along + cp / (cp - cq) * (q_along - p_along)));
  }
  if (!high || *high < 0) return std::nullopt;
  return *low < 0 ? 0.0 : static_cast<double>(*low);
}

template <class Coordinate>
Flat random_flat(Random& random, const Coordinate& coordinate) {
  Flat flat;
  flat.axis = static_cast<int>(random.below(3));
  for (Vec3* p :
       {&flat.ray.from, &flat.ray.through, &flat.triangle[0], &flat.triangle[1], &flat.triangle[2]})
    for (int k = 0; k < 3; ++k) (*p)[k] = k == flat.axis ? 0.5 : coordinate();
  return flat;
}

void check(const Flat& flat, std::size_t& quotients) {
  const auto& [a, b, c] = flat.triangle;
  const int u = (flat.axis + 1) % 3, v = (flat.axis + 2) % 3;
  const Rational area = (Rational(b[u]) - Rational(a[u])) * (Rational(c[v]) - Rational(a[v])) -
                        (Rational(b[v]) - Rational(a[v])) * (Rational(c[u]) - Rational(a[u]));
  if (area == 0 || flat.ray.from == flat.ray.through) return;
  const std::optional<RayMeeting> found = first_meeting(flat.ray, flat.triangle, &quotients);
  const std::optional<double> expected = expected_along(flat);
  REQUIRE(found.has_value() == expected.has_value());
  if (found) CHECK(found->along == *expected);
}

TEST_CASE("a ray in the plane of a triangle meets it where rational numbers say") {
  Random random(1);
  std::size_t quotients = 0;
  constexpr int kRays = 500;
  for (int i = 0; i < kRays; ++i)
    check(random_flat(random, [&] { return random.uniform(-1, 1); }), quotients);
  // Hardly ever are 113 bits not enough.
  CHECK(quotients <= kRays / 50);
}

TEST_CASE("so it does through corners, along edges and at any size") {
  Random random(2);
  std::size_t quotients = 0;
  for (int i = 0; i < 500; ++i) {
    const int exponent = static_cast<int>(random.below(40)) - 20;
    check(random_flat(random,
                      [&] {
                        const auto whole = static_cast<double>(random.below(4));
                        return random.below(4) == 0 ? std::ldexp(whole, exponent) : whole;
                      }),
          quotients);
    const int small = -static_cast<int>(random.below(1000));
    check(random_flat(random, [&] { return std::ldexp(random.uniform(-1, 1), small); }), quotients);
  }
}

}  // namespace
}  // namespace plimsoll
