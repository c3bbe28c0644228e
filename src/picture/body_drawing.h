// Bodies from outside, opaque and lit, and what is marked on them and inside them.
#pragma once

#include <plimsoll/mesh.h>

#include <cstdint>
#include <span>
#include <vector>

#include "picture/annotation.h"
#include "picture/picture.h"
#include "picture/raster.h"

namespace plimsoll::picture {

/// Colors that tell bodies apart, in turn.
[[nodiscard]] Color body_color(std::size_t number);

/// A body's triangles in their place. It refers to the mesh.
struct DrawnSurface {
  const TriangleMesh* mesh = nullptr;
  Similarity world_from_mesh = Similarity::Identity();
  Color color, inside;       ///< Of the outer and of the inner side.
  bool is_inverted = false;  ///< The triangles are turned the other way.
};

/// Enlarges the box that surfaces take in a view that is only turned so far.
void extend(Box3& turned, const ParallelView& view, const DrawnSurface& surface);

/// Moves and scales the view so that this box fits into the frame, with `room` left for letters.
void fit(ParallelView& view, const Box3& turned, const Rectangle& frame, double room);

/// Drawn finer than the picture is to be, for smooth borders.
class BodyDrawing {
 public:
  /// Without ghosts, nothing is seen of a body behind another.
  BodyDrawing(PixelSize size, const ParallelView& view, bool with_ghosts);

  /// Each surface is a body of its own. Triangles without area are lines.
  void draw(const DrawnSurface& surface);

  /// Marks triangles of a surface, by their numbers, with their edges.
  void mark(const DrawnSurface& surface, std::span<const std::uint32_t> triangles, Color color);

  /// The bodies, and on them the marks: in full where they are seen, paler where they are hidden.
  /// `ghost` is the share of color that a body lends to another one that hides it.
  [[nodiscard]] Picture picture(double ghost = 0) const;

  /// Whether no surface hides the point.
  [[nodiscard]] bool is_seen(const Vec3& p) const;

  /// How many pixels of the picture show a mark that nothing hides.
  [[nodiscard]] double seen_marks() const;

  /// A line on a picture of this drawing: solid where it is seen, dashed and thinner elsewhere.
  void line(Picture& picture, const Vec3& a, const Vec3& b, double width, Color color) const;

  [[nodiscard]] const ParallelView& view() const { return view_; }

 private:
  /// The nearest to the eye in a pixel.
  struct Sample {
    float depth;
    std::uint32_t body;
    Color color;
  };

  [[nodiscard]] std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(size_.width) +
           static_cast<std::size_t>(x);
  }
  void take(std::size_t pixel, const Sample& sample);
  void mark_edge(const Vec3& a, const Vec3& b, Color color);
  [[nodiscard]] bool is_mark_seen(std::size_t pixel) const;

  ParallelView view_, fine_;
  PixelSize size_;              // of the fine view
  std::vector<Sample> front_;   // of any body
  std::vector<Sample> behind_;  // of another body than the one in front; empty without ghosts
  std::vector<Sample> marks_;   // empty while there are none
  std::uint32_t bodies_ = 0;
};

}  // namespace plimsoll::picture
