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

}  // namespace
}  // namespace plimsoll::picture
