// A polygon, corner by corner, as the fan of triangles from its first corner.
#pragma once

#include <plimsoll/mesh.h>

namespace plimsoll {

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

 private:
  std::vector<Triangle>* triangles_;
  std::size_t corners_ = 0;
  std::uint32_t first_ = 0;
  std::uint32_t last_ = 0;
};

}  // namespace plimsoll
