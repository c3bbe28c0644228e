// Balls and the surface around them, lit, in parallel projection.
#pragma once

#include <plimsoll/mesh.h>
#include <plimsoll/sphere_packing.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "picture/picture.h"
#include "picture/raster.h"

namespace plimsoll::picture {

/// Drawn finer than the picture is to be, for smooth borders.
class BallDrawing {
 public:
  /// What lies outside `shown` is left out: that part of surfaces, and of balls, which are cut
  /// flat.
  BallDrawing(PixelSize size, const ParallelView& view,
              const std::optional<HalfSpace>& shown = std::nullopt);

  /// `kind` tells balls apart that seen() counts.
  void draw(const PlacedSphere& ball, Color color, std::uint8_t kind = 0);

  /// In how many pixels of the drawing, finer than those of the picture, a ball of that kind is the
  /// nearest of all.
  [[nodiscard]] std::size_t seen(std::uint8_t kind) const;

  /// A veil before what lies behind the balls, of each pixel the nearest ball's alone.
  void draw_glass(std::span<const PlacedSphere> balls, Color color);

  /// A veil of the outer side before what lies behind it: the more of it the steeper it is seen.
  void draw_glass(const TriangleMesh& mesh, Color color);

  /// The same, and opaque where its inner side is seen.
  void draw_surface(const TriangleMesh& mesh, Color color);

  /// A line around what the mesh takes, over all that is drawn.
  void draw_outline(const TriangleMesh& mesh, Color color);

  /// Lines where the plane of `half_space` cuts the mesh, over all that is drawn.
  void draw_section(const TriangleMesh& mesh, const HalfSpace& half_space, Color color);

  [[nodiscard]] Picture picture(Color background) const;

 private:
  struct Sample {
    float depth = -std::numeric_limits<float>::infinity();
    Color color;
    std::uint8_t kind = 0;
  };
  struct Veil {
    float depth = -std::numeric_limits<float>::infinity();
    float share = 0;
    Color color;
  };

  [[nodiscard]] std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(size_.width) +
           static_cast<std::size_t>(x);
  }
  [[nodiscard]] bool is_shown(const Vec3& seen) const {
    return shown_.normal.dot(seen) >= shown_.offset;
  }
  void draw_line(const Vec3& from, const Vec3& to, Color color);
  template <class Take>
  void for_each_seen(const TriangleMesh& mesh, const Take& take) const;
  template <class Take>
  void for_each_of(const PlacedSphere& ball, const Take& take) const;

  ParallelView view_;  // fine
  PixelSize size_;     // of the fine view
  // Shown is { s : dot(normal, s) >= offset }, s as the fine view has points.
  HalfSpace shown_{Vec3::Zero(), -1};
  std::vector<Sample> balls_;
  std::vector<std::vector<Veil>> glasses_;  // of each surface the nearest
  std::vector<Veil> outlines_;
};

}  // namespace plimsoll::picture
