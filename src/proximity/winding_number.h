// How often a posed surface winds around a point, decided exactly.
#pragma once

#include <array>

#include "tree/frame_map.h"

namespace plimsoll {

/// Whether the line along z through `p`, moved as below, passes the triangle: +1 where the corners
/// run counterclockwise seen from +z, -1 where clockwise, 0 where it does not pass. Decided
/// exactly.
[[nodiscard]] int passed_by_line(const std::array<Vec3, 3>& triangle, const Vec3& p);

/// The same of the ray from `p` along +z: 0 also where `p` is on the triangle's plane.
[[nodiscard]] int times_passed(const std::array<Vec3, 3>& triangle, const Vec3& p);

/// Of a closed surface: by how many triangles that face up a ray from `p` along +z passes, less
/// those that face down. Of the vertices as posed() rounds them. Precondition: `p` is not on the
/// surface. O(log n) where few boxes are in the way.
///
/// p is moved by e along x and by e^2 along y, for an e so small that only what is 0 without it
/// changes: so the ray passes no edge, and of triangles that share one just one of the two.
[[nodiscard]] int winding_number(const PosedTree& posed, const Vec3& p);

/// Whether `p` is a point of a triangle, as posed() rounds its vertices. Decided exactly. O(log n)
/// where few boxes are at the point.
[[nodiscard]] bool is_on_surface(const PosedTree& posed, const Vec3& p);

}  // namespace plimsoll
