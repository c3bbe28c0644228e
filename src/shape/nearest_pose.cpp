// Rotations that were rounded: the nearest one, by the polar decomposition.
//
// With the singular value decomposition L = U S V^T, det L > 0, the rotation R and the scale s that
// make |L - s R|^2 (the sum over the entries) least are R = U V^T and s = trace S / 3: the sum is
// |S|^2 - 2 s trace(R^T L) + 3 s^2, and trace(R^T L) is largest, trace S, for U V^T [Higham1986].
#include <plimsoll/shape.h>

#include <Eigen/SVD>

#include "core/number_text.h"
#include "shape/similarity_parts.h"

namespace plimsoll {
namespace {

Error no_similarity(const std::string& found, const char* accuracy = "1e-4") {
  return {ErrorCode::kInvalidArgument,
          std::string("expected a rotation times one positive scale, to ") + accuracy +
              " in each entry, and a translation; found " + found,
          {}};
}

/// Why there is none near a map; nothing if there may be one.
std::string reason_for_none(const Similarity& map) {
  if (!map.affine().allFinite()) return "a number that is not finite";
  if (map.matrix().row(3) != Eigen::RowVector4d(0, 0, 0, 1))
    return "a last row that is not 0, 0, 0, 1";
  if (map.linear().isZero(0)) return "a linear part of zeros";
  return {};
}

struct NearestMap {
  double scale;
  Mat3 rotation;
  double off;  ///< The largest difference of entries, over the scale.
};

NearestMap nearest_to(const Mat3& linear) {
  const double size = linear.cwiseAbs().maxCoeff();
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(linear / size,
                                              Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Mat3 rotation = svd.matrixU() * svd.matrixV().transpose();
  const double scale = svd.singularValues().sum() / 3;
  return {size * scale, rotation, (linear / size / scale - rotation).cwiseAbs().maxCoeff()};
}

std::string distance_from_nearest(double off) {
  return "a matrix that is " + to_text(off) + " away from the nearest one";
}

}  // namespace

Result<void> check_pose(const Similarity& pose) {
  if (is_similarity(pose)) return {};
  constexpr const char* kAccuracy = "1e-9";
  if (const std::string reason = reason_for_none(pose); !reason.empty())
    return no_similarity(reason, kAccuracy);
  const NearestMap nearest = nearest_to(pose.linear());
  if (!(nearest.rotation.determinant() > 0)) return no_similarity("a reflection", kAccuracy);
  return no_similarity(distance_from_nearest(nearest.off) + ", which nearest_similarity finds",
                       kAccuracy);
}

Result<Similarity> nearest_similarity(const Similarity& pose) {
  if (is_similarity(pose)) return pose;
  if (const std::string reason = reason_for_none(pose); !reason.empty())
    return no_similarity(reason);
  const NearestMap nearest = nearest_to(pose.linear());
  if (!(nearest.rotation.determinant() > 0)) return no_similarity("a reflection");
  if (!(nearest.off <= kRoundedPose)) return no_similarity(distance_from_nearest(nearest.off));
  Similarity similarity = pose;
  similarity.linear() = nearest.scale * nearest.rotation;
  return similarity;
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
