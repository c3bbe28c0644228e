// Letters: their size, their width, and any bytes as text.
#include "picture/lettering.h"

#include <doctest/doctest.h>

#include <string>

#include "ink.h"
#include "support/approx.h"

namespace plimsoll::picture {
namespace {

using test::blank;
using test::ink;

constexpr Color kBlack{}, kWhite{255, 255, 255};

TEST_CASE("the font is there") { CHECK(font_problem().value_or("") == ""); }

TEST_CASE("a capital stands on its line and is as high as it should be") {
  for (const double size : {8.0, 15.0, 40.0}) {
    Picture picture = blank(120, 100);
    letter(picture, {20, 70}, "H", size, kBlack);
    CHECK(ink(picture) > 0);
    CHECK(ink(picture, 0, 70, 120, 100) == 0);
    CHECK(ink(picture, 0, 0, 120, static_cast<int>(70 - size)) == 0);
    CHECK(ink(picture, 0, 69, 120, 70) > 1);  // its feet
    CHECK(ink(picture, 0, 70 - static_cast<int>(size), 120, 71 - static_cast<int>(size)) > 1);
  }
}

TEST_CASE("letters take the room that is said, one after the other, in proportion to their size") {
  const double width = lettered_width("Righting arms", 20);
  CHECK(lettered_width("Righting ", 20) + lettered_width("arms", 20) == test::approx(width));
  CHECK(lettered_width("Righting arms", 5) == test::approx(width / 4));
  CHECK(lettered_width("Righting arms", 20, true) > width);
  CHECK(lettered_width("", 20) == 0);
  Picture picture = blank(static_cast<int>(width) + 60, 60);
  letter(picture, {30, 40}, "Righting arms", 20, kBlack);
  const int end = static_cast<int>(30 + width);
  CHECK(ink(picture, 0, 0, 30, 60) == 0);
  CHECK(ink(picture, end + 1, 0, end + 30, 60) == 0);
  CHECK(ink(picture, end - 12, 0, end, 60) > 10);
}

// An error of Cairo's would end all drawing with a pen.
TEST_CASE("any bytes are drawn, and letters beyond ASCII are letters") {
  for (const std::string text : {"\xff\xfe", "a\nb", "\x01", "m\xc2"}) {
    Picture picture = blank(200, 40);
    letter(picture, {10, 30}, text, 15, kBlack);
    CHECK(ink(picture) > 10);
    CHECK(lettered_width(text, 15) > 0);
  }
  CHECK(lettered_width("kg m²", 15) < lettered_width("kg mm²", 15));
  Picture picture = blank(60, 40);
  letter(picture, {10, 30}, "²", 20, kBlack);
  CHECK(ink(picture, 0, 0, 60, 22) > 10);
  CHECK(ink(picture, 0, 22, 60, 40) == 0);  // it stands high
}

TEST_CASE("letters on a drawing have paper around them, and nothing else has") {
  Picture picture(80, 60, {0, 90, 160});
  letter_on(picture, {30, 40}, "I", 20, kBlack, kWhite);
  bool has_paper = false, has_ink = false;
  for (int x = 0; x < 80; ++x)
    for (int y = 0; y < 60; ++y) {
      has_paper = has_paper || picture.at(x, y) == kWhite;
      has_ink = has_ink || picture.at(x, y) == kBlack;
      if (x < 25 || x > 45 || y < 15 || y > 45) CHECK(picture.at(x, y) == Color{0, 90, 160});
    }
  CHECK(has_paper);
  CHECK(has_ink);
}

// Coordinates of Cairo's wrap at 2^24 pixels.
TEST_CASE("letters far outside are not drawn in the picture") {
  for (const Spot at : {Spot{16777216 + 10, 30}, {10, 16777216 + 30}, {-1e12, 30}}) {
    Picture picture = blank(60, 40);
    letter(picture, at, "H", 20, kBlack);
    letter_on(picture, at, "H", 20, kBlack, kBlack);
    CHECK(ink(picture) == 0);
  }
}

}  // namespace
}  // namespace plimsoll::picture
