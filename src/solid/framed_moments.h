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

/// A frame that suits the mesh, from the box of at most 256 of its triangles spread over it: the
/// apex may be any point nearby, and a full pass would cost as much as the sums.
[[nodiscard]] Frame sampled_frame(const MeshView& mesh);

/// The mesh with its coordinates divided by 2^exponent, exactly but for underflow.
[[nodiscard]] TriangleMesh rescaled(const MeshView& mesh, int exponent);

/// The integrals about frame.apex in units of 2^frame.exponent. What the sums in double cannot tell
/// (a volume lost in the error, a mesh far wider than its sample) they do again in double-double
/// and at last in integers, so that the sign of the volume is certain.
[[nodiscard]] Moments moments_in(const Frame& frame, const MeshView& mesh, Precision precision);

}  // namespace plimsoll
