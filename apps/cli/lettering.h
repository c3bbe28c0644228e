// Smooth lines, dots and letters on a finished picture.
#pragma once

#include <string_view>

#include "picture.h"

namespace plimsoll::cli {

/// In pixels, y down; the middle of the upper left pixel is (0.5, 0.5).
struct Spot {
  double x = 0, y = 0;
};

/// A line with round ends.
void stroke(Picture& picture, const Spot& a, const Spot& b, double width, Color color);

/// Dashes of that length and gaps as long.
void dashes(Picture& picture, const Spot& a, const Spot& b, double width, double length,
            Color color);

void disc(Picture& picture, const Spot& middle, double radius, Color color);

void ring(Picture& picture, const Spot& middle, double radius, double width, Color color);

/// The letters of Picture::write with round strokes in place of dots, and as wide as each needs.
/// `size` is the height of a capital; (x, y) is where the first letter stands.
void letter(Picture& picture, const Spot& at, std::string_view text, double size, Color color);

/// The same on a rim of paper, for letters on a drawing.
void letter_on(Picture& picture, const Spot& at, std::string_view text, double size, Color color,
               Color paper);

[[nodiscard]] double lettered_width(std::string_view text, double size);

}  // namespace plimsoll::cli
