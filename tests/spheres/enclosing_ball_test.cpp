#include "spheres/enclosing_ball.h"

#include <doctest/doctest.h>

#include <Eigen/QR>
#include <cmath>
#include <vector>

#include "ball_cases.h"
#include "support/campaign.h"

namespace plimsoll {
namespace {

/// In long double, whose own roundings are 2^-11 of what the radius is rounded up by at least.
long double far_side_in_long(const Vec3& center, const PlacedSphere& ball) {
  const Eigen::Matrix<long double, 3, 1> d =
      ball.center.cast<long double>() - center.cast<long double>();
  return d.norm() + static_cast<long double>(ball.radius);
}

bool encloses(const EnclosingBall& outer, std::span<const PlacedSphere> balls) {
  for (const PlacedSphere& ball : balls)
    if (far_side_in_long(outer.center, ball) > outer.radius) return false;
  return true;
}

double radius_about(const Vec3& center, std::span<const PlacedSphere> balls) {
  double radius = 0;
  for (const PlacedSphere& ball : balls)
    radius = std::max(radius, (ball.center - center).norm() + ball.radius);
  return radius;
}

// Some roundings of lengths of about 1.
constexpr double kTight = 1e-14;

void check(const std::vector<PlacedSphere>& balls, const Vec3& center, double radius) {
  const EnclosingBall found = smallest_enclosing_ball(balls);
  CHECK(encloses(found, balls));
  CHECK(std::abs(found.radius - radius) <= kTight);
  CHECK((found.center - center).norm() <= kTight);
}

TEST_CASE("the smallest balls of few balls are those of geometry") {
  check({{{1, 2, 3}, 0.5}}, {1, 2, 3}, 0.5);
  check({{{0, 0, 0}, 1}, {{4, 0, 0}, 2}}, {2.5, 0, 0}, 3.5);
  check({{{0, 0, 0}, 1}, {{0, 0, 0}, 2}, {{0, 0, 0}, 2}}, {0, 0, 0}, 2);              // concentric
  check({{{0.1, 0, 0}, 0.5}, {{0, 0, 0}, 1}, {{0, -0.5, 0}, 0.25}}, {0, 0, 0}, 1);    // nested
  check({{{0, 0, 0}, 1}, {{0.5, 0, 0}, 0.5}, {{0, 0, -0.75}, 0.25}}, {0, 0, 0}, 1);   // tangent
  check({{{0, 0, 0}, 0.1}, {{1, 0, 0}, 0.1}, {{0.5, 0, 0}, 0.3}}, {0.5, 0, 0}, 0.6);  // in a row
  const double height = std::sqrt(3) / 2;  // of a triangle of side 1
  check({{{-0.5, 0, 0}, 0.2}, {{0.5, 0, 0}, 0.2}, {{0, height, 0}, 0.2}}, {0, height / 3, 0},
        2 * height / 3 + 0.2);
}

TEST_CASE("four balls at corners of a cube, and eight, touch one ball") {
  std::vector<PlacedSphere> tetrahedron, cube;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 at((corner & 1) != 0 ? 1 : -1, (corner & 2) != 0 ? 1 : -1,
                  (corner & 4) != 0 ? 1 : -1);
    cube.push_back({at, 0.25});
    if (at.prod() > 0) tetrahedron.push_back({at, 0.25});
  }
  check(tetrahedron, Vec3::Zero(), std::sqrt(3) + 0.25);
  check(cube, Vec3::Zero(), std::sqrt(3) + 0.25);
}

// Four balls that touch the unit ball from inside, the center in their hull, make it the smallest.
TEST_CASE("a quarter of a million balls have the smallest ball that was built around them") {
  Random random(1);
  std::vector<PlacedSphere> balls(250'000);
  for (PlacedSphere& ball : balls) {
    ball.center = test::point_in_cube(random).normalized() * random.uniform(0, 0.999);
    ball.radius = (0.999 - ball.center.norm()) * random.unit();
  }
  for (const int axis : {0, 1}) {
    balls[1000 + axis] = {Vec3::Unit(axis) * 0.75, 0.25};
    balls[200'000 + axis] = {Vec3::Unit(axis) * -0.875, 0.125};
  }
  check(balls, Vec3::Zero(), 1);
}

// The greatest of convex functions is convex: the center is the best one if no step from it leads
// to a smaller radius. Steps of 1e-3 to 1e-9 lose at most the rounding of the radius, below 2^-49.
TEST_CASE("no center near by has a smaller ball, and the ball encloses all") {
  Random random(2);
  for (int round = 0; round < test::campaign(100'000); ++round) {
    CAPTURE(round);
    const std::vector<PlacedSphere> balls =
        test::ball_case(random, round % test::kBallCaseKinds, 1 + random.below(20));
    const EnclosingBall found = smallest_enclosing_ball(balls);
    REQUIRE(encloses(found, balls));
    for (int step = 0; step < 24; ++step) {
      const Vec3 moved = found.center + test::point_in_cube(random) * std::pow(10, -3 - step / 4);
      REQUIRE(radius_about(moved, balls) >= found.radius * (1 - 4e-15));
    }
  }
}

// Balls in general position: those that touch are the support. Radii are good to 1e-14, and the
// angles of three directions of random balls seldom below 1e-3, so that weights below -1e-6 mean a
// center outside the hull, and what touches is nearer than 1e-10.
TEST_CASE("the center lies in the hull of the centers of the balls that touch") {
  Random random(3);
  for (int round = 0; round < test::campaign(20'000); ++round) {
    CAPTURE(round);
    const std::vector<PlacedSphere> balls = test::ball_case(random, 0, 2 + random.below(30));
    const EnclosingBall found = smallest_enclosing_ball(balls);
    std::vector<Vec3> touching;
    for (const PlacedSphere& ball : balls)
      if (far_side_in_long(found.center, ball) > found.radius - 1e-10)
        touching.push_back(ball.center - found.center);
    REQUIRE(!touching.empty());
    REQUIRE(touching.size() <= 4);
    Eigen::MatrixXd system(4, touching.size());  // sum w_i x_i = 0, sum w_i = 1
    for (std::size_t i = 0; i < touching.size(); ++i)
      system.col(static_cast<Eigen::Index>(i)) << touching[i], 1;
    const Eigen::VectorXd right = Eigen::Vector4d::Unit(3);
    const Eigen::VectorXd weights = system.colPivHouseholderQr().solve(right);
    REQUIRE((system * weights - right).norm() <= 1e-9);
    REQUIRE(weights.minCoeff() >= -1e-6);
  }
}

// A power of two changes no rounding but that of subnormal numbers.
TEST_CASE("the smallest ball is the same at any scale") {
  Random random(4);
  for (int round = 0; round < 100; ++round) {
    std::vector<PlacedSphere> balls = test::ball_case(random, round % test::kBallCaseKinds, 10);
    const EnclosingBall at_one = smallest_enclosing_ball(balls);
    for (const int exponent : {-1000, -300, 300, 1000}) {
      std::vector<PlacedSphere> scaled = balls;
      for (PlacedSphere& ball : scaled)
        ball = {ball.center * std::ldexp(1, exponent), std::ldexp(ball.radius, exponent)};
      const EnclosingBall found = smallest_enclosing_ball(scaled);
      CHECK(std::ldexp(found.radius, -exponent) >= at_one.radius * (1 - 4e-15));
      CHECK(std::ldexp(found.radius, -exponent) <= at_one.radius * (1 + 4e-15));
      CHECK(encloses(found, scaled));
    }
  }
}

// Centers on a lattice of 2^-20 are moved by 2^30 without rounding. There coordinates are 2^-22
// apart, and the center, rounded to them, is off by less than that.
TEST_CASE("the smallest ball far away is that near the origin") {
  Random random(6);
  for (int round = 0; round < 100; ++round) {
    std::vector<PlacedSphere> balls = test::ball_case(random, 0, 12);
    for (PlacedSphere& ball : balls)
      ball.center = (ball.center * 0x1p20).array().round().matrix() * 0x1p-20;
    const EnclosingBall near = smallest_enclosing_ball(balls);
    for (PlacedSphere& ball : balls) ball.center[round % 3] += 0x1p30;
    const EnclosingBall far = smallest_enclosing_ball(balls);
    CHECK(encloses(far, balls));
    CHECK(std::abs(far.radius - near.radius) <= 0x1p-22);
  }
}

TEST_CASE("balls of a few hundred least doubles are enclosed") {
  Random random(5);
  for (int round = 0; round < 1000; ++round) {
    std::vector<PlacedSphere> balls = test::ball_case(random, round % test::kBallCaseKinds, 5);
    for (PlacedSphere& ball : balls)
      ball = {ball.center * std::ldexp(1, -1066), std::ldexp(ball.radius, -1066)};
    REQUIRE(encloses(smallest_enclosing_ball(balls), balls));
  }
}

}  // namespace
}  // namespace plimsoll
