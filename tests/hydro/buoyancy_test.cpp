#include <doctest/doctest.h>
#include <plimsoll/buoyancy.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/submersion.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "core/random.h"
#include "support/campaign.h"
#include "support/checked.h"
#include "support/random_mesh.h"
#include "support/surface_at.h"
#include "support/water_cases.h"

namespace plimsoll {
namespace {

constexpr double kGravity = 9.80665;
constexpr double kPi = std::numbers::pi;

Waves choppy(Random& random, int components) {
  Waves waves{random.uniform(-0.2, 0.2), {}};
  for (int i = 0; i < components; ++i)
    waves.components.push_back({random.uniform(0, 0.1), random.uniform(0.5, 3),
                                random.uniform(0, 360), random.uniform(0, 6)});
  return waves;
}

/// The same integrals by columns: nothing in common with sums over the surface. An ellipsoid is
/// between two roots of a quadratic over every point of its shadow.
struct Columns {
  Eigen::Matrix3d form;  // p^T form p <= 1 about the center
  Vec3 center;
  double reach;

  [[nodiscard]] Buoyancy under(const SurfaceNow& surface, int n) const {
    Buoyancy sum;
    Vec3 first = Vec3::Zero(), moment = Vec3::Zero();
    const double cell = 2 * reach / n;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const double x = -reach + (i + 0.5) * cell, y = -reach + (j + 0.5) * cell;
        const double b = form(2, 0) * x + form(2, 1) * y, a = form(2, 2);
        const double c = form(0, 0) * x * x + 2 * form(0, 1) * x * y + form(1, 1) * y * y - 1;
        if (b * b - a * c <= 0) continue;
        const double root = std::sqrt(b * b - a * c);
        const Vec3 at = center + Vec3(x, y, 0);
        const double low = center[2] + (-b - root) / a, top = center[2] + (-b + root) / a;
        const double high = std::min(top, surface.height(at[0], at[1]));
        if (high <= low) continue;
        const double share = (high - low) * cell * cell;
        const Vec2 slope = surface.slope(at[0], at[1]);
        const Vec3 push = share * Vec3(-slope[0], -slope[1], 1);
        const Vec3 middle(at[0], at[1], (high + low) / 2);
        sum.volume += share;
        first += share * middle;
        sum.lift += push;
        moment += middle.cross(push);
      }
    if (sum.volume > 0) sum.center = first / sum.volume;
    sum.lift_moment = moment - sum.center.cross(sum.lift);
    return sum;
  }
};

void check_near(const Buoyancy& found, const Buoyancy& expected, double tolerance) {
  CHECK(std::fabs(found.volume - expected.volume) <= tolerance);
  CHECK((found.center * found.volume - expected.center * expected.volume).norm() <= tolerance);
  CHECK((found.lift - expected.lift).norm() <= tolerance);
  CHECK((found.lift_moment - expected.lift_moment).norm() <= tolerance);
}

}  // namespace

// Both are sums over the same clipped triangles in another order: a few rounding errors of terms
// that are no larger than the box.
TEST_CASE("still water lifts by the submerged volume alone, through its center") {
  Random random(1);
  for (int round = 0; round < test::campaign(2000); ++round) {
    const TriangleMesh body = test::random_shape(random);
    const Pose pose = test::random_pose(random, 0.7);
    const double height = random.uniform(-0.5, 0.5);
    TriangleMesh posed = body;
    for (Vec3& v : posed.vertices) v = pose * v;
    const Submersion exact = submersion(test::checked(posed), {{0, 0, 1}, height});
    const SurfaceNow still = test::surface_at(StillWater{height}, 0, kGravity);
    const Buoyancy found = *buoyancy(test::checked(body), Similarity(pose), still, 1);
    Buoyancy expected{exact.volume, exact.center_of_buoyancy, {0, 0, exact.volume}, Vec3::Zero()};
    if (exact.volume == 0) expected.center = Vec3::Zero();
    CAPTURE(round);
    check_near(found, expected, 1e-13);
    CHECK(found.lift == Vec3(0, 0, found.volume));
    CHECK(found.lift_moment == Vec3::Zero());
  }
}

