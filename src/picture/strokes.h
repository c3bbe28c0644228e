// Smooth lines, discs and rectangles on a picture.
#pragma once

#include "picture/picture.h"

namespace plimsoll::picture {

/// In pixels, y down; the middle of the upper left pixel is (0.5, 0.5). Anywhere: what lies outside
/// a picture, or nowhere (NaN), is not drawn.
struct Spot {
  double x = 0, y = 0;
};

/// Part of a picture, in pixels.
struct Rectangle {
  double x = 0, y = 0, width = 0, height = 0;

  [[nodiscard]] Spot middle() const { return {x + width / 2, y + height / 2}; }
};

/// A line with round ends.
void stroke(Picture& picture, const Spot& a, const Spot& b, double width, Color color);

/// Dashes of that length and gaps as long.
void dashes(Picture& picture, const Spot& a, const Spot& b, double width, double length,
            Color color);

void disc(Picture& picture, const Spot& middle, double radius, Color color);

void ring(Picture& picture, const Spot& middle, double radius, double width, Color color);

/// `cover` of 1 hides what is there.
void fill(Picture& picture, const Rectangle& frame, Color color, double cover = 1);

/// Puts a picture onto another, its upper left corner at (x, y).
void put(Picture& picture, const Picture& part, int x, int y);

}  // namespace plimsoll::picture
