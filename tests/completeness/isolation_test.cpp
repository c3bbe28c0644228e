// What bounds the change of the Hessian: cases in which the surface between planes, the change, or
// the error of a state is known in closed form.
#include "completeness/isolation.h"

#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "core/random.h"
#include "hydro/heave.h"
#include "support/approx.h"
#include "support/checked.h"
#include "support/instruction_sets.h"
#include "support/mesh_parts.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

constexpr double kPi = std::numbers::pi;

TriangleMesh box(const Vec3& from, const Vec3& to) {
  return test::moved(make_box(to - from), (from + to) / 2);
}

FloatingBody afloat(const TriangleMesh& mesh, double displacement) {
  return floating_body(SolidTree(test::checked(mesh)), Vec3::Zero(), displacement);
}

LeaningPlanes planes_about(const Vec3& center, double slope, double offset) {
  LeaningPlanes planes;
  planes.center = center;
  planes.slope = slope;
  planes.offset = offset;
  return planes;
}

// A small block stands off the center, all around it, over the water and under it. The face that
// looks at the water is level: the plane that rises or falls towards it passes it where its height
// is below slope times distance and offset, and with it no more of the block, whose other face is
// far. A sector's borders alone reach less by up to 8 percent.
TEST_CASE("planes that lean pass what is within their reach, on every side") {
  constexpr double kSlope = 0.1, kOffset = 0.2, kNear = 2.97, kFar = 3.03, kHalf = 0.02;
  constexpr double kArea = 4 * kHalf * kHalf;
  for (int k = 0; k < 32; ++k)
    for (const double side : {1.0, -1.0}) {
      const double turn = kPi / 16 * (k + 0.3);
      const Vec3 at(3 * std::cos(turn), 3 * std::sin(turn), 0);
      const auto passed = [&](double height) {
        const Vec3 half(kHalf, kHalf, 1);
        const Vec3 middle = at + Vec3(0, 0, side * (height + 1));
        const SolidTree tree(test::checked(box(middle - half, middle + half)));
        return tree.surface_between({{0, 0, 1}, 0}, planes_about(Vec3::Zero(), kSlope, kOffset));
      };
      INFO("turn ", turn, " side ", side);
      const ProjectedSurface all = passed(kSlope * (kNear + kOffset));
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
        SolidTree(test::checked(mesh)).surface_between({up, up.dot(shift)}, planes).area;
    CHECK(area >= 8 * 0.25 * (1 - 1e-12));  // corners are rounded
  }
}

/// Integrals of 1 and d d over what a plane passes of a triangle: `height` and `along`, of each
/// corner, are those over the water and those of the plane.
struct Passed {
  double area = 0, second = 0;

  void add(const std::array<Vec2, 3>& s, const std::array<double, 3>& height,
           const std::array<double, 3>& along) {
    for (const double side : {1.0, -1.0}) {
      // Between the water and the plane: side * height >= 0, side * (along - height) >= 0.
      std::vector<Eigen::Vector4d> part;  // s, and the two
      for (std::size_t i = 0; i < 3; ++i)
        part.emplace_back(s[i][0], s[i][1], side * height[i], side * (along[i] - height[i]));
      for (const int k : {2, 3}) {
        std::vector<Eigen::Vector4d> cut;
        for (std::size_t i = 0; i < part.size(); ++i) {
          const Eigen::Vector4d &a = part[i], &b = part[(i + 1) % part.size()];
          if (a[k] >= 0) cut.push_back(a);
          if ((a[k] >= 0) != (b[k] >= 0)) cut.push_back(a + a[k] / (a[k] - b[k]) * (b - a));
        }
        part = cut;
      }
      for (std::size_t i = 1; i + 1 < part.size(); ++i) {
        const Vec2 a = part[0].head<2>(), b = part[i].head<2>(), c = part[i + 1].head<2>();
        const Vec2 ab = b - a, ac = c - a;
        const double share = std::fabs(ab[0] * ac[1] - ab[1] * ac[0]) / 2;
        area += share;
        second +=
            share * ((a + b).squaredNorm() + (b + c).squaredNorm() + (c + a).squaredNorm()) / 12;
      }
    }
  }
};

