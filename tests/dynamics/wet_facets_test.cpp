#include <doctest/doctest.h>
#include <plimsoll/engines.h>
#include <plimsoll/submersion.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/random.h"
#include "support/campaign.h"
#include "support/surface_at.h"
#include "support/water_cases.h"
#include "support/world_bodies.h"

namespace plimsoll {
namespace {

constexpr int kKinds = 6;

/// From a hundred times as long as thick to a hundred times as wide.
Shape any_primitive(Random& random, int kind) {
  const double slender = std::pow(10, random.uniform(-2, 2));
  switch (kind) {
    case 0:
      return {Sphere{1}};
    case 1:
      return {Ellipsoid{{1, std::pow(10, random.uniform(-2, 0)), slender}}};
    case 2:
      return {Torus{1, std::min(slender, 1 / slender)}};
    case 3:
      return {Cylinder{1, slender}};
    case 4:
      return {Capsule{1, slender}};
    default:
      return {Cone{1, slender}};
  }
}

}  // namespace

// The corners of a grid 100 m wide are 1e-9 m apart in height: triangles see waves, the closed
// forms a plane, and by 1e-9 m of the waterplane they agree.
TEST_CASE("on waves a primitive displaces what it does on a plane, to 2.5e-4 of its volume") {
  Random random(77);
  std::array<double, kKinds> worst{};
  for (int round = 0; round < test::campaign(3000); ++round) {
    const int kind = round % kKinds;
    const Shape shape = any_primitive(random, kind);
    BuoyancyQuery query;
    query.world_from_body = test::random_pose(random, 0);
    const Box3 box = bounding_box(shape);
    const Vec3 up = query.world_from_body.linear().row(2);
    const double reach = up.cwiseAbs().dot(box.sizes() / 2);
    query.world_from_body.translation()[2] = random.uniform(-1, 1) * reach;
    const auto engine = test::filled(exact_buoyancy(), {&shape, 1});
    const FluidSurface rough = HeightGrid{{-50, -50}, {100, 100}, 2, 2, {1e-9, 0, 0, 0}};
    std::array<Buoyancy, 1> on_plane, on_waves;
    REQUIRE(engine->answer({&query, 1}, test::surface_at(StillWater{0}, 0, 9.81), on_plane));
    REQUIRE(engine->answer({&query, 1}, test::surface_at(rough, 0, 9.81), on_waves));
    const double whole = submersion(shape, {{0, 0, 1}, 1e3})->volume;
    const double off = std::fabs(on_waves[0].volume - on_plane[0].volume) / whole;
    worst[kind] = std::max(worst[kind], off);
  }
  for (int kind = 0; kind < kKinds; ++kind) {
    CAPTURE(kind);
    CHECK(worst[kind] <= 2.5e-4);
  }
}

}  // namespace plimsoll
