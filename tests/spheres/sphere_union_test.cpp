// Masses of unions of balls against closed forms, and against columns that share no code with them.
#include <doctest/doctest.h>
#include <plimsoll/sphere_union.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "core/random.h"
#include "support/approx.h"
#include "support/campaign.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

constexpr double kPi = std::numbers::pi;

MassProperties united(const std::vector<PlacedSphere>& balls) {
  Result<MassProperties> mass = union_mass_properties(balls);
  REQUIRE(mass);
  return *mass;
}

double ball_volume(double r) { return 4 * kPi / 3 * r * r * r; }

/// Integrals over the union, by columns along z through the middles of squares.
struct Columns {
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();

  Columns(const std::vector<PlacedSphere>& balls, int count) {
    Box3 box;
    for (const PlacedSphere& ball : balls) {
      box.extend(Vec3(ball.center.array() - ball.radius));
      box.extend(Vec3(ball.center.array() + ball.radius));
    }
    const Vec3 step = box.sizes() / count;
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < count; ++j)
        add(balls, box.min()[0] + (i + 0.5) * step[0], box.min()[1] + (j + 0.5) * step[1],
            step[0] * step[1]);
  }

  void add(const std::vector<PlacedSphere>& balls, double x, double y, double area) {
    std::vector<std::pair<double, double>> spans;
    for (const PlacedSphere& ball : balls) {
      const double dx = x - ball.center[0], dy = y - ball.center[1];
      const double squared = ball.radius * ball.radius - dx * dx - dy * dy;
      if (squared <= 0) continue;
      spans.emplace_back(ball.center[2] - std::sqrt(squared), ball.center[2] + std::sqrt(squared));
    }
    std::sort(spans.begin(), spans.end());
    double reached = -std::numeric_limits<double>::infinity();
    for (auto [low, high] : spans) {
      low = std::max(low, reached);
      if (high <= low) continue;
      reached = high;
      const double length = high - low, z = (low + high) / 2;
      const Vec3 middle(x, y, z);
      volume += area * length;
      first += area * length * middle;
      second += area * length * middle * middle.transpose();
      second(2, 2) += area * length * length * length / 12;
    }
  }

  [[nodiscard]] Vec3 center() const { return first / volume; }
  [[nodiscard]] Mat3 inertia() const {
    const Mat3 about = second - first * first.transpose() / volume;
    return about.trace() * Mat3::Identity() - about;
  }
};

/// What the test knows only up to the columns' width is compared to 1e-3 of the size.
void check_by_columns(const std::vector<PlacedSphere>& balls) {
  const MassProperties mass = united(balls);
  const Columns columns(balls, 400);
  CHECK(mass.volume == test::approx(columns.volume).epsilon(1e-3));
  const double size = std::cbrt(columns.volume);
  CHECK((mass.center_of_mass - columns.center()).norm() < 1e-3 * size);
  CHECK((mass.inertia - columns.inertia()).norm() < 2e-3 * columns.inertia().norm());
}

}  // namespace

TEST_CASE("one ball, balls apart, and balls in balls are what they are") {
  const MassProperties one = united({{{1, 2, 3}, 0.5}});
  CHECK(one.volume == test::approx(ball_volume(0.5)).epsilon(1e-14));
  CHECK((one.center_of_mass - Vec3(1, 2, 3)).norm() < 1e-14);
  const double inertia = 0.4 * ball_volume(0.5) * 0.25;
  CHECK((one.inertia - inertia * Mat3::Identity()).norm() < 1e-14);
  CHECK(std::isinf(one.error_bound.volume));
  CHECK(united({{{0, 0, 0}, 1}, {{5, 0, 0}, 2}}).volume ==
        test::approx(ball_volume(1) + ball_volume(2)).epsilon(1e-14));
  // They touch.
  CHECK(united({{{0, 0, 0}, 1}, {{3, 0, 0}, 2}}).volume ==
        test::approx(ball_volume(1) + ball_volume(2)).epsilon(1e-14));
  for (const PlacedSphere& inner :
       {PlacedSphere{{0.1, 0.2, 0}, 0.3}, {{0, 0, 0}, 2}, {{1, 0, 0}, 1}, {{0, 0, 0}, 0.5}})
    CHECK(united({{{0, 0, 0}, 2}, inner, inner}).volume ==
          test::approx(ball_volume(2)).epsilon(1e-13));
}

