// Patches cut by tessellation shaders, against their exact integrals and against the same patches
// cut by the processor. A crack between two patches would leave columns whose faces do not balance.
#include <doctest/doctest.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/patches.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "patch/patch_shapes.h"
#include "support/checked.h"
#include "support/gl_engine.h"
#include "support/mesh_parts.h"
#include "support/sanitizers.h"

namespace plimsoll {
namespace {

Shape patches(PatchSurface surface) {
  return {PatchSolid{std::make_shared<const PatchSurface>(std::move(surface))}};
}

// The ball of radius 1 as a surface of revolution of nine by five points, poles and seam included
// [PieglTiller1997, sec. 7.5].
PatchSurface ball() {
  const double s = std::numbers::sqrt2 / 2;
  const Vec3 circle[9] = {{1, 0, 1},   {1, 1, s},  {0, 1, 1},  {-1, 1, s}, {-1, 0, 1},
                          {-1, -1, s}, {0, -1, 1}, {1, -1, s}, {1, 0, 1}};
  const Vec3 meridian[5] = {{0, -1, 1}, {1, -1, s}, {1, 0, 1}, {1, 1, s}, {0, 1, 1}};
  NurbsSurface surface;
  surface.degree_u = surface.degree_v = 2;
  surface.knots_u = {0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4};
  surface.knots_v = {0, 0, 0, 1, 1, 2, 2, 2};
  for (const Vec3& c : circle)
    for (const Vec3& m : meridian)
      surface.points.emplace_back(m.x() * c.x(), m.x() * c.y(), m.y(), c.z() * m.z());
  return *to_bezier(surface);
}

Similarity somewhere() {
  Similarity pose = Similarity::Identity();
  pose.linear() = 0.01 * test::some_turn();
  pose.translation() = Vec3(500, -300, 200);
  return pose;
}

ImageMass measured(GlImageEngine& engine, const Shape& shape, const GlImageOptions& options) {
  const Result<ImageMass> image = engine.mass_properties(shape, options);
  REQUIRE_MESSAGE(image, image.error().message);
  return *image;
}

GlImageOptions by_shader() {
  GlImageOptions options;
  options.patches_by_shader = true;
  return options;
}

TEST_CASE("patches cut where they are drawn weigh what their exact integrals say") {
  GlImageEngine* engine = test::gl_engine();
  if (engine == nullptr) return;
  for (const Shape& at_home : {patches(ball()), patches(closed_teapot())})
    for (const Similarity& pose : {Similarity::Identity(), somewhere()}) {
      Shape shape = at_home;
      shape.pose = pose;
      const MassProperties exact = mass_properties(shape)->body.properties;
      for (const ImageAlgorithm algorithm : {ImageAlgorithm::kAdditive, ImageAlgorithm::kPeel})
        for (int axis = 0; axis < (test::kAddressSanitizer ? 1 : 3); ++axis) {
          CAPTURE(axis);
          GlImageOptions options = by_shader();
          options.algorithm = algorithm;
          options.image.axis = axis;
          options.image.width = options.image.height = 64;
          const ImageMass image = measured(*engine, shape, options);
          CHECK(image.unbalanced_rows == 0);
          CHECK(std::abs(image.properties.volume - exact.volume) <= image.error_estimate.volume);
          CHECK((image.properties.center_of_mass - exact.center_of_mass).cwiseAbs().maxCoeff() <=
                image.error_estimate.center_of_mass);
          CHECK((image.properties.inertia - exact.inertia).cwiseAbs().maxCoeff() <=
                image.error_estimate.inertia);
          CHECK(image.error_estimate.volume <= 3.0 / 64 * exact.volume);  // three rows of pixels
        }
    }
}

// Both are of one surface, and each within its estimate of it.
TEST_CASE("shaders and processor cut patches alike") {
  GlImageEngine* engine = test::gl_engine();
  if (engine == nullptr) return;
  const Shape shape = patches(closed_teapot());
  for (const int n : {16, 50, 120}) {
    GlImageOptions options = by_shader();
    options.image.width = options.image.height = n;
    const ImageMass by_shader = measured(*engine, shape, options);
    options.patches_by_shader = false;
    const ImageMass by_processor = measured(*engine, shape, options);
    CHECK(by_shader.unbalanced_rows == 0);
    CHECK(by_processor.unbalanced_rows == 0);
    CHECK(std::abs(by_shader.properties.volume - by_processor.properties.volume) <=
          by_shader.error_estimate.volume + by_processor.error_estimate.volume);
  }
}

// 400 pixels take 135 steps along a side; OpenGL promises 64.
TEST_CASE("patches finer than the hardware cuts them are drawn in pieces without cracks") {
  GlImageEngine* engine = test::gl_engine();
  if (engine == nullptr) return;
  GlImageOptions options = by_shader();
  options.image.width = 16;
  options.image.height = 400;
  const ImageMass image = measured(*engine, patches(ball()), options);
  CHECK(image.unbalanced_rows == 0);
  CHECK(std::abs(image.properties.volume - 4 * std::numbers::pi / 3) <=
        image.error_estimate.volume);
}

TEST_CASE("what has no triangles is refused by OpenGL") {
  GlImageEngine* engine = test::gl_engine();
  if (engine == nullptr) return;
  const Shape both{Boolean{BooleanOperation::kUnion, {{Sphere{1}}, {Sphere{2}}}}};
  const Result<ImageMass> refused = engine->mass_properties(both);
  REQUIRE(!refused);
  CHECK(refused.error().code == ErrorCode::kUnavailable);
}

// Of a box both images are one, and float32 rounds both alike: what the estimate of patches has
// more is the flatness of their triangles, a hundredth of a pixel, on all of the surface. What is
// known of either is rounded to 1e-15 of the volume.
TEST_CASE("an estimate allows for the triangles of patches on all of their surface") {
  GlImageEngine* engine = test::gl_engine();
  if (engine == nullptr) return;
  GlImageOptions options = by_shader();
  options.image.width = options.image.height = 32;
  const ImageMass image = measured(*engine, patches(test::bulging_box({2, 2, 2}, 2, 0)), options);
  const Result<ImageMass> flat =
      engine->mass_properties(test::checked(make_box({2, 2, 2})), options);
  REQUIRE(flat);
  CHECK(std::abs(image.properties.volume - 8) <= image.error_estimate.volume);
  const double allowed = 0.01 * 2 / 32 * 24;
  CHECK(std::abs(image.error_estimate.volume - flat->error_estimate.volume - allowed) <=
        1e-3 * allowed);
}

}  // namespace
}  // namespace plimsoll