// Cut into up to some ten thousand pieces at the lines of the grid: as many rounding errors.
TEST_CASE("a grid of heights in one tilted plane is that plane, with its pressure") {
  Random random(2);
  for (int round = 0; round < test::campaign(500); ++round) {
    const TriangleMesh body = test::random_shape(random);
    const Vec2 slope(random.uniform(-1, 1), random.uniform(-1, 1));
    HeightGrid grid{{-10, -10}, {4, 5}, 6, 5, {}};
    for (int row = 0; row < grid.rows; ++row)
      for (int column = 0; column < grid.columns; ++column)
        grid.heights.push_back(slope[0] * (-10 + 4 * column) + slope[1] * (-10 + 5 * row));
    const FluidSurface surface = grid;
    const Buoyancy found = *buoyancy(test::checked(body), Similarity(test::random_pose(random, 0)),
                                     test::surface_at(surface, 0, kGravity), 1e-3);
    CAPTURE(round);
    CHECK((found.lift - found.volume * Vec3(-slope[0], -slope[1], 1)).norm() <= 1e-12);
    CHECK(found.lift_moment.norm() <= 1e-12);
  }
}

// A box from z = -2 to 2 whose walls cross the water all around: its volume is that of its base
// times 2 and the integral of a cosine, its lift across the integral of the slope. The linear
// pieces are off by the tolerance at most, over 1 m^2 of surface above and as much of bottom.
TEST_CASE("a post in a wave has the closed form's volume and thrust") {
  const double k = 2 * kPi / 3, a = 0.2;
  const Waves waves{0.1, {{a, 3, 0, 0.4}}};
  const double time = 1.7, phase = 0.4 - std::sqrt(kGravity * k) * time;
  TriangleMesh post = make_box({1, 1, 4});
  Similarity pose = Similarity::Identity();
  pose.translation() = Vec3(0.3, -2, 0);
  const FluidSurface surface = waves;
  for (const double tolerance : {1e-3, 1e-4, 1e-5}) {
    const Buoyancy found =
        *buoyancy(test::checked(post), pose, test::surface_at(surface, time, kGravity), tolerance);
    const double sines = std::sin(k * 0.8 + phase) - std::sin(k * -0.2 + phase);
    const double cosines = std::cos(k * 0.8 + phase) - std::cos(k * -0.2 + phase);
    CHECK(std::fabs(found.volume - (2.1 + a / k * sines)) <= 2 * tolerance);
    // Minus the integral of dh/dx (h + 2): half the difference of (h + 2)^2 between the ends.
    const auto squared = [&](double x) {
      return std::pow(2.1 + a * std::cos(k * x + phase), 2) / 2;
    };
    CHECK(std::fabs(found.lift[0] + (squared(0.8) - squared(-0.2))) <= 20 * tolerance);
    CHECK(std::fabs(cosines) > 0.1);
  }
}

// The ball of 81,920 triangles is 2e-4 smaller than the true one, in radius about 5e-5; the columns
// err by less, as their ends do not matter where the chord vanishes.
TEST_CASE("an ellipsoid on waves has the integrals of its columns") {
  Random random(3);
  const TriangleMesh ball = make_icosphere(1, 6);
  for (int round = 0; round < (test::kAddressSanitizer ? 1 : test::campaign(100)); ++round) {
    const Pose turn = test::random_pose(random, 0.5);
    const Vec3 radii(random.uniform(0.3, 1), random.uniform(0.3, 1), random.uniform(0.3, 1));
    Similarity pose(turn);
    TriangleMesh body = ball;
    for (Vec3& v : body.vertices) v = v.cwiseProduct(radii);
    const Eigen::Matrix3d axes = turn.linear();
    const Columns columns{axes * radii.cwiseAbs2().cwiseInverse().asDiagonal() * axes.transpose(),
                          turn.translation(), 1};
    const FluidSurface surface = choppy(random, 3);
    const SurfaceNow now = test::surface_at(surface, random.uniform(0, 10), kGravity);
    CAPTURE(round);
    check_near(*buoyancy(test::checked(body), pose, now, 1e-5), columns.under(now, 300), 1e-3);
  }
}

