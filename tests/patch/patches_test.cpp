// Points of patches, and what is refused.
#include <doctest/doctest.h>
#include <plimsoll/patches.h>

#include <cmath>
#include <limits>
#include <string>

#include "patch/patch_shapes.h"

namespace plimsoll {
namespace {

void check_refused(const BezierPatch& patch, const std::string& found) {
  const Result<void> sound =
      check_patches({{test::parallelogram(1, Vec3::Zero(), {1, 0, 0}, {0, 1, 0}), patch}});
  REQUIRE_FALSE(sound);
  CAPTURE(sound.error().message);
  CHECK(sound.error().code == ErrorCode::kInvalidArgument);
  CHECK(sound.error().where == "patch 1");
  CHECK(sound.error().message.find(found) != std::string::npos);
  CHECK_FALSE(tessellate({{patch}}, 1));
  CHECK_FALSE(tessellate_uniform({{patch}}, 1));
}

TEST_CASE("a patch needs a degree, its points, and finite numbers") {
  const BezierPatch sound = test::parallelogram(2, Vec3::Zero(), {1, 0, 0}, {0, 1, 0});
  CHECK(check_patches({{sound}}));
  CHECK(check_patches({}));
  BezierPatch patch = sound;
  patch.degree_u = 0;
  check_refused(patch, "found the degree 0, expected 1 to 25");
  patch.degree_u = 26;
  check_refused(patch, "found the degree 26");
  patch.degree_u = 3;
  check_refused(patch, "found 9 points, expected 12 for the degrees 3 and 2");
  patch = sound;
  patch.points[4].z() = std::numeric_limits<double>::infinity();
  check_refused(patch, "point 4 has a coordinate that is not finite");
  for (const double weight : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    patch = sound;
    patch.points[7].w() = weight;
    check_refused(patch, "point 7 has a weight");
  }
}

// z = x y on the unit square, whatever the degree: S_u = (1, 0, v), S_v = (0, 1, u).
TEST_CASE("a hyperbolic paraboloid has its points and tangents") {
  for (const int degree : {1, 2, 5, 25}) {
    BezierPatch patch{degree, degree, {}};
    for (int i = 0; i <= degree; ++i)
      for (int j = 0; j <= degree; ++j)
        patch.points.push_back(
            {double(i) / degree, double(j) / degree, double(i) / degree * j / degree, 2.5});
    for (const double u : {0.0, 0.3, 1.0}) {
      for (const double v : {0.0, 0.6, 1.0}) {
        const SurfacePoint at = evaluate(patch, u, v);
        // Differences of neighbors, 1 / degree, lose the digits that degree brings back.
        const double rounding = 1e-15 * degree;
        CHECK((at.position - Vec3(u, v, u * v)).norm() < rounding);
        CHECK((at.du - Vec3(1, 0, v)).norm() < 4 * rounding);
        CHECK((at.dv - Vec3(0, 1, u)).norm() < 4 * rounding);
      }
    }
  }
}

// A dozen roundings of lengths of 2, and of products with tangents up to 8 long.
TEST_CASE("points of a rational sphere are on it, and tangents at right angles to their radius") {
  for (const BezierPatch& patch : test::patches_of(test::nurbs_sphere(2)).patches) {
    for (const double u : {0.1, 0.5, 0.77}) {
      for (const double v : {0.2, 0.5, 0.9}) {
        const SurfacePoint at = evaluate(patch, u, v);
        CHECK(std::abs(at.position.norm() - 2) < 12 * 0x1p-53 * 2);
        CHECK(std::abs(at.position.dot(at.du)) < 12 * 0x1p-53 * 2 * 8);
        CHECK(std::abs(at.position.dot(at.dv)) < 12 * 0x1p-53 * 2 * 8);
        CHECK(at.du.norm() + at.dv.norm() < 2 * 8);
        CHECK(at.position.dot(at.du.cross(at.dv)) > 0);
      }
    }
  }
}

TEST_CASE("tangents are the limits of chords") {
  BezierPatch patch{3, 2, {}};
  for (int i = 0; i < 12; ++i)
    patch.points.push_back({std::sin(i), std::cos(2.0 * i), 0.3 * i, 1 + 0.5 * std::sin(3.0 * i)});
  const double h = 1e-5;  // central differences are good to h^2 times a third derivative near 100
  for (const double u : {0.2, 0.7}) {
    for (const double v : {0.4, 0.9}) {
      const SurfacePoint at = evaluate(patch, u, v);
      const Vec3 du = evaluate(patch, u + h, v).position - evaluate(patch, u - h, v).position;
      const Vec3 dv = evaluate(patch, u, v + h).position - evaluate(patch, u, v - h).position;
      CHECK((du / (2 * h) - at.du).norm() < 1e-7);
      CHECK((dv / (2 * h) - at.dv).norm() < 1e-7);
    }
  }
}

TEST_CASE("the box of the control points contains the surface") {
  const PatchSurface sphere = test::patches_of(test::nurbs_sphere(2));
  const Box3 box = bounding_box(sphere);
  CHECK(box.min() == Vec3(-2, -2, -2));
  CHECK(box.max() == Vec3(2, 2, 2));
  CHECK(bounding_box(PatchSurface{}).isEmpty());
}

}  // namespace
}  // namespace plimsoll
