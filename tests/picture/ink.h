// How much is drawn on a white picture in black, and where.
#pragma once

#include <algorithm>

#include "picture/picture.h"

namespace plimsoll::test {

inline picture::Picture blank(int width, int height) {
  return {width, height, picture::Color{255, 255, 255}};
}

/// The share of a pixel that is covered.
inline double ink_at(const picture::Picture& drawn, int x, int y) {
  return 1 - drawn.at(x, y).green / 255.0;
}

/// Covered pixels, in parts of the picture: x in [x0, x1), y in [y0, y1).
inline double ink(const picture::Picture& drawn, int x0, int y0, int x1, int y1) {
  double sum = 0;
  for (int y = std::max(y0, 0); y < std::min(y1, drawn.height()); ++y)
    for (int x = std::max(x0, 0); x < std::min(x1, drawn.width()); ++x) sum += ink_at(drawn, x, y);
  return sum;
}

inline double ink(const picture::Picture& drawn) {
  return ink(drawn, 0, 0, drawn.width(), drawn.height());
}

}  // namespace plimsoll::test
