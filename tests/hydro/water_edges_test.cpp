// Where formulas of surfaces and of wet parts change: above the waves, beyond a grid, under a crest
// between dry corners, between the columns of an image, in poses with a scale.
#include <doctest/doctest.h>
#include <plimsoll/buoyancy.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/submersion.h>
#include <plimsoll/water_image.h>

#include <cmath>

#include "core/random.h"
#include "support/checked.h"
#include "support/surface_at.h"
#include "support/water_cases.h"

namespace plimsoll {
namespace {

TEST_CASE("above its mean height a wave moves as fast as at it") {
  const FluidSurface waves = Waves{2, {{0.5, 10, 30, 0.7}}};
  const SurfaceNow now = test::surface_at(waves, 3, 9.81);
  for (const double above : {0.1, 0.5, 100.0})
    CHECK((now.velocity({1, 2, 2 + above}) - now.velocity({1, 2, 2})).norm() == 0);
  // And below it dies away as exp(k z).
  const double decay = std::exp(-2 * std::acos(-1.0) / 10);
  CHECK((now.velocity({1, 2, 1}) - decay * now.velocity({1, 2, 2})).norm() <= 1e-15);
}

TEST_CASE("beyond its border a grid of heights is level") {
  const FluidSurface grid = HeightGrid{{0, 0}, {1, 2}, 2, 2, {0, 1, 3, 7}};
  const SurfaceNow now = test::surface_at(grid, 0, 9.81);
  CHECK(now.slope(0.5, 1).norm() > 1);
  CHECK(now.slope(-1, 1)[0] == 0);
  CHECK(now.slope(2, 1)[0] == 0);
  CHECK(now.slope(0.5, -1)[1] == 0);
  CHECK(now.slope(0.5, 5)[1] == 0);
  for (const double x : {-1.0, 0.3, 2.0})
    for (const double y : {-1.0, 0.7, 5.0}) {
      constexpr double kStep = 1e-6;
      const double along_x = (now.height(x + kStep, y) - now.height(x - kStep, y)) / (2 * kStep);
      const double along_y = (now.height(x, y + kStep) - now.height(x, y - kStep)) / (2 * kStep);
      CHECK((now.slope(x, y) - Vec2(along_x, along_y)).norm() <= 1e-8);
    }
}

// A plate of one wavelength whose edges are over the troughs: only the crest in the middle reaches
// it, a(cos k x) over the height b, where |k x| < acos(b / a):
//   V = width (2 / k) (sqrt(a^2 - b^2) - b acos(b / a)).
TEST_CASE("a crest wets a plate though all of its corners are dry") {
  constexpr double kAmplitude = 0.1, kBottom = 0.06, kLength = 4, kWidth = 3;
  const FluidSurface waves = Waves{0, {{kAmplitude, kLength, 0, 0}}};
  TriangleMesh plate = make_box({kLength, kWidth, 1});
  for (Vec3& v : plate.vertices) v[2] += 0.5 + kBottom;
  const double k = 2 * std::acos(-1.0) / kLength;
  const double wet = kWidth * 2 / k *
                     (std::sqrt(kAmplitude * kAmplitude - kBottom * kBottom) -
                      kBottom * std::acos(kBottom / kAmplitude));
  constexpr double kTolerance = 1e-4;  // of heights: over an area of no more than 12
  const Buoyancy found = *buoyancy(test::checked(plate), Similarity::Identity(),
                                   test::surface_at(waves, 0, 9.81), kTolerance);
  CHECK(std::abs(found.volume - wet) <= 12 * kTolerance);
  CHECK(wet > 100 * kTolerance);
}

// Lengths by k, areas by k^2 and so on; the plane is where it is in the world.
TEST_CASE("a scaled primitive is wet as its mesh is scaled") {
  for (const double k : {0.25, 2.5}) {
    Shape box{BoxSolid{{2, 4, 6}}};
    box.pose.linear() *= k;
    box.pose.translation() = Vec3(1, 2, 3);
    TriangleMesh mesh = make_box({2, 4, 6});
    for (Vec3& v : mesh.vertices) v = box.pose * v;
    const WaterPlane water{{0, 0, 2}, 2 * (3 + k)};
    const Result<Submersion> wet = submersion(box, water);
    REQUIRE(wet);
    CHECK(std::abs(wet->volume - 32 * k * k * k) <= 1e-13 * 32 * k * k * k);
    CHECK(std::abs(wet->wetted_area - 56 * k * k) <= 1e-13 * 56 * k * k);
    CHECK(std::abs(wet->waterplane.area - 8 * k * k) <= 1e-13 * 8 * k * k);
    const double trace = (2 * 64 + 4 * 8) / 12.0 * k * k * k * k;
    CHECK(std::abs(wet->waterplane.second_moments.trace() - trace) <= 1e-13 * trace);
    CHECK((wet->center_of_buoyancy - Vec3(1, 2, 3 - k)).norm() <= 1e-14);
    const Submersion of_mesh = submersion(test::checked(mesh), water);
    CHECK(std::abs(wet->volume - of_mesh.volume) <= wet->volume_error + of_mesh.volume_error);
  }
}

// Ten parts of a pixel are left on either side of the fin: no column meets it, and the estimate has
// to allow for as much under all of a row of pixels.
TEST_CASE("a fin between the columns of an image is inside the estimate") {
  constexpr int kPixels = 32;
  const double pixel = 1.0 / kPixels;
  TriangleMesh body = make_box({1, 1, 0.5});
  const TriangleMesh fin = make_box({1, 0.8 * pixel, 1});
  const auto first = static_cast<std::uint32_t>(body.vertices.size());
  for (const Vec3& v : fin.vertices) body.vertices.push_back(v - Vec3(0, 0, 0.8));
  for (const Triangle& t : fin.triangles)
    body.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  WaterImageOptions options;
  options.width = options.height = kPixels;
  const FluidSurface still = StillWater{0};
  const Result<WaterImage> image =
      water_image(test::solid(body), test::surface_at(still, 0, 9.81), options);
  REQUIRE(image);
  const double missing = 0.25 + 0.8 * pixel - image->buoyancy.volume;
  CHECK(missing > 0.7 * pixel);  // the fin is not seen
  CHECK(missing <= image->volume_error);
}

// Corners in the plane belong to what is pressed onto it, too.
TEST_CASE("a solid with vertices in the plane stays closed when it is pressed under water") {
  Random random(131);
  for (int i = 0; i < 300; ++i) {
    TriangleMesh body;
    for (int k = 0; k < 4; ++k)
      body.vertices.push_back(
          {random.uniform(-1, 1), random.uniform(-1, 1), static_cast<double>(random.below(3)) - 1});
    body.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    const Result<ShapeInWater> pressed = wet_columns(test::solid(body), {{0, 0, 1}, 0});
    REQUIRE(pressed);
    const TriangleMesh& mesh = *std::get<MeshSolid>(pressed->shape.solid).mesh;
    if (!mesh.triangles.empty()) CHECK(ClosedMesh::from_triangles(mesh));
  }
}

}  // namespace
}  // namespace plimsoll
