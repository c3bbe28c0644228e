// The view: where the lattice of columns lies over a body.
//
// View coordinates x, y, z are the world's axes in the cyclic order that puts the column's axis
// last, about the middle of the body's box and divided by half its largest edge: the view cube is
// [-1, 1]^3 and nothing depends on where the body is or in which unit. Pixel (i, j) has its center
// at (x0 + (i + 1/2) dx, y0 + (j + 1/2) dy).
#pragma once

#include <plimsoll/image.h>

namespace plimsoll {

struct Lattice {
  int width = 0;
  int height = 0;
  double x0 = 0, y0 = 0;
  double dx = 0, dy = 0;
};

struct View {
  int axis = 2;
  Similarity world_from_view = Similarity::Identity();
  Lattice lattice;
  double depth = 0;  ///< The body lies within -depth <= z <= depth.

  [[nodiscard]] double scale() const { return world_from_view.linear().col(2).norm(); }
};

/// Checks that an image has 1 to `max_side` pixels along each side. Errors: `InvalidArgument` at
/// `where`.
[[nodiscard]] Result<void> check_resolution(int width, int height, int max_side, const char* where);

/// The view of a body within `box`. Errors: `InvalidArgument` for options outside their range.
[[nodiscard]] Result<View> view_of(const Box3& box, const ImageOptions& options);

/// A point of the body in view coordinates.
inline Vec3 to_view(const Vec3& p, const Vec3& center, double inverse_scale, int axis) {
  const Vec3 q = (p - center) * inverse_scale;
  return {q[(axis + 1) % 3], q[(axis + 2) % 3], q[axis]};
}

}  // namespace plimsoll
