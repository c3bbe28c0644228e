// How much of a triangle the planes pass that lean from a water plane, in eight sectors of
// directions, and sums of it.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace plimsoll {

/// Directions y / |y| in which planes lean, side by side: four sectors of an eighth of a turn, and
/// their opposites in the same order. The borders are of unit length.
struct Sectors {
  static constexpr std::size_t kCount = 8;
  using Row = std::array<double, kCount>;
  alignas(64) Row first_x, first_y, last_x, last_y;
};
extern const Sectors kSectors;

/// The planes, in units of the tree's frame: over the point s of the water they have the height y .
/// s + |y| e, |y| <= slope, |e| <= offset.
struct LeaningRange {
  double slope, offset;
  double room;  ///< What heights are off by.
};

/// The part of a triangle at most a height from the water, seen along its normal: the corners s of
/// a polygon.
struct PassedTriangle {
  static constexpr std::size_t kMaxPoints = 8;      // of five at most: a triangle between two lines
  alignas(64) std::array<double, kMaxPoints> x, y;  ///< Those behind the last are 0.
  std::size_t points = 0;
  std::array<double, 3> height;  ///< Over the water, of the triangle's corners, ascending.
  double area = 0;               ///< Of the whole triangle, seen along the normal.
};

/// Integrals of 1, d and d d, d the distance from the center, for each sector.
struct PassedSums {
  alignas(64) Sectors::Row area{}, first{}, second{};
};

/// Adds, for each sector, the area that its planes pass of the triangles, as if all of it lay where
/// the part is farthest: never too little. Whether a second moment exceeds `enough` then. The same
/// bits for any instruction set.
[[nodiscard]] bool add_passed(std::span<const PassedTriangle> triangles, const LeaningRange& range,
                              double enough, PassedSums& sums);

}  // namespace plimsoll
