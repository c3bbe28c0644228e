// Polygons as triangles: always corners - 2, each of three corners of the polygon, turned as it is.
//
// A polygon becomes the fan from its first corner where that does not fold: where each triangle of
// the fan is turned like the polygon's vector area, or has no area. Where the fan folds, it covers
// more than the polygon, and ears are cut off instead (ears.h). Where that ends with no ear left,
// the outline crosses itself: no triangles have its area, and the fan stays, with a notice.
#pragma once

#include <plimsoll/mesh.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace plimsoll {

/// The polygons of a mesh of more than three corners, which are fans at first. The vertices of a
/// polygon may be unknown until all of the file is read.
class Polygons {
 public:
  /// Notes that the triangles from `first` on are the fan of a polygon. To be called in order.
  void add_fan(std::size_t first, std::size_t corners) {
    if (corners == corners_ && first == end_)
      ++runs_.back().count;
    else
      start_run(first, corners);
    end_ = first + corners - 2;
  }

  /// Splits those whose fans fold anew. What there is to say of outlines that cross themselves;
  /// empty if there are none. Precondition: every index of `mesh` names a vertex; polygons with
  /// coordinates that are not finite stay fans.
  [[nodiscard]] std::string split_folded(TriangleMesh& mesh) const;

 private:
  /// Polygons of as many corners, one after the other.
  struct Run {
    std::size_t first, corners, count;
  };
  void start_run(std::size_t first, std::size_t corners);

  std::vector<Run> runs_;
  std::size_t corners_ = 0, end_ = 0;  // of the last run
};

/// One polygon, corner by corner, as the fan of triangles from its first corner.
class PolygonFan {
 public:
  explicit PolygonFan(std::vector<Triangle>& triangles) : triangles_(&triangles) {}

  void add_corner(std::uint32_t vertex) {
    if (corners_ >= 2)
      triangles_->push_back({first_, last_, vertex});
    else if (corners_ == 0)
      first_ = vertex;
    last_ = vertex;
    ++corners_;
  }
  [[nodiscard]] std::size_t corners() const { return corners_; }
  /// To be called after the last corner.
  void note_in(Polygons& polygons) const {
    if (corners_ > 3) polygons.add_fan(triangles_->size() - (corners_ - 2), corners_);
  }

 private:
  std::vector<Triangle>* triangles_;
  std::size_t corners_ = 0;
  std::uint32_t first_ = 0;
  std::uint32_t last_ = 0;
};

/// A strip, corner by corner: triangle i has the corners i, i + 1 + i mod 2, i + 2 - i mod 2.
/// Triangles that only join two strips repeat a corner, and stay.
class TriangleStrip {
 public:
  explicit TriangleStrip(std::vector<Triangle>& triangles) : triangles_(&triangles) {}

  void begin() { corners_ = 0; }
  void add_corner(std::uint32_t vertex);

 private:
  std::vector<Triangle>* triangles_;
  std::array<std::uint32_t, 2> last_{};
  std::size_t corners_ = 0;
};

}  // namespace plimsoll
