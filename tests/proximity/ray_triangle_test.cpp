#include "proximity/ray_triangle.h"

#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>

#include <array>
#include <bit>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstdint>

#include "core/predicates.h"
#include "core/random.h"
#include "proximity/leaf_kernel.h"
#include "support/checked.h"
#include "support/hard_bodies.h"
#include "support/instruction_sets.h"

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

// An edge passes the origin, and the ray begins next to that: by so little that 113 bits do not
// tell on which side. Where it begins within, it meets the triangle there, and not at the edges
// ahead.
TEST_CASE("a ray that begins next to an edge is told apart from one that begins on it") {
  Random random(6);
  std::size_t quotients = 0;
  for (int i = 0; i < 600; ++i) {
    Flat flat = random_flat(random, [&] { return static_cast<double>(random.below(9)) - 4; });
    flat.triangle[1] = -flat.triangle[0];
    flat.triangle[1][flat.axis] = 0.5;
    const double next =
        random.below(8) == 0 ? 0 : std::ldexp(1, -static_cast<int>(random.below(300)));
    for (int k = 0; k < 3; ++k)
      if (k != flat.axis) flat.ray.from[k] *= next;
    check(flat, quotients);
  }
  CHECK(quotients > 150);
}

// Rays through the apex of a cone, as nearly as rounding allows: two edges of each sliver are next
// to the line.
TEST_CASE("slivers around a point of a ray are told apart by its one moment") {
  Random random(5);
  for (const int slices : {100, 3000}) {
    const TriangleMesh cone = test::askew(make_cone(1, 2, slices));
    const auto corner = [&](const Triangle& t, std::size_t k) { return cone.vertices[t[k]]; };
    Vec3 apex = Vec3::Zero();
    for (const Vec3& v : cone.vertices)
      if (v.norm() > apex.norm()) apex = v;
    for (int n = 0; n < 4; ++n) {
      RayPoints ray{3 * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)),
                    Vec3::Zero()};
      ray.through = ray.from + 1.7 * (apex - ray.from);
      RaySides sides(ray);
      for (const Triangle& t : cone.triangles) {
        const std::array<Vec3, 3> triangle{corner(t, 0), corner(t, 1), corner(t, 2)};
        for (std::size_t k = 0; k < 3; ++k) {
          const Vec3 &p = triangle[k], &q = triangle[(k + 1) % 3];
          CHECK(sides.of_edge(p, q) == orient3d(ray.from, ray.through, p, q));
        }
      }
      CHECK(sides.exact_decisions() <= 4);
    }
  }
}

/// Which of four triangles first_meeting has to be asked about, and whether it meets others.
void check_on_line(const RayPoints& ray, const std::array<std::array<Vec3, 3>, 4>& triangles,
                   std::size_t& near, std::size_t& met) {
  PosedLeaf leaf;
  for (std::size_t t = 0; t < 4; ++t)
    for (std::size_t k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) leaf.corner[k][i][t] = triangles[t][k][i];
  const unsigned bits = on_line(ray, leaf);
  test::for_each_instruction_set([&] { CHECK(on_line(ray, leaf) == bits); });
  CHECK(bits < 16);
  for (std::size_t t = 0; t < 4; ++t) {
    const bool is_near = (bits >> t) % 2 == 1,
               is_met = first_meeting(ray, triangles[t]).has_value();
    CHECK((is_near || !is_met));
    near += is_near ? 1 : 0;
    met += is_met ? 1 : 0;
  }
}

TEST_CASE("no triangle that a ray meets is left out of those on its line") {
  Random random(3);
  std::size_t near = 0, met = 0;
  for (int n = 0; n < 4000; ++n) {
    const int kind = n % 4, exponent = n % 8 < 4 ? 0 : static_cast<int>(random.below(2000)) - 1000;
    const auto coordinate = [&] {
      const double x = kind == 0   ? random.uniform(-1, 1)
                       : kind == 1 ? static_cast<double>(random.below(3))
                       : kind == 2 ? static_cast<double>(random.below(3)) / 3
                                   : 1 + random.uniform(-1e-15, 1e-15);
      return std::ldexp(x, exponent);
    };
    const auto point = [&] { return Vec3(coordinate(), coordinate(), coordinate()); };
    RayPoints ray{point(), point()};
    std::array<std::array<Vec3, 3>, 4> triangles;
    for (auto& triangle : triangles) triangle = {point(), point(), point()};
    // Through a corner, or a point of an edge, as nearly as rounding allows.
    if (n % 3 == 1) ray.through = triangles[0][0];
    if (n % 3 == 2) ray.through = triangles[0][0] + 0.25 * (triangles[0][1] - triangles[0][0]);
    if (ray.from != ray.through) check_on_line(ray, triangles, near, met);
  }
  CHECK(met > 1000);
  CHECK(near < 10000);  // of 16,000; many are in one plane, or without area
}

// All slivers of a cone meet in its apex, and a ray beside it meets the boxes of all of them.
TEST_CASE("of the slivers around an apex few are on the line of a ray past it") {
  Random random(4);
  for (const int slices : {500, 4000}) {
    const MeshTree cone(test::checked(make_cone(1, 2, slices)), TreeQuality::kTight);
    const TriangleTree& tree = triangles_of(cone);
    PosedLeaves leaves;
    leaves.start({&tree, Similarity::Identity()});
    for (int n = 0; n < 8; ++n) {
      const Vec3 past(1e-3 * random.uniform(-1, 1), 1e-3 * random.uniform(-1, 1), 1.995);
      const RayPoints ray{{3, random.uniform(-1, 1), random.uniform(0, 3)}, past};
      int near = 0;
      for (std::uint32_t leaf = 0; leaf < tree.leaf_count(); ++leaf)
        near += std::popcount(on_line(ray, leaves.posed(leaf)) & ((1U << tree.size_of(leaf)) - 1));
      CHECK(near <= 6);
    }
  }
}

}  // namespace
}  // namespace plimsoll
