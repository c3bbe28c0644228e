// Which pixel centers a triangle covers. Coordinates are the lattice's: (column, row, z), pixel
// centers at whole columns and rows. A center on an edge belongs to one of its two triangles, so
// that a closed mesh is entered as often as it is left in every column.
#pragma once

#include <plimsoll/types.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace plimsoll {

/// A triangle in the lattice, its corners by ascending row.
struct SortedCorners {
  Vec3 low, middle, high;
  double sign;  ///< Of n_z; 0 for a triangle seen edge-on, which covers nothing.
  double turn;  ///< 1 where low, middle, high run as the triangle does, else -1.
};

inline SortedCorners sorted_corners(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double area = (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
  const Vec3* p[3] = {&a, &b, &c};
  double turn = 1;
  const auto sort = [&](int i, int j) {
    if (p[j]->y() >= p[i]->y()) return;
    std::swap(p[i], p[j]);
    turn = -turn;
  };
  sort(0, 1);
  sort(1, 2);
  sort(0, 1);
  return {*p[0], *p[1], *p[2], area > 0 ? 1.0 : area < 0 ? -1.0 : 0.0, turn};
}

/// ceil for numbers that fit an int, without a call.
inline int ceiling(double x) {
  const int truncated = static_cast<int>(x);
  return truncated + (x > truncated ? 1 : 0);
}

struct CutEnd {
  double x;  // [columns]
  double z;
};

/// The edge from `low` to `high` at `row`: one formula for both triangles that share the edge, so
/// that they agree to the last bit.
inline CutEnd cut(const Vec3& low, const Vec3& high, double row) {
  const double t = (row - low.y()) / (high.y() - low.y());
  return {low.x() + t * (high.x() - low.x()), low.z() + t * (high.z() - low.z())};
}

/// The same, not rounded to beyond the edge's own columns: so a triangle between two columns of
/// centers covers none.
inline CutEnd cut_within(const Vec3& low, const Vec3& high, double row) {
  CutEnd end = cut(low, high, row);
  end.x = low.x() < high.x() ? std::clamp(end.x, low.x(), high.x())
                             : std::clamp(end.x, high.x(), low.x());
  return end;
}

/// Calls visit(column, row, z, sign) for each center that the triangle covers: from the left end of
/// a row's section on, short of the right one. `sign` is that of n_z, told from the ends' order and
/// not from an area that may be rounded: so the signs in a column of a closed mesh add up to 0.
template <class Visit>
void for_each_center(const Vec3& a, const Vec3& b, const Vec3& c, const Visit& visit) {
  const SortedCorners p = sorted_corners(a, b, c);
  const int middle = ceiling(p.middle.y());
  const int last = ceiling(p.high.y());
  for (int row = ceiling(p.low.y()); row < last; ++row) {
    const CutEnd through = cut_within(p.low, p.high, row);
    const CutEnd side =
        row < middle ? cut_within(p.low, p.middle, row) : cut_within(p.middle, p.high, row);
    const bool is_right = through.x < side.x;
    const CutEnd& left = is_right ? through : side;
    const CutEnd& right = is_right ? side : through;
    const int first = ceiling(left.x), end = ceiling(right.x);
    if (first >= end) continue;
    const double sign = is_right ? p.turn : -p.turn;
    const double slope = (right.z - left.z) / (right.x - left.x);
    for (int column = first; column < end; ++column)
      visit(column, row, left.z + slope * (column - left.x), sign);
  }
}

}  // namespace plimsoll
