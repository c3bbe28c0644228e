// What the triangles of a mesh have under a fluid's surface, whether a column meets them or not.
//
// The wet volume is the sum over the triangles of
//
//   s int min(z - h, 0) dx dy,    s = sgn(n_z),
//
// h the surface's height: the integral that the columns of an image sample (water_image_sums.h).
// So it tells how much a lattice of columns has missed, of walls between them too.
#pragma once

#include <span>

#include "hydro/water_image_sums.h"

namespace plimsoll {

/// The wet volume of a mesh, negative where it is turned inward [the view's unit cubed]. `vertices`
/// are (column, row, z) of the lattice, pixel centers at whole columns and rows. Exact up to
/// rounding under a level surface; under any other as far as the surface is flat over two pixels.
/// O(triangles), and O(pixels) for large triangles under a surface that is not level.
[[nodiscard]] double wet_volume(std::span<const Triangle> triangles, std::span<const Vec3> vertices,
                                const Lattice& lattice, const SurfaceSamples& surface);

}  // namespace plimsoll
