// What tells how large and when a picture is: a bar of a round length, and a line of text.
#pragma once

#include <string_view>

#include "picture/picture.h"

namespace plimsoll::picture {

/// 1, 2 or 5 times a power of ten, the nearest to `length`.
[[nodiscard]] double round_length(double length);

/// Draws a bar into the lower left corner, about a fifth of the picture wide, and its length in
/// meters beside it. For pictures in parallel projection.
void draw_scale_bar(Picture& picture, double pixels_per_meter);

/// Writes `text` into the upper left corner.
void write_caption(Picture& picture, std::string_view text);

}  // namespace plimsoll::picture
