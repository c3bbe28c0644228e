// Force and torque are the gradient of the exact volume.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/overlap.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "overlap/overlap_checks.h"
#include "support/approx.h"
#include "support/campaign.h"
#include "support/mesh_parts.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

/// All of size 1, or about that.
struct Bodies {
  std::vector<SolidTree> trees{
      test::solid(make_icosphere(1, 1)),   test::solid(make_torus(1, 0.4, 9, 6)),
      test::solid(make_box({1, 1.5, 2})),  test::solid(make_bumpy_sphere(1, 0.3, 6, 9)),
      test::solid(make_cone(1, 1.5, 7)),   test::solid(make_torus_knot({}, 24, 4)),
      test::solid(make_cylinder(1, 1, 8)),
  };

  [[nodiscard]] const SolidTree& any(Random& random) const {
    return trees[random.below(trees.size())];
  }
};

/// With parts of their size in common.
Similarity near_pose(Random& random) { return test::random_similarity(random, 0.5); }

/// A moved by `step`: along a world axis for way 0, 1, 2, turned about its origin for 3, 4, 5.
Similarity moved_along(const Similarity& pose, int way, double step) {
  Similarity moved = pose;
  if (way < 3)
    moved.translation()[way] += step;
  else
    moved.linear() =
        Eigen::AngleAxisd(step, Vec3::Unit(way - 3)).toRotationMatrix() * pose.linear();
  return moved;
}

double volume_at(OverlapSearch& search, const SolidTree& a, const Similarity& world_from_a,
                 const SolidTree& b, const Similarity& world_from_b) {
  const auto found = search.overlap(a, world_from_a, b, world_from_b);
  REQUIRE(found);
  return found->volume;
}

// The step h: volumes of bodies of size 1 are off by 1e-15 or so, and the quotient by that over h.
// Between poses in which a corner passes a face or an edge an edge, the volume is a smooth function
// whose third derivatives are of the order of 1 over the square of the sine between faces, and the
// quotient is off by h^2 / 6 of them; the second derivative is continuous, so that to pass such a
// pose adds no more than that order. With h = 1e-5 that is 1e-10 and, for sines of 0.01, 2e-7.
TEST_CASE("force and torque are minus the central differences of the volume") {
  const Bodies bodies;
  Random random(411);
  OverlapSearch search;
  constexpr double kStep = 1e-5;
  for (int i = 0; i < test::campaign(600); ++i) {
    CAPTURE(i);
    const SolidTree &a = bodies.any(random), &b = bodies.any(random);
    const Similarity world_from_a = near_pose(random), world_from_b = near_pose(random);
    const auto found = search.overlap(a, world_from_a, b, world_from_b);
    REQUIRE(found);
    Eigen::Matrix<double, 6, 1> of_a, of_b;
    of_a << found->force_a, found->torque_a;
    of_b << found->force_b, found->torque_b;
    for (int way = 0; way < 6; ++way) {
      const double a_slope =
          volume_at(search, a, moved_along(world_from_a, way, kStep), b, world_from_b) -
          volume_at(search, a, moved_along(world_from_a, way, -kStep), b, world_from_b);
      const double b_slope =
          volume_at(search, a, world_from_a, b, moved_along(world_from_b, way, kStep)) -
          volume_at(search, a, world_from_a, b, moved_along(world_from_b, way, -kStep));
      CHECK(std::fabs(a_slope / (2 * kStep) + of_a[way]) <= 1e-6 * of_a.norm() + 1e-9);
      CHECK(std::fabs(b_slope / (2 * kStep) + of_b[way]) <= 1e-6 * of_b.norm() + 1e-9);
    }
  }
}

// Sums over curves of length 10 or so, in a few hundred terms: off by 1e-14.
TEST_CASE("forces are opposite, torques balance, and contacts add up to the whole") {
  const Bodies bodies;
  Random random(412);
  OverlapSearch search;
  for (int i = 0; i < test::campaign(2000); ++i) {
    CAPTURE(i);
    const SolidTree &a = bodies.any(random), &b = bodies.any(random);
    const Similarity world_from_a = near_pose(random), world_from_b = near_pose(random);
    const auto found = search.overlap(a, world_from_a, b, world_from_b, {.contacts = true});
    REQUIRE(found);
    CHECK(found->force_b == -found->force_a);
    const Vec3 arm = world_from_a.translation() - world_from_b.translation();
    CHECK((found->torque_a + found->torque_b + arm.cross(found->force_a)).norm() <= 1e-13);
    OverlapContact sum;
    double last = std::numeric_limits<double>::infinity();
    for (const OverlapContact& contact : found->contacts) {
      CHECK(contact.curve_length <= last);
      last = contact.curve_length;
      sum.force_a += contact.force_a;
      sum.torque_a += contact.torque_a;
      sum.curve_length += contact.curve_length;
    }
    CHECK((sum.force_a - found->force_a).norm() <= 1e-13);
    CHECK((sum.torque_a - found->torque_a).norm() <= 1e-13);
    CHECK(std::fabs(sum.curve_length - found->curve_length) <= 1e-13);
    CHECK(found->contacts.empty() == (found->curve_length == 0));
  }
}

