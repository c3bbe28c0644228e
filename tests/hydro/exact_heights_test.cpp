#include "hydro/exact_heights.h"

#include <doctest/doctest.h>

#include <numeric>
#include <vector>

#include "core/random.h"
#include "support/hard_bodies.h"
#include "support/random_mesh.h"
#include "tree/triangle_tree.h"

namespace plimsoll {
namespace {

TEST_CASE("heights that are remembered are those that are computed") {
  Random random(3);
  std::vector<Vec3> points(300);
  for (Vec3& p : points) p = test::random_vector(random);
  // More along one line than there are places to remember them, so that some share a place.
  for (int i = 0; i < 150; ++i) points.emplace_back(points[0].x(), points[0].y(), 0.01 * i);
  for (int i = 0; i < 10; ++i) {
    const ClipPlane plane = clip_plane({test::random_vector(random), random.uniform(-1, 1)},
                                       {.center = Vec3(0.1, 0.2, 0.3), .reach = 1});
    ExactHeights height(plane);
    for (int k = 0; k < 3000; ++k) {
      const Vec3& p = points[random.below(points.size())];
      CHECK(height(p) == plane.exact_height(p));
    }
    CHECK(height.computed() < 3000);
  }
}

// A vertex has six triangles, which the tree keeps near each other.
TEST_CASE("the heights of a meshed face are computed about once for each vertex") {
  for (const std::uint32_t n : {20u, 40u}) {
    const TriangleMesh box = test::askew(test::grid_box({1, 1, 1}, n, n, n));
    std::vector<std::uint32_t> all(box.triangles.size());
    std::iota(all.begin(), all.end(), 0u);
    TriangleTree tree;
    TreeBuilder().build(box, all, TreeQuality::kBalanced, tree);
    const ClipPlane plane = clip_plane(
        {test::askew({.vertices = {Vec3::UnitZ()}, .triangles = {}}).vertices[0], 0.5}, tree.frame);
    ExactHeights height(plane);
    std::size_t asked = 0;
    for (const TriangleTree::Leaf& leaf : tree.leaves)
      for (const auto& corner : leaf.corner)
        for (const std::uint32_t v : corner) {
          const Vec3 p = Eigen::Map<const Vec3>(tree.vertices[v].x);
          if (std::fabs(plane.normal.dot(p - plane.apex)) > plane.nearness) continue;
          CHECK(height(p) == plane.exact_height(p));
          ++asked;
        }
    CHECK(asked >= 5 * n * n);
    CHECK(height.computed() <= 2 * (n + 1) * (n + 1));
  }
}

}  // namespace
}  // namespace plimsoll