TEST_CASE("a wave's surface moves with the fluid, its slope and bounds are those of its height") {
  Random random(4);
  for (int round = 0; round < 100; ++round) {
    const FluidSurface surface = choppy(random, 4);
    const double x = random.uniform(-5, 5), y = random.uniform(-5, 5), t = random.uniform(0, 9);
    const SurfaceNow now = test::surface_at(surface, t, kGravity);
    const double d = 1e-5;
    const auto height_at = [&](double time) {
      return test::surface_at(surface, time, kGravity).height(x, y);
    };
    // Central differences of a sum of cosines with k <= 13 / m: d^2 k^3 / 6 = 4e-8 of 0.4 m.
    const Vec2 slope(now.height(x + d, y) - now.height(x - d, y),
                     now.height(x, y + d) - now.height(x, y - d));
    CHECK((now.slope(x, y) - slope / (2 * d)).norm() <= 1e-6);
    const Vec3 still(x, y, now.mean_height());
    CHECK(std::fabs(now.velocity(still)[2] - (height_at(t + d) - height_at(t - d)) / (2 * d)) <=
          1e-6);
    CHECK(now.height(x, y) >= now.lowest());
    CHECK(now.height(x, y) <= now.highest());
  }
}

TEST_CASE("over a triangle a surface is as flat as stated") {
  Random random(5);
  for (int round = 0; round < 2000; ++round) {
    FluidSurface surface = choppy(random, 3);
    if (round % 2 == 0) {
      HeightGrid grid{{-1, -1}, {0.5, 0.25}, 5, 9, {}};
      for (int i = 0; i < 45; ++i) grid.heights.push_back(random.uniform(-0.3, 0.3));
      surface = grid;
    }
    const SurfaceNow now = test::surface_at(surface, 0, kGravity);
    const double length = std::pow(10, random.uniform(-4, 0.5));
    Vec2 corner[3];
    Eigen::AlignedBox2d shadow;
    for (Vec2& c : corner) {
      for (double& x : c) x = random.uniform(-1.5, 1.5);
      if (&c != corner) c = corner[0] + length * (c - corner[0]);
      shadow.extend(c);
    }
    double u = random.unit(), v = random.unit();
    if (u + v > 1) u = 1 - u, v = 1 - v;
    const double share[3] = {1 - u - v, u, v};
    double linear = 0;
    Vec2 at(0, 0);
    for (int k = 0; k < 3; ++k) {
      linear += share[k] * now.height(corner[k][0], corner[k][1]);
      at += share[k] * corner[k];
    }
    // And some ten roundings of heights below 1.
    CHECK(std::fabs(now.height(at[0], at[1]) - linear) <=
          now.interpolation_error(shadow.min(), shadow.max()) + 1e-15);
  }
}

TEST_CASE("surfaces with numbers that mean nothing are refused by name") {
  const auto where = [](const FluidSurface& surface) {
    const Result<void> checked = check_fluid_surface(surface);
    REQUIRE(!checked);
    return checked.error().where;
  };
  CHECK(where(StillWater{NAN}) == "height");
  CHECK(where(Waves{0, {{0.1, 1, 0, 0}, {0.1, 0, 0, 0}}}) == "components[1]");
  CHECK(where(Waves{0, {{-0.1, 1, 0, 0}}}) == "components[0]");
  CHECK(where(HeightGrid{{0, 0}, {1, 0}, 2, 2, {0, 0, 0, 0}}) == "spacing");
  CHECK(where(HeightGrid{{0, 0}, {1, 1}, 2, 2, {0, 0, 0}}) == "heights");
  CHECK(where(HeightGrid{{0, 0}, {1, 1}, 2, 1, {0, 0}}) == "heights");
  CHECK(check_fluid_surface(HeightGrid{{0, 0}, {1, 1}, 2, 2, {0, 0, 0, 1}}).has_value());
}

TEST_CASE("vertices that no triangle names are nowhere") {
  const SurfaceNow still = test::surface_at(StillWater{0.1}, 0, kGravity);
  const Similarity here = Similarity::Identity();
  const Buoyancy alone = *buoyancy(test::checked(make_box({1, 1, 1})), here, still, 1);
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL})
    for (const bool is_first : {false, true}) {
      TriangleMesh box = make_box({1, 1, 1});
      box.vertices.insert(is_first ? box.vertices.begin() : box.vertices.end(), {bad, bad, bad});
      if (is_first)
        for (Triangle& t : box.triangles)
          for (std::uint32_t& v : t) ++v;
      const Result<Buoyancy> wet = buoyancy(test::checked(box), here, still, 1);
      REQUIRE(wet);
      CHECK(std::fabs(wet->volume - alone.volume) <= 1e-15);
      CHECK((wet->center - alone.center).norm() <= 1e-15);
    }
}

}  // namespace plimsoll
