// A picture in memory: the pixels of an image surface of Cairo's.
#pragma once

#include <cairo.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace plimsoll::picture {

struct Color {
  std::uint8_t red = 0, green = 0, blue = 0;

  friend bool operator==(const Color&, const Color&) = default;
};

/// From `a` at 0 to `b` at 1.
[[nodiscard]] Color mixed(Color a, Color b, double share_of_b);

struct PixelSize {
  int width = 0;
  int height = 0;
};

/// Draw lines and letters with strokes.h and lettering.h.
class Picture {
 public:
  static constexpr int kMaxSide = 32767;  ///< Cairo has no larger ones.

  /// Precondition: sides from 1 to kMaxSide. Throws std::bad_alloc.
  Picture(int width, int height, Color background);

  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }

  /// 0x00rrggbb each but for the highest byte, which holds anything; top row first.
  [[nodiscard]] std::span<const std::uint32_t> pixels() const;

  /// Precondition: within the picture.
  [[nodiscard]] Color at(int x, int y) const;

  /// Outside the picture nothing happens.
  void set(int x, int y, Color color);

  /// What Cairo draws on; Pen is the way to it.
  [[nodiscard]] cairo_surface_t* surface() const { return surface_.get(); }

 private:
  struct Destroy {
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  };

  [[nodiscard]] std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(x);
  }

  int width_;
  int height_;
  std::unique_ptr<cairo_surface_t, Destroy> surface_;
  std::uint32_t* pixels_;  // of the surface
};

/// The bytes of a PNG file: RGB of 8 bits. Throws std::bad_alloc.
[[nodiscard]] std::string png_file(const Picture& picture);

}  // namespace plimsoll::picture
