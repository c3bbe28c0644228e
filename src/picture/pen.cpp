#include "picture/pen.h"

#include <new>
#include <string>

namespace plimsoll::picture {

Pen::Pen(cairo_surface_t* surface) : context_(cairo_create(surface)) {
  if (cairo_status(context_) != CAIRO_STATUS_SUCCESS) {
    cairo_destroy(context_);
    throw std::bad_alloc();
  }
  constexpr double kTolerance = 0.02;  // pixels between a curve and the lines drawn for it
  cairo_set_tolerance(context_, kTolerance);
  cairo_set_line_cap(context_, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join(context_, CAIRO_LINE_JOIN_ROUND);
}

Pen::Pen(Picture& picture, Color color, double cover) : Pen(picture.surface()) {
  cairo_surface_mark_dirty(picture.surface());  // its pixels may have been set
  dip(color, cover);
}

Pen::~Pen() {
  cairo_surface_flush(cairo_get_target(context_));
  cairo_destroy(context_);
}

void Pen::dip(Color color, double cover) {
  cairo_set_source_rgba(context_, color.red / 255.0, color.green / 255.0, color.blue / 255.0,
                        cover);
}

// Exceptions must not pass through Cairo.
cairo_status_t append_to_string(void* file, const unsigned char* data, unsigned int length) {
  try {
    static_cast<std::string*>(file)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
  } catch (const std::bad_alloc&) {
    return CAIRO_STATUS_NO_MEMORY;
  }
}

}  // namespace plimsoll::picture
