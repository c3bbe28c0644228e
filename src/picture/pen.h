// Cairo's contexts, owned. For the files that draw; others include strokes.h and lettering.h.
#pragma once

#include <cairo.h>

#include "picture/picture.h"

namespace plimsoll::picture {

/// Draws in one color, with round ends and corners. While there is one, the picture's pixels may
/// not be set otherwise.
class Pen {
 public:
  /// Over the picture; `cover` of 1 hides what is there. Throws std::bad_alloc.
  Pen(Picture& picture, Color color, double cover = 1);
  /// Any surface of Cairo's, in black. Throws std::bad_alloc.
  explicit Pen(cairo_surface_t* surface);
  ~Pen();
  Pen(const Pen&) = delete;
  Pen& operator=(const Pen&) = delete;

  void dip(Color color, double cover = 1);  ///< Into another color.

  [[nodiscard]] cairo_t* context() const { return context_; }

 private:
  cairo_t* context_;
};

/// A cairo_write_func_t: appends to the std::string at `file`.
cairo_status_t append_to_string(void* file, const unsigned char* data, unsigned int length);

}  // namespace plimsoll::picture
