// Tiles and texels of buoyancy on OpenGL: images that are not square, counts below zero.
#include <doctest/doctest.h>

#include <cmath>
#include <utility>

#include "gl/gl_water_checks.h"
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

}  // namespace
}  // namespace plimsoll
