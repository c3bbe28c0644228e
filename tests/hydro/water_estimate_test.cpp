// Whether the estimate of a wet volume holds: random bodies, poses, levels and resolutions against
// the exact clip. It holds in 99 of 100 cases, and is 10 times the true error or less in the median
// (docs/theory/hydrostatics.md; support/by_chance.h has how many cases may contradict). What walls
// between columns have under water is known.
#include <doctest/doctest.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/submersion.h>
#include <plimsoll/water_image.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/random.h"
#include "hydro/wet_triangles.h"
#include "support/campaign.h"
#include "support/checked.h"
#include "support/estimate_checks.h"
#include "support/random_mesh.h"
#include "support/surface_at.h"
#include "support/thin_walls.h"
#include "support/water_cases.h"

namespace plimsoll {
namespace {

TriangleMesh body(Random& random) {
  const auto between = [&](int low, int high) {
    return low + static_cast<int>(random.below(static_cast<std::uint64_t>(high - low)));
  };
  switch (random.below(8)) {
    case 0:
      return make_box({random.uniform(0.2, 1), random.uniform(0.2, 1), random.uniform(0.2, 1)});
    case 1:  // prisms
      return make_cylinder(1, random.uniform(0.1, 3), between(3, 15));
    case 2:
      return make_sphere(1, between(10, 50), between(10, 70));
    case 3:
      return make_torus(1, random.uniform(0.1, 0.6), between(20, 80), between(10, 50));
    case 4:
      return make_torus_knot({}, between(60, 260), between(8, 28));
    case 5:
      return make_cone(1, random.uniform(0.3, 3), between(3, 43));
    case 6:
      return make_bumpy_sphere(1, 0.3, between(20, 60), between(20, 60), random.next());
    default:
      return make_capsule(1, random.uniform(0.2, 3), 8 + 2 * between(0, 10), between(8, 48));
  }
}

TEST_CASE("estimates of wet volumes hold and are not much too wide") {
  Random random(31);
  std::vector<double> ratios;  // of the true error to the estimate
  for (int i = 0; i < test::campaign(20000); ++i) {
    TriangleMesh mesh = body(random);
    if (random.below(4) != 0) {  // one in four stands straight
      const Pose turn = test::random_pose(random, 0);
      for (Vec3& v : mesh.vertices) v = turn * v;
    }
    constexpr int kSizes[] = {16, 24, 32, 48, 64, 100, 128};
    const int pixels = kSizes[random.below(7)];
    // From a touch of water to a touch of air, one in four nearly dry.
    const Box3 box = bounding_box(test::checked(mesh));
    double share = random.unit();
    if (random.below(4) == 0) share *= share * share;
    const double level = box.min()[2] + share * 1.02 * box.sizes()[2];
    const FluidSurface water = StillWater{level};
    const Result<WaterImage> image =
        water_image(test::solid(mesh), test::surface_at(water, 0, 9.8), {pixels, pixels});
    REQUIRE(image);
    const double exact = submersion(test::checked(mesh), {{0, 0, 1}, level}).volume;
    ratios.push_back(std::abs(image->buoyancy.volume - exact) / image->volume_error);
  }
  test::check_estimates_hold("wet volume", ratios);
  test::check_estimates_are_close("wet volume", ratios, 10);
}

TEST_CASE("estimates of combs, gratings, slots, heat sinks and rods hold in still water") {
  Random random(32);
  for (int i = 0; i < test::campaign(4000); ++i) {
    TriangleMesh mesh = test::random_thin_walls(random);
    if (random.below(4) == 0) mesh = test::turned(mesh);
    const int pixels = 16 << random.below(5);
    const Box3 box = bounding_box(test::checked(mesh));
    const double level = box.min()[2] + random.unit() * 1.02 * box.sizes()[2];
    const FluidSurface water = StillWater{level};
    const Result<WaterImage> image =
        water_image(test::solid(mesh), test::surface_at(water, 0, 9.8), {pixels, pixels});
    REQUIRE(image);
    const double exact = std::abs(submersion(test::checked(mesh), {{0, 0, 1}, level}).volume);
    CAPTURE(i);
    CHECK(std::abs(image->buoyancy.volume - exact) <= image->volume_error);
  }
}

// Upright boxes have under waves what the surface's height over their footprints says: here by the
// midpoint rule, whose 20 x 20 points are right to (k w / 20)^2 / 24 of the waves' amplitude.
TEST_CASE("estimates of upright plates hold under waves") {
  Random random(33);
  int outside = 0;
  const int cases = test::campaign(1000);
  for (int i = 0; i < cases; ++i) {
    const SurfaceNow surface = test::surface_at(test::random_surface(random, 1), 0, 9.8);
    TriangleMesh plates;
    double exact = 0;
    for (int k = 0; k < 4; ++k) {
      const Vec3 size(std::pow(10, random.uniform(-3, -1)), random.uniform(0.1, 1),
                      random.uniform(0.2, 2));
      const Vec3 middle(0.25 * k, random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5));
      plates = test::joined(plates, test::moved(make_box(size), middle));
      constexpr int kPoints = 20;
      for (int a = 0; a < kPoints; ++a)
        for (int b = 0; b < kPoints; ++b) {
          const double x = middle.x() + ((a + 0.5) / kPoints - 0.5) * size.x();
          const double y = middle.y() + ((b + 0.5) / kPoints - 0.5) * size.y();
          const double depth = surface.height(x, y) - (middle.z() - size.z() / 2);
          exact += std::clamp(depth, 0.0, size.z()) * size.x() * size.y() / (kPoints * kPoints);
        }
    }
    constexpr int kSizes[] = {16, 32, 64, 128};
    const int pixels = kSizes[random.below(4)];
    const Result<WaterImage> image = water_image(test::solid(plates), surface, {pixels, pixels});
    REQUIRE(image);
    outside += std::abs(image->buoyancy.volume - exact) > image->volume_error ? 1 : 0;
  }
  CHECK(outside <= test::max_by_chance(cases, 0.01));
}

/// What the triangles know of the mesh under a surface, seen by `pixels` x `pixels` columns.
template <class Height, class Slope>
double known_under(const TriangleMesh& mesh, int pixels, const Height& height, const Slope& slope) {
  const Box3 box = bounding_box(test::checked(mesh));
  const Vec3 low = box.min(), pixel = box.sizes() / pixels;
  SurfaceSamples surface;
  for (int row = 0; row < pixels; ++row)
    for (int column = 0; column < pixels; ++column) {
      const Vec2 p(low.x() + (column + 0.5) * pixel.x(), low.y() + (row + 0.5) * pixel.y());
      surface.heights.push_back(height(p));
      surface.slopes.push_back(slope(p));
    }
  std::vector<Vec3> at;
  for (const Vec3& v : mesh.vertices)
    at.emplace_back((v.x() - low.x()) / pixel.x() - 0.5, (v.y() - low.y()) / pixel.y() - 0.5,
                    v.z());
  return wet_volume(mesh.triangles, at, {pixels, pixels, low.x(), low.y(), pixel.x(), pixel.y()},
                    surface);
}

// Each piece is exact, wherever its corners are in their pixels. Thousands of pieces, the largest
// of some 0.03 m^3, are rounded to 1e-16 of themselves a few times each.
TEST_CASE("under a tilted plane triangles know what the exact clip says") {
  Random random(34);
  for (int i = 0; i < 30; ++i) {
    const TriangleMesh mesh = test::random_shape(random);
    const Vec2 slope(random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5));
    const double level = random.uniform(-0.5, 0.5);
    const double exact =
        submersion(test::checked(mesh), {{-slope.x(), -slope.y(), 1}, level}).volume;
    const double known = known_under(
        mesh, 32, [&](const Vec2& p) { return level + slope.dot(p); },
        [&](const Vec2&) { return slope; });
    CHECK(std::abs(known - exact) <= 1e-12);
  }
}

// Over whole waves the mean height is none. They bend by a k^2 at most, and so lie no farther from
// the chord of a piece of length l, 4 pixels, than a k^2 l^2 / 8; from the slope at a pixel's
// center half a pixel on no farther than as much of the pixel's length.
TEST_CASE("a wide box of few triangles knows what it has under short waves") {
  constexpr double kAmplitude = 0.1, k = 2 * std::numbers::pi;  // waves of 1 m
  constexpr int kPixels = 64;
  constexpr double kPixel = 2.0 / kPixels, kPiece = 4 * kPixel;
  constexpr double kBend = kAmplitude * k * k * (kPiece * kPiece + kPixel * kPixel) / 8;
  for (const double phase : {0.0, 0.5, 1.0, 2.5}) {
    const double known = known_under(
        make_box({2, 1, 2}), kPixels,
        [&](const Vec2& p) { return kAmplitude * std::cos(k * p.x() + phase); },
        [&](const Vec2& p) { return Vec2(-kAmplitude * k * std::sin(k * p.x() + phase), 0); });
    CHECK(std::abs(known - 2) <= 2 * kBend);  // over 2 m^2
  }
}

}  // namespace
}  // namespace plimsoll
