// The sums over columns under a fluid's surface, and what the fluid does by them. Shared by the
// processor and OpenGL.
//
// Depths are in units of a view about the middle of the posed body. A column at (x, y) with
// the wet faces z_i, s_i = sgn(n_z), under the surface at h has
//
//   int z^k dz = sum s_i (z_i^(k+1) - h^(k+1)) / (k + 1),    k = 0, 1, 2:
//
// an antiderivative that is zero at the surface. So faces above it add nothing, and neither does
// the surface itself where it is inside the body; [Kim2006, sec. 5.2] has to draw it.
#pragma once

#include <plimsoll/water_image.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "image/lattice.h"

namespace plimsoll {

/// Where the lattice lies: its x and y are the world's about `middle`, divided by `scale`.
struct WaterView {
  Vec3 middle = Vec3::Zero();
  double scale = 1;
  Lattice lattice;
  double depth = 0;     ///< The body lies within -depth <= z <= depth.
  double rounding = 0;  ///< How far the body may be from there, as its pose is rounded [m].

  /// False for a body that is seen edge-on, and for one too far away for numbers.
  [[nodiscard]] bool has_columns() const {
    return lattice.dx > 0 && lattice.dy > 0 && middle.allFinite();
  }
};

/// How far from `pose * p` it may be found, as numbers far from the origin are rounded.
[[nodiscard]] double rounding_of(const Similarity& pose, const Vec3& p);

/// The smallest lattice over a body within `box`.
[[nodiscard]] WaterView water_view(const Box3& box, int width, int height);

/// A surface at the pixels' centers, row after row.
struct SurfaceSamples {
  std::vector<double> heights;  ///< Above the middle of the view, in its unit.
  std::vector<Vec2> slopes;     ///< Empty where the surface is level.
};
/// Fills `samples`, whose memory is used again.
void sample_surface(const SurfaceNow& surface, const WaterView& view, SurfaceSamples& samples);

struct WaterColumn {
  std::array<double, 3> integrals{};  ///< Of 1, z, z^2 along the wet parts.
  double deepest = 0;                 ///< How deep its lowest face is under the surface.
  std::int32_t wet_up = 0;            ///< Number of wet faces that look up.
  std::int32_t wet_down = 0;          ///< Number of wet faces that look down.
  std::int32_t others = 0;            ///< Dry faces, and the surface where it was drawn: those that
                                      ///< look up less those that look down.

  /// Adds a face at depth z that looks up (`sign` 1) or down (-1), the surface being at h.
  void add_face(double z, double h, double sign) {
    if (!(z <= h)) {
      others += sign > 0 ? 1 : -1;
      return;
    }
    integrals[0] += sign * (z - h);
    integrals[1] += sign * (z * z - h * h) / 2;
    integrals[2] += sign * (z * z * z - h * h * h) / 3;
    (sign > 0 ? wet_up : wet_down) += 1;
    if (h - z > deepest) deepest = h - z;
  }
  [[nodiscard]] bool is_balanced() const { return wet_up - wet_down + others == 0; }
};

/// What the estimate of the volume's error is made from, if `is_wanted`.
struct WaterEstimate {
  bool is_wanted = true;
  double rounding = 0;  ///< Relative to the box.
  /// What the triangles of a mesh have under water (wet_triangles.h) [the view's unit cubed].
  std::optional<double> known = std::nullopt;
  double deepest = 0;  ///< Without that: how deep the body reaches under the surface, in the view's
                       ///< unit.
};

/// Sums the columns. `outward`: -1 for a mesh that is turned inward, else 1.
[[nodiscard]] WaterImage sum_columns(std::span<const WaterColumn> columns, const WaterView& view,
                                     const SurfaceSamples& surface, double outward,
                                     const WaterEstimate& estimate);

}  // namespace plimsoll
