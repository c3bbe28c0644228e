// A weighed body as a picture.
#pragma once

#include "picture.h"
#include "weighing.h"

namespace plimsoll::cli {

/// The body from the front and a little above, the inner side of its surface darker; its center of
/// mass (G) and principal axes (I, II, III, by ascending moments), and the box of even density that
/// has its mass and moments; lines are dashed where the body hides them. What makes a mesh unsound
/// is red and has the number of the text report. Below, a scale and the numbers of that report.
/// Pictures under 640 x 400 have no words but letters and numbers at the marks. Shapes without
/// triangles are drawn as their box, which is said.
[[nodiscard]] Picture draw_mass(const Weighing& weighing, PixelSize size);

}  // namespace plimsoll::cli
