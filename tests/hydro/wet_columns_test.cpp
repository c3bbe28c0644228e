// What is under water as a solid for engines that sum columns, against the exact submersion.
#include <doctest/doctest.h>
#include <plimsoll/image.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/submersion.h>
#include <plimsoll/water_image.h>

#include <cmath>

#include "core/random.h"
#include "support/campaign.h"
#include "support/checked.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

Shape solid(const TriangleMesh& mesh) {
  return {MeshSolid{std::make_shared<const TriangleMesh>(mesh)}};
}

// All that is above the plane is pressed flat: the exact engine weighs what is left. Vertices are
// turned into the frame of the water, which rounds them by 1e-16 of sizes and distances of 3.
TEST_CASE("a mesh pressed under water weighs what it displaces") {
  Random random(23);
  for (int i = 0; i < test::campaign(2000); ++i) {
    const TriangleMesh mesh = test::random_shape(random);
    const WaterPlane water{test::random_vector(random), random.uniform(-0.8, 0.8)};
    const Submersion wet = submersion(test::checked(mesh), water);
    const Result<Shape> columns = wet_columns(solid(mesh), water);
    REQUIRE(columns);
    const TriangleMesh& pressed = *std::get<MeshSolid>(columns->solid).mesh;
    CHECK(ClosedMesh::from_triangles(pressed));
    for (const Vec3& v : pressed.vertices) CHECK(v[2] <= 0);
    const MassProperties mass = mass_properties(test::checked(pressed));
    CHECK(std::abs(mass.volume - wet.volume) <= 1e-13);
    if (wet.volume > 1e-3)
      CHECK((*water_frame(water) * mass.center_of_mass - wet.center_of_buoyancy).norm() <= 1e-11);
  }
}

// Estimates hold in 99 of 100 cases; these are few and fixed.
TEST_CASE("by image primitives displace what their closed forms say") {
  ImageOptions options;
  options.width = options.height = 64;
  const WaterPlane water{{0.3, -0.2, 0.9}, 0.2};
  for (const Shape& shape : {Shape{Sphere{1}}, Shape{Torus{1, 0.4}}, Shape{Cylinder{0.7, 1.5}},
                             Shape{Cone{1, 1.2}}, Shape{BoxSolid{{1, 1.5, 2}}}}) {
    const Submersion exact = *submersion(shape, water);
    const Result<ImageMass> image = image_mass_properties(*wet_columns(shape, water), options);
    REQUIRE(image);
    CHECK(std::abs(image->properties.volume - exact.volume) <= image->error_estimate.volume);
    CHECK(image->error_estimate.volume <= exact.volume / options.height);  // one row of pixels
    CHECK((*water_frame(water) * image->properties.center_of_mass - exact.center_of_buoyancy)
              .norm() <= 2 * image->error_estimate.center_of_mass);
  }
}

TEST_CASE("a mesh by image displaces what the clip says") {
  ImageOptions options;
  options.width = options.height = 128;
  const TriangleMesh knot = make_torus_knot({}, 200, 24);
  for (const double level : {-0.5, 0.0, 0.7}) {
    const WaterPlane water{{0.3, -0.2, 0.9}, level};
    const Submersion exact = submersion(test::checked(knot), water);
    const Result<ImageMass> image =
        image_mass_properties(*wet_columns(solid(knot), water), options);
    REQUIRE(image);
    CHECK(std::abs(image->properties.volume - exact.volume) <= image->error_estimate.volume);
    CHECK(image->error_estimate.volume <= exact.volume / options.height);  // one row of pixels
  }
}

TEST_CASE("what cannot be pressed under water is refused") {
  CHECK(wet_columns({Sphere{-1}}, {}).error().code == ErrorCode::kInvalidArgument);
  CHECK(wet_columns({Sphere{1}}, {{0, 0, 0}, 0}).error().code == ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace plimsoll
