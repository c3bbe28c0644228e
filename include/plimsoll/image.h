// The image engine: mass properties of anything that can be looked at along parallel columns.
// [Kim2006] on the processor; gl_image.h has the same on graphics hardware.
#pragma once

#include <plimsoll/mass.h>
#include <plimsoll/mesh.h>
#include <plimsoll/result.h>
#include <plimsoll/shape.h>

#include <cstddef>

namespace [[gnu::visibility("default")]] plimsoll {

/// How the pixels at the border of a silhouette count.
enum class Coverage {
  kExact,  ///< Spans end where the surface does, and rows across which a wall ends are integrated,
           ///< not sampled: walls parallel to the view cost nothing.
  kPixelCenter,  ///< A pixel counts if its center is covered, as on graphics hardware.
};

struct ImageOptions {
  int width = 256;   ///< Pixels along the first axis after `axis` in the cycle x, y, z.
  int height = 256;  ///< Pixels along the second.
  int axis = 2;      ///< Columns run along x (0), y (1) or z (2).
  Coverage coverage = Coverage::kExact;  ///< On graphics hardware always kPixelCenter.
  double margin = 0;                     ///< How much wider than the body the image is, relative.
  double shift_u = 0;  ///< Of the lattice against the body, in pixels; within the margin.
  double shift_v = 0;
  double density = 1;  ///< Positive [kg/m^3].
  double mass = 0;     ///< If not 0, given instead of the density; not negative [kg].
  LengthUnit unit{};   ///< Of the coordinates of the body.
};

/// What was found, and how far it may be off.
struct ImageMass {
  MassProperties properties;  ///< Its `error_bound` is infinite: nothing here is proven.
  MassError error_estimate;   ///< Held in 99 of 100 random cases (docs/theory/image-engine.md).
  std::size_t fragments = 0;  ///< Crossings of columns with the surface.
  int passes = 1;             ///< Times the surface was drawn; by `peel`, the number of peels.
  std::size_t unbalanced_rows = 0;  ///< Rows in which as many faces look up as down were not found:
                                    ///< the surface is open, or `peel` lost faces that coincide.
  std::size_t undecided_columns = 0;   ///< Of formulas, that met their limit of work: parts of the
                                       ///< body may be missing.
  std::size_t unbalanced_columns = 0;  ///< Of meshes within Booleans, that do not bound a solid.
  std::size_t unseen_pixels = 0;       ///< Of shapes measured by columns: between so many columns
                                       ///< there may be parts that none meets, which the estimate
                                       ///< allows for.
};

/// The mass properties of the solid that `mesh` bounds, from its image along one axis: the integral
/// of sgn(n_z) z {1, x, y, z/2, ...} over the rows of a lattice [Kim2006, eq. (4), (6)].
/// In the frame of the body's box, so that the distance from the origin costs no accuracy. The
/// same bits for any number of threads. O(triangles + sections), parallel for large meshes.
/// Errors: `InvalidArgument` for options outside their range, and for a body more than 2e60 or less
/// than 2e-60 across.
[[nodiscard]] Result<ImageMass> image_mass_properties(const CheckedMesh& mesh,
                                                      const ImageOptions& options = {});

/// The triangles that an image of `shape` draws, curved surfaces to a hundredth of a pixel; nothing
/// of what has columns only (formulas, Booleans). Errors: as to_triangles.
[[nodiscard]] Result<std::optional<ShapeMesh>> triangles_to_draw(const Shape& shape,
                                                                 const ImageOptions& options);

/// The same for any shape. Meshes as above, patches by triangles_to_draw; of all others
/// the columns' crossings are found, and the columns integrated over x and y by quadrature between
/// the places where the faces that they cross change. `coverage`, `margin` and the shifts mean
/// nothing to those: their error does not come from a lattice, which only has to show what there
/// is. Where a part thinner than a pixel may be missed, that is said. Parallel. Errors: as
/// check_shape; for options outside their range; `ResourceLimit` as tessellate, and where formulas
/// take more than about half a minute of one processor, told by counting operations: so it is the
/// same on every machine.
[[nodiscard]] Result<ImageMass> image_mass_properties(const Shape& shape,
                                                      const ImageOptions& options = {});

}  // namespace plimsoll
