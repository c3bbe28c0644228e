// Distances from the surfaces of primitives, against balls that lie inside and against triangles.
#include "shape/primitive_depth.h"

#include <doctest/doctest.h>
#include <plimsoll/surface_queries.h>

#include <algorithm>
#include <cmath>

#include "shape/random_shape.h"
#include "support/approx.h"
#include "support/campaign.h"

namespace plimsoll {
namespace {

double depth(const Shape& shape, const Vec3& p) {
  return std::visit(
      [&](const auto& solid) {
        if constexpr (requires { depth_in(solid, p); })
          return depth_in(solid, p);
        else
          return 0.0;
      },
      shape.solid);
}

Shape at_home(Random& random, int kind) {
  Shape shape = test::random_primitive(random, kind);
  shape.pose.setIdentity();
  return shape;
}

// Points on symmetry planes and axes too, where nearest points are not one.
Vec3 random_place(Random& random) {
  Vec3 p = test::random_point(random, 2);
  for (int i = 0; i < 3; ++i)
    if (random.below(6) == 0) p[i] = 0;
  return p;
}

TEST_CASE("the ball of a point's depth lies on its side of the surface") {
  Random random(1);
  for (int round = 0; round < test::campaign(700); ++round) {
    CAPTURE(round);
    const Shape shape = at_home(random, round % test::kPrimitiveKinds);
    const Vec3 p = random_place(random);
    const double d = depth(shape, p);
    for (int i = 0; i < 50; ++i) {
      const Vec3 q = p + std::abs(d) * test::random_direction(random);
      const double outside = test::outside(shape, q);
      CHECK((d > 0 ? outside : -outside) <= 1e-13);
    }
  }
}

TEST_CASE("the depth is the distance from the triangles that a primitive becomes") {
  Random random(2);
  constexpr double kFlatness = 1e-3;
  for (int round = 0; round < test::campaign(70); ++round) {
    CAPTURE(round);
    const Shape shape = at_home(random, round % test::kPrimitiveKinds);
    const Result<std::optional<ShapeMesh>> triangles = to_triangles(shape, kFlatness);
    REQUIRE(triangles);
    if ((*triangles)->mesh.triangles.empty()) continue;  // a torus without a hole
    const MeshTree tree(*CheckedMesh::borrow((*triangles)->mesh));
    Result<SurfaceProbe> probe = SurfaceProbe::of(tree);
    REQUIRE(probe);
    for (int i = 0; i < 30; ++i) {
      const Vec3 p = random_place(random);
      const double away = probe->nearest(p)->distance;
      CHECK(std::abs(std::abs(depth(shape, p)) - away) <= kFlatness + 1e-12);
    }
  }
}

// Of radii far apart, and of points near the surface, the center and the longest axis, where the
// equation of the nearest point is ill-conditioned. The nearest point of (0, 0, z) is the pole.
TEST_CASE("the depth in thin ellipsoids is exact where it is known") {
  for (const double thin : {1e-6, 1e-3, 0.5, 1.0}) {
    const Ellipsoid disk{{1, 1, thin}}, needle{{thin, thin, 1}};
    CHECK(depth_in(disk, Vec3::Zero()) == test::approx(thin).epsilon(1e-13));
    CHECK(depth_in(disk, {0, 0, thin / 4}) == test::approx(0.75 * thin).epsilon(1e-13));
    CHECK(depth_in(disk, {0, 0, 3}) == test::approx(thin - 3).epsilon(1e-13));
    CHECK(depth_in(needle, {0, 0, 1.5}) == test::approx(-0.5).epsilon(1e-13));
    CHECK(depth_in(needle, {3, 0, 0}) == test::approx(thin - 3).epsilon(1e-13));
    // A needle is nearest beside a point of its axis: the distance is thin sqrt(1 - z^2 / (1 -
    // thin^2)) where z is below 1 - thin^2, else that of the tip.
    const double middle = 1 - thin * thin, z = 0.4;
    CHECK(depth_in(needle, {0, 0, z}) ==
          test::approx(z < middle ? thin * std::sqrt(1 - z * z / middle) : 1 - z).epsilon(1e-12));
  }
}

}  // namespace
}  // namespace plimsoll
