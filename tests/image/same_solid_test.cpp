// The engine's sentence: the same answers from meshes, free-form patches, Booleans and formulas.
#include <doctest/doctest.h>
#include <plimsoll/image.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>

#include <array>
#include <memory>
#include <numbers>

#include "support/approx.h"
#include "support/checked.h"
#include "support/mesh_parts.h"
#include "support/sanitizers.h"

namespace plimsoll {
namespace {

// A ball of radius 1 as eight rational patches: an octant is a biquadratic patch of revolution with
// one edge drawn together at the pole; its arcs of 90 degrees have the middle weight sqrt(1/2).
PatchSurface ball_of_patches() {
  const double w = std::numbers::sqrt2 / 2;
  const auto octant = [w](double sx, double sy, double sz) {
    BezierPatch patch{2, 2, {}};
    const std::array<std::array<double, 2>, 3> arc = {{{1, 0}, {1, 1}, {0, 1}}};   // equator
    const std::array<std::array<double, 2>, 3> rise = {{{1, 0}, {1, 1}, {0, 1}}};  // radius, height
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        const double weight = (i == 1 ? w : 1) * (j == 1 ? w : 1);
        patch.points.emplace_back(sx * rise[j][0] * arc[i][0], sy * rise[j][0] * arc[i][1],
                                  sz * rise[j][1], weight);
      }
    if (sx * sy * sz < 0)  // a mirror turns the normal: run the equator the other way
      for (std::size_t j = 0; j < 3; ++j) std::swap(patch.points[j], patch.points[6 + j]);
    return patch;
  };
  PatchSurface surface;
  for (const double sx : {1.0, -1.0})
    for (const double sy : {1.0, -1.0})
      for (const double sz : {1.0, -1.0}) surface.patches.push_back(octant(sx, sy, sz));
  return surface;
}

constexpr int kPixels = test::kAddressSanitizer ? 32 : 256;

TEST_CASE("a ball is the same as mesh, patches, formula, primitive and Boolean") {
  const Mat3 turn = test::some_turn();
  Shape shapes[] = {
      {MeshSolid{std::make_shared<const TriangleMesh>(make_icosphere(1, 6))}},
      {PatchSolid{std::make_shared<const PatchSurface>(ball_of_patches())}},
      {ImplicitSolid{*Expression::parse("x^2 + y^2 + z^2 - 1"),
                     Box3(Vec3::Constant(-1.5), Vec3::Constant(1.5))}},
      {Sphere{1}},
      // A ball less a slab, and the part of the ball in the slab: together the ball again.
      {Boolean{
          BooleanOperation::kUnion,
          {{Boolean{BooleanOperation::kDifference, {{Sphere{1}}, {BoxSolid{{4, 4, 1}}}}}},
           {Boolean{BooleanOperation::kIntersection, {{Sphere{1}}, {BoxSolid{{4, 4, 1}}}}}}}}}};
  const double volume = 4 * std::numbers::pi / 3;
  // 81,920 facets lie up to 1 - cos of half their angle inside the sphere; measured by the exact
  // sums, which share nothing with the image.
  const double of_facets = volume - mass_properties(test::checked(make_icosphere(1, 6))).volume;
  for (Shape& shape : shapes) {
    shape.pose.linear() = turn;
    shape.pose.translation() = Vec3(2, -1, 0.5);
    CAPTURE(shape.solid.index());
    const Result<ImageMass> image =
        image_mass_properties(shape, {.width = kPixels, .height = kPixels});
    REQUIRE_MESSAGE(image, image.error().message);
    const bool is_mesh = std::holds_alternative<MeshSolid>(shape.solid);
    const double allowed = is_mesh ? of_facets : 0;
    const MassProperties& p = image->properties;
    CHECK(std::abs(p.volume - volume) <= image->error_estimate.volume + allowed);
    CHECK((p.center_of_mass - Vec3(2, -1, 0.5)).cwiseAbs().maxCoeff() <=
          image->error_estimate.center_of_mass + allowed);
    const Mat3 inertia = 2.0 / 5 * volume * Mat3::Identity();
    CHECK((p.inertia - inertia).cwiseAbs().maxCoeff() <=
          image->error_estimate.inertia + 2 * allowed);
    CHECK(image->error_estimate.volume <= volume / (2 * kPixels));  // half a row of pixels
  }
}

TEST_CASE("patches and primitives are measured exactly where their integrals are known") {
  const Shape patches{PatchSolid{std::make_shared<const PatchSurface>(ball_of_patches())}};
  const Result<ShapeMass> by_quadrature = mass_properties(patches);
  REQUIRE(by_quadrature);
  CHECK(!by_quadrature->is_proven);
  const WeighedBody& ball = by_quadrature->body;
  const double volume = 4 * std::numbers::pi / 3;
  CHECK(std::abs(ball.properties.volume - volume) <= ball.error.volume);
  // The rules are refined until they agree to 1e-13 or better (patch_moments.cpp).
  CHECK(ball.error.volume <= 1e-13 * volume);
  CHECK((ball.properties.inertia - 0.4 * volume * Mat3::Identity()).cwiseAbs().maxCoeff() <=
        ball.error.inertia);
  CHECK(by_quadrature->surface_area == test::approx(4 * std::numbers::pi).epsilon(1e-13));

  const Shape formula{
      ImplicitSolid{*Expression::parse("x"), Box3(Vec3(-1, -1, -1), Vec3(1, 1, 1))}};
  const Result<ShapeMass> refused = mass_properties(formula);
  REQUIRE(!refused);
  CHECK(refused.error().code == ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace plimsoll
