// Names on pictures of bodies.
#include "picture/bodies_picture.h"

#include <doctest/doctest.h>
#include <plimsoll/text.h>

#include <string>

namespace plimsoll::picture {
namespace {

TEST_CASE("a name loses its folders, and its middle where it is long") {
  CHECK(short_name("hulls/tug.stl") == "tug.stl");
  CHECK(short_name("-") == "standard input");
  const std::string name = short_name("a/" + std::string(40, 'b') + "cargo_hold.stl");
  CHECK(name == std::string(17, 'b') + "...rgo_hold.stl");
}

// Letters of two bytes each: cuts at odd places would leave half of one.
TEST_CASE("a name is not cut within a letter") {
  for (const std::string start : {"", "a", "ab"}) {
    std::string name = start;
    for (int i = 0; i < 30; ++i) name += "ä";
    const std::string shortened = short_name(name);
    CHECK(shortened.size() < name.size());
    CHECK(valid_utf8(shortened) == shortened);
  }
}

TEST_CASE("a scale of colors in a legend runs from its first color to its last") {
  const Color red{200, 0, 0}, green{0, 200, 0}, blue{0, 0, 200};
  const PictureLayout layout = layout_with_legend({800, 600}, 0);
  Picture picture(800, 600, kPaper);
  const std::vector<LegendEntry> legend{{red, "radius", {red, green, blue}}};
  draw_words(picture, "", legend, {}, layout, 1);
  const double size = 0.92 * layout.letter;  // of its letters: the bar is 12 long
  const int left = static_cast<int>(layout.facts.x),
            y = static_cast<int>(4.6 * layout.letter - size / 2);
  const auto at = [&](double share) {
    return picture.at(left + static_cast<int>(share * 12 * size), y);
  };
  CHECK(at(0.02).red > 180);
  CHECK(at(0.5).green > 180);
  CHECK(at(0.98).blue > 180);
  CHECK(std::abs(at(0.25).red - at(0.25).green) < 20);
  CHECK(at(1.03) == kPaper);
}

}  // namespace
}  // namespace plimsoll::picture
