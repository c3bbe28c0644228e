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
#include "support/water_cases.h"

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

// A dry rim is pressed into the plane like all else there, and closed in it. Of boxes side by side
// the rims share an edge; where one of them is turned inward it is run along twice the same way.
TEST_CASE("an open hull with a dry rim displaces what a closed one does") {
  Random random(24);
  for (int i = 0; i < test::campaign(600); ++i) {
    TriangleMesh hull = test::open_box();
    TriangleMesh narrow = test::open_box();
    for (Vec3& v : narrow.vertices) v.x() = 1 + v.x() / 4;
    if (i % 3 == 0) narrow = test::moved(narrow, {0.5, 0, 0});
    hull = test::joined(hull, i % 3 == 1 ? test::turned(narrow) : narrow);
    if (i % 4 == 0) hull = test::joined(hull, test::moved(test::open_box(), {0, 1, 0}));
    const WaterPlane water{Vec3(random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), 1),
                           random.uniform(0.3, 0.5)};
    const Submersion wet = submersion(test::checked(hull), water);
    const Result<Shape> columns = wet_columns(solid(hull), water);
    REQUIRE(columns);
    CHECK(ClosedMesh::from_triangles(*std::get<MeshSolid>(columns->solid).mesh));
    ImageOptions options;
    options.width = options.height = 64;
    const ImageMass image = *image_mass_properties(*columns, options);
    CHECK(std::abs(image.properties.volume - wet.volume) <= image.error_estimate.volume);
    CHECK(image.error_estimate.volume <= wet.volume / options.height);  // one row of pixels
  }
}

TEST_CASE("what cannot be pressed under water is refused") {
  CHECK(wet_columns({Sphere{-1}}, {}).error().code == ErrorCode::kInvalidArgument);
  CHECK(wet_columns({Sphere{1}}, {{0, 0, 0}, 0}).error().code == ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace plimsoll
