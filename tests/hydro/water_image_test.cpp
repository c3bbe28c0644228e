// Buoyancy by columns against the exact clip, closed forms, and between shapes that are one solid.
#include <doctest/doctest.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/patches.h>
#include <plimsoll/shape.h>
#include <plimsoll/submersion.h>
#include <plimsoll/water_image.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "core/random.h"
#include "support/campaign.h"
#include "support/checked.h"
#include "support/random_mesh.h"
#include "support/surface_at.h"
#include "support/water_cases.h"

namespace plimsoll {
namespace {

using test::solid;

constexpr double kGravity = 9.80665;

WaterImage image_of(const Shape& shape, const SurfaceNow& surface, int pixels = 32) {
  const Result<WaterImage> image = water_image(shape, surface, {pixels, pixels});
  REQUIRE(image);
  return *image;
}

// Every column is right, and a box's are all equal: rounding alone is left.
TEST_CASE("a box that stands upright displaces what its draught says") {
  Similarity pose = Similarity::Identity();
  pose.translation() = Vec3(10, -20, 30);
  for (const Shape& box : {solid(make_box({2, 4, 6})), Shape{BoxSolid{{2, 4, 6}}}}) {
    Shape placed = box;
    placed.pose = pose;
    const FluidSurface water = StillWater{30 - 3 + 1.5};
    const WaterImage image = image_of(placed, test::surface_at(water, 0, kGravity));
    CHECK(std::fabs(image.buoyancy.volume - 12) <= 1e-12);
    CHECK((image.buoyancy.center - Vec3(10, -20, 27.75)).norm() <= 1e-12);
    CHECK(image.buoyancy.lift == Vec3(0, 0, image.buoyancy.volume));
    CHECK(image.buoyancy.lift_moment == Vec3::Zero());
    CHECK(std::fabs(image.waterplane_area - 8) <= 1e-12);
    // Along z exact, across short by the squared pixel over 12, as midpoints are.
    const Vec3 expected(12 * 4 / 12.0 * (1 - 1 / 1024.0), 12 * 16 / 12.0 * (1 - 1 / 1024.0), 2.25);
    CHECK((image.second_moments.diagonal() - expected).norm() <= 1e-10);
    CHECK(image.peels == 1);
    CHECK(image.fragments == 1024);
    CHECK(image.unbalanced_columns == 0);
  }
}

// A column away from the center has a moment about it; a sum of them would be 0 but for rounding.
TEST_CASE("still water lifts straight up through the center, to the last bit") {
  const FluidSurface water = StillWater{0.1};
  const SurfaceNow now = test::surface_at(water, 0, kGravity);
  Random random(14);
  for (int i = 0; i < 10; ++i) {
    Shape torus = solid(make_torus(1, 0.4, 24, 12));
    torus.pose = Similarity(test::random_pose(random, 0.1));
    const Buoyancy found = image_of(torus, now).buoyancy;
    CHECK(found.volume > 0);
    CHECK(found.lift == Vec3(0, 0, found.volume));
    CHECK(found.lift_moment == Vec3::Zero());
  }
}

// Clipping is exact; how far columns at 64 x 64 may be off is what they say themselves. First
// moments are off by no more than that times the reach of the body, lifts by that times the
// steepest slope, for the same columns carry all of them. Where a grid's slope jumps, by up to 1
// here, pixels of 0.03 m are pushed by one side's slope where they should by both: ten lines of 2 m
// at a depth of 0.5 m, each up to 0.01 m^3 off.
TEST_CASE("waves and grids lift a body as the refined clip says") {
  Random random(11);
  for (int round = 0; round < (test::kAddressSanitizer ? 9 : 45); ++round) {
    const FluidSurface surface = test::random_surface(random, round);
    const SurfaceNow now = test::surface_at(surface, random.uniform(0, 9), kGravity);
    const TriangleMesh mesh = test::random_shape(random);
    const Similarity pose(test::random_pose(random, 0.3));
    Result<WaterColumns> columns = WaterColumns::create(solid(mesh), {64, 64});
    REQUIRE(columns);
    const WaterImage image = *columns->measure(pose, now);
    const Buoyancy exact = *buoyancy(test::checked(mesh), pose, now, 1e-3);
    const double off = image.volume_error + 2e-3;  // the clip's tolerance, at half the shadow
    const double kinks = std::holds_alternative<HeightGrid>(surface) ? 0.05 : 0;
    CAPTURE(round);
    CHECK(std::fabs(image.buoyancy.volume - exact.volume) <= off);
    CHECK((image.buoyancy.lift - exact.lift).norm() <= 3 * off + kinks);
    CHECK((image.buoyancy.center * image.buoyancy.volume - exact.center * exact.volume).norm() <=
          6 * off);
    CHECK((image.buoyancy.lift_moment - exact.lift_moment).norm() <= 12 * off + 2 * kinks);
    CHECK(image.unbalanced_columns == 0);
  }
}

// An eighth of the pixel's size makes a sixty-fourth of the error in the long run; a factor of four
// is left for luck, bad here or good there, and for the clip's tolerance twice its own.
TEST_CASE("refined columns converge to a body in waves" * doctest::skip(test::kAddressSanitizer)) {
  const FluidSurface waves = Waves{0.1, {{0.1, 1.5, 20, 0.3}, {0.05, 0.8, 100, 1}}};
  const SurfaceNow now = test::surface_at(waves, 2, kGravity);
  const TriangleMesh torus = make_torus(1, 0.4, 40, 30);
  const Similarity pose(Eigen::AngleAxisd(0.8, Vec3(1, 2, 3).normalized()));
  Shape placed = solid(torus);
  placed.pose = pose;
  const double exact = buoyancy(test::checked(torus), pose, now, 1e-5)->volume;
  double coarse = 0, fine = 0;
  for (const int n : {28, 30, 32, 34})
    coarse = std::max(coarse, std::fabs(image_of(placed, now, n).buoyancy.volume - exact));
  for (const int n : {224, 240, 256, 272})
    fine = std::max(fine, std::fabs(image_of(placed, now, n).buoyancy.volume - exact));
  CHECK(coarse <= 0.01 * exact);
  CHECK(fine <= 4 * coarse / 64 + 2e-5);
}

// (-dh/dx, -dh/dy, 1) is one vector everywhere, and all columns are pushed along it.
TEST_CASE("a tilted plane lifts along its normal through the center") {
  HeightGrid grid{{-10, -10}, {20, 20}, 2, 2, {}};
  for (const double y : {-10, 10})
    for (const double x : {-10, 10}) grid.heights.push_back(0.3 * x - 0.2 * y + 0.1);
  const FluidSurface surface = grid;
  const WaterImage image = image_of({Torus{1, 0.4}}, test::surface_at(surface, 0, kGravity));
  const Buoyancy& found = image.buoyancy;
  CHECK(found.volume > 1);
  CHECK((found.lift - found.volume * Vec3(-0.3, 0.2, 1)).norm() <= 1e-12);
  CHECK(found.lift_moment.norm() <= 1e-12);
}

// A formula's root is known to its rounding over its slope: to 1e-8, the root of a rounding, where
// a column just touches. That may be so in some columns of the 32 x 32, a pixel of which is 4e-3.
TEST_CASE("one solid said in several ways floats alike") {
  constexpr double kTouching = 2 * 1e-8 * 4e-3;
  const FluidSurface waves = Waves{0.2, {{0.1, 1.5, 20, 0.3}}};
  const SurfaceNow now = test::surface_at(waves, 1, kGravity);
  const double exact =
      buoyancy(test::checked(make_icosphere(1, 6)), Similarity::Identity(), now, 1e-4)->volume;
  const Result<Expression> formula = Expression::parse("x^2 + y^2 + z^2 - 1");
  REQUIRE(formula);
  const Shape ball{Sphere{1}};
  const Shape cut{Boolean{BooleanOperation::kIntersection, {ball, Shape{BoxSolid{{2, 2, 2}}}}}};
  const Shape fused{Boolean{BooleanOperation::kUnion, {ball, Shape{Sphere{0.9}}}}};
  const Shape with_mesh{Boolean{BooleanOperation::kUnion, {solid(make_icosphere(1, 4)), ball}}};
  const WaterImage plain = image_of(ball, now);
  CHECK(std::fabs(plain.buoyancy.volume - exact) <= plain.volume_error);
  for (const Shape& same :
       {Shape{ImplicitSolid{*formula, Box3(Vec3(-1, -1, -1), Vec3(1, 1, 1))}}, cut, fused}) {
    const WaterImage image = image_of(same, now);
    CHECK(std::fabs(image.buoyancy.volume - plain.buoyancy.volume) <= kTouching);
    CHECK((image.buoyancy.center - plain.buoyancy.center).norm() <= kTouching);
    CHECK(image.fragments == plain.fragments);
  }
  CHECK(std::fabs(image_of(with_mesh, now).buoyancy.volume - plain.buoyancy.volume) <= kTouching);
}

// The patches' triangles are a hundredth of a pixel from them. Newell's spout and handle pass
// through the body, where space counts twice, on both sides.
TEST_CASE("a teapot of patches floats as one of triangles") {
  const Shape patches{PatchSolid{std::make_shared<const PatchSurface>(closed_teapot())}};
  const Result<std::optional<ShapeMesh>> mesh = to_triangles(patches, 1e-3);
  REQUIRE(mesh);
  const Box3 box = bounding_box(test::checked((*mesh)->mesh));
  const FluidSurface water = StillWater{box.center()[2]};
  const WaterImage image = image_of(patches, test::surface_at(water, 0, kGravity));
  const Submersion exact = submersion(test::checked((*mesh)->mesh), {{0, 0, 1}, box.center()[2]});
  CHECK(std::fabs(image.buoyancy.volume - exact.volume) <= image.volume_error);
  CHECK(image.volume_error <= 0.05 * exact.volume);
  CHECK(image.unbalanced_columns == 0);
}

// Patches become triangles a hundredth of a pixel from them. The estimate is that of these
// triangles and besides what may lie between both: no more than that distance times their area.
TEST_CASE("patches may displace by more or less what lies between them and their triangles") {
  const Shape patches{PatchSolid{std::make_shared<const PatchSurface>(closed_teapot())}};
  constexpr int kPixels = 24;
  const Vec3 sizes = bounding_box(patches).sizes(), center = bounding_box(patches).center();
  const auto mesh = to_triangles(patches, 0.01 * sizes.maxCoeff() / kPixels);
  REQUIRE(mesh);
  const TriangleMesh& triangles = (*mesh)->mesh;
  double area = 0;
  for (const Triangle& t : triangles.triangles) {
    const Vec3& a = triangles.vertices[t[0]];
    area += (triangles.vertices[t[1]] - a).cross(triangles.vertices[t[2]] - a).norm() / 2;
  }
  REQUIRE((*mesh)->deviation > 0);
  for (const double scale : {1.0, 2.0}) {
    const FluidSurface water = StillWater{scale * center[2]};
    const SurfaceNow now = test::surface_at(water, 0, kGravity);
    const auto error_of = [&](const Shape& shape) {
      Result<WaterColumns> columns = WaterColumns::create(shape, {kPixels, kPixels});
      REQUIRE(columns);
      Similarity pose = Similarity::Identity();
      pose.linear() *= scale;
      return columns->measure(pose, now)->volume_error;
    };
    // Sums of thousands of areas and columns.
    const double between = scale * scale * scale * (*mesh)->deviation * area;
    CHECK(std::fabs(error_of(patches) - error_of(solid(triangles)) - between) <= 1e-9 * between);
  }
}

// Both are rounded relative to the size of the body, not to how far it is from the origin; the
// water's height and the pose are rounded to 1e-10 there.
TEST_CASE("far from the origin a body floats as at it") {
  const TriangleMesh knot = make_torus_knot({}, 100, 12);
  Result<WaterColumns> columns = WaterColumns::create(solid(knot));
  REQUIRE(columns);
  const FluidSurface here = StillWater{0.1}, there = StillWater{1e6 + 0.1};
  Similarity pose(Eigen::AngleAxisd(1, Vec3(1, 1, 0).normalized()));
  const WaterImage near = *columns->measure(pose, test::surface_at(here, 0, kGravity));
  pose.translation() = Vec3(1e6, -2e6, 1e6);
  const WaterImage far = *columns->measure(pose, test::surface_at(there, 0, kGravity));
  CHECK(std::fabs(near.buoyancy.volume - far.buoyancy.volume) <= 1e-8);
  CHECK((near.buoyancy.center + pose.translation() - far.buoyancy.center).norm() <= 1e-8);
  CHECK(near.fragments == far.fragments);
}

TEST_CASE("pixels need not be square, nor as many across as along") {
  const TriangleMesh torus = make_torus(1, 0.4, 40, 30);
  Shape placed = solid(torus);
  placed.pose.linear() = Eigen::AngleAxisd(1.2, Vec3(1, 0.4, 0.2).normalized()).matrix();
  const FluidSurface water = StillWater{0.1};
  const double exact =
      buoyancy(test::checked(torus), placed.pose, test::surface_at(water, 0, kGravity), 1)->volume;
  for (const Shape& shape : {placed, Shape{Torus{1, 0.4}, placed.pose}}) {
    const Result<WaterImage> image =
        water_image(shape, test::surface_at(water, 0, kGravity), {90, 20});
    REQUIRE(image);
    // The primitive is 2 % larger than its facets.
    const double facets = shape.solid.index() == placed.solid.index() ? 0 : 0.02 * exact;
    CHECK(std::fabs(image->buoyancy.volume - exact) <= image->volume_error + facets);
    CHECK(image->volume_error <= 0.03 * exact);
  }
}

TEST_CASE("dry bodies displace nothing and drowned ones all they have") {
  const TriangleMesh torus = make_torus(1, 0.4, 31, 21);
  const FluidSurface low = StillWater{-0.4001}, high = StillWater{100};
  const WaterImage dry = image_of(solid(torus), test::surface_at(low, 0, kGravity));
  CHECK(dry.buoyancy.volume == 0);
  CHECK(dry.volume_error == 0);
  CHECK(dry.fragments == 0);
  const WaterImage drowned = image_of(solid(torus), test::surface_at(high, 0, kGravity));
  const MassProperties whole = mass_properties(test::checked(torus));
  CHECK(std::fabs(drowned.buoyancy.volume - whole.volume) <= drowned.volume_error);
  CHECK(drowned.waterplane_area == 0);
  CHECK(drowned.peels == 2);
}

TEST_CASE("a mesh turned inward floats as if turned outward") {
  TriangleMesh ball = make_sphere(1, 12, 16);
  const FluidSurface water = StillWater{0.2};
  const SurfaceNow now = test::surface_at(water, 0, kGravity);
  const WaterImage outward = image_of(solid(ball), now);
  for (Triangle& t : ball.triangles) std::swap(t[1], t[2]);
  const WaterImage inward = image_of(solid(ball), now);
  CHECK(inward.buoyancy.volume == outward.buoyancy.volume);
  CHECK(inward.buoyancy.center == outward.buoyancy.center);
  CHECK(inward.waterplane_area == outward.waterplane_area);
  CHECK(inward.volume_error == outward.volume_error);
}

// What is above the surface counts nothing, so it need not be there.
TEST_CASE("an open hull floats while its rim is dry, and is found out either way") {
  const TriangleMesh hull = test::open_box();
  const FluidSurface low = StillWater{0.6}, high = StillWater{1.2};
  const WaterImage afloat = image_of(solid(hull), test::surface_at(low, 0, kGravity));
  CHECK(std::fabs(afloat.buoyancy.volume - 0.6) <= 1e-12);
  CHECK(afloat.unbalanced_columns == 32 * 32);
  const WaterImage sunk = image_of(solid(hull), test::surface_at(high, 0, kGravity));
  CHECK(sunk.unbalanced_columns == 32 * 32);
}

// As everywhere in the exact engine: shells add up.
TEST_CASE("space that two shells wind around displaces twice") {
  const TriangleMesh two = test::boxes_at({Vec3(0, 0, 0), Vec3(0, 0, 0.5)});
  const FluidSurface water = StillWater{0.75};
  const WaterImage image = image_of(solid(two), test::surface_at(water, 0, kGravity));
  CHECK(std::fabs(image.buoyancy.volume - (0.75 + 0.25)) <= 1e-12);
  CHECK(std::fabs(image.waterplane_area - 2) <= 1e-12);
  CHECK(image.unbalanced_columns == 0);
}

// Triangles share their cut edges to the last bit, whatever slivers they are.
TEST_CASE("columns of closed meshes balance") {
  Random random(12);
  const FluidSurface water = StillWater{0};
  const SurfaceNow now = test::surface_at(water, 0, kGravity);
  for (int i = 0; i < 300; ++i) {
    const TriangleMesh mesh = test::random_closed_mesh(random);
    const Box3 box = bounding_box(test::checked(mesh));
    Shape shape = solid(mesh);
    shape.pose.translation() = -box.center();
    CHECK(image_of(shape, now).unbalanced_columns == 0);
  }
}

// A phase k x - omega t of up to 75 is rounded some four times; three waves of 0.1 m have that
// error of their height, and k = 8 /m times that of their slope.
TEST_CASE("over a lattice a surface is what it is point by point") {
  constexpr double kRounded = 4 * 75 * 0x1p-53 * 3 * 0.1;
  Random random(13);
  for (int round = 0; round < 20; ++round) {
    const FluidSurface surface = test::random_surface(random, round);
    const SurfaceNow now = test::surface_at(surface, random.uniform(0, 9), kGravity);
    const std::vector<double> x = {-3, -0.2, 0, 0.7, 5}, y = {-1, 0.1, 2};
    std::vector<double> heights(15);
    std::vector<Vec2> slopes(15);
    now.over_lattice(x, y, heights, slopes);
    for (std::size_t i = 0; i < 15; ++i) {
      CHECK(std::fabs(heights[i] - now.height(x[i % 5], y[i / 5])) <= kRounded);
      CHECK((slopes[i] - now.slope(x[i % 5], y[i / 5])).norm() <= 8 * kRounded);
    }
  }
}

TEST_CASE("what has no columns is refused") {
  const auto code = [](const Shape& shape, const WaterImageOptions& options = {}) {
    const Result<WaterColumns> made = WaterColumns::create(shape, options);
    return made ? std::optional<ErrorCode>() : made.error().code;
  };
  CHECK(code({Sphere{-1}}) == ErrorCode::kInvalidArgument);
  CHECK(code({Sphere{1}}, {0, 32}) == ErrorCode::kInvalidArgument);
  CHECK(code({Sphere{1}}, {32, 5000}) == ErrorCode::kInvalidArgument);
  CHECK(code(solid({})) == ErrorCode::kInvalidArgument);
  CHECK(code({Sphere{1e70}}) == ErrorCode::kInvalidArgument);
  CHECK(!code({Sphere{1}}));
}

TEST_CASE("where a body is in no pose is an error") {
  const FluidSurface waves = Waves{0.1, {{0.1, 1.5, 20, 0.3}}};
  const SurfaceNow now = test::surface_at(waves, 0, kGravity);
  for (const Shape& shape : {solid(make_box({1, 1, 1})), Shape{Sphere{1}}}) {
    Result<WaterColumns> columns = WaterColumns::create(shape);
    REQUIRE(columns);
    for (const double far : {std::nan(""), HUGE_VAL, -HUGE_VAL})
      for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 4; ++column) {
          Similarity pose = Similarity::Identity();
          pose.matrix()(row, column) = far;
          CHECK(!columns->measure(pose, now));
        }
    for (const Vec3& stretch : {Vec3(1, 1, -1), Vec3(0, 0, 0), Vec3(1, 1, 1.01)})
      CHECK(!columns->measure(Similarity(Eigen::Scaling(stretch)), now));
    const Vec3 printed(1, 1, 1.00005);  // with few digits
    CHECK(columns->measure(Similarity(Eigen::Scaling(printed)), now)->buoyancy.volume > 0.4);
    CHECK(columns->measure(Similarity::Identity(), now)->buoyancy.volume > 0.4);
  }
}

}  // namespace
}  // namespace plimsoll
