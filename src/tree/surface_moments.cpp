#include "tree/surface_moments.h"

#include <algorithm>
#include <array>

#include "core/parallel.h"

namespace plimsoll {
namespace {

constexpr std::size_t kWorthwhile = 64;  // nodes
constexpr std::size_t kChildren = TriangleTree::kChildren;

SurfaceMoments moments_of(const TriangleTree& tree, const TriangleTree::Leaf& leaf) {
  SurfaceMoments moments;
  for (std::size_t t = 0; t < TriangleTree::kLeafTriangles; ++t) {
    const auto [a, b, c] = tree.unit_corners(leaf, t);
    add_triangle(a, b, c, moments);
  }
  return moments;
}

/// Those of all children of a node.
SurfaceMoments united(const SurfaceMoments* children) {
  SurfaceMoments all;
  for (std::size_t k = 0; k < kChildren; ++k)
    for (std::size_t i = 0; i < kPatchSums; ++i) all.sum[i] += children[k].sum[i];
  return all;
}

}  // namespace

void add_triangle(const Vec3& a, const Vec3& b, const Vec3& c, SurfaceMoments& moments) {
  const Vec3 normal = (b - a).cross(c - a);
  const Vec3 s = a + b + c;
  const double d = a.dot(normal);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) moments.sum[3 * i + j] += s[i] * normal[j];
    moments.sum[kPatchNormal + i] += normal[i];
    moments.sum[kPatchFirst + i] += d * s[i];
  }
  moments.sum[kPatchArea] += normal.norm();
}

// From the leaves up.
void find_surface_moments(const TriangleTree& tree, std::vector<SurfaceMoments>& moments) {
  moments.resize(kChildren * tree.boxes.size());
  for (std::size_t level = tree.levels(); level-- > 0;) {
    const bool is_last = level + 1 == tree.levels();
    SurfaceMoments* const here = moments.data() + kChildren * tree.first[level];
    parallel_for_each_index(tree.width(level), kWorthwhile, [&](std::size_t node) {
      const std::size_t end = std::min(kChildren * (node + 1), tree.width(level + 1));
      for (std::size_t child = kChildren * node; child < end; ++child)
        here[child] = is_last ? moments_of(tree, tree.leaves[child])
                              : united(&moments[kChildren * (tree.first[level + 1] + child)]);
    });
  }
}

}  // namespace plimsoll
