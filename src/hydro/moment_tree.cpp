// A tree over triangles with their moments, and what is known of the whole body.
#include "hydro/moment_tree.h"

namespace plimsoll {
namespace {

/// The sum of |e_j f_k|, and six times the volume about the center of the frame.
WholeBody whole_of(const MomentTree& tree) {
  WholeBody whole;
  for (const MomentTree::Leaf& leaf : tree.leaves) {
    double magnitude = 0;
    for (std::size_t t = 0; t < MomentTree::kLeafTriangles; ++t) {
      const auto corner = [&](int c) {
        return Eigen::Map<const Vec3>(tree.vertices[leaf.corner[c][t]].x);
      };
      const Vec3 e = (corner(1) - corner(0)).cwiseAbs();
      const Vec3 f = (corner(2) - corner(0)).cwiseAbs();
      magnitude += e.sum() * f.sum() - e.dot(f);
    }
    whole.magnitude += magnitude;
  }
  for (std::size_t k = 0; k < MomentTree::kChildren; ++k) {
    const double* sum = tree.moments[k].sum;
    whole.volume += (sum[0] + sum[4] + sum[8]) / 3;
  }
  return whole;
}

}  // namespace

MomentTree make_moment_tree(const MeshView& mesh) {
  MomentTree tree{make_triangle_tree(mesh, TreeQuality::kFast, true), {}};
  if (tree.triangles > 0) tree.whole = whole_of(tree);
  return tree;
}

void refit(MomentTree& tree, const MeshView& mesh) {
  fit(tree, mesh);
  if (tree.triangles > 0) tree.whole = whole_of(tree);
}

}  // namespace plimsoll
