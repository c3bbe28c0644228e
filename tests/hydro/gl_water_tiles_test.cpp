// Tiles and texels of buoyancy on OpenGL: images that are not square, counts below zero.
#include <doctest/doctest.h>

#include <utility>

#include "hydro/gl_water_checks.h"
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

}  // namespace
}  // namespace plimsoll
