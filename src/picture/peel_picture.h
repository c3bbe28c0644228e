// The integrands of each peel as colors, side by side [Kim2006, fig. 10].
#pragma once

#include <plimsoll/gl_image.h>
#include <plimsoll/result.h>

#include <array>
#include <optional>
#include <span>

#include "picture/picture.h"

namespace plimsoll::picture {

/// Where the images of the peels are in the picture: that of target t of peel p has its upper left
/// corner at (x + (p mod columns) step_x, y + t step_y + (p div columns) band_step).
struct PeelTiles {
  PixelSize size;  ///< Of each.
  int columns = 0;
  int x = 0, y = 0;
  int step_x = 0, step_y = 0;
  int band_step = 0;
};

struct PeelPicture {
  Picture picture;
  PeelTiles tiles;
  std::array<double, 3> ranges;  ///< The largest magnitude in each target, view units.
};

/// A column for each peel, nearest first, eight at most side by side; a row for each target. A
/// value v of a target is round(127 + 127 v / range), so that 127 is zero and 255 never occurs:
/// white is where the peel has no surface. `axis` is the view's. Each pixel of the peels becomes a
/// square of whole pixels, unless `size` is given: then the largest that fits by the nearest pixel,
/// in a picture of that size. Precondition: one peel or more, all of the same size. Errors:
/// `InvalidArgument` where `size` has no room, `ResourceLimit` where a picture without it would be
/// too large.
[[nodiscard]] Result<PeelPicture> draw_peels(std::span<const PeelImage> peels, int axis,
                                             std::optional<PixelSize> size);

}  // namespace plimsoll::picture
