// Drawings of bodies: lines without gaps, whatever the picture's proportions.
#include "picture/body_drawing.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
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

// The face rises by three pixels from one to the next and is seen as a square of 40 by 40. Nothing
// lies before its marks, which have one tone of red but for the edges of the triangles. A mark that
// stood a pixel beside its place would be hidden there, and mixed with the gray of the body. Pixels
// of the border belong to either side.
TEST_CASE("marks on a steep face are seen all over, and have its place and tone") {
  for (const Vec2& lean : {Vec2(3, 0), Vec2(-3, 0), Vec2(0, 3), Vec2(0, -3)}) {
    CAPTURE(lean.transpose());
    TriangleMesh mesh;
    for (const Vec2& at : {Vec2(-20, -20), Vec2(20, -20), Vec2(20, 20), Vec2(-20, 20)})
      mesh.vertices.push_back({at.x(), at.y(), lean.dot(at)});
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    const DrawnSurface surface{
        &mesh, Similarity::Identity(), {100, 100, 100}, {100, 100, 100}, false};
    ParallelView view;
    view.center_x = view.center_y = 30;
    BodyDrawing drawing({60, 60}, view, false);
    drawing.draw(surface);
    drawing.mark(surface, std::vector<std::uint32_t>{0, 1}, {200, 0, 0});
    CHECK(std::abs(drawing.seen_marks() - 40 * 40) <= 4 * 40);
    const Picture picture = drawing.picture();
    const Color tone = picture.at(30, 15);
    CHECK(tone.red > 100);
    for (int x = 0; x < 60; ++x)
      for (int y = 0; y < 60; ++y) {
        const int from_border = std::min({x - 10, y - 10, 49 - x, 49 - y});
        const int from_diagonal = std::abs(x - (59 - y));
        if (from_border < -1) CHECK(picture.at(x, y) == Color{255, 255, 255});
        if (from_border >= 1) CHECK(picture.at(x, y).green == 0);
        if (from_border >= 2 && from_diagonal >= 3) CHECK(picture.at(x, y) == tone);
      }
  }
}

}  // namespace
}  // namespace plimsoll::picture
