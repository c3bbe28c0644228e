// Lines, discs and rings: how much of a picture they cover, and what lies outside it.
#include "picture/strokes.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "ink.h"
#include "support/approx.h"

namespace plimsoll::picture {
namespace {

using test::blank;
using test::ink;
using test::ink_at;

constexpr Color kBlack{};
// Coordinates of Cairo's wrap at 2^23, so that what is there would be drawn at 0.
constexpr double kWrap = 16777216;

// Cairo covers a pixel in 17 x 15 samples, or finer: the sums are right to a part in a thousand.
TEST_CASE("what is covered is the area of the figure") {
  Picture line = blank(60, 40);
  stroke(line, {10.3, 12.7}, {42.1, 25.2}, 3, kBlack);
  CHECK(ink(line) ==
        test::approx(3 * std::hypot(31.8, 12.5) + std::numbers::pi * 2.25).epsilon(5e-3));
  Picture dot = blank(40, 40);
  disc(dot, {20.2, 19.9}, 11, kBlack);
  CHECK(ink(dot) == test::approx(std::numbers::pi * 121).epsilon(5e-3));
  Picture circle = blank(40, 40);
  ring(circle, {20.2, 19.9}, 11, 2.5, kBlack);
  CHECK(ink(circle) == test::approx(2 * std::numbers::pi * 11 * 2.5).epsilon(5e-3));
  CHECK(ink_at(circle, 20, 19) == 0);
  Picture box = blank(40, 40);
  fill(box, {3, 4, 10, 5}, kBlack, 0.5);
  CHECK(ink(box) == test::approx(25).epsilon(1e-2));
}

TEST_CASE("a line of no length is a dot") {
  Picture picture = blank(20, 20);
  stroke(picture, {10, 10}, {10, 10}, 8, kBlack);
  CHECK(ink(picture) == test::approx(std::numbers::pi * 16).epsilon(1e-2));
}

TEST_CASE("a line from far away crosses the picture where it would") {
  for (const double far : {1e3, 1e7, 1e10}) {
    Picture picture = blank(50, 50);
    stroke(picture, {-far, -far}, {far, far}, 2, kBlack);
    for (int i = 0; i < 50; ++i) CHECK(ink_at(picture, i, i) > 0.9);
    CHECK(ink(picture) == test::approx(2 * 50 * std::numbers::sqrt2).epsilon(3e-2));
  }
}

// Dashes of 6 and gaps of 6: twelve pixels on they begin anew.
TEST_CASE("dashes keep their step, wherever the line begins") {
  Picture from_here = blank(60, 9), from_far = blank(60, 9);
  dashes(from_here, {0, 4.5}, {60, 4.5}, 1, 6, kBlack);
  dashes(from_far, {-12e6, 4.5}, {60, 4.5}, 1, 6, kBlack);
  // Ends are round: half a pixel more on both.
  for (const int x : {1, 4, 13, 16, 25, 49}) CHECK(ink_at(from_here, x, 4) == 1);
  for (const int x : {8, 9, 20, 32, 57}) CHECK(ink_at(from_here, x, 4) == 0);
  for (int x = 0; x < 60; ++x)
    CHECK(std::abs(ink_at(from_here, x, 4) - ink_at(from_far, x, 4)) <= 0.02);
}

TEST_CASE("what lies outside a picture is not drawn in it") {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kFar = std::numeric_limits<double>::infinity();
  for (const Spot at : {Spot{-30, 10},
                        {10, 90},
                        {kWrap + 10, 10},
                        {10, -kWrap + 10},
                        {1e18, 10},
                        {kNan, 10},
                        {10, kFar}}) {
    Picture picture = blank(40, 40);
    stroke(picture, at, {at.x + 2, at.y + 1}, 4, kBlack);
    dashes(picture, at, {at.x + 200, at.y}, 4, 6, kBlack);
    disc(picture, at, 5, kBlack);
    ring(picture, at, 5, 2, kBlack);
    if (at.x == -30)  // the dashes come in
      CHECK(ink(picture, 0, 0, 40, 7) == 0);
    else
      CHECK(ink(picture) == 0);
  }
}

}  // namespace
}  // namespace plimsoll::picture