// A rod through one plate, with its end in a second: the curve is two squares at the first, whose
// forces cancel, and one at the second.
TEST_CASE("each closed part of the curve is a contact of its own") {
  const TriangleMesh plate = make_box({6, 6, 2}),
                     plates = test::joined(plate, test::moved(plate, {0, 0, 4}));
  Similarity world_from_rod = Similarity::Identity();
  world_from_rod.translation() = Vec3(0.25, 0.5, 0.5);  // from z = -3.5 to 4.5
  OverlapSearch search;
  const auto found =
      search.overlap(test::solid(make_box({1, 1, 8})), world_from_rod, test::solid(plates),
                     Similarity::Identity(), {.contacts = true, .curve = true});
  REQUIRE(found);
  CHECK(found->volume == test::approx(2 + 1.5).epsilon(1e-14));
  REQUIRE(found->contacts.size() == 3);
  double up = 0;
  for (const OverlapContact& contact : found->contacts) {
    CHECK(contact.curve_length == test::approx(4).epsilon(1e-14));
    CHECK(std::fabs(contact.force_a.z()) == test::approx(1).epsilon(1e-14));
    up += contact.force_a.z();
  }
  CHECK(up == test::approx(-1).epsilon(1e-14));  // out of the second plate is down
  CHECK(found->force_a.z() == test::approx(-1).epsilon(1e-14));
}

TEST_CASE("the curve is closed: at each of its points as many segments begin as end") {
  const Bodies bodies;
  Random random(413);
  OverlapSearch search;
  for (int i = 0; i < test::campaign(1000); ++i) {
    CAPTURE(i);
    const SolidTree &a = bodies.any(random), &b = bodies.any(random);
    const auto found = search.overlap(a, near_pose(random), b, near_pose(random),
                                      {.volume = false, .curve = true});
    REQUIRE(found);
    const auto less = [](const Vec3& x, const Vec3& y) {
      return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
    };
    std::vector<Vec3> begins, ends;
    for (const auto& [from, to] : found->curve) {
      begins.push_back(from);
      ends.push_back(to);
    }
    std::sort(begins.begin(), begins.end(), less);
    std::sort(ends.begin(), ends.end(), less);
    CHECK(begins == ends);
  }
}

/// Work of the force on A round a closed path in all six coordinates of its pose, in n steps, by
/// the mean of the forces at both ends of each: each coordinate swings with a phase of its own.
double work_round(OverlapSearch& search, const SolidTree& a, const SolidTree& b, int n,
                  double& largest) {
  const auto pose_at = [&](int step) {
    const double s = 2 * std::numbers::pi * (step % n) / n;
    Similarity pose = Similarity::Identity();
    pose.translation() = Vec3(0.9 + 0.2 * std::cos(s), 0.2 * std::sin(s), 0.1 * std::sin(2 * s));
    pose.linear() = (Eigen::AngleAxisd(0.3 * std::sin(s + 1), Vec3::UnitX()) *
                     Eigen::AngleAxisd(0.2 * std::cos(s + 2), Vec3::UnitY()) *
                     Eigen::AngleAxisd(0.3 * std::sin(s), Vec3::UnitZ()))
                        .toRotationMatrix();
    return pose;
  };
  const Similarity world_from_b = Similarity::Identity();
  Similarity here = pose_at(0);
  auto now = search.overlap(a, here, b, world_from_b);
  double work = 0;
  for (int step = 1; step <= n; ++step) {
    const Similarity there = pose_at(step);
    const auto next = search.overlap(a, there, b, world_from_b);
    REQUIRE(next);
    largest = std::max(largest, next->volume);
    const Eigen::AngleAxisd turn(Mat3(there.linear() * here.linear().transpose()));
    work += (now->force_a + next->force_a).dot(there.translation() - here.translation()) / 2 +
            (now->torque_a + next->torque_a).dot(turn.angle() * turn.axis()) / 2;
    now = next;
    here = there;
  }
  return work;
}

