// Integrals over patches against closed forms, and the estimates of their errors against the
// errors.
#include "patch/patch_moments.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "patch/patch_shapes.h"

namespace plimsoll {
namespace {

using std::numbers::pi;

// That each entry is off by no more than its estimate, and the estimate small: patch_moments.h has
// 1e-13 for what converged. Faces close to some hundred roundings of the area.
void check_moments(const PatchMoments& found, const VolumeMoments& expected, double size,
                   double accuracy) {
  CHECK(found.converged);
  CHECK(found.closure < 1e-14);
  CHECK(std::abs(found.moments.volume - expected.volume) <= found.error.volume);
  CHECK(found.error.volume < accuracy * expected.volume);
  for (int i = 0; i < 3; ++i) {
    CHECK(std::abs(found.moments.first[i] - expected.first[i]) <= found.error.first[i]);
    CHECK(found.error.first[i] < accuracy * expected.volume * size);
    for (int j = 0; j < 3; ++j) {
      CHECK(std::abs(found.moments.second(i, j) - expected.second(i, j)) <=
            found.error.second(i, j));
      CHECK(found.error.second(i, j) < accuracy * expected.volume * size * size);
    }
  }
}

VolumeMoments centered(double volume, const Vec3& second) {
  return {volume, Vec3::Zero(), second.asDiagonal()};
}

PatchSurface moved(PatchSurface surface, const Vec3& by) {
  for (BezierPatch& patch : surface.patches)
    for (WeightedPoint& point : patch.points) point.head<3>() += by;
  return surface;
}

TEST_CASE("a sphere of rational patches is a ball") {
  for (const double r : {1.0, 0.003, 7e5}) {
    const PatchMoments found = patch_moments(test::patches_of(test::nurbs_sphere(r)));
    CHECK_FALSE(found.polynomial);
    const double volume = 4 * pi / 3 * r * r * r;
    check_moments(found, centered(volume, Vec3::Constant(volume * r * r / 5)), r, 1e-13);
    CHECK(std::abs(found.area - 4 * pi * r * r) <= found.area_error);
    CHECK(found.area_error < 1e-13 * found.area);
  }
}

// V = 2 pi^2 R r^2; the tube's section weighs its distance rho from the axis:
//   int z^2 = V r^2 / 4,   int rho^2 = V (R^2 + 3/4 r^2).
TEST_CASE("a torus of rational patches has the moments of Pappus") {
  const double major = 2, minor = 0.7;
  const PatchMoments found = patch_moments(test::patches_of(test::nurbs_torus(major, minor)));
  const double volume = 2 * pi * pi * major * minor * minor;
  const double across = volume * (major * major / 2 + 3 * minor * minor / 8);
  check_moments(found, centered(volume, {across, across, volume * minor * minor / 4}), 3, 1e-13);
  CHECK(std::abs(found.area - 4 * pi * pi * major * minor) <= found.area_error);
}

TEST_CASE("a cylinder of rational patches has the moments of a cylinder") {
  const double r = 1.5, height = 4;
  const PatchMoments found = patch_moments(test::patches_of(test::nurbs_cylinder(r, height)));
  const double volume = pi * r * r * height;
  const double across = volume * r * r / 4;
  check_moments(found, centered(volume, {across, across, volume * height * height / 12}), 2, 1e-13);
  CHECK(std::abs(found.area - 2 * pi * r * (r + height)) <= found.area_error);
}

// With t = u v (1 - u)(1 - v) and z = c + 4 b t over [0, 1]^2, as 2 u (1 - u) is the middle basis
// function of degree 2. int t = 1/36, int t^2 = 1/900, int t^3 = 1/19600.
TEST_CASE("a box under a curved polynomial roof has its moments to rounding") {
  const double a = 2, b = 3, c = 5, rise = 1.25;
  const PatchMoments found = patch_moments(test::bulging_box({a, b, c}, 2, rise));
  CHECK(found.polynomial);
  const double k = 4 * rise, floor = a * b;
  const double z1 = c + k / 36;  // means of z, z^2, z^3 over the floor
  const double z2 = c * c + 2 * c * k / 36 + k * k / 900;
  const double z3 = c * c * c + 3 * c * c * k / 36 + 3 * c * k * k / 900 + k * k * k / 19600;
  // int x t = a / 72 by symmetry; int x^2 t over [0, 1]: (1/4 - 1/5) / 6 = 1/120.
  const double xx = c / 3 + k / 120;
  VolumeMoments expected;
  expected.volume = floor * z1;
  expected.first = {floor * a * z1 / 2, floor * b * z1 / 2, floor * z2 / 2};
  expected.second << floor * a * a * xx, floor * a * b * z1 / 4, floor * a * z2 / 4,
      floor * a * b * z1 / 4, floor * b * b * xx, floor * b * z2 / 4, floor * a * z2 / 4,
      floor * b * z2 / 4, floor * z3 / 3;
  check_moments(found, expected, 6, 1e-13);
}

// A plane written in degree n is the same plane: the rule for 5 n - 1 must not lose to its own
// size.
TEST_CASE("a box has its moments whatever the degree of its sides") {
  for (const int degree : {1, 2, 3, 7, 25}) {
    CAPTURE(degree);
    const PatchMoments found = patch_moments(test::bulging_box({1, 2, 3}, degree, 0));
    VolumeMoments expected{6, {3, 6, 9}, Mat3()};
    expected.second << 2, 3, 4.5, 3, 8, 9, 4.5, 9, 18;
    check_moments(found, expected, 3, degree == 25 ? 1e-12 : 1e-13);
    CHECK(std::abs(found.area - 22) <= found.area_error);
  }
}

// Cubes of a million times the size are lost in the integrals about the frame's origin, where their
// estimate says so, but not in those about a point near the body.
TEST_CASE("distance from the origin costs digits only where it has to") {
  const Vec3 far{1e6, -2e6, 3e6};
  const PatchSurface sphere = moved(test::patches_of(test::nurbs_sphere(1)), far);
  const double volume = 4 * pi / 3;
  // The coordinates themselves are rounded to 2^-31, up to 2.3e-10 on either side.
  const PatchMoments near = patch_moments(sphere, far);
  CHECK(std::abs(near.moments.volume - volume) < 1e-9 * volume);
  CHECK((near.moments.second - volume / 5 * Mat3::Identity()).norm() < 1e-8);
  const PatchMoments world = patch_moments(sphere);
  const Mat3 expected = near.moments.second + near.moments.first * far.transpose() +
                        far * near.moments.first.transpose() +
                        near.moments.volume * far * far.transpose();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      CHECK(std::abs(world.moments.second(i, j) - expected(i, j)) <= 2 * world.error.second(i, j));
}

// Weights of a Moebius map of the parameter change the patch's speed and nothing else.
TEST_CASE("uneven weights do not change the solid, and the estimates still hold") {
  for (const double factor : {3.0, 10.0, 50.0}) {
    CAPTURE(factor);
    PatchSurface sphere = test::patches_of(test::nurbs_sphere(1));
    for (BezierPatch& patch : sphere.patches)
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
          patch.points[3 * i + j].w() *= std::pow(factor, static_cast<double>(i + 2 * j));
    const PatchMoments found = patch_moments(sphere);
    CHECK(std::abs(found.moments.volume - 4 * pi / 3) <= found.error.volume);
    CHECK(std::abs(found.area - 4 * pi) <= found.area_error);
    CHECK(found.converged);
    CHECK(found.closure < 1e-13);
  }
}

// The same sums in another order, each within its error.
TEST_CASE("turning every patch inward changes the sign of every moment") {
  PatchSurface box = test::bulging_box({1, 2, 3}, 4, 0.5);
  const PatchMoments outward = patch_moments(box);
  for (BezierPatch& patch : box.patches)
    for (int i = 0; i <= patch.degree_u; ++i)
      std::reverse(patch.points.begin() + i * (patch.degree_v + 1),
                   patch.points.begin() + (i + 1) * (patch.degree_v + 1));
  const PatchMoments inward = patch_moments(box);
  CHECK(std::abs(inward.moments.volume + outward.moments.volume) <= 2 * inward.error.volume);
  CHECK(std::abs(inward.area - outward.area) <= 2 * inward.area_error);
}

TEST_CASE("no patches enclose nothing") {
  const PatchMoments found = patch_moments({});
  CHECK(found.moments.volume == 0);
  CHECK(found.area == 0);
}

}  // namespace
}  // namespace plimsoll
