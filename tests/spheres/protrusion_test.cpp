// How far points of a solid may be from balls, against points of it.
#include "spheres/protrusion.h"

#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/random.h"
#include "solids.h"
#include "spheres/unit_solid.h"
#include "support/campaign.h"
#include "support/random_mesh.h"

namespace plimsoll {

// Few balls anywhere: so large cubes hold what is farthest, beside the surface and away from it.
TEST_CASE("no point of a solid is farther from any balls than the bound") {
  Random random(3);
  const ClosedMesh solids[] = {
      test::closed(make_box({1, 1, 1})), test::closed(make_torus(1, 0.4, 16, 10)),
      test::closed(make_cone(0.5, 1, 12)), test::closed(make_icosphere(0.8, 2))};
  for (int round = 0; round < test::campaign(2000); ++round) {
    CAPTURE(round);
    const UnitSolid solid(solids[random.below(4)]);
    std::vector<PlacedSphere> balls;
    const std::uint64_t count = 1 + random.below(6);
    for (std::uint64_t k = 0; k < count; ++k)
      balls.push_back({0.5 * test::random_vector(random), random.uniform(0.01, 0.2)});
    const BallTree tree(balls, solid.tree.frame.reach);
    const double bound = largest_protrusion(solid, tree, 20'000);
    const auto protrusion = [&](const Vec3& x) {
      double least = std::numeric_limits<double>::infinity();
      for (const PlacedSphere& ball : balls)
        least = std::min(least, (x - ball.center).norm() - ball.radius);
      return least;
    };
    double farthest = 0;
    for (const TriangleTree::Vertex& v : solid.tree.vertices)
      farthest = std::max(farthest, protrusion(Eigen::Map<const Vec3>(v.x)));
    for (int i = 0; i < 3000; ++i) {
      const Vec3 x = solid.tree.frame.reach * test::random_vector(random);
      if (protrusion(x) > farthest && solid.contains(x)) farthest = protrusion(x);
    }
    CHECK(bound >= farthest);
    // Half a ball of radius reach / 4 has none of 3000 points in a cube of 2 reach by e^-12.
    CHECK(bound <= 1.03 * (farthest + solid.tree.frame.reach / 4));
  }
}

// Two lattices of balls that touch, at opposite corners, so small that floats there are rounded by
// a tenth of a radius: beside the point where two balls touch they do not tell which is nearer. Of
// balls that hold the point any may be the nearest. Distances are rounded down by 2^-50 of the
// coordinates at most; the square root of the test is rounded by less.
TEST_CASE("the nearest of balls and those near by are found in a solid of any size") {
  Random random(4);
  for (const double reach : {1e-6, 1.0, 1e3, 1e9}) {
    CAPTURE(reach);
    const double radius = 5e-7 * reach;
    const Vec3 corner = reach * Vec3(0.61, 0.73, 0.97);
    std::vector<PlacedSphere> balls;
    for (const Vec3& there : {corner, Vec3(-corner)})
      for (int k = 0; k < 64; ++k)
        balls.push_back({there + 2 * radius * Vec3(k % 4, k / 4 % 4, k / 16), radius});
    const BallTree tree(balls, reach);
    for (int round = 0; round < test::campaign(3000); ++round) {
      CAPTURE(round);
      const double step = random.below(2) == 0 ? radius : -radius;
      const Vec3 beside = balls[random.below(balls.size())].center +
                          step * Vec3::Unit(static_cast<int>(random.below(3)));
      const double off = (round % 3 == 0 ? 2 : 0.06) * radius;
      const Vec3 point = beside + off * test::random_vector(random);
      const double rounding = 0x1p-50 * 2 * (reach + point.cwiseAbs().maxCoeff());
      const double within = radius * random.uniform(0, 4);
      std::vector<double> distance;
      for (const PlacedSphere& ball : balls)
        distance.push_back((point - ball.center).norm() - ball.radius);
      const double least = *std::min_element(distance.begin(), distance.end());
      const NearestBall nearest = tree.nearest(point, reach);
      REQUIRE(nearest.found());
      CHECK(std::abs(nearest.distance - distance[nearest.ball]) <= rounding);
      CHECK(nearest.distance <= std::max(least, 0.0));
      if (0.01 * least > rounding) CHECK(!tree.nearest(point, 0.99 * least).found());
      std::vector<int> times_found(balls.size(), 0);
      for (const NearestBall& ball : tree.near(point, within)) {
        ++times_found[ball.ball];
        CHECK(std::abs(ball.distance - distance[ball.ball]) <= rounding);
      }
      for (std::size_t k = 0; k < balls.size(); ++k) {
        if (std::abs(distance[k] - within) <= rounding) continue;
        CHECK(times_found[k] == (distance[k] <= within ? 1 : 0));
      }
    }
  }
}

}  // namespace plimsoll
