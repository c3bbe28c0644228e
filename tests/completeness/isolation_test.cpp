// What bounds the change of the Hessian: cases in which the surface between planes, the change, or
// the error of a state is known in closed form.
#include "completeness/isolation.h"

#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/random.h"
#include "hydro/heave.h"
#include "support/checked.h"
#include "support/mesh_parts.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

constexpr double kPi = std::numbers::pi;

TriangleMesh box(const Vec3& from, const Vec3& to) {
  return test::moved(make_box(to - from), (from + to) / 2);
}

FloatingBody afloat(const TriangleMesh& mesh, double displacement) {
  return floating_body(SubmersionTree(test::checked(mesh)), Vec3::Zero(), displacement);
}

LeaningPlanes planes_about(const Vec3& center, double slope, double offset) {
  LeaningPlanes planes;
  planes.center = center;
  planes.slope = slope;
  planes.offset = offset;
  return planes;
}

// A small block stands off the center, all around it, over the water and under it. The face that
// looks at the water is level: planes pass it where slope times distance exceeds its height, and
// with it no more of the block, whose other face is far.
TEST_CASE("planes that lean pass what is within their reach, on every side") {
  constexpr double kSlope = 0.1, kOffset = 0.2, kNear = 2.8, kFar = 3.2, kHalf = 0.1;
  constexpr double kArea = 4 * kHalf * kHalf;
  for (int k = 0; k < 32; ++k)
    for (const double side : {1.0, -1.0}) {
      const double turn = kPi / 16 * (k + 0.3);
      const Vec3 at(3 * std::cos(turn), 3 * std::sin(turn), 0);
      const auto passed = [&](double height) {
        const Vec3 half(kHalf, kHalf, 1);
        const Vec3 middle = at + Vec3(0, 0, side * (height + 1));
        const SubmersionTree tree(test::checked(box(middle - half, middle + half)));
        return tree.surface_between({{0, 0, 1}, 0}, planes_about(Vec3::Zero(), kSlope, kOffset));
      };
      INFO("turn ", turn, " side ", side);
      const ProjectedSurface all = passed(kSlope * (kNear - kOffset));
      CHECK(all.area >= kArea);
      CHECK(all.area <= kArea * (1 + 1e-6));
      CHECK(all.first >= kNear * all.area);
      CHECK(all.second <= kFar * kFar * all.area);
      CHECK(passed(kSlope * (kFar + kOffset)).area == 0);
    }
}

// Eight level faces around the center lie in the water; rounding has it that a corner is over it or
// under it. The slope is so small that what planes rise by hides no rounding.
TEST_CASE("faces that lie in the water are passed by all planes that lean") {
  Random random(3);
  TriangleMesh around;
  for (int k = 0; k < 8; ++k) {
    const Vec3 at(2 * std::cos(kPi / 4 * (k + 0.5)), 2 * std::sin(kPi / 4 * (k + 0.5)), 0);
    around = test::joined(around, box(at - Vec3(0.25, 0.25, 2), at + Vec3(0.25, 0.25, 0)));
  }
  for (int k = 0; k < 20; ++k) {
    const Eigen::Quaterniond turn(
        Eigen::AngleAxisd(random.uniform(0, kPi), test::random_vector(random).normalized()));
    const Vec3 shift = test::random_vector(random);
    TriangleMesh mesh = around;
    for (Vec3& v : mesh.vertices) v = turn * v + shift;
    const Vec3 up = turn * Vec3::UnitZ();
    LeaningPlanes planes = planes_about(shift, 1e-6, 0);
    planes.axes << (turn * Vec3::UnitX()).transpose(), (turn * Vec3::UnitY()).transpose();
    const double area =
        SubmersionTree(test::checked(mesh)).surface_between({up, up.dot(shift)}, planes).area;
    CHECK(area >= 8 * 0.25 * (1 - 1e-12));  // corners are rounded
  }
}

// A square box upright is wall-sided, its waterplane's image does not change. Along y = t e,
// DF = (1 + t^2) C / V - (q . n), and q . n falls by t^2 / 2 C / V: 1.5 t^2 C / V in all.
TEST_CASE("where no surface is passed the Hessian changes by the square of the slope") {
  const FloatingBody body = afloat(make_box({1, 1, 1}), 0.5);
  const FloatingState at = float_upright(body, {0, 0, 1});
  const LevelChart chart(at);
  for (const double slope : {1e-3, 0.1, 0.3}) {
    const double change = 1.5 * slope * slope / 12 / 0.5;
    CHECK(curvature_change(body, at, chart, slope) == doctest::Approx(change).epsilon(1e-12));
  }
}

