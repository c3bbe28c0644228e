// The moments of a tree's subtrees, and what is known of the whole body.
#include "hydro/moment_tree.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/parallel.h"

namespace plimsoll {
namespace {

constexpr std::size_t kWorthwhile = 64;  // nodes: some 10 us each
constexpr std::size_t kChildren = TriangleTree::kChildren;

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

/// From the leaves up.
void find_moments(const TriangleTree& tree, std::vector<SurfaceMoments>& moments) {
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

/// The sum of |e_j f_k|, and six times the volume about the center of the frame.
WholeBody whole_of(const TriangleTree& tree, const std::vector<SurfaceMoments>& moments) {
  WholeBody whole;
  for (const TriangleTree::Leaf& leaf : tree.leaves) {
    double magnitude = 0;
    for (std::size_t t = 0; t < TriangleTree::kLeafTriangles; ++t) {
      const auto [a, b, c] = tree.unit_corners(leaf, t);
      const Vec3 e = (b - a).cwiseAbs();
      const Vec3 f = (c - a).cwiseAbs();
      magnitude += e.sum() * f.sum() - e.dot(f);
    }
    whole.magnitude += magnitude;
  }
  for (std::size_t k = 0; k < kChildren; ++k) {
    const double* sum = moments[k].sum;
    whole.volume += (sum[0] + sum[4] + sum[8]) / 3;
  }
  return whole;
}

}  // namespace

void find_moments(MomentTree& tree) {
  if (tree.triangles->triangles == 0) return;
  find_moments(*tree.triangles, tree.moments);
  tree.whole = whole_of(*tree.triangles, tree.moments);
}

MomentTree moment_tree_of(std::shared_ptr<TriangleTree> triangles) {
  MomentTree tree{std::move(triangles), {}, {}};
  find_moments(tree);
  return tree;
}

}  // namespace plimsoll
