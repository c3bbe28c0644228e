// Rotation times one positive scale, and translation: the poses of shapes.
#pragma once

#include <plimsoll/elementary.h>
#include <plimsoll/types.h>

namespace plimsoll {

struct SimilarityParts {
  Mat3 rotation = Mat3::Identity();
  double scale = 1;
  Vec3 translation = Vec3::Zero();

  SimilarityParts() = default;
  /// Precondition: is_similarity(pose).
  explicit SimilarityParts(const Similarity& pose)
      : scale(elementary::cbrt(pose.linear().determinant())), translation(pose.translation()) {
    rotation = pose.linear() / scale;
  }

  /// First `inner`, then `outer`.
  friend SimilarityParts operator*(const SimilarityParts& outer, const SimilarityParts& inner) {
    SimilarityParts product;
    product.rotation = outer.rotation * inner.rotation;
    product.scale = outer.scale * inner.scale;
    product.translation = outer(inner.translation);
    return product;
  }
  [[nodiscard]] Vec3 operator()(const Vec3& p) const {
    return scale * (rotation * p) + translation;
  }
};

/// Whether it is, to the last bit: most shapes stand where they were made. Sixteen comparisons
/// would take twice as long as this one.
[[nodiscard]] inline bool is_identity(const Similarity& pose) {
  return (pose.matrix() - Similarity::Identity().matrix()).cwiseAbs().sum() == 0;
}

/// Whether L^T L is s^2 times the identity to 1e-9 of s^2 in each entry, s^3 = det L > 0, and every
/// number finite.
[[nodiscard]] inline bool is_similarity(const Similarity& pose) {
  if (is_identity(pose)) return true;
  if (!pose.affine().allFinite() || pose.matrix().row(3) != Eigen::RowVector4d(0, 0, 0, 1))
    return false;
  const Mat3 linear = pose.linear();
  const double size = linear.cwiseAbs().maxCoeff();
  if (!(size > 0)) return false;
  const Mat3 unit = linear / size;
  const double scale = elementary::cbrt(unit.determinant());
  if (!(scale > 0)) return false;
  const Mat3 turn = unit / scale;
  return (turn.transpose() * turn - Mat3::Identity()).cwiseAbs().maxCoeff() <= 1e-9;
}

}  // namespace plimsoll