// The trapezoidal rule over a path of length 2 pi in s is off by (2 pi)^3 / (12 n^2) of the second
// derivative of the power: that is of the order of the volume, the amplitudes being below the size
// and the frequencies at most 2. 40 allows for twice that order. A force that is no gradient does
// work of the order of the volume itself, however many steps there are.
TEST_CASE("work round closed paths falls as the square of the step") {
  OverlapSearch search;
  const Bodies bodies;
  for (const std::size_t i : {0U, 2U, 3U}) {
    const SolidTree &a = bodies.trees[i], &b = bodies.trees[(i + 1) % 7];
    for (const int n : {64, 256}) {
      double largest = 0;
      const double work = work_round(search, a, b, n, largest);
      CAPTURE(i);
      CAPTURE(n);
      CHECK(largest > 0.1);
      CHECK(std::fabs(work) <= 40 * largest / n / n);
    }
    if (!test::is_full_run()) continue;
    double largest = 0;
    const double work = work_round(search, a, b, 100'000, largest);
    CHECK(std::fabs(work) <= 1e-9 * largest);
  }
}

// The force is piecewise a polynomial of the translation of degree 2, whose coefficients are of the
// order of 1 over the square of the sine between faces, as above; and continuous.
TEST_CASE("the second derivative is that of the force") {
  const Bodies bodies;
  Random random(414);
  OverlapSearch search;
  constexpr double kStep = 1e-6;
  int cases = 0;
  for (int i = 0; i < test::campaign(600); ++i) {
    CAPTURE(i);
    const SolidTree &a = bodies.any(random), &b = bodies.any(random);
    const Similarity world_from_a = near_pose(random), world_from_b = near_pose(random);
    const auto found =
        search.overlap(a, world_from_a, b, world_from_b, {.second_derivative = true});
    REQUIRE(found);
    REQUIRE(found->second_derivative);
    Mat3 slope;
    for (int way = 0; way < 3; ++way) {
      const auto up = search.overlap(a, moved_along(world_from_a, way, kStep), b, world_from_b);
      const auto down = search.overlap(a, moved_along(world_from_a, way, -kStep), b, world_from_b);
      REQUIRE(up);
      REQUIRE(down);
      slope.col(way) = -(up->force_a - down->force_a) / (2 * kStep);
    }
    const double size = found->second_derivative->norm();
    cases += size > 1 ? 1 : 0;
    CHECK((*found->second_derivative - slope).norm() <= 1e-4 * (size + 1));
    CHECK(*found->second_derivative == found->second_derivative->transpose());
  }
  CHECK(cases > test::campaign(600) / 2);
}

// The wedge stands on the box's floor from within. Shrunk by a little, its tip stays close to the
// floor and its other end rises above the box's: there the two faces cross.
TEST_CASE("where faces that cross are parallel there is no second derivative") {
  const TriangleMesh wedge{{{0, 0, 0}, {8, 0, 0}, {8, 1, 0}, {8, 0, 1}},
                           {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
  Similarity raised = Similarity::Identity();
  raised.translation() = Vec3(0, 0, 1);
  OverlapSearch search;
  const auto found =
      search.overlap(test::solid(wedge), Similarity::Identity(), test::solid(make_box({20, 20, 2})),
                     raised, {.second_derivative = true});
  REQUIRE(found);
  CHECK(found->is_one_sided);
  CHECK(!found->second_derivative);
}

TEST_CASE("where faces lie in one plane there is no second derivative") {
  const SolidTree box = SolidTree(MeshTree(test::checked(make_box({1, 1, 1}))));
  Similarity beside = Similarity::Identity();
  OverlapSearch search;
  for (const Vec3& by : {Vec3(0, 0, 0), Vec3(0.5, 0, 0), Vec3(1, 0.25, 0.125)}) {
    beside.translation() = by;
    const Result<Overlap> found =
        search.overlap(box, beside, box, Similarity::Identity(), {.second_derivative = true});
    REQUIRE(found);
    CHECK(found->is_one_sided);
    CHECK(!found->second_derivative);
  }
}

// Beyond 2^100 lengths are in other units.
TEST_CASE("the second derivative of what boxes share is known, at any size") {
  OverlapSearch search;
  for (const double size : {1.0, 0x1p-200, 0x1p200}) {
    CAPTURE(size);
    const SolidTree box = test::solid(make_box(size * Vec3(2, 2, 2)));
    Similarity shifted = Similarity::Identity();
    shifted.translation() = size * Vec3(1, 0.5, 0.25);
    const auto crossing =
        search.overlap(box, shifted, box, Similarity::Identity(), {.second_derivative = true});
    REQUIRE(crossing);
    REQUIRE(crossing->second_derivative);
    // V = (2 - x) (2 - y) (2 - z): mixed derivatives are the third factor.
    Mat3 exact;
    exact << 0, 1.75, 1.5, 1.75, 0, 1, 1.5, 1, 0;
    CHECK((*crossing->second_derivative / size - exact).norm() <= 1e-14);
  }
}

}  // namespace
}  // namespace plimsoll