// A pillar of section 1, whose waterplane has the radius of gyration sqrt(1 / 6). The plane that
// rises to the right reaches a deck there; the center moves by 1.4 to it, and on the left the water
// falls below where it would about a center that stays within the radius: it uncovers a shoal.
TEST_CASE("where centers move far, surface beyond the first layer is not overlooked") {
  constexpr double kSlope = 0.1;
  const TriangleMesh pillar = box({-0.5, -0.5, -8}, {0.5, 0.5, 8});
  const TriangleMesh deck = box({3.83, -0.5, 0.122}, {4.33, 0.5, 8});
  const TriangleMesh shoal = box({-12.35, -1.5, -8}, {-12.15, 1.5, -1.295});
  const TriangleMesh mesh = test::joined(test::joined(pillar, deck), shoal);
  const FloatingBody body = afloat(mesh, 8 + 0.6 * (8 - 1.295));
  const FloatingState at = float_upright(body, {0, 0, 1});
  REQUIRE(std::fabs(at.level) <= 1e-12);
  const LevelChart chart(at);
  const double before = at.wet.waterplane.second_moments.maxCoeff();
  double largest = 0;
  for (const double lean : {kSlope, -kSlope}) {
    const FloatingState there = float_upright(body, Vec3(lean, 0, 1).normalized(), at.level);
    // Seen along `up`, lengths along the slope are shorter by its cosine, areas too.
    const double cosine = there.up[2];
    const Mat2& moments = there.wet.waterplane.second_moments;
    largest =
        std::max(largest, (moments.maxCoeff() * std::pow(cosine, 3) - before) / body.displacement);
  }
  CHECK(largest > 50 / body.displacement);  // of the shoal alone: 0.6 * 1.5 / 2.1 * 12.2^2 = 64
  CHECK(curvature_change(body, at, chart, kSlope) >= largest);
}

// A mast that stands at one end of a hull, the hull's top where the water would be: what is missing
// is found in all of the hull, and not in the mast's section, whose center the state was made with.
TEST_CASE("the error of a state holds what is missing, wherever it lies") {
  const TriangleMesh mesh =
      test::joined(box({-5, -0.5, -2}, {-4, 0.5, 0}), box({-5, -2, 0}, {5, 2, 3}));
  for (const double missing : {1e-8, 1e-5, 1e-3}) {
    const FloatingBody body = afloat(mesh, 2 + missing);
    const double level = -1e-12;  // surely in the mast
    const Vec3 up(0, 0, 1);
    const Submersion wet = SubmersionTree(test::checked(mesh)).submersion({up, level});
    const FloatingState rough = state_of(body, up, {level, wet, body.displacement - wet.volume});
    const FloatingState exact = float_upright(body, up);
    const double off = (rough.righting_arm - exact.righting_arm).norm();
    CHECK(off > 2 * missing);  // 4.5 of the volume that is missing, over the volume 2
    CHECK(off <= state_error(body, rough) + state_error(body, exact));
  }
}

// The same hull: a volume that may be off by the one that is missing counts as this does.
TEST_CASE("the error of a state holds what its volume is not known by, wherever it lies") {
  const TriangleMesh mesh =
      test::joined(box({-5, -0.5, -2}, {-4, 0.5, 0}), box({-5, -2, 0}, {5, 2, 3}));
  for (const double missing : {1e-8, 1e-5, 1e-3}) {
    const FloatingBody body = afloat(mesh, 2 + missing);
    const Vec3 up(0, 0, 1);
    Submersion wet = SubmersionTree(test::checked(mesh)).submersion({up, -1e-12});
    wet.volume = body.displacement;
    wet.volume_error = missing;
    const FloatingState rough = state_of(body, up, {-1e-12, wet, 0});
    const FloatingState exact = float_upright(body, up);
    const double off = (rough.righting_arm - exact.righting_arm).norm();
    CHECK(off > 2 * missing);
    CHECK(off <= state_error(body, rough) + state_error(body, exact));
  }
}

// Moved by multiples of 2^-10, body and center keep their bits; the sums about them do not.
TEST_CASE("the error of a state holds what is rounded far from the origin") {
  Random random(41);
  const TriangleMesh mesh = make_box({1, 0.75, 0.5});
  const FloatingBody near = afloat(mesh, 0.15);
  for (int i = 0; i < 200; ++i) {
    const double far = std::ldexp(1, 10 + i % 20);
    const Vec3 shift = far * (test::random_vector(random) * 1024).array().round().matrix() / 1024;
    FloatingBody body = afloat(test::moved(mesh, shift), 0.15);
    body.center_of_mass = shift;
    const Vec3 up = test::random_vector(random).normalized();
    const FloatingState here = float_upright(near, up), there = float_upright(body, up);
    const double error = state_error(near, here) + state_error(body, there);
    CHECK((there.righting_arm - here.righting_arm).norm() <= error);
    CHECK(std::fabs(there.energy - here.energy) <= error);
  }
}

// About a pose that leans by 0.3 the Hessian changes little, but nothing is at rest as near as
// that can be told: the box rights itself to upright, beyond.
TEST_CASE("a pose that is not at rest is isolated only with one that is") {
  FloatingBody body = afloat(make_box({1, 0.7, 0.4}), 0.14);
  body.center_of_mass = {0, 0, -0.15};
  const auto pose_at = [&](double lean) {
    return isolated_pose(body, float_upright(body, {0, std::sin(lean), std::cos(lean)}));
  };
  CHECK(pose_at(0.3).slope == 0);
  CHECK(pose_at(1e-3).slope > 0.01);
  CHECK(pose_at(1e-3).holds({0, 0, 1}));
}

}  // namespace
}  // namespace plimsoll
