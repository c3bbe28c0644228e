// The moments of a tree's subtrees, and what is known of the whole body.
#include "hydro/moment_tree.h"

#include <utility>

namespace plimsoll {
namespace {

constexpr std::size_t kChildren = TriangleTree::kChildren;

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
  const SpanningMoments* before = tree.spanning != nullptr ? tree.spanning->made() : nullptr;
  tree.spanning =
      before != nullptr
          ? std::make_shared<Lazy<SpanningMoments>>(spanning_moments(*tree.triangles, before))
          : std::make_shared<Lazy<SpanningMoments>>();
  tree.areas = std::make_shared<Lazy<std::vector<AreaParts>>>();
  if (tree.triangles->triangles == 0) return;
  find_surface_moments(*tree.triangles, tree.moments);
  tree.whole = whole_of(*tree.triangles, tree.moments);
}

MomentTree moment_tree_of(std::shared_ptr<TriangleTree> triangles) {
  MomentTree tree{std::move(triangles), {}, {}, {}, {}};
  find_moments(tree);
  return tree;
}

}  // namespace plimsoll
