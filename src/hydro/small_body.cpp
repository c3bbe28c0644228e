// What a small body keeps of its tree.
#include "hydro/small_body.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace plimsoll {
namespace {

/// The corners of leaves 2 i and 2 i + 1; points, which add nothing, in place of missing ones.
CornerBlock block_of(const TriangleTree& tree, std::size_t i) {
  constexpr std::size_t kOfLeaf = TriangleTree::kLeafTriangles;
  const std::size_t leaves = tree.leaves.size() - 1;
  CornerBlock block;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const std::size_t leaf = 2 * i + lane / kOfLeaf;
    const bool is_real = leaf < leaves;
    const auto& corners = tree.leaves[is_real ? leaf : 2 * i].corner;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t v = is_real ? corners[k][lane % kOfLeaf] : corners[0][0];
      for (std::size_t axis = 0; axis < 3; ++axis)
        block.corner[k][axis][lane] = tree.vertices[v].x[axis];
    }
  }
  return block;
}

NormalBlock normals_of(const CornerBlock& block) {
  NormalBlock normals;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const auto corner = [&](int k) {
      const auto& x = block.corner[k];
      return Vec3(x[0][lane], x[1][lane], x[2][lane]);
    };
    const Vec3 a = corner(0), normal = (corner(1) - a).cross(corner(2) - a);
    for (int i = 0; i < 3; ++i) normals.normal[i][lane] = normal[i];
    normals.first[lane] = a.dot(normal);
  }
  return normals;
}

/// The ball about the middle of a block's box. Its radius leaves room for what rounding does to its
/// height: less than 64 units in the last place of the reach.
void set_ball(BlockBalls& balls, std::size_t at, const CornerBlock& block, double reach) {
  Box3 box;
  const auto each_corner = [&](const auto& visit) {
    for (const auto& corner : block.corner)
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        visit(Vec3(corner[0][lane], corner[1][lane], corner[2][lane]));
  };
  each_corner([&](const Vec3& x) { box.extend(x); });
  const Vec3 center = box.center();
  double square = 0;
  each_corner([&](const Vec3& x) { square = std::max(square, (x - center).squaredNorm()); });
  for (int i = 0; i < 3; ++i) balls.center[i][at] = center[i];
  balls.radius[at] = (1 + 0x1p-40) * std::sqrt(square) + 0x1p-46 * reach;
}

void set_absent(BlockBalls& balls, std::size_t at) {
  for (auto& center : balls.center) center[at] = 0;
  balls.radius[at] = std::numeric_limits<double>::lowest();
}

}  // namespace

SmallBody make_small_body(const MomentTree& tree) {
  const TriangleTree& triangles = *tree.triangles;
  SmallBody body;
  body.frame = triangles.frame;
  body.whole = tree.whole;
  if (triangles.triangles == 0) return body;
  const std::size_t leaves = triangles.leaf_count(), count = (leaves + 1) / 2;
  const SurfaceMoments* of_leaf =
      tree.moments.data() + TriangleTree::kChildren * triangles.first.back();
  body.balls.resize((count + kLanes - 1) / kLanes);
  for (std::size_t i = 0; i < kLanes * body.balls.size(); ++i) {
    BlockBalls& balls = body.balls[i / kLanes];
    if (i >= count) {
      set_absent(balls, i % kLanes);
      continue;
    }
    body.blocks.push_back(block_of(triangles, i));
    body.normals.push_back(normals_of(body.blocks.back()));
    set_ball(balls, i % kLanes, body.blocks.back(), triangles.frame.reach);
    SurfaceMoments moments = of_leaf[2 * i];
    if (2 * i + 1 < leaves)
      for (std::size_t s = 0; s < kPatchSums; ++s) moments.sum[s] += of_leaf[2 * i + 1].sum[s];
    body.moments.push_back(moments);
  }
  return body;
}

}  // namespace plimsoll
