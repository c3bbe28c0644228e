// What is under water as a solid for engines that sum columns, against the exact submersion.
#include <doctest/doctest.h>
#include <plimsoll/elementary.h>
#include <plimsoll/image.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/submersion.h>
#include <plimsoll/water_image.h>

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "support/campaign.h"
#include "support/checked.h"
#include "support/hard_bodies.h"
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
    const Result<ShapeInWater> columns = wet_columns(solid(mesh), water);
    REQUIRE(columns);
    const TriangleMesh& pressed = *std::get<MeshSolid>(columns->shape.solid).mesh;
    CHECK(ClosedMesh::from_triangles(pressed));
    for (const Vec3& v : pressed.vertices) CHECK(v[2] <= 0);
    const MassProperties mass = mass_properties(test::checked(pressed));
    CHECK(std::abs(mass.volume - wet.volume) <= 1e-13);
    if (wet.volume > 1e-3)
      CHECK((columns->world_from_water * mass.center_of_mass - wet.center_of_buoyancy).norm() <=
            1e-11);
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
    const ShapeInWater columns = *wet_columns(shape, water);
    const Result<ImageMass> image = image_mass_properties(columns.shape, options);
    REQUIRE(image);
    CHECK(std::abs(image->properties.volume - exact.volume) <= image->error_estimate.volume);
    CHECK(image->error_estimate.volume <= exact.volume / options.height);  // one row of pixels
    const Vec3 center = columns.world_from_water * image->properties.center_of_mass;
    CHECK((center - exact.center_of_buoyancy).norm() <= 2 * image->error_estimate.center_of_mass);
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
        image_mass_properties(wet_columns(solid(knot), water)->shape, options);
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
    const Result<ShapeInWater> columns = wet_columns(solid(hull), water);
    REQUIRE(columns);
    CHECK(ClosedMesh::from_triangles(*std::get<MeshSolid>(columns->shape.solid).mesh));
    ImageOptions options;
    options.width = options.height = 64;
    const ImageMass image = *image_mass_properties(columns->shape, options);
    CHECK(std::abs(image.properties.volume - wet.volume) <= image.error_estimate.volume);
    CHECK(image.error_estimate.volume <= wet.volume / options.height);  // one row of pixels
  }
}

// The rim of the wall that open boxes share is run along once for each, this way or that, and no
// triangle says which comes first. A plane that cuts walls alone is over a box's footprint as high
// as over the middle of it. What is mostly inward weighs as if outward. Volumes up to 2 are rounded
// some hundred times.
TEST_CASE("where open hulls share a wall the rim is closed as often as it is run along") {
  Random random(26);
  for (int i = 0; i < test::campaign(600); ++i) {
    const WaterPlane water{Vec3(random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), 1), 0.6};
    TriangleMesh hulls;
    double wet = 0;
    for (std::uint64_t count = 1 + random.below(5); count > 0; --count) {
      const double width = random.uniform(-0.6, 0.6), bottom = random.uniform(0, 0.3);
      TriangleMesh hull = test::open_box();
      for (Vec3& v : hull.vertices) v = Vec3(width * v.x(), v.y(), v.z() > 0 ? 1 : bottom);
      const bool is_inward = random.below(2) == 0;  // as mirrored boxes are too
      hulls = test::joined(hulls, is_inward ? test::turned(hull) : hull);
      const double level = water.offset - water.normal.x() * width / 2 - water.normal.y() * 0.5;
      wet += (is_inward ? -width : width) * (level - bottom);
    }
    const Result<ShapeInWater> columns =
        wet_columns(solid(test::shuffled(hulls, random.next())), water);
    REQUIRE(columns);
    const Result<ClosedMesh> closed =
        ClosedMesh::from_triangles(*std::get<MeshSolid>(columns->shape.solid).mesh);
    REQUIRE(closed);
    CHECK(std::abs(mass_properties(*closed).volume - std::abs(wet)) <= 1e-13);
  }
}

/// A box of 1e-6 to 1e6 m, up to 1e12 of them away along each axis.
Box3 random_box(Random& random) {
  const auto magnitude = [&](double low, double high) {
    return elementary::pow(10, random.uniform(low, high));
  };
  const double size = magnitude(-6, 6);
  Vec3 low, high;
  for (int k = 0; k < 3; ++k) {
    low[k] = random.below(2) == 0 ? 0 : random.uniform(-1, 1) * magnitude(-3, 12);
    high[k] = low[k] + random.uniform(0.05, 1) * size;
  }
  return {low, high};
}

