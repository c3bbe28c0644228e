// How fragments become pixels: clearing, and adding.
#pragma once

#include <epoxy/gl.h>

namespace plimsoll::gl {

/// Clears the first width x height pixels of the framebuffer bound for drawing, which may be larger
/// from an earlier use: `color_images` of its images to zero, and its depth to 1 if `with_depth`.
void clear_images(int width, int height, int color_images, bool with_depth);

/// As long as it lives, the colors of all fragments of a pixel are added, at whatever depth.
class AddedColors {
 public:
  AddedColors();
  ~AddedColors();
  AddedColors(const AddedColors&) = delete;
  AddedColors& operator=(const AddedColors&) = delete;
};

}  // namespace plimsoll::gl
