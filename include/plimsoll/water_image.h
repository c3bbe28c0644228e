// Buoyancy by image: what a fluid with any free surface does to any shape, from columns along the
// vertical. [Kim2006, sec. 5] on the processor; gl_water_image.h has it on graphics hardware.
// World coordinates, z up.
#pragma once

#include <plimsoll/buoyancy.h>
#include <plimsoll/fluid_surface.h>
#include <plimsoll/result.h>
#include <plimsoll/shape.h>
#include <plimsoll/submersion.h>

#include <cstddef>
#include <memory>

namespace [[gnu::visibility("default")]] plimsoll {

struct WaterImageOptions {
  int width = 32;            ///< Pixels along x, over the rectangle that just holds the posed body,
                             ///< or what bounding_box says of shapes that are not meshes.
  int height = 32;           ///< Pixels along y.
  bool has_estimate = true;  ///< Whether `volume_error` is wanted; it costs some microseconds.
};

/// What was found, and how far it may be off.
struct WaterImage {
  Buoyancy buoyancy;
  Mat3 second_moments = Mat3::Zero();  ///< Integral of r r^T over the wet part about its center
                                       ///< [m^5].
  double waterplane_area = 0;  ///< Of the columns that are inside at the surface, seen from above
                               ///< [m^2].
  double volume_error = 0;     ///< Held in 99 of 100 random cases (docs/theory/hydrostatics.md);
                               ///< infinite where it was not wanted [m^3].
  int peels = 0;   ///< n of [Kim2006]: no column has more crossings with the wet surface.
  int passes = 1;  ///< Times that something was drawn: by `peel` n + 2.
  std::size_t fragments = 0;  ///< Crossings of columns with the wet surface.
  std::size_t unbalanced_columns =
      0;                              ///< In which the faces do not add up: the surface is open, or
                                      ///< an algorithm lost or made up some. By `peel` of the faces
                                      ///< that it has drawn, else of all, wet or dry. Columns of a
                                      ///< mesh that is part of a Boolean may be incomplete.
  std::size_t undecided_columns = 0;  ///< Of formulas, that met their limit of work.
};

/// A body whose columns are asked for again and again, in one pose after the other. Keeps memory
/// between calls, so one thread at a time may ask.
class WaterColumns {
 public:
  /// Patches become triangles a hundredth of a pixel from them. Errors: as check_shape; as
  /// to_triangles; `InvalidArgument` for less than 1 or more than 4096 pixels along a side, a mesh
  /// without triangles, or one that graphics hardware could not hold either: larger than 1e60 or
  /// smaller than 1e-60.
  [[nodiscard]] static Result<WaterColumns> create(const Shape& shape,
                                                   const WaterImageOptions& options = {});

  WaterColumns(WaterColumns&&) noexcept;
  WaterColumns& operator=(WaterColumns&&) noexcept;
  ~WaterColumns();

  /// Sums the columns at the pixels' centers, each up to the surface: a column from a to b at (x,
  /// y) counts (b - a) dx dy (-dh/dx, -dh/dy, 1) for the lift. Meshes are scanned, primitives
  /// crossed in closed form, both without sorting; formulas and Booleans by their own rules, meshes
  /// within them anew for each pose. A mesh turned inward is measured as if turned outward; where
  /// shells overlap, space counts as often as they wind around it. Open above the surface does no
  /// harm. Errors: as nearest_similarity; `ResourceLimit` where formulas take too long, as in
  /// image_mass_properties. O(triangles + crossings).
  [[nodiscard]] Result<WaterImage> measure(const Similarity& world_from_body,
                                           const SurfaceNow& surface);

 private:
  struct State;
  explicit WaterColumns(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// The same once, of a shape where it is.
[[nodiscard]] Result<WaterImage> water_image(const Shape& shape, const SurfaceNow& surface,
                                             const WaterImageOptions& options = {});

/// A shape as it stands over the water, which is z <= 0, with its middle near the z axis: numbers
/// are no larger than the shape, wherever it is in the world. Where the plane is farther from the
/// middle than the shape is long it is brought as near as that; no more of the shape is wet.
struct ShapeInWater {
  Shape shape;
  Pose world_from_water = Pose::Identity();
};
/// Vertices of a mesh are posed, and its vertex_error includes what that rounds. Errors: as
/// check_shape; `InvalidArgument` unless is_plane; `ResourceLimit` for a shape and a plane so far
/// apart that no number tells how far.
[[nodiscard]] Result<ShapeInWater> in_water_frame(const Shape& shape, const WaterPlane& water);

/// For engines that sum columns: a solid whose columns along z are those of the wet part of `shape`
/// along the water's normal, in the same frame. Of a mesh, the triangles cut at the plane with all
/// that is above pressed onto it: faces there lie in the plane, and add nothing to any column. A
/// rim above the plane is closed in it. Of any other shape, the intersection with a box. Patches
/// have to be triangles first. Errors: as in_water_frame; `Unavailable` for patches.
[[nodiscard]] Result<ShapeInWater> wet_columns(const Shape& shape, const WaterPlane& water);

/// world_from_water: its z axis points out of the water, and its origin is the point of the plane
/// nearest to that of the world. Errors: `InvalidArgument` unless is_plane.
[[nodiscard]] Result<Pose> water_frame(const WaterPlane& water);

}  // namespace plimsoll
