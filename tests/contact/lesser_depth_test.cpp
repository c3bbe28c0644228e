// Forces whose potential is twice the integral of the lesser depth: closed forms, and sums over the
// volume that is shared, which know nothing of surfaces.
#include <doctest/doctest.h>
#include <plimsoll/contact.h>
#include <plimsoll/mesh_generators.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "contact/pressure_depth.h"
#include "core/random.h"
#include "overlap/overlap_checks.h"
#include "support/approx.h"
#include "support/checked.h"
#include "support/frequency.h"
#include "support/meeting_bodies.h"
#include "support/mesh_parts.h"
#include "support/random_mesh.h"
#include "support/revolved.h"
#include "support/sanitizers.h"
#include "tree/triangle_tree.h"

namespace plimsoll {
namespace {

using test::at;

const Similarity kHere = Similarity::Identity();

ContactForces forces(const TriangleMesh& a, const Similarity& world_from_a, const TriangleMesh& b,
                     const Similarity& world_from_b = kHere, bool energy = false) {
  ContactSearch search;
  const Result<ContactForces> found =
      search.forces(test::solid(a), world_from_a, test::solid(b), world_from_b,
                    {.potential = ContactPotential::kLesserDepth, .energy = energy});
  REQUIRE(found);
  return *found;
}

/// Its upper face is at z = 0.
TriangleMesh ground() { return test::moved(make_box({40, 40, 1}), {0.1, 0.2, -0.5}); }

// What is nearer to the floor's surface than to the box's is h / 2 high but within h / 2 of the
// sides: of an upper face of a x b the volume a b h / 2 - (a + b) h^2 / 4 + h^3 / 6. The force is
// twice that. Of rims of 1e-4 a tenth may be lost: they end among the eighth cuts.
TEST_CASE("a box in a floor is pushed by the volume that is nearest to the floor's surface") {
  for (const double h : {1e-9, 1e-4, 0.01, 0.2}) {
    const ContactForces found =
        forces(make_box({1, 2, 0.5}), at({0.13, -0.22, 0.25 - h}), ground());
    const double rims = 3 * h * h / 2 - h * h * h / 3;
    CHECK(std::fabs(found.force_a.z() - (2 * h - rims)) < rims / 10 + 1e-15);
    if (h > 1e-3) CHECK(found.force_a.z() == test::approx(2 * h - rims).epsilon(1e-9));
    CHECK(found.force_a.head<2>().norm() < 1e-12 * h);
    CHECK(found.force_b == -found.force_a);
  }
}

// Half of a lens of two balls of radius r, whose centers are 2 c apart, is nearest to either. At
// the plane in the middle the depth is r less the distance from a center, so that the force is
//   2 * 2 pi * integral (r - sqrt(s^2 + c^2)) s ds   up to s^2 = r^2 - c^2.
// The faces of 20,480 triangles lie up to 2e-4 within the radius, which is a share of 0.004 of the
// lesser depth here, and parts are cut until that changes the sum by 1/256. Without what columns of
// neighbors overlap by, the forces would be 7 and 15 % too large.
TEST_CASE("balls push each other by the integral over the plane in their middle") {
  constexpr double kRadius = 1;
  for (const double c : {0.9, 0.8}) {
    const TriangleMesh ball = make_icosphere(kRadius, 5);
    const Mat3 turned = Eigen::AngleAxisd(0.3, Vec3(1, 2, 3).normalized()).toRotationMatrix();
    const ContactForces found = forces(ball, at({0, 0, 2 * c}, turned), ball);
    const double rim = kRadius * kRadius - c * c;
    const double expected =
        4 * std::numbers::pi * (kRadius * rim / 2 - (std::pow(kRadius, 3) - std::pow(c, 3)) / 3);
    CHECK(found.force_a.z() == test::approx(expected).epsilon(0.01));
    CHECK(found.force_a.head<2>().norm() < 1e-3 * expected);
  }
}

// The wall of a hole bends inward: columns leave gaps. Sums over cubes of 1/400 of the hole's
// radius, a fortieth of the lens's depth, of round bodies; those of 256 sides are off by 8e-5.
TEST_CASE("a pin in a hole is pushed by the volume that is nearest to either") {
  constexpr double kPin = 0.9, kHole = 1, kShift = 0.2, kHeight = 0.5;
  const TriangleMesh pin = make_cylinder(kPin, kHeight, 256);
  const ContactForces found =
      forces(pin, at({kShift, 0, 0}, Eigen::AngleAxisd(0.01, Vec3::UnitZ()).toRotationMatrix()),
             test::washer(kHole, 2, 2 * kHeight, 256));
  double expected = 0;
  constexpr int kCubes = 400;
  constexpr double kCell = 1.0 / kCubes;
  for (int i = -kCubes; i < kCubes; ++i)
    for (int j = -kCubes; j < kCubes; ++j) {
      const Vec2 x(kShift + (i + 0.5) * kCell, (j + 0.5) * kCell);
      const double in_wall = x.norm() - kHole, off = (x - Vec2(kShift, 0)).norm(),
                   in_pin = kPin - off;
      if (in_wall <= 0 || in_pin <= 0) continue;
      const Vec2 push = in_pin < in_wall ? Vec2((Vec2(kShift, 0) - x) / off) : Vec2(-x / x.norm());
      // As high as the pin, but for what is nearer to its ends: that pushes along z.
      const double high = in_pin < in_wall ? kHeight - 2 * in_pin : kHeight;
      const double ends = in_pin < in_wall ? 0 : 2 * in_wall;
      expected += kCell * kCell * (high - ends) * push.x();
    }
  CHECK(found.force_a.x() == test::approx(expected).epsilon(0.02));
  CHECK(std::fabs(found.force_a.y()) < 1e-3 * std::fabs(expected));
  CHECK(std::fabs(found.force_a.z()) < 1e-3 * std::fabs(expected));
}

/// The sides of a body of a polygon (x, z) that has its inside to the left, 40 long along y. Its
/// ends are left open: they are too far away to matter.
TriangleMesh sides(const std::vector<Vec2>& section, const Similarity& pose) {
  TriangleMesh mesh;
  for (std::size_t k = 0; k < section.size(); ++k) {
    const Vec2 &p = section[k], &q = section[(k + 1) % section.size()];
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    for (const double y : {-20.0, 20.0})
      for (const Vec2& at : {p, q}) mesh.vertices.emplace_back(pose * Vec3(at.x(), y, at.y()));
    mesh.triangles.push_back({first, first + 3, first + 1});
    mesh.triangles.push_back({first, first + 2, first + 3});
  }
  return mesh;
}

/// The depth at a point of the own surface, where that faces down.
LocalDepth depth_at(const std::vector<Vec2>& own, const std::vector<Vec2>& other, const Vec2& at,
                    ContactPotential potential = ContactPotential::kLesserDepth) {
  const Similarity pose = test::at({0.3, -0.2, 0.7}, test::some_turn());
  const MeshTree own_tree(test::checked(sides(own, pose)));
  const MeshTree other_tree(test::checked(sides(other, pose)));
  SurfaceDepth own_depth({&triangles_of(own_tree), kHere}, 1);
  SurfaceDepth other_depth({&triangles_of(other_tree), kHere}, 1);
  PressureDepth depth(potential, own_depth, other_depth);
  const Vec3 x = pose * Vec3(at.x(), 0.1, at.y()), down = -pose.linear().col(2);
  LocalDepth found = depth.near(x, down);
  CHECK(depth.at(x, down) == test::approx(found.depth).epsilon(1e-9));
  found.gradient = pose.linear().transpose() * found.gradient;
  found.growth = pose.linear().transpose() * found.growth;
  return found;
}

// Heights are found to 1e-10 of the depth at the foot, 1.5 at most, over how fast the lesser depth
// falls below the height: by 0.6 for each 1 at least. Depths are twice that.
constexpr double kFound = 1e-9;

// At the height h a point is h from the lower face. From a face that it looks up to at c it is
// c - h; from an edge at the height c, to the side by a, the root of a^2 + (c - h)^2.
TEST_CASE("a column ends at the face or the edge that is as near as its foot") {
  constexpr double kWide = 0.6, kHigh = 1, kDeep = 1.5, kAside = 0.5;
  const std::vector<Vec2> slotted{{-20, 0},       {20, 0},         {20, 3},     {kWide, 3},
                                  {kWide, kHigh}, {-kWide, kHigh}, {-kWide, 3}, {-20, 3}};
  const std::vector<Vec2> floor{{-20, -20}, {20, -20}, {20, kDeep}, {-20, kDeep}};
  const Vec3 down(0, 0, -1);
  // Only the floor's surface is near: it moves along with the floor.
  const LocalDepth by_floor = depth_at(slotted, floor, {-5, 0});
  CHECK(by_floor.depth == test::approx(kDeep).epsilon(kFound));
  CHECK(by_floor.is_linear);
  CHECK((by_floor.gradient - down).norm() < 1e-12);
  CHECK((by_floor.growth - down).norm() < 1e-12);
  // The ground of the slot is a part of the own surface, which moves along with the point.
  const LocalDepth by_slot = depth_at(slotted, floor, {0.05, 0});
  CHECK(by_slot.depth == test::approx(kHigh).epsilon(kFound));
  CHECK(by_slot.is_linear);
  CHECK((by_slot.gradient - down).norm() < 1e-12);
  CHECK(by_slot.growth.norm() == 0);
  for (const double side : {-1.0, 1.0}) {
    const LocalDepth by_edge = depth_at(slotted, floor, {side * (kWide + kAside), 0});
    CHECK(by_edge.depth == test::approx((kAside * kAside + kHigh * kHigh) / kHigh).epsilon(kFound));
    CHECK_FALSE(by_edge.is_linear);
    CHECK(by_edge.growth.norm() == 0);
  }
  // The mean depth knows nothing of the own surface.
  const LocalDepth mean = depth_at(slotted, floor, {0.05, 0}, ContactPotential::kMeanDepth);
  CHECK(mean.depth == test::approx(kDeep).epsilon(1e-12));
  CHECK(mean.is_linear);
  CHECK((mean.gradient - down).norm() < 1e-12);
  CHECK((mean.growth - down).norm() < 1e-12);
}

// The other body is a stem under a wide cap. A column that begins beside the stem's wall meets its
// plane at the height d, which is above the wall's end at the height t: there the edge is nearest,
// and as near as the foot at (d^2 + t^2) / (2 t). The stem's lower face is nearer to the foot than
// the wall, so that the wall is met on the way only.
TEST_CASE("a column passes the plane of a face where the face has ended") {
  constexpr double kAside = 0.5, kUnder = 0.35, kLower = 0.3;
  const std::vector<Vec2> own{{-20, -kUnder}, {20, -kUnder}, {20, 5}, {-20, 5}};
  const std::vector<Vec2> mushroom{
      {-20, -kUnder - kLower}, {0, -kUnder - kLower}, {0, 0}, {20, 0}, {20, 3}, {-20, 3}};
  const LocalDepth found = depth_at(own, mushroom, {-kAside, -kUnder});
  CHECK(found.depth == test::approx((kAside * kAside + kUnder * kUnder) / kUnder).epsilon(kFound));
  CHECK_FALSE(found.is_linear);
  CHECK(found.growth.norm() == 0);
}

/// A box that is posed: depths from its faces.
struct PosedBox {
  Vec3 size;
  Similarity pose;

