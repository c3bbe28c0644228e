// Canvases: which pixels squares and lines take.
#include "picture/raster.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace plimsoll::picture {
namespace {

constexpr Color kPaper{255, 255, 255}, kInk{10, 20, 30};

TEST_CASE("a rectangle is filled to its borders and the canvas's, and no farther") {
  constexpr int kWidth = 7, kHeight = 5;
  for (const auto& [x, y] : {std::pair(0, 0), {1, 1}, {-1, -2}, {5, 3}, {6, 4}, {-9, 0}, {0, 9}})
    for (const auto& [width, height] : {std::pair(1, 1), {2, 3}, {3, 2}, {20, 20}}) {
      Canvas canvas({kWidth, kHeight}, 1, kPaper);
      canvas.fill(x, y, width, height, kInk);
      for (int j = 0; j < kHeight; ++j)
        for (int i = 0; i < kWidth; ++i) {
          const bool is_in = i >= x && i < x + width && j >= y && j < y + height;
          CHECK(canvas.color(i, j) == (is_in ? kInk : kPaper));
        }
    }
}

TEST_CASE("a line is of squares around its points, seen where it is not too far behind") {
  Canvas canvas({9, 9}, 1, kPaper);
  canvas.triangle({Vec3(-20, -20, 5), Vec3(40, -20, 5), Vec3(-20, 40, 5)}, {1, 1, 1});
  CHECK(canvas.depth(8, 8) == 5);
  canvas.line({2.5, 4.5, 3}, {6.5, 4.5, 3}, 3, kInk, 1);
  CHECK(canvas.color(4, 4) == Color{1, 1, 1});  // hidden by 2
  canvas.line({2.5, 4.5, 3}, {6.5, 4.5, 3}, 3, kInk, 2.5);
  for (int j = 0; j < 9; ++j)
    for (int i = 0; i < 9; ++i) {
      const bool is_in = i >= 1 && i <= 7 && j >= 3 && j <= 5;
      CHECK(canvas.color(i, j) == (is_in ? kInk : Color{1, 1, 1}));
    }
}

}  // namespace
}  // namespace plimsoll::picture
