// Rotations that were rounded: the nearest one, by the polar decomposition.
//
// With the singular value decomposition L = U S V^T, det L > 0, the rotation R and the scale s that
// make |L - s R|^2 (the sum over the entries) least are R = U V^T and s = trace S / 3: the sum is
// |S|^2 - 2 s trace(R^T L) + 3 s^2, and trace(R^T L) is largest, trace S, for U V^T [Higham1986].
#include <plimsoll/shape.h>

#include <Eigen/SVD>

#include "shape/number_text.h"
#include "shape/similarity_parts.h"

namespace plimsoll {
namespace {

Error no_similarity(const std::string& found) {
  return {ErrorCode::kInvalidArgument,
          "found " + found +
              ", expected a rotation times one positive scale, to 1e-4 in each entry, and a "
              "translation",
          {}};
}

}  // namespace

Result<Similarity> nearest_similarity(const Similarity& pose) {
  if (is_similarity(pose)) return pose;
  if (!pose.affine().allFinite()) return no_similarity("a number that is not finite");
  if (pose.matrix().row(3) != Eigen::RowVector4d(0, 0, 0, 1))
    return no_similarity("a last row that is not 0, 0, 0, 1");
  const Mat3 linear = pose.linear();
  const double size = linear.cwiseAbs().maxCoeff();
  if (!(size > 0)) return no_similarity("a linear part of zeros");
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(linear / size,
                                              Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Mat3 rotation = svd.matrixU() * svd.matrixV().transpose();
  const double scale = svd.singularValues().sum() / 3;
  if (!(rotation.determinant() > 0)) return no_similarity("a reflection");
  const double off = (linear / size / scale - rotation).cwiseAbs().maxCoeff();
  if (!(off <= kRoundedPose))
    return no_similarity("a map that is " + to_text(off) + " from the nearest");
  Similarity nearest = pose;
  nearest.linear() = size * scale * rotation;
  return nearest;
}

Result<Pose> nearest_pose(const Similarity& pose) {
  const Result<Similarity> similar = nearest_similarity(pose);
  if (!similar) return similar.error();
  const SimilarityParts parts(*similar);
  if (!(std::fabs(parts.scale - 1) <= kRoundedPose))
    return no_similarity("a scale of " + to_text(parts.scale) + " where none may be");
  Pose rigid = Pose::Identity();
  rigid.linear() = parts.scale == 1 ? Mat3(similar->linear()) : parts.rotation;
  rigid.translation() = parts.translation;
  return rigid;
}

}  // namespace plimsoll