// Lens of two balls of radius r, a distance d apart: pi (4 r + d) (2 r - d)^2 / 12.
TEST_CASE("two balls are what they are without their lens") {
  for (const double d : {1e-6, 0.1, 1.0, 1.9, 1.999999}) {
    CAPTURE(d);
    const MassProperties mass = united({{{0, 0, 0}, 1}, {{0, d, 0}, 1}});
    const double lens = kPi * (4 + d) * (2 - d) * (2 - d) / 12;
    CHECK(mass.volume == test::approx(2 * ball_volume(1) - lens).epsilon(1e-13));
    CHECK((mass.center_of_mass - Vec3(0, d / 2, 0)).norm() < 1e-13);
    // About their axis: int pi (1 - h^2)^2 / 2 dh over both caps, from the plane outward.
    const auto about = [](double h) {
      return kPi / 2 * (h - 2 * h * h * h / 3 + std::pow(h, 5) / 5);
    };
    CHECK(mass.inertia(1, 1) == test::approx(2 * (about(1) + about(d / 2))).epsilon(1e-13));
    CHECK(mass.inertia(0, 0) == test::approx(mass.inertia(2, 2)).epsilon(1e-13));
  }
  // A clump of three in a row: 4 pi r^3 less two lenses of 5 pi r^3 / 12.
  const double r = 0.005;
  const MassProperties clump = united({{{0, 0, 0}, r}, {{r, 0, 0}, r}, {{2 * r, 0, 0}, r}});
  CHECK(clump.volume == test::approx(19 * kPi * r * r * r / 6).epsilon(1e-13));
  CHECK((clump.center_of_mass - Vec3(r, 0, 0)).norm() < 1e-15);
}

// Eight balls about the corners of a cube of 2 meet in its middle, where all spheres cross, if
// their radius is sqrt(3), and in the middles of faces if it is sqrt(2): there, four of them.
TEST_CASE("spheres that cross in one point are no exception") {
  for (const double radius : {std::sqrt(3.0), std::sqrt(2.0), 1.2, 1.0}) {
    CAPTURE(radius);
    std::vector<PlacedSphere> balls;
    for (const double x : {-1, 1})
      for (const double y : {-1, 1})
        for (const double z : {-1, 1}) balls.push_back({{x, y, z}, radius});
    check_by_columns(balls);
    // Of one circle for many: balls about the same axis whose spheres cross in a circle of
    // radius 1.
    std::vector<PlacedSphere> pencil;
    for (const double x : {-2, -1, 0, 1, 2}) pencil.push_back({{x, 0, 0}, std::hypot(x, 1.0)});
    const double cap = std::sqrt(5.0) - 2;  // beyond the circle's plane it is the farthest's alone
    const double low = std::sqrt(5.0) + 2;
    const double outer = kPi * low * low * (3 * std::sqrt(5.0) - low) / 3;
    CHECK(cap > 0);
    CHECK(united(pencil).volume == test::approx(2 * outer).epsilon(1e-12));
  }
}

TEST_CASE("unions of balls at random are those of columns") {
  Random random(1);
  for (int round = 0; round < test::campaign(60); ++round) {
    CAPTURE(round);
    std::vector<PlacedSphere> balls;
    const std::size_t count = 2 + random.below(30);
    for (std::size_t k = 0; k < count; ++k)
      balls.push_back({{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)},
                       std::pow(10.0, random.uniform(-1.2, 0))});
    check_by_columns(balls);
  }
}

// Turned, moved, scaled and put in another order, and with balls added that lie inside.
TEST_CASE("a union is the same wherever it is") {
  Random random(2);
  for (int round = 0; round < test::campaign(200); ++round) {
    CAPTURE(round);
    std::vector<PlacedSphere> balls, moved;
    for (int k = 0; k < 12; ++k)
      balls.push_back({{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)},
                       random.uniform(0.2, 0.6)});
    const double scale = std::pow(10.0, random.uniform(-6, 6));
    Similarity pose = test::random_similarity(random, 3 * scale, scale);
    if (round % 2 == 0) pose.translation() += Vec3(1e6, 2e6, -3e6) * scale;
    for (const PlacedSphere& ball : balls)
      moved.push_back({pose * ball.center, scale * ball.radius});
    moved.push_back({moved[3].center, 0.5 * moved[3].radius});
    std::reverse(moved.begin(), moved.end());
    const MassProperties a = united(balls), b = united(moved);
    // Coordinates near 1e6 sizes are rounded by 1e-10 of the size.
    const double rounding = round % 2 == 0 ? 1e-8 : 1e-11;
    CHECK(b.volume == test::approx(a.volume * scale * scale * scale).epsilon(rounding));
    CHECK((b.center_of_mass - pose * a.center_of_mass).norm() < rounding * scale);
    const Mat3 turn = pose.linear() / scale;
    CHECK((b.inertia / std::pow(scale, 5) - turn * a.inertia * turn.transpose()).norm() <
          rounding * a.inertia.norm());
  }
}

TEST_CASE("no balls, and balls that are none, are refused") {
  const auto refused = [](const std::vector<PlacedSphere>& balls) {
    const Result<MassProperties> mass = union_mass_properties(balls);
    REQUIRE_FALSE(mass);
    CHECK(mass.error().code == ErrorCode::kInvalidArgument);
    return mass.error().where;
  };
  CHECK(refused({}) == "spheres");
  CHECK(refused({{{0, 0, 0}, 1}, {{0, 0, 0}, 0}}) == "sphere 1");
  CHECK(refused({{{0, std::nan(""), 0}, 1}}) == "sphere 0");
  CHECK(refused({{{0, 0, 0}, std::numeric_limits<double>::infinity()}}) == "sphere 0");
  CHECK(refused({{{1e101, 0, 0}, 1}}) == "sphere 0");
}

}  // namespace plimsoll
