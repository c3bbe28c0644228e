// The picture of peels: which have room.
#include "picture/peel_picture.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace plimsoll::picture {
namespace {

/// With a surface everywhere, whose first term is 1 and second -1.
PeelImage level(int width, int height) {
  PeelImage image;
  image.width = width;
  image.height = height;
  for (auto& target : image.targets)
    for (int i = 0; i < width * height; ++i) target.insert(target.end(), {1, -1, 0, 1});
  return image;
}

TEST_CASE("terms are shades from the least to the largest, in tiles where they are said to be") {
  const std::vector<PeelImage> peels(3, level(4, 2));
  const auto drawn = draw_peels(peels, 2, std::nullopt);
  REQUIRE(drawn);
  const PeelTiles& tiles = drawn->tiles;
  CHECK(tiles.columns == 3);
  CHECK(tiles.size.width == 2 * tiles.size.height);
  for (int p = 0; p < 3; ++p)
    for (int t = 0; t < 3; ++t) {
      const int x = tiles.x + p * tiles.step_x, y = tiles.y + t * tiles.step_y;
      CHECK(drawn->picture.at(x, y) == Color{254, 0, 127});
      CHECK(drawn->picture.at(x + tiles.size.width - 1, y + tiles.size.height - 1) ==
            Color{254, 0, 127});
      CHECK(drawn->picture.at(x - 1, y) != Color{254, 0, 127});
    }
}

TEST_CASE("sizes without room and pictures that would be too large are refused") {
  const std::vector<PeelImage> peels(8, level(5000, 40));
  const auto small = draw_peels(peels, 2, PixelSize{120, 90});
  REQUIRE_FALSE(small);
  CHECK(small.error().code == ErrorCode::kInvalidArgument);
  const auto large = draw_peels(peels, 2, std::nullopt);
  REQUIRE_FALSE(large);
  CHECK(large.error().code == ErrorCode::kResourceLimit);
  CHECK(draw_peels(peels, 2, PixelSize{1600, 900}));
}

// The picture has room for eight peels side by side, not for two rows of them. Eight more pixels of
// width make each tile one wider, so that the narrowest picture that is drawn has the smallest
// tiles.
TEST_CASE("tiles are at least sixteen pixels wide, or the size is refused") {
  const std::vector<PeelImage> peels(8, level(1, 1));
  int narrowest = 0, drawn_count = 0;
  for (int width = 200; width < 400 && drawn_count < 20; ++width) {
    const auto drawn = draw_peels(peels, 2, PixelSize{width, 340});
    if (!drawn) {
      CHECK(narrowest == 0);  // what has room keeps it in a wider picture
      CHECK(drawn.error().code == ErrorCode::kInvalidArgument);
      CHECK(drawn.error().message ==
            std::to_string(width) + "x340 leaves no room for 8 peels and their legend");
      continue;
    }
    ++drawn_count;
    const PeelTiles& tiles = drawn->tiles;
    REQUIRE(tiles.columns == 8);
    if (narrowest == 0) narrowest = tiles.size.width;
    CHECK(tiles.x + 7 * tiles.step_x + tiles.size.width <= width);
  }
  CHECK(narrowest == 16);
}

// Terms are written one under the other in the color of their channel: of the first, nothing but
// red; of the second green, of the third blue; then the range in gray.
TEST_CASE("the terms of each row are written in the colors of their channels") {
  const std::vector<PeelImage> peels(2, level(4, 4));
  const auto drawn = draw_peels(peels, 2, std::nullopt);
  REQUIRE(drawn);
  const PeelTiles& tiles = drawn->tiles;
  for (int t = 0; t < 3; ++t) {
    int top[3] = {}, bottom[3] = {}, count[3] = {};
    const int y0 = tiles.y + t * tiles.step_y;
    for (int y = y0; y < y0 + tiles.size.height; ++y)
      for (int x = 0; x < tiles.x - 2; ++x) {
        const Color c = drawn->picture.at(x, y);
        const int channels[3] = {c.red, c.green, c.blue};
        for (int k = 0; k < 3; ++k) {
          // Letters have borders in paler tones, of the same hue.
          if (channels[k] - channels[(k + 1) % 3] < 80 || channels[k] - channels[(k + 2) % 3] < 80)
            continue;
          if (count[k]++ == 0) top[k] = y;
          bottom[k] = y;
        }
      }
    for (int k = 0; k < 3; ++k) CHECK(count[k] > 10);
    CHECK(bottom[0] < top[1]);
    CHECK(bottom[1] < top[2]);
  }
}

}  // namespace
}  // namespace plimsoll::picture
