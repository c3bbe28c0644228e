// Where a straight line enters and leaves the primitives, in closed form.
//
// The line is origin + s direction with a unit direction, in the frame of the primitive; s should
// be 0 near it. Depths are good to a few 1e-16 of the size, divided by the sine of the angle under
// which the line meets the surface: near a tangent the depth is the root of a small difference. A
// line that only touches, or runs within a face, is half-open: inside for the lower face, outside
// for the upper one, so that solids that share a wall share no column.
#pragma once

#include <plimsoll/shape.h>

#include "columns/span.h"

namespace plimsoll {

struct Line {
  Vec3 origin;
  Vec3 direction;
};

// Surfaces: a box 0 to 5, the lower and upper face across x, y, z; a cylinder 0 the side, 1 the
// lower, 2 the upper end; a capsule likewise; a cone 0 the side, 1 the base; others 0.
inline constexpr std::uint32_t kPrimitiveSurfaces = 6;

void crossings(const Line& line, const BoxSolid& box, LineSpans& out);
void crossings(const Line& line, const Sphere& sphere, LineSpans& out);
void crossings(const Line& line, const Ellipsoid& ellipsoid, LineSpans& out);
void crossings(const Line& line, const Torus& torus, LineSpans& out);
void crossings(const Line& line, const Cylinder& cylinder, LineSpans& out);
void crossings(const Line& line, const Capsule& capsule, LineSpans& out);
void crossings(const Line& line, const Cone& cone, LineSpans& out);

/// The piece inside the box, whose faces are numbered as a BoxSolid's.
[[nodiscard]] bool clip_to_box(const Line& line, const Box3& box, Span& span);

}  // namespace plimsoll
