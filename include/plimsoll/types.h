// The vocabulary of the public API: small fixed-size vectors, matrices and poses.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace plimsoll {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Pose = Eigen::Isometry3d;  ///< Named `world_from_body` where it is a body's.

/// The axis-parallel box { p : min <= p <= max }; empty (min > max) until something is added.
using Box3 = Eigen::AlignedBox3d;

}  // namespace plimsoll
