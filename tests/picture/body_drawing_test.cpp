// Drawings of bodies: lines without gaps, whatever the picture's proportions.
#include "picture/body_drawing.h"

#include <doctest/doctest.h>

#include <vector>

namespace plimsoll::picture {
namespace {

// Fine pixels are half as large, and a line is two of them wide: it covers a quarter, at least, of
// each pixel that it crosses.
TEST_CASE("a body without area is a line from end to end in wide, square and high pictures") {
  for (const PixelSize size : {PixelSize{90, 30}, {60, 60}, {30, 90}}) {
    CAPTURE(size.width);
    ParallelView view;  // a pixel for a meter, y up
    view.center_x = size.width / 2.0;
    view.center_y = size.height / 2.0;
    const double half_width = size.width / 2.0 - 4, half_height = size.height / 2.0 - 4;
    TriangleMesh mesh;
    mesh.vertices = {
        {-half_width, 0, 0}, {half_width, 0, 0}, {0, -half_height, 0}, {0, half_height, 0}};
    mesh.triangles = {{0, 1, 1}, {2, 3, 3}};
    BodyDrawing drawing(size, view, false);
    drawing.draw({&mesh, Similarity::Identity(), {0, 0, 0}, {0, 0, 0}});
    const Picture picture = drawing.picture();
    const auto is_inked = [&](int x, int y) { return picture.at(x, y).green < 255 * 3 / 4 + 1; };
    for (int x = 0; x < size.width; ++x) {
      const bool is_in = x >= 4 && x < size.width - 4;
      if (is_in) CHECK((is_inked(x, size.height / 2) || is_inked(x, size.height / 2 - 1)));
      if (x < 3 || x >= size.width - 3) CHECK(!is_inked(x, size.height / 2));
    }
    for (int y = 0; y < size.height; ++y) {
      const bool is_in = y >= 4 && y < size.height - 4;
      if (is_in) CHECK((is_inked(size.width / 2, y) || is_inked(size.width / 2 - 1, y)));
      if (y < 3 || y >= size.height - 3) CHECK(!is_inked(size.width / 2, y));
    }
    CHECK(picture.at(size.width / 4, size.height / 4) == Color{255, 255, 255});
  }
}

}  // namespace
}  // namespace plimsoll::picture
