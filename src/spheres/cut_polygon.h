// Convex polygons in space, cut by planes.
#pragma once

#include <plimsoll/types.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace plimsoll {

/// A triangle that was cut by at most six planes; its corners in order.
struct CutPolygon {
  std::array<Vec3, 9> corner;
  std::size_t count = 0;

  explicit CutPolygon(const std::array<Vec3, 3>& triangle) : count(3) {
    std::copy(triangle.begin(), triangle.end(), corner.begin());
  }

  /// Leaves the part where `depth`, a linear function of the point, is not below 0.
  template <class Depth>
  void cut(const Depth& depth) {
    const CutPolygon whole = *this;
    count = 0;
    for (std::size_t k = 0; k < whole.count; ++k) {
      const Vec3 &a = whole.corner[k], &b = whole.corner[(k + 1) % whole.count];
      const double from = depth(a), to = depth(b);
      if (from >= 0) corner[count++] = a;
      if ((from >= 0) != (to >= 0)) corner[count++] = a + from / (from - to) * (b - a);
    }
  }
};

}  // namespace plimsoll
