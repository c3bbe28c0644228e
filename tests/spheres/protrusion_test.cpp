// How far points of a solid may be from balls, against points of it.
#include "spheres/protrusion.h"

#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>

#include <algorithm>
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

}  // namespace plimsoll