  struct Depth {
    double depth;
    Vec3 outward;  ///< Of the nearest face.
  };
  [[nodiscard]] Depth depth(const Vec3& x) const {
    const Vec3 local = pose.inverse() * x;
    Depth least{std::numeric_limits<double>::infinity(), Vec3::Zero()};
    for (int axis = 0; axis < 3; ++axis)
      for (const double side : {-1.0, 1.0}) {
        const double depth = size[axis] / 2 - side * local[axis];
        if (depth < least.depth) least = {depth, side * pose.linear().col(axis)};
      }
    return least;
  }
};

/// The gradient of the potential, summed over small cubes.
struct VolumeSums {
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();  // on A, the torque about the world's origin
  double energy = 0;
};
VolumeSums sum_over_volume(const PosedBox& a, const PosedBox& b, int cubes) {
  VolumeSums sums;
  const Vec3 cell = a.size / cubes;
  const double volume = cell.prod();
  for (int i = 0; i < cubes; ++i)
    for (int j = 0; j < cubes; ++j)
      for (int k = 0; k < cubes; ++k) {
        const Vec3 x =
            a.pose * Vec3(cell.cwiseProduct(Vec3(i + 0.5, j + 0.5, k + 0.5)) - a.size / 2);
        const PosedBox::Depth in_a = a.depth(x), in_b = b.depth(x);
        if (in_b.depth <= 0) continue;
        sums.energy += 2 * volume * std::min(in_a.depth, in_b.depth);
        // Both halves of the volume have the same force, but for the cubes.
        const Vec3 push = volume * (in_a.depth < in_b.depth ? Vec3(-in_a.outward) : in_b.outward);
        sums.force += push;
        sums.torque += x.cross(push);
      }
  return sums;
}

// Cubes of 1/160 of a side: at the surfaces they are off by up to a half each, at random. The
// share of the surface's cubes in all is some 6 / 160 over the depth's share, a tenth of the side,
// and what is left of them after they cancel is less than a hundredth of that: 1 % is asked.
TEST_CASE("boxes in any pose push by the gradient of the potential") {
  Random random(3);
  int met = 0;
  constexpr int kTrials = test::kAddressSanitizer ? 1 : 12;
  for (int trial = 0; trial < kTrials; ++trial) {
    CAPTURE(trial);
    PosedBox a{Vec3(1, 0.8, 0.6), at(test::random_vector(random) * 0.1 + Vec3(0.3, 0.2, 0.65),
                                     test::random_similarity(random, 0, 1).linear())};
    a.pose.linear() /= std::cbrt(a.pose.linear().determinant());
    const PosedBox b{Vec3(1.2, 1, 0.9), kHere};
    const ContactForces found = forces(make_box(a.size), a.pose, make_box(b.size), b.pose, true);
    if (!found.overlaps) continue;
    const VolumeSums sums = sum_over_volume(a, b, 160);
    const Vec3 torque = found.torque_a + a.pose.translation().cross(found.force_a);
    CHECK((found.force_a - sums.force).norm() < 0.01 * sums.force.norm() + 1e-6);
    CHECK((torque - sums.torque).norm() < 0.01 * sums.force.norm() + 1e-6);
    CHECK(*found.energy == test::approx(sums.energy).epsilon(0.05));
    ++met;
  }
  CHECK(2 * met > kTrials);
}

// A cube that stands on a floor sinks in by m g / (K a^2), less a rim that is as wide as half of
// that, and rocks with w^2 = K a^2 / (2 m) - 3 g / a.
TEST_CASE("a cube rests and rocks on a bed of springs" * test::kLong) {
  constexpr double kStiffness = 1e6, kTilt = 1e-4, kSunk = 500 * 9.80665 / kStiffness;
  RigidBody cube = test::box("cube", {1, 1, 1}, {0, 0, 0.5 - kSunk});
  cube = test::tilted(cube, kTilt, Vec3::UnitX());
  World world = test::meeting(test::air(), {test::floor_body(), cube},
                              {kStiffness, 0, 0, ContactMethod::kLesserDepth});
  std::vector<double> tilt;
  double height = 0;
  constexpr double kStep = 2e-3;
  constexpr int kSteps = 700;
  for (int i = 0; i < kSteps; ++i) {
    test::run(world, 1, kStep);
    tilt.push_back(test::body(world, 1).pose.linear()(2, 1));
    height += test::body(world, 1).pose.translation().z() / kSteps;
  }
  CHECK(0.5 - height == test::approx(kSunk).epsilon(2 * kSunk + 0.005));
  const double expected = std::sqrt(kStiffness / (2 * 500) - 3 * 9.80665);
  CHECK(test::frequency(tilt, kStep) * 2 * std::numbers::pi ==
        test::approx(expected).epsilon(0.01));
}

}  // namespace
}  // namespace plimsoll
