// How two triangles meet, of one mesh or of two, decided exactly. Triangles are closed sets. None
// has zero area or names a vertex twice, unless a function says otherwise.
#pragma once

#include <plimsoll/mesh.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace plimsoll {

/// A triangle with its corners at hand.
struct Corners {
  std::array<Vec3, 3> point;
  Triangle index;
};

[[nodiscard]] inline Corners corners_of(const MeshView& mesh, std::size_t triangle) {
  const Triangle index = mesh.triangle(triangle);
  return {{mesh.vertex(index[0]), mesh.vertex(index[1]), mesh.vertex(index[2])}, index};
}

enum class Meeting {
  kApart,  ///< No point in common; within a mesh, none but the vertex or the edge that they share.
  kTouch,  ///< A point in common, within a mesh outside what they share, and no crossing.
  kCrosses,  ///< An edge of one passes from one side of the other to the other through its open
             ///< interior.
};

/// Of triangles of two meshes: their corners have nothing to do with each other, whatever their
/// numbers. A common corner or edge is a touch. A triangle without area is the segment or the point
/// that its corners span.
[[nodiscard]] Meeting meeting_of(const std::array<Vec3, 3>& t, const std::array<Vec3, 3>& u);

/// Whether triangles have a point in common of which each has corners on both sides of the plane of
/// the other and none on it. Bit i of `t_above` tells whether corner i of t is in front of u
/// (orient3d), bit i of `u_above` the same the other way round.
[[nodiscard]] bool crossed_planes_meet(const std::array<Vec3, 3>& t, unsigned t_above,
                                       const std::array<Vec3, 3>& u, unsigned u_above);

/// Of triangles of one mesh, whose corners are equal if their numbers are: a vertex or an edge that
/// both name does not count.
[[nodiscard]] Meeting meeting_within_mesh(const Corners& t, const Corners& u);

/// The side of the plane through `plane` on which each corner of `t` lies (orient3d).
[[nodiscard]] std::array<int, 3> sides_of_corners(const Corners& plane, const Corners& t);

/// Whether some of the corners lie on the one side and some on the other.
[[nodiscard]] inline bool is_mixed(const std::array<int, 3>& sides) {
  const auto [least, most] = std::minmax_element(sides.begin(), sides.end());
  return *least < 0 && *most > 0;
}

/// An axis along which `t` does not project to a line.
[[nodiscard]] int projection_axis(const Corners& t);

/// Whether the closed edge from corner i of `t` to the next meets `u` in a point other than a
/// vertex of that edge. True also for some edges in the plane of `u` that meet it in a vertex only.
/// `sides` are sides_of_corners(u, t).
[[nodiscard]] bool edge_is_touched(const Corners& t, int i, const Corners& u,
                                   const std::array<int, 3>& sides);

/// Whether two triangles in one plane have an interior point in common.
[[nodiscard]] bool interiors_overlap_in_plane(const Corners& t, const Corners& u);

}  // namespace plimsoll
