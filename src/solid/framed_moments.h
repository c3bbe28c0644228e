// Moments summed about a point of the mesh in units of its size, as carefully as they need.
#pragma once

#include "solid/moment_sums.h"

namespace plimsoll {

/// The point that the tetrahedra share, and the power of two by which the coordinates are divided
/// so that no sum over- or underflows.
struct Frame {
  Vec3 apex = Vec3::Zero();
  int exponent = 0;
};

/// The middle of the box of a mesh, and its size.
[[nodiscard]] Frame frame_of(const Box3& box);

/// The box of some 64 triangles spread over the mesh.
[[nodiscard]] Box3 sampled_box(const MeshView& mesh);

/// A frame that suits the mesh, from the box of some 64 of its triangles spread over it: the apex
/// may be any point nearby, and a pass over all would cost as much as the sums.
[[nodiscard]] Frame sampled_frame(const MeshView& mesh);

/// The mesh with its coordinates divided by 2^exponent, exactly but for underflow.
[[nodiscard]] TriangleMesh rescaled(const MeshView& mesh, int exponent);

/// The volume in units of 2^3e, e the exponent of the frame or, where only integers can tell, that
/// of the radius of gyration if it is beyond 2^-128 to 2^128. Its sign is certain, also where a
/// number so small is none: it is 2^-1000 then, give or take as much.
[[nodiscard]] Ball signed_volume(const Frame& frame, const MeshView& mesh);

/// Integrals in the units of a frame and over 2^weight, about the center of mass.
struct CentralMoments {
  Frame frame;
  int weight = 0;  ///< ExactMoments::weight
  Ball volume;
  Ball center[3];                   ///< From the apex of the frame.
  Ball second[6];                   ///< xx yy zz xy xz yz
  std::size_t exact_triangles = 0;  ///< ExactMoments::triangles; 0 where doubles were enough.
};

/// Sums as carefully as the mesh needs, in a frame chosen for it. Volume, radius of gyration and
/// second moments are known to 2^-56 (kTight) or 2^-20 (kFast) of themselves, the center to that of
/// the radius: where sums in double-double do not reach this (thin needles, surfaces far away
/// that enclose nothing), integers do. A volume of exactly 0 has no radius and no center.
[[nodiscard]] CentralMoments central_moments(const MeshView& mesh, Precision precision);

}  // namespace plimsoll
