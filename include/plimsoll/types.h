// The vocabulary of the public API: small fixed-size vectors, matrices and poses.
//
// None of them is aligned to more than a double, so that their size and place do not depend on the
// vector instructions that the compiler of the caller's program may use: a program compiled with
// -march=native and a library compiled without agree on every struct. Eigen's own types convert to
// these and back without a cast.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace [[gnu::visibility("default")]] plimsoll {

using Vec2 = Eigen::Matrix<double, 2, 1, Eigen::DontAlign>;
using Vec3 = Eigen::Vector3d;  // 24 bytes, which Eigen never aligns
using Vec4 = Eigen::Matrix<double, 4, 1, Eigen::DontAlign>;
using Mat2 = Eigen::Matrix<double, 2, 2, Eigen::DontAlign>;
using Mat3 = Eigen::Matrix3d;  // 72 bytes, which Eigen never aligns
using Mat23 = Eigen::Matrix<double, 2, 3, Eigen::DontAlign>;

/// A rotation and a translation. Named `world_from_body` where it is a body's.
using Pose = Eigen::Transform<double, 3, Eigen::Isometry, Eigen::DontAlign>;

/// A rotation times one positive scale, and a translation (shape.h: check_pose).
using Similarity = Eigen::Transform<double, 3, Eigen::Affine, Eigen::DontAlign>;

/// The axis-parallel box { p : min <= p <= max }; empty (min > max) until something is added.
using Box3 = Eigen::AlignedBox3d;

}  // namespace plimsoll
