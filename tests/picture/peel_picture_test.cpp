// The picture of peels: which have room.
#include "picture/peel_picture.h"

#include <doctest/doctest.h>

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

}  // namespace
}  // namespace plimsoll::picture
