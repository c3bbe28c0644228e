// A slice of the distances from a surface, as a picture.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "picture/picture.h"

namespace plimsoll::picture {

/// Values at the middles of squares that are `step` wide, row after row from the top. SI units.
struct FieldSlice {
  std::string title;
  std::string words;  ///< Where the slice is.
  std::size_t columns = 1, rows = 1;
  double step = 1;             ///< [m]
  std::vector<double> values;  ///< [m]
  bool has_sign = true;        ///< Below 0 in the solid.
};

/// How many squares a slice of that size should have, so that each is about two pixels wide.
[[nodiscard]] double field_step(double width, double height, PixelSize size);

/// Colors by distance, in steps of a round length with a line between them; the surface is a strong
/// line.
[[nodiscard]] Picture draw_field(const FieldSlice& slice, PixelSize size);

}  // namespace plimsoll::picture