// Corners, level and normal are taken as they are: a box is wet up to the plane, whatever is
// rounded between them and the columns. The true volume is good to some roundings of itself.
TEST_CASE("wherever a box and the water are, the estimate holds") {
  Random random(25);
  ImageOptions options;
  options.width = options.height = 16;
  for (int i = 0; i < test::campaign(300); ++i) {
    const Box3 box = random_box(random);
    const Vec3 size = box.sizes();
    if (!(size.minCoeff() > 0)) continue;
    const auto up = static_cast<int>(random.below(3));
    const double sign = random.below(2) == 0 ? 1 : -1;
    const double level = random.below(3) > 0 ? box.min()[up] + random.uniform(0, 1) * size[up]
                                             : sign * elementary::pow(10, random.uniform(0, 20));
    const double length = std::ldexp(sign, static_cast<int>(random.below(100)) - 50);
    const WaterPlane water{length * Vec3::Unit(up), length * level};
    const double height = sign > 0 ? level - box.min()[up] : box.max()[up] - level;
    const double wet = std::clamp(height / size[up], 0.0, 1.0) * size.prod();
    TriangleMesh mesh = make_box({1, 1, 1});
    for (Vec3& v : mesh.vertices)
      for (int k = 0; k < 3; ++k) v[k] = v[k] < 0 ? box.min()[k] : box.max()[k];
    const Result<ShapeInWater> columns = wet_columns(solid(mesh), water);
    REQUIRE(columns);
    const ImageMass image = *image_mass_properties(columns->shape, options);
    CHECK(std::abs(image.properties.volume - wet) <= image.error_estimate.volume + 0x1p-50 * wet);
    // Of what is cut no more is uncertain than what rounding moves the faces by.
    CHECK(image.error_estimate.volume <= 1e-11 * size.prod());
  }
}

TEST_CASE("a plane far from a body leaves it wet or dry") {
  ImageOptions options;
  options.width = options.height = 32;
  const Shape box{BoxSolid{{0.3, 0.7, 0.9}}};
  const Shape ball{Boolean{BooleanOperation::kUnion, {{Sphere{1}}}}};
  const TriangleMesh mesh = make_box({0.3, 0.7, 0.9});
  for (const Shape& shape : {box, ball, solid(mesh)}) {
    const double whole = image_mass_properties(shape, options)->properties.volume;
    for (double offset = 1; offset < 1e300; offset *= 1e23) {
      const Vec3 normal(0.6, 0, 0.8);
      for (const double sign : {1.0, -1.0}) {
        const ImageMass image = *image_mass_properties(
            wet_columns(shape, {1e-3 * normal, sign * offset})->shape, options);
        CHECK(std::abs(image.properties.volume - (sign > 0 ? whole : 0)) <=
              image.error_estimate.volume + 1e-12 * whole);
        CHECK(image.error_estimate.volume <= 1e-2 * whole);
      }
    }
  }
}

// The plane 2 x + 3 y + 6 z = 14 is 2 m from the origin, whatever its equation is multiplied by.
// Each number is rounded a few times to 2e-16 of that.
TEST_CASE("the frame of the water stands on the plane, nearest to the origin") {
  const Vec3 up = Vec3(2, 3, 6) / 7;
  for (const double length : {1e-200, 0.25, 1.0, 3.0, 1e200}) {
    const Result<Pose> frame = water_frame({length * Vec3(2, 3, 6), length * 14});
    REQUIRE(frame);
    CHECK((frame->translation() - 2 * up).norm() <= 1e-15);
    CHECK((frame->linear().col(2) - up).norm() <= 1e-15);
    CHECK((frame->linear().transpose() * frame->linear() - Mat3::Identity()).norm() <= 1e-15);
    CHECK(std::abs(frame->linear().determinant() - 1) <= 1e-15);
  }
}

TEST_CASE("of what is empty or a point nothing is wet") {
  Shape far{Sphere{0.3}};
  far.pose.translation() = Vec3(5, 0, 0);
  const Shape nothing{Boolean{BooleanOperation::kIntersection, {{Sphere{0.3}}, far}}};
  TriangleMesh point = make_box({1, 1, 1});
  for (Vec3& v : point.vertices) v.setZero();
  for (const Shape& shape :
       {nothing, solid(point), Shape{Boolean{BooleanOperation::kUnion, {solid(point)}}}}) {
    const Result<ShapeInWater> columns = wet_columns(shape, {{0, 0, 1}, 1});
    REQUIRE(columns);
    const Result<ImageMass> image = image_mass_properties(columns->shape);
    REQUIRE(image);
    CHECK(image->properties.volume == 0);
    CHECK(image->error_estimate.volume == 0);
  }
}

// Each of its triangles has a corner in the plane, and is pressed into it with that.
TEST_CASE("a wedge that touches the water along an edge is dry") {
  const TriangleMesh wedge{.vertices = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 1}, {0, 1, 1}},
                           .triangles = {{0, 1, 3}, {1, 0, 2}, {2, 3, 1}, {3, 2, 0}}};
  const Result<ShapeInWater> columns = wet_columns(solid(wedge), {{0, 0, 1}, 0});
  REQUIRE(columns);
  CHECK(ClosedMesh::from_triangles(*std::get<MeshSolid>(columns->shape.solid).mesh));
  const Result<ImageMass> image = image_mass_properties(columns->shape);
  REQUIRE(image);
  CHECK(image->properties.volume == 0);
}

TEST_CASE("what cannot be pressed under water is refused") {
  CHECK(wet_columns({Sphere{-1}}, {}).error().code == ErrorCode::kInvalidArgument);
  CHECK(wet_columns({Sphere{1}}, {{0, 0, 0}, 0}).error().code == ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace plimsoll
