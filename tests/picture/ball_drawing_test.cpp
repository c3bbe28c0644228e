#include "picture/ball_drawing.h"

#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>

#include <array>
#include <cmath>
#include <numbers>

namespace plimsoll::picture {
namespace {

constexpr Color kPaper{255, 255, 255}, kRed{200, 0, 0}, kGreen{0, 200, 0}, kGray{100, 100, 100};
constexpr PixelSize kSize{200, 200};

/// From above: x to the right, y up, a meter has 100 pixels.
ParallelView from_above() {
  ParallelView view;
  view.scale = 100;
  view.center_x = view.center_y = 100;
  return view;
}

template <class Is>
double count(const Picture& picture, const Is& is) {
  double sum = 0;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) sum += is(picture.at(x, y)) ? 1 : 0;
  return sum;
}
bool is_reddish(Color c) { return c.red > c.green + 20; }
bool is_greenish(Color c) { return c.green > c.red + 20; }

// Pixels on the border, some 2 pi r of them, belong to either side.
TEST_CASE("a ball is seen as a disc of its size in its place") {
  BallDrawing drawing(kSize, from_above());
  drawing.draw({{0.3, 0.2, 0}, 0.4}, kRed);
  const Picture picture = drawing.picture(kPaper);
  const double border = 2 * std::numbers::pi * 40;
  CHECK(std::abs(count(picture, is_reddish) - std::numbers::pi * 40 * 40) <= border);
  CHECK(is_reddish(picture.at(130, 80)));
  CHECK(picture.at(130, 80 + 42) == kPaper);
  CHECK(picture.at(130 - 42, 80) == kPaper);
}

TEST_CASE("balls that meet hide each other where they are nearer, in any order") {
  const PlacedSphere high{{0, 0, 0.4}, 0.3}, low{{0, 0, 0}, 0.6};
  for (const bool high_first : {false, true}) {
    BallDrawing drawing(kSize, from_above());
    if (high_first) drawing.draw(high, kRed);
    drawing.draw(low, kGreen);
    if (!high_first) drawing.draw(high, kRed);
    const Picture picture = drawing.picture(kPaper);
    CHECK(is_reddish(picture.at(100, 100)));
    CHECK(is_greenish(picture.at(100, 45)));
    // 0.4 + sqrt(0.3^2 - x^2) = sqrt(0.6^2 - x^2) at x = 0.2666: beyond, the lower one is nearer.
    CHECK(is_reddish(picture.at(124, 100)));
    CHECK(is_greenish(picture.at(128, 100)));
  }
}

// The disc at 0.1 m in a ball about 0.2 m. Pixels on its border belong to either side.
TEST_CASE("what is before the cut is left out, and balls are cut flat") {
  BallDrawing drawing(kSize, from_above(), HalfSpace{{0, 0, -1}, -0.1});
  drawing.draw({{0, 0, 0.2}, 0.5}, kRed);
  drawing.draw({{0.75, 0, 0.35}, 0.2}, kGreen);
  const Picture picture = drawing.picture(kPaper);
  const double radius = 100 * std::sqrt(0.5 * 0.5 - 0.1 * 0.1);
  CHECK(std::abs(count(picture, is_reddish) - std::numbers::pi * radius * radius) <=
        2 * std::numbers::pi * radius);
  CHECK(picture.at(100, 100) == picture.at(120, 70));
  CHECK(count(picture, is_greenish) == 0);
}

TEST_CASE("balls of glass let through what is behind them, and are no balls that are seen") {
  const std::array<PlacedSphere, 2> glass{{{{0, 0, 0.4}, 0.3}, {{0, 0, 0.5}, 0.3}}};
  BallDrawing drawing(kSize, from_above());
  drawing.draw({{0, 0, 0}, 0.1}, kRed, 1);
  drawing.draw_glass(glass, kGreen);
  const Picture picture = drawing.picture(kPaper);
  CHECK(is_reddish(picture.at(100, 100)));
  CHECK(is_greenish(picture.at(120, 100)));
  CHECK(drawing.seen(0) == 0);
  // Of the drawing, twice as fine as the picture; pixels on the border belong to either side.
  CHECK(std::abs(static_cast<double>(drawing.seen(1)) - std::numbers::pi * 20 * 20) <=
        2 * std::numbers::pi * 20);
  drawing.draw({{0, 0, 0.4}, 0.3}, kGreen, 0);
  CHECK(drawing.seen(1) == 0);
  CHECK(drawing.seen(0) > 1000);
}

// The half space of points to the right of the plane and above it, seen in a place of its own.
TEST_CASE("an oblique cut leaves the far side of its plane, wherever the view looks") {
  ParallelView view = from_above();
  view.middle = {1, 2, 3};
  view.turn = Eigen::AngleAxisd(0.3, Vec3(1, 2, 2) / 3).toRotationMatrix();
  const Vec3 normal = 2 * (view.turn.transpose() * Vec3(1, 1, 0));
  BallDrawing drawing(kSize, view, HalfSpace{normal, normal.dot(view.middle)});
  const auto seen_at = [&](double x, double y) {
    return Vec3(view.middle + view.turn.transpose() * Vec3(x, y, 0));
  };
  drawing.draw({seen_at(0.3, -0.2), 0.1}, kGreen);
  drawing.draw({seen_at(0.2, -0.3), 0.1}, kRed);
  const Picture picture = drawing.picture(kPaper);
  CHECK(is_greenish(picture.at(130, 120)));
  CHECK(count(picture, is_reddish) == 0);
}

TEST_CASE("a section is a line where the plane cuts the mesh, as far as that is shown") {
  const HalfSpace right{{2, 0, 0}, 0.4}, lower{{0, -1, 0}, 0};
  for (const bool is_half : {false, true}) {
    BallDrawing drawing(kSize, from_above(), is_half ? std::optional(lower) : std::nullopt);
    drawing.draw_section(make_box({1, 1, 1}), right, kRed);
    const Picture picture = drawing.picture(kPaper);
    CHECK(is_reddish(picture.at(120, 130)));
    CHECK(is_reddish(picture.at(120, 80)) != is_half);
    CHECK(picture.at(117, 130) == kPaper);
    CHECK(picture.at(123, 130) == kPaper);
    CHECK(picture.at(120, 153) == kPaper);
  }
}

TEST_CASE("a surface is a veil before what is in it, and a wall behind it where it is cut open") {
  const TriangleMesh box = make_box({1, 1, 1});
  const PlacedSphere ball{Vec3::Zero(), 0.3};
  BallDrawing whole(kSize, from_above());
  whole.draw(ball, kRed);
  whole.draw_surface(box, kGray);
  const Color veiled = whole.picture(kPaper).at(100, 100);
  CHECK(is_reddish(veiled));

  BallDrawing open(kSize, from_above(), HalfSpace{{0, 0, -1}, 0});
  open.draw(ball, kRed);
  open.draw_surface(box, kGray);
  const Picture picture = open.picture(kPaper);
  const Color bare = picture.at(100, 100);
  CHECK(bare.red - bare.green > veiled.red - veiled.green);
  const Color wall = picture.at(60, 60);  // in the box, beside the ball
  CHECK(wall.red == wall.green);
  CHECK(wall.red < 230);
}

TEST_CASE("an outline runs along the border of what the mesh takes") {
  BallDrawing drawing(kSize, from_above());
  drawing.draw_outline(make_box({1, 1, 1}), kGray);
  const Picture picture = drawing.picture(kPaper);
  CHECK(picture.at(50, 100) == kGray);
  CHECK(picture.at(149, 100) == kGray);
  CHECK(picture.at(100, 50) == kGray);
  CHECK(picture.at(100, 100) == kPaper);
  CHECK(picture.at(46, 100) == kPaper);
}

}  // namespace
}  // namespace plimsoll::picture
