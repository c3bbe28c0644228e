// Where one of two posed bodies stands in the frame of the other, and how well that is known.
#pragma once

#include <plimsoll/result.h>
#include <plimsoll/shape.h>
#include <plimsoll/types.h>

#include <cmath>
#include <utility>

#include "core/linear_scale.h"

namespace plimsoll {

/// The inverse of a similarity, also where its determinant is no number: it is found in a unit that
/// is a power of two.
inline Similarity inverse_of(const Similarity& pose) {
  const double unit = std::ldexp(1.0, std::ilogb(pose.linear().cwiseAbs().maxCoeff()));
  Similarity there = Similarity::Identity();
  there.linear() = (pose.linear() / unit).inverse() / unit;
  there.translation() = -(there.linear() * pose.translation());
  return there;
}

/// How far a linear map is from a rotation times a scale: by this share of their length vectors may
/// be longer or shorter.
inline double skew_of(const Mat3& linear, double scale) {
  const Mat3 turn = linear / scale;
  return (turn.transpose() * turn - Mat3::Identity()).norm();
}

/// Errors: `InvalidArgument` unless check_pose accepts both, with the name of the one.
inline Result<void> check_both_poses(const Similarity& world_from_a,
                                     const Similarity& world_from_b) {
  for (const auto& [pose, name] :
       {std::pair(&world_from_a, "world_from_a"), std::pair(&world_from_b, "world_from_b")})
    if (const Result<void> usable = check_pose(*pose); !usable)
      return Error{usable.error().code, usable.error().message, name};
  return {};
}

struct RelativePose {
  Similarity a_from_b;
  double room = 0;  ///< The translation is known to this [m in the frame of a].
  double skew = 0;  ///< Lengths in the frame of `a` are by this share not those of the world.

  /// `b` where it stands in `a`, which is the world.
  RelativePose(const Similarity& pose) : a_from_b(pose) {}  // NOLINT(google-explicit-constructor)

  /// Both in the world. Products of coordinates and sums of three are rounded some times: 16 units
  /// in the last place of the translations cover all.
  RelativePose(const Similarity& world_from_a, const Similarity& world_from_b)
      : a_from_b(inverse_of(world_from_a) * world_from_b) {
    const double scale = scale_of(world_from_a.linear());
    room = 0x1p-48 * (world_from_a.translation() / scale).stableNorm() +
           0x1p-48 * (world_from_b.translation() / scale).stableNorm();
    skew = skew_of(world_from_a.linear(), scale);
  }

  [[nodiscard]] RelativePose inverse() const {
    RelativePose there(inverse_of(a_from_b));
    there.room = room / scale_of(a_from_b.linear());
    there.skew = skew;
    return there;
  }
};

}  // namespace plimsoll
