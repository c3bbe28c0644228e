// A mesh as rows of spans: the integrals of the columns over a solid, row by row.
//
// With s = sgn(n_z) of each triangle, the moments of a closed mesh are the sums over its triangles
// of [Kim2006, eq. (4), (6)]
//
//   int s {z, xz, yz, z^2/2, x^2 z, y^2 z, z^3/3, xyz, xz^2/2, yz^2/2} dx dy .
//
// A row cuts a triangle in one segment. Along it y is constant and z linear in x, so that every
// integrand is a cubic in x, which a symmetric rule of two points integrates (Gauss) or, over n
// equidistant centers, sums exactly: the points lie w / sqrt(12) from the middle of a segment of
// width w, or sqrt((n^2 - 1) / 12) pixels from the middle of n centers.
#pragma once

#include <plimsoll/mesh.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "image/lattice.h"
#include "image/ten_moments.h"

namespace plimsoll {

struct RowImage {
  std::vector<TenMoments> rows;     ///< Integrals over the section at the row's center, or the mean
                                    ///< over the row where it is exact; times `dy` they add up.
  std::vector<std::uint8_t> exact;  ///< 1: integrated over the whole row, not sampled.
  std::size_t fragments = 0;
};

/// Vertices in the lattice: (column, row, z), pixel centers at whole columns and rows.
[[nodiscard]] std::vector<Vec3> lattice_vertices(const MeshView& mesh, const View& view);

/// Samples every row.
[[nodiscard]] RowImage scan_rows(const MeshView& mesh, std::span<const Vec3> vertices,
                                 const Lattice& lattice, Coverage coverage);

/// Integrates the rows for which `chosen` is 1 over their whole width instead.
void integrate_rows(const MeshView& mesh, std::span<const Vec3> vertices, const Lattice& lattice,
                    std::span<const std::uint8_t> chosen, RowImage& image);

/// What the rows of ever finer lattices add up to: the integrals over the triangles themselves, of
/// those too that no row or column of this lattice meets. Up to rounding, whether the mesh is
/// closed or not. The same for any number of threads.
[[nodiscard]] TenMoments integrals_of(const MeshView& mesh, std::span<const Vec3> vertices,
                                      const Lattice& lattice);

}  // namespace plimsoll