// Tetrahedra, most of them slivers, and planes one by one: each passes no more than is said of all.
TEST_CASE("no plane that leans passes more than is said of all of them") {
  Random random(17);
  double fullest = 0;  // share of the bound
  for (int k = 0; k < 60; ++k) {
    TriangleMesh mesh;
    const Vec3 shape = (4 * test::random_vector(random)).array().exp();
    for (int i = 0; i < 12; ++i) {
      const auto v = static_cast<std::uint32_t>(mesh.vertices.size());
      for (int c = 0; c < 4; ++c)
        mesh.vertices.push_back(shape.cwiseProduct(test::random_vector(random)));
      mesh.triangles.insert(
          mesh.triangles.end(),
          {{v, v + 2, v + 1}, {v, v + 1, v + 3}, {v + 1, v + 2, v + 3}, {v, v + 3, v + 2}});
    }
    const SolidTree tree(test::checked(mesh));
    LeaningPlanes planes = planes_about(shape.cwiseProduct(test::random_vector(random)) / 4,
                                        std::exp(random.uniform(-6, 0)), random.uniform(0, 1));
    const Vec3 up(0, 0, 1);
    const ProjectedSurface bound = tree.surface_between({up, planes.center[2]}, planes);
    for (int j = 0; j < 40; ++j) {
      const double turn = random.uniform(0, 2 * kPi);
      const double slope = j % 4 == 0 ? planes.slope : planes.slope * random.uniform(0, 1);
      const Vec2 y(slope * std::cos(turn), slope * std::sin(turn));
      const double off = slope * planes.offset * random.uniform(-1, 1);
      Passed passed;
      for (const Triangle& t : mesh.triangles) {
        std::array<Vec2, 3> s;
        std::array<double, 3> height{}, along{};
        for (std::size_t c = 0; c < 3; ++c) {
          const Vec3 apart = mesh.vertices[t[c]] - planes.center;
          s[c] = apart.head<2>();
          height[c] = apart[2];
          along[c] = y.dot(s[c]) + off;
        }
        passed.add(s, height, along);
      }
      CHECK(passed.area <= bound.area);
      CHECK(passed.second <= bound.second);
      fullest = std::max(fullest, passed.area / bound.area);
    }
  }
  CHECK(fullest > 0.5);
}

TEST_CASE("what planes pass has the same bits with every instruction set") {
  Random random(19);
  TriangleMesh mesh = make_cylinder(1, 2.3, 60);
  const Mat3 turn = test::random_turn(random);
  for (Vec3& v : mesh.vertices) v = turn * v;
  const SolidTree tree(test::checked(mesh));
  std::vector<std::vector<double>> found;
  test::for_each_instruction_set([&] {
    Random planes_of(23);
    std::vector<double>& sums = found.emplace_back();
    for (int k = 0; k < 40; ++k) {
      const Vec3 up = test::random_vector(planes_of).normalized();
      LeaningPlanes planes =
          planes_about(test::random_vector(planes_of) / 2, std::exp(planes_of.uniform(-6, 0)), 0.3);
      planes.axes.row(0) = up.unitOrthogonal();
      planes.axes.row(1) = up.cross(up.unitOrthogonal());
      const ProjectedSurface near = tree.surface_between({up, up.dot(planes.center)}, planes);
      sums.insert(sums.end(), {near.area, near.first, near.second});
    }
  });
  for (const std::vector<double>& sums : found) CHECK(sums == found.front());
}

// A square box upright is wall-sided, its waterplane's image does not change. Along y = t e,
// DF = (1 + t^2) C / V - (q . n), and q . n falls by t^2 / 2 C / V: 1.5 t^2 C / V in all.
TEST_CASE("where no surface is passed the Hessian changes by the square of the slope") {
  const FloatingBody body = afloat(make_box({1, 1, 1}), 0.5);
  const FloatingState at = float_upright(body, {0, 0, 1});
  const LevelChart chart(at);
  for (const double slope : {1e-3, 0.1, 0.3}) {
    const double change = 1.5 * slope * slope / 12 / 0.5;
    CHECK(curvature_change(body, at, chart, slope) == test::approx(change).epsilon(1e-12));
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
    const Submersion wet = SolidTree(test::checked(mesh)).submersion({up, level});
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
    Submersion wet = SolidTree(test::checked(mesh)).submersion({up, -1e-12});
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
