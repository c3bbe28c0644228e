// Tiles and texels of buoyancy on OpenGL: images that are not square, counts below zero.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gl/gl_water_checks.h"
#include "gl/water_tiles.h"
#include "support/surface_at.h"

namespace plimsoll {
namespace {

using test::Case;
using test::check_near;
using test::engine;
using test::in_still_water;
using test::kGravity;
using test::measured;
using test::random_cases;
using test::uploaded;

TEST_CASE("tiles need not be square") {
  if (engine() == nullptr) return;
  std::vector<GlWaterBody> bodies;
  for (const Case& c : random_cases(5, 46)) bodies.push_back({uploaded(c.mesh), c.pose});
  const FluidSurface still = StillWater{0.1};
  const SurfaceNow now = test::surface_at(still, 0, kGravity);
  for (const auto& [width, height] : {std::pair(16, 40), std::pair(40, 16)}) {
    GlWaterOptions options;
    options.image.width = width;
    options.image.height = height;
    const Result<std::vector<WaterImage>> together = engine()->measure(bodies, now, options);
    REQUIRE(together);
    for (std::size_t i = 0; i < bodies.size(); ++i)
      check_near(together->at(i), measured(bodies[i], now, options), 1e-4);
  }
}

// In each column a closed box under water, and over the water a floor that nothing covers: its one
// dry face looks down, so that the count of the column is below zero.
TEST_CASE("a floor over the water takes nothing from what is under it") {
  if (engine() == nullptr) return;
  TriangleMesh mesh = test::boxes_at({Vec3(0, 0, 0), Vec3(0, 0, 2)});
  std::erase_if(mesh.triangles, [&](const Triangle& t) {
    return mesh.vertices[t[0]][2] + mesh.vertices[t[1]][2] + mesh.vertices[t[2]][2] > 8.5;
  });
  const WaterImage image = in_still_water(mesh, 1.5, {});
  CHECK(image.unbalanced_columns == 32 * 32);
  CHECK(image.fragments == 2 * 32 * 32);
  CHECK(std::fabs(image.buoyancy.volume - 1) <= 1e-6);
}

TEST_CASE("a pose that is none and a mesh that is not there are refused") {
  if (engine() == nullptr) return;
  const FluidSurface still = StillWater{0};
  const SurfaceNow now = test::surface_at(still, 0, kGravity);
  const GlMeshId box = uploaded(make_box({1, 1, 1}));
  for (const double far : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    for (const Vec3& by : {Vec3(far, 0, 0), Vec3(0, 0, far)}) {
      GlWaterBody lost{box};
      lost.world_from_mesh.translation() = by;
      const Result<std::vector<WaterImage>> both =
          engine()->measure(std::vector<GlWaterBody>{lost, {box}}, now);
      REQUIRE(!both);
      CHECK(both.error().code == ErrorCode::kInvalidArgument);
      CHECK(both.error().where == "bodies[0].world_from_mesh");
    }
    GlWaterBody spoilt{box};
    spoilt.world_from_mesh.linear()(0, 1) = far;
    CHECK(!engine()->measure(spoilt, now));
  }
  CHECK(std::fabs(measured({box}, now).buoyancy.volume - 0.5) <= 1e-6);
  const Result<WaterImage> refused = engine()->measure({GlMeshId{1u << 30}}, now);
  REQUIRE(!refused);
  CHECK(refused.error().code == ErrorCode::kInvalidArgument);
  CHECK(refused.error().where == "bodies[0].mesh");
}

TEST_CASE("tiles stand apart, about a square of them, within the largest image") {
  WaterImageOptions options;
  options.width = 16;
  options.height = 8;
  for (const int max_side : {16, 40, 64, 100, 1000})
    for (int count = 1; count <= 30; ++count) {
      CAPTURE(max_side);
      CAPTURE(count);
      std::vector<GlWaterTile> tiles(static_cast<std::size_t>(count));
      const GlWaterPage page = lay_out(tiles, max_side, options);
      CHECK(page.tiles.data() == tiles.data());
      REQUIRE(!page.tiles.empty());
      REQUIRE(page.tiles.size() <= tiles.size());
      std::set<std::pair<int, int>> places;
      int width = 0, height = 0;
      for (const GlWaterTile& tile : page.tiles) {
        CHECK(tile.x % options.width == 0);
        CHECK(tile.y % options.height == 0);
        CHECK(places.emplace(tile.x, tile.y).second);
        width = std::max(width, tile.x + options.width);
        height = std::max(height, tile.y + options.height);
      }
      CHECK(page.width == width);
      CHECK(page.height == height);
      CHECK(std::max(width, height) <= max_side);
      // The smallest square of tiles that holds them all.
      int square = 1;
      while (square * square < count) ++square;
      const int columns = max_side / options.width, rows = max_side / options.height;
      CHECK(width <= square * options.width);
      if (square <= columns) {  // there are rows enough, for tiles are twice as wide as high
        CHECK(page.tiles.size() == tiles.size());
        CHECK(height <= square * options.height);
      } else {
        CHECK(page.tiles.size() == static_cast<std::size_t>(std::min(count, columns * rows)));
      }
    }
}

// float32 holds 1e38, and a volume of 1e-90 m^3 is computed in double.
TEST_CASE("a mesh is 1e-30 to 1e30 across") {
  if (engine() == nullptr) return;
  for (const double across : {1.1e-30, 0.9e30})
    CHECK(engine()->upload(test::checked(make_box(Vec3::Constant(across)))));
  for (const double across : {0.9e-30, 1.1e30}) {
    const Result<GlMeshId> refused =
        engine()->upload(test::checked(make_box(Vec3::Constant(across))));
    REQUIRE(!refused);
    CHECK(refused.error().code == ErrorCode::kInvalidArgument);
    CHECK(refused.error().where == "mesh");
    CHECK(refused.error().message.find("less than 1e-30 or more than 1e30") != std::string::npos);
  }
}

// Along x or along y the same water holds up a box whose sides are alike. Its volume is the
// integral of a cos(k x + p) over the box, a cos(p) 2 sin(k / 2) / k over the half under z = 0.
TEST_CASE("waves along x and along y give one volume and one estimate") {
  if (engine() == nullptr) return;
  const TriangleMesh box = make_box({1, 1, 1});
  const double a = 0.1, wavelength = 3, k = 2 * std::numbers::pi / wavelength;
  for (const double phase : {0.0, 0.8, -std::numbers::pi / 2}) {
    CAPTURE(phase);
    WaterImage images[2];
    for (int along = 0; along < 2; ++along) {
      const FluidSurface waves = Waves{0, {{a, wavelength, 90.0 * along, phase}}};
      images[along] =
          measured({uploaded(box)}, test::surface_at(waves, 0, kGravity), GlWaterOptions{});
      const double exact = 0.5 + a * std::cos(phase) * 2 * std::sin(k / 2) / k;
      CHECK(std::fabs(images[along].buoyancy.volume - exact) <= images[along].volume_error);
    }
    // Only float32's sums differ, 6e-8 of a cubic meter each time that they are rounded.
    CHECK(std::fabs(images[0].buoyancy.volume - images[1].buoyancy.volume) <= 1e-6);
    CHECK(std::fabs(images[0].volume_error - images[1].volume_error) <= 1e-6);
  }
}

// Rods between the pixels' centers: of them no column tells, and the estimate is what is known of
// the mesh. Along the diagonal they look alike to waves along x and along y.
TEST_CASE("what no column meets is known in waves, whatever way they go") {
  if (engine() == nullptr) return;
  constexpr int kPixels = 16;
  constexpr double kThick = 0.01;
  TriangleMesh rods;
  for (int i = 0; i <= kPixels; ++i) {
    const double at =
        std::clamp(static_cast<double>(i) / kPixels - 0.5, -0.5 + kThick / 2, 0.5 - kThick / 2);
    const auto first = static_cast<std::uint32_t>(rods.vertices.size());
    const TriangleMesh rod = make_box({kThick, kThick, 1});
    for (const Vec3& v : rod.vertices) rods.vertices.push_back(v + Vec3(at, at, 0));
    for (const Triangle& t : rod.triangles)
      rods.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  }
  GlWaterOptions options;
  options.image.width = options.image.height = kPixels;
  WaterImage images[2];
  for (int along = 0; along < 2; ++along) {
    const FluidSurface waves = Waves{0, {{0.15, 4, 90.0 * along, 0.5 - std::numbers::pi / 2}}};
    images[along] = measured({uploaded(rods)}, test::surface_at(waves, 0, kGravity), options);
    CHECK(images[along].buoyancy.volume == 0);
  }
  // The water rises by 0.2 m in a meter: half a pixel off it would be 1 % of half a rod's length.
  CHECK(images[0].volume_error > 0.3 * (kPixels + 1) * kThick * kThick);
  CHECK(std::fabs(images[0].volume_error / images[1].volume_error - 1) <= 1e-3);
}

}  // namespace
}  // namespace plimsoll
