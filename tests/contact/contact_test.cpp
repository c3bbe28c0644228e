// Contact forces: closed forms of flat faces and balls, and the potential whose gradient they are.
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

#include "core/random.h"
#include "overlap/overlap_checks.h"
#include "support/approx.h"
#include "support/campaign.h"
#include "support/mesh_parts.h"
#include "support/random_mesh.h"
#include "support/sanitizers.h"

namespace plimsoll {
namespace {

using test::at;

const Similarity kHere = Similarity::Identity();

/// Its top is z = 0.
const SolidTree& floor_box() {
  static const SolidTree tree = test::solid(test::moved(make_box({40, 40, 1}), {0.1, 0.2, -0.5}));
  return tree;
}

/// The same as a box, its top of 2 n^2 triangles between lines anywhere.
TriangleMesh irregular_floor(int n, Random& random) {
  const auto lines = [&] {
    std::vector<double> x{-20, 20};
    for (int i = 1; i < n; ++i) x.push_back(random.uniform(-2, 2));
    std::sort(x.begin(), x.end());
    return x;
  };
  const std::vector<double> x = lines(), y = lines();
  TriangleMesh mesh;
  const auto m = static_cast<std::uint32_t>(n);
  for (std::uint32_t j = 0; j <= m; ++j)
    for (std::uint32_t i = 0; i <= m; ++i) mesh.vertices.push_back({x[i], y[j], 0});
  const auto number = [&](std::uint32_t i, std::uint32_t j) { return j * (m + 1) + i; };
  for (std::uint32_t j = 0; j < m; ++j)
    for (std::uint32_t i = 0; i < m; ++i) {
      mesh.triangles.push_back({number(i, j), number(i + 1, j), number(i + 1, j + 1)});
      mesh.triangles.push_back({number(i, j), number(i + 1, j + 1), number(i, j + 1)});
    }
  const auto apex = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.push_back({0, 0, -20});
  const auto side = [&](std::uint32_t u, std::uint32_t v) {
    mesh.triangles.push_back({v, u, apex});
  };
  for (std::uint32_t i = 0; i < m; ++i) {
    side(number(i, 0), number(i + 1, 0));
    side(number(i + 1, m), number(i, m));
    side(number(m, i), number(m, i + 1));
    side(number(0, i + 1), number(0, i));
  }
  return mesh;
}

ContactForces forces(const SolidTree& a, const Similarity& world_from_a, const SolidTree& b,
                     const Similarity& world_from_b, const ContactOptions& options = {}) {
  ContactSearch search;
  const Result<ContactForces> found = search.forces(a, world_from_a, b, world_from_b, options);
  REQUIRE(found);
  return *found;
}

TEST_CASE("a flat face that is pressed in pushes with its area times the depth") {
  const SolidTree box = test::solid(make_box({1, 2, 0.5}));
  Random random(1);
  for (const SolidTree& below : {floor_box(), test::solid(irregular_floor(12, random))})
    for (const double h : {1e-9, 1e-4, 0.01}) {
      const Vec3 place(0.13, -0.22, 0.25 - h);
      const ContactForces found = forces(box, at(place), below, kHere, {.energy = true});
      CHECK(found.overlaps);
      // Rims as below, and cones of eight points across kinks at half the depth.
      CHECK(*found.energy == test::approx(h * h).epsilon(0.02 + 6 * h));
      // Of the floor, what is nearer to a side of the box than h is that much less deep.
      const double rim = 6 * h * h / 2;
      CHECK(found.force_a.z() <= 2 * h * (1 + 1e-7));
      CHECK(found.force_a.z() >= 2 * h * (1 - 1e-7) - rim);
      CHECK(found.force_a.head<2>().norm() < 1e-12 * h);
      CHECK(found.force_b == -found.force_a);
      CHECK(found.torque_a.norm() < 2 * rim + 1e-7 * h);
      // Both faces, and the strip of the sides that is inside.
      CHECK(found.area == test::approx(2 + 3 * h));
    }
}

// A part of side c of a face of side a takes the depth of its centroid for all: of the moment of
// inertia a^4 / 12 it leaves out c^2 a^2 / 12, the share (c / a)^2. Cells are a third of the
// curve's radius of gyration, a / sqrt(3), and cut in half: c is a / sqrt(108). Some twenty at the
// rim that have less than 1/256 of the area are not cut, and add 0.3 %: together less than 1/75.
// The sides of the box add to its rocking what is of the order of h / a.
TEST_CASE("a flat face resists rocking with a^4 / 12") {
  const SolidTree box = test::solid(make_box({1, 1, 1}));
  constexpr double kDepth = 1e-4;
  const double share = 1.0 / 75;
  for (const int axis : {0, 1})
    for (const double turn : {1e-5, -1e-4}) {
      const Mat3 rocked = Eigen::AngleAxisd(turn, Vec3::Unit(axis)).toRotationMatrix();
      const ContactForces found = forces(
          box, at(rocked * Vec3(0, 0, 0.5) - Vec3(0, 0, kDepth), rocked), floor_box(), kHere);
      // About the center of the face that is pressed in.
      const Vec3 face = -(rocked * Vec3(0, 0, 0.5));
      const Vec3 torque = found.torque_a - face.cross(found.force_a);
      CHECK(torque[axis] == test::approx(-turn / 12).epsilon(share + 4 * kDepth));
      CHECK(std::fabs(torque[1 - axis]) < 4 * kDepth * std::fabs(turn));
      CHECK(found.force_a.z() == test::approx(kDepth).epsilon(4 * kDepth));
    }
}

TEST_CASE(
    "a body that its pose scales is a body of that size; one turned inward is turned outward") {
  const SolidTree box = test::solid(make_box({1, 2, 0.5}));
  const SolidTree half = test::solid(make_box({0.5, 1, 0.25}));
  const SolidTree inward = test::solid(test::turned(make_box({1, 2, 0.5})));
  const Mat3 rocked = Eigen::AngleAxisd(0.01, Vec3(1, 2, 0.3).normalized()).toRotationMatrix();
  const Vec3 place(0.3, 0.2, 0.12);
  const ContactForces small = forces(half, at(place, rocked), floor_box(), kHere);
  for (const SolidTree& large : {box, inward}) {
    const ContactForces scaled = forces(large, at(place, Mat3(rocked * 0.5)), floor_box(), kHere);
    CHECK((scaled.force_a - small.force_a).norm() < 1e-12 * small.force_a.norm());
    CHECK((scaled.torque_a - small.torque_a).norm() < 1e-12 * small.force_a.norm());
    CHECK(scaled.area == test::approx(small.area).epsilon(1e-12));
  }
  CHECK(small.force_a.z() > 0);
}

// The ball of radius R sinks in by h below a plane. Its own surface feels the depth below the
// plane: half of the volume below it. The plane feels R - |x| over the disc of radius c,
// c^2 = R^2 - k^2, k = R - h: pi (R c^2 / 2 - (R^3 - k^3) / 3). An icosphere is within s of the
// ball, s = 1 - cos(half the longest edge): so are depths, over less than 1.1 times the disc.
TEST_CASE("a ball on a plane pushes as its closed form says") {
  const TriangleMesh mesh = make_icosphere(1, 5);
  double longest = 0;
  for (const Triangle& t : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k)
      longest = std::max(longest, (mesh.vertices[t[k]] - mesh.vertices[t[(k + 1) % 3]]).norm());
  const double off = 1 - std::sqrt(1 - longest * longest / 3);  // a triangle's circumcircle
  const SolidTree ball = test::solid(mesh);
  for (const double h : {0.05, 0.2}) {
    const double k = 1 - h, disc = std::numbers::pi * (1 - k * k);
    const double cap = std::numbers::pi * h * h * (3 - h) / 3;
    const double wanted = cap / 2 + std::numbers::pi * ((1 - k * k) / 2 - (1 - k * k * k) / 3);
    const ContactForces found = forces(ball, at({0.01, 0.02, k}), floor_box(), kHere);
    // Parts of the plane, of sides of a third of the disc's radius c at most, miss (c / 3)^2 / 24
    // of the depth's second derivatives' sum, at most 2 / k.
    const double cells = disc * (1 - k * k) / 9 / 24 * 2 / k / 2;
    CHECK(std::fabs(found.force_a.z() - wanted) < 1.1 * disc * off + cells);
    CHECK(found.force_a.head<2>().norm() < 1.1 * disc * off + cells);
  }
}

// A tube of radius r around a circle of radius R, its middle z above the floor, z < r. Its own
// surface feels the depth below the floor: its volume there. The floor feels r - sqrt(u^2 + z^2) at
// u from the circle, over |u| < a, a^2 = r^2 - z^2: 2 pi R (a r - z^2 asinh(a / |z|)). That has a
// ridge along the circle, where the nearest side changes. Of 64 sides around the tube faces lie up
// to 1 - cos(pi / 64) of r below it, which takes off three times that at most; and parts are
// sampled until it changes the sum of each by less than 1/256 of the whole.
TEST_CASE("a ring half sunk into a plane pushes as its closed form says") {
  constexpr double kMajor = 0.5, kMinor = 0.15;
  const SolidTree ring = test::solid(make_torus(kMajor, kMinor, 128, 64));
  for (const double z : {-0.05, 0.01, 0.05, 0.1}) {
    CAPTURE(z);
    const double a = std::sqrt(kMinor * kMinor - z * z), around = 2 * std::numbers::pi * kMajor;
    const double below = around * (kMinor * kMinor * std::acos(z / kMinor) - z * a);
    const double above = around * (a * kMinor - z * z * std::asinh(a / std::fabs(z)));
    const double wanted = (below + above) / 2;
    const ContactForces found = forces(ring, at({0.3, 0.2, z}), floor_box(), kHere);
    const double faces = 3 * (1 - std::cos(std::numbers::pi / 64));
    CHECK(std::fabs(found.force_a.z() - wanted) < (faces + 1.0 / 256) * wanted);
  }
}

TEST_CASE("bodies that touch, are apart or have no triangles push nothing") {
  const SolidTree box = test::solid(make_box({1, 1, 1}));
  for (const double z : {1.0, 1.5}) {
    const ContactForces found =
        forces(box, at({0, 0, z}), box, kHere, {.points = true, .energy = true});
    CHECK_FALSE(found.overlaps);
    CHECK(found.force_a == Vec3::Zero());
    CHECK(found.area == 0);
    CHECK(found.points.empty());
    REQUIRE(found.energy);
    CHECK(*found.energy == 0);
  }
  const SolidTree none = test::solid(TriangleMesh{});
  CHECK_FALSE(forces(none, kHere, box, kHere).overlaps);
  CHECK_FALSE(forces(box, kHere, none, kHere).overlaps);
}

TEST_CASE("a body inside another is pushed by all of its surface") {
  // One side at depth 0.5; the opposite one at 1.5 - max(|y|, |z|), 7/6 in the mean, of whose kinks
  // cells of 1/12 miss less than their square.
  const SolidTree small = test::solid(make_box({1, 1, 1})),
                  large = test::solid(make_box({3, 3, 3}));
  const ContactForces found = forces(small, at({0.5, 0, 0}), large, kHere);
  CHECK(found.overlaps);
  CHECK(found.area == test::approx(3));
  CHECK(found.force_a.x() == test::approx(1.0 / 3).epsilon(0.01));
  CHECK(std::fabs(found.force_a.y()) < 1e-12);
}

// A needle's tip pokes out: the curve is a millionth of what lies inside.
TEST_CASE("a curve that is tiny beside what lies inside does not make it many parts") {
  const SolidTree large = test::solid(make_box({3, 3, 3}));
  for (const double out : {1e-6, 1e-12, 1e-15}) {
    const SolidTree cone = test::solid(make_cone(1, 1, 17));
    const ContactForces found =
        forces(cone, at({0.2, 0.1, 0.5 + out}), large, kHere, {.points = true});
    CHECK(found.overlaps);
    CHECK(found.points.size() < 20'000);
    const ContactForces within = forces(cone, at({0.2, 0.1, 0.5 - out}), large, kHere);
    CHECK((found.force_a - within.force_a).norm() < 0.02 * within.area);
  }
}

struct Bodies {
  std::vector<SolidTree> trees{
      test::solid(make_icosphere(1, 2)),  test::solid(make_torus(1, 0.4, 24, 16)),
      test::solid(make_box({1, 1.5, 2})), test::solid(make_bumpy_sphere(1, 0.3, 12, 18)),
      test::solid(make_cone(1, 1.5, 17)), test::solid(make_cylinder(1, 1, 18)),
  };
  [[nodiscard]] const SolidTree& any(Random& random) const {
    return trees[random.below(trees.size())];
  }
};

TEST_CASE("forces and torques balance, are those of both bodies, and turn with the world") {
  const Bodies bodies;
  Random random(2);
  for (int i = 0; i < test::campaign(200); ++i) {
    const SolidTree &a = bodies.any(random), &b = bodies.any(random);
    const Similarity pose_a = test::random_similarity(random, 0.7),
                     pose_b = test::random_similarity(random, 0.7);
    const ContactForces found = forces(a, pose_a, b, pose_b, {.points = true});
    const double force = found.force_a.norm() + 1e-3 * found.area, arm = 4;
    const Vec3 rest = found.torque_a + found.torque_b +
                      (pose_a.translation() - pose_b.translation()).cross(found.force_a);
    CHECK(rest.norm() <= 1e-12 * arm * force);
    Vec3 sum = Vec3::Zero();
    double pushes = 0;
    for (const ContactPoint& point : found.points) {
      CHECK(point.way.norm() == test::approx(1));
      CHECK(point.push >= 0);
      sum += point.push * point.way;
      pushes += point.push;
    }
    CHECK((sum - found.force_a).norm() <= 1e-12 * force);
    // Of symmetric bodies rounding decides which parts are cut: each changes the sum by 1/256 at
    // most, those of both surfaces and of a few of each.
    const double jump = 8 * pushes / 256;
    const ContactForces swapped = forces(b, pose_b, a, pose_a);
    CHECK(swapped.overlaps == found.overlaps);
    CHECK((swapped.force_a - found.force_b).norm() <= jump);
    CHECK((swapped.torque_a - found.torque_b).norm() <= arm * jump);
    const Similarity turn = at({3, -2, 1}, test::some_turn());
    const ContactForces turned = forces(a, turn * pose_a, b, turn * pose_b);
    CHECK((turned.force_a - turn.linear() * found.force_a).norm() <= jump);
    CHECK((turned.torque_a - turn.linear() * found.torque_a).norm() <= arm * jump);
  }
}

// The floor's diagonal passes through the ring, so that a triangle of the floor has lines that
// cross its edges, its curve outside and that around the hole.
TEST_CASE("a ring pushes with its face, without what its hole leaves out") {
  constexpr std::uint32_t kSides = 30;
  constexpr double kOuter = 0.5, kInner = 0.3, kHeight = 0.4, kDepth = 1e-4;
  TriangleMesh ring;
  for (const auto& [radius, height] : {std::pair(kInner, 0.0), std::pair(kOuter, 0.0),
                                       std::pair(kOuter, kHeight), std::pair(kInner, kHeight)})
    for (std::uint32_t k = 0; k < kSides; ++k) {
      const double angle = 2 * std::numbers::pi * k / kSides;
      ring.vertices.emplace_back(radius * std::cos(angle), radius * std::sin(angle), height);
    }
  for (std::uint32_t side = 0; side < 4; ++side)
    for (std::uint32_t k = 0; k < kSides; ++k) {
      const std::uint32_t next = (k + 1) % kSides, a = side * kSides, b = (side + 1) % 4 * kSides;
      ring.triangles.push_back({a + k, a + next, b + next});
      ring.triangles.push_back({a + k, b + next, b + k});
    }
  const double face =
      kSides / 2.0 * std::sin(2 * std::numbers::pi / kSides) * (kOuter * kOuter - kInner * kInner);
  const SolidTree solid = test::solid(ring);
  const Mat3 turn = Eigen::AngleAxisd(0.3, Vec3::UnitZ()).toRotationMatrix();
  for (const double x : {0.0, 0.1, 0.3}) {
    const Similarity pose = at({0.1 + x, 0.2, -kDepth}, turn);
    const ContactForces found = forces(solid, pose, floor_box(), kHere);
    const ContactForces other = forces(floor_box(), kHere, solid, pose);
    // Rims of a depth's width push by half of it, at most.
    const double rim = 2 * std::numbers::pi * (kOuter + kInner) * kDepth;
    CHECK(std::fabs(found.area - face) < rim);
    CHECK(std::fabs(found.force_a.z() - kDepth * face) < kDepth * rim);
    CHECK(std::fabs(other.area - face) < rim);
    CHECK(std::fabs(other.force_b.z() - kDepth * face) < kDepth * rim);
  }
}

// A face of side 1 that is tilted by f and pressed in by h: the bed holds (h^2 + f^2 / 12) / 2. Its
// rims are as wide as it is deep, and push less.
TEST_CASE("a tilted face is told to hold what a bed of springs under it does") {
  constexpr double kDepth = 1e-4, kTilt = 1.6e-4;
  const SolidTree box = test::solid(make_box({1, 1, 1}));
  for (const Vec3& axis : {Vec3(1, 0, 0), Vec3(0, 1, 0)}) {
    const Similarity pose =
        at({0.3, -0.2, 0.5 - kDepth}, Eigen::AngleAxisd(kTilt, axis).toRotationMatrix());
    const ContactForces found = forces(box, pose, floor_box(), kHere, {.points = true});
    double pressed = 0;
    for (const ContactPoint& point : found.points) pressed += point.pressed;
    const double wanted = (kDepth * kDepth + kTilt * kTilt / 12) / 2;
    CHECK(std::fabs(pressed - wanted) < 4 * (kDepth + kTilt / 2) * wanted);
  }
}

// Beside an edge that dips in by h lie slivers of any turn, of which some are h wide. The mean
// square of a depth is not below the square of its mean; over a convex part in which it is linear
// and not below 0 it is 3/2 of it at most, in a triangle that is 0 along a side. Coordinates below
// 8, of which ten go into a depth, are rounded by 1e-15.
TEST_CASE("slivers hold what their depths do, in any direction") {
  const Vec3 size(1, 2, 3);
  const SolidTree box = test::solid(make_box(size));
  Random random(61);
  for (int round = 0; round < test::campaign(40); ++round) {
    const double depth = std::pow(10.0, random.uniform(-9, -6));
    const Eigen::Matrix3d turn = (Eigen::AngleAxisd(random.uniform(-3, 3), Vec3::UnitZ()) *
                                  Eigen::AngleAxisd(random.uniform(0.1, 0.8), Vec3::UnitX()))
                                     .toRotationMatrix();
    const double height = (turn.cwiseAbs() * size / 2).z() - depth;
    const ContactForces found =
        forces(box, at({random.uniform(-5, 5), random.uniform(-5, 5), height}, turn), floor_box(),
               kHere, {.points = true});
    REQUIRE(found.points.size() > 1);
    for (const ContactPoint& point : found.points) {
      const double ratio = 2 * point.pressed * point.area / (point.push * point.push);
      const double rounding = 2e-14 * point.area / point.push;
      CHECK(ratio > 1 - rounding);
      CHECK(ratio < 1.5 + rounding);
    }
  }
}

// Their parts begin at other corners, and rounding may cut other ones: as when bodies are swapped.
TEST_CASE("a solid is the same whichever way its triangles are turned") {
  const auto turned_over = [](TriangleMesh mesh) {
    for (Triangle& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
    return test::solid(mesh);
  };
  const TriangleMesh ring = make_torus(0.7, 0.3, 24, 16), ball = make_icosphere(0.6, 2);
  const SolidTree a = test::solid(ring), b = test::solid(ball);
  const SolidTree a_over = turned_over(ring), b_over = turned_over(ball);
  Random random(12);
  for (int i = 0; i < test::campaign(100); ++i) {
    const Similarity pose = at(0.9 * test::random_vector(random), test::random_turn(random));
    const ContactForces found = forces(a, pose, b, kHere);
    const double jump = 8.0 / 256 * (found.force_a.norm() + 0.1 * found.area);
    for (const auto& [of_a, of_b] : {std::pair(&a_over, &b), std::pair(&a, &b_over)}) {
      const ContactForces same = forces(*of_a, pose, *of_b, kHere);
      CHECK(same.area == test::approx(found.area).epsilon(1e-9));
      CHECK((same.force_a - found.force_a).norm() <= jump);
      CHECK((same.torque_a - found.torque_a).norm() <= jump);
    }
  }
}

// Along a path of many small steps the work of the forces is what the potential loses. Samples are
// added until a part's integral changes by 1/256 of the whole, which leaves each surface's off by
// some 1 %; so is the potential, which is summed over the same samples.
TEST_CASE("forces are the gradient of the potential" * doctest::skip(test::kAddressSanitizer)) {
  const Bodies bodies;
  Random random(3);
  ContactSearch search;
  int met = 0;
  for (int i = 0; i < test::campaign(200); ++i) {
    const SolidTree &a = bodies.any(random), &b = bodies.any(random);
    const Similarity from = test::random_similarity(random, 0.9),
                     pose_b = test::random_similarity(random, 0.9);
    const Vec3 way = 0.1 * test::random_vector(random), turn = 0.1 * test::random_vector(random);
    if (!forces(a, from, b, pose_b).overlaps) continue;
    ++met;
    constexpr int kSteps = 32;
    double work = 0, most = 0, first = 0, last = 0;
    for (int k = 0; k <= kSteps; ++k) {
      const double t = k / static_cast<double>(kSteps);
      Similarity pose = from;
      pose.linear() =
          Eigen::AngleAxisd(t * turn.norm(), turn.normalized()).toRotationMatrix() * from.linear();
      pose.translation() += t * way;
      const bool is_end = k == 0 || k == kSteps;
      const auto found = search.forces(a, pose, b, pose_b, {.energy = is_end});
      REQUIRE(found);
      work += (is_end ? 0.5 : 1) / kSteps * (found->force_a.dot(way) + found->torque_a.dot(turn));
      if (k == 0) first = *found->energy;
      if (k == kSteps) last = *found->energy;
    }
    most = std::max(first, last);
    CHECK(std::fabs(first - last - work) < 0.02 * most);
  }
  CHECK(met > test::campaign(200) / 4);
}

TEST_CASE("feet push apart: a table's are the sum of its legs'") {
  const auto leg = [](double x, double y) {
    return test::moved(make_box({0.1, 0.1, 1}), {x, y, 0});
  };
  const SolidTree table = test::solid(test::joined(leg(0.4, 0.4), leg(-0.4, -0.4)));
  const SolidTree one = test::solid(leg(0.4, 0.4)), other = test::solid(leg(-0.4, -0.4));
  const Mat3 rocked = Eigen::AngleAxisd(1e-3, Vec3(1, -0.3, 0.2).normalized()).toRotationMatrix();
  const Similarity pose = at({0, 0, 0.499}, rocked);
  const ContactForces both = forces(table, pose, floor_box(), kHere);
  const ContactForces first = forces(one, pose, floor_box(), kHere);
  const ContactForces second = forces(other, pose, floor_box(), kHere);
  // Cells are of another size: each sum is right to some 1 %.
  const double force = first.force_a.norm() + second.force_a.norm();
  CHECK((both.force_a - first.force_a - second.force_a).norm() < 0.02 * force);
  CHECK((both.torque_a - first.torque_a - second.torque_a).norm() < 0.02 * force);
}

TEST_CASE("what cannot be asked is refused") {
  const SolidTree box = test::solid(make_box({1, 1, 1}));
  TriangleMesh mesh = make_box({1, 1, 1});
  mesh.triangles.pop_back();
  const SolidTree open = test::solid(mesh);
  ContactSearch search;
  const auto code = [&](const SolidTree& a, const Similarity& pose, double max_work) {
    const auto found = search.forces(a, pose, a, kHere, {}, max_work);
    REQUIRE_FALSE(found);
    return found.error().code;
  };
  Similarity bad = kHere;
  bad.translation().x() = std::numeric_limits<double>::quiet_NaN();
  CHECK(code(box, bad, 1e9) == ErrorCode::kInvalidArgument);
  CHECK(code(open, kHere, 1e9) == ErrorCode::kNotClosed);
  CHECK(code(box, at({0.5, 0.5, 0.5}), -1) == ErrorCode::kInvalidArgument);
  const SolidTree ball = test::solid(make_icosphere(1, 3));
  CHECK(code(ball, at({0.1, 0, 0}), 10) == ErrorCode::kResourceLimit);
}

}  // namespace
}  // namespace plimsoll
