// The oracle is the textbook's formula in numbers of 100 digits, which its differences of nearly
// equal terms may cost. Radii and distances are doubles, so that both compute the same lens.
#include "spheres/lens.h"

#include <doctest/doctest.h>

#include <array>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <numbers>

#include "core/random.h"
#include "support/approx.h"
#include "support/campaign.h"

namespace plimsoll {
namespace {

using Real = boost::multiprecision::cpp_bin_float_100;

const Real kPi = boost::math::constants::pi<Real>();

Real ball(const Real& r) { return 4 * kPi / 3 * r * r * r; }

/// Cap of a ball of radius r of which `height` is cut off.
Real cap(const Real& r, const Real& height) { return kPi / 3 * height * height * (3 * r - height); }

/// Where the surfaces cross, measured from the center of the first ball.
Real plane(const Real& r, const Real& s, const Real& d) {
  return (d * d + r * r - s * s) / (2 * d);
}

bool cross(const Real& r, const Real& s, const Real& d) { return abs(r - s) < d && d < r + s; }

Real exact_volume(const Real& r, const Real& s, const Real& d) {
  if (d >= r + s) return 0;
  if (!cross(r, s, d)) return ball(std::min(r, s));
  return cap(r, r - plane(r, s, d)) + cap(s, s - (d - plane(r, s, d)));
}

Real exact_area(const Real& r, const Real& s, const Real& d) {
  if (!cross(r, s, d)) return 0;
  return kPi * (r * r - plane(r, s, d) * plane(r, s, d));
}

/// Moment of a cap about the center of its ball: the integral of pi x (r^2 - x^2) from x to r.
Real cap_moment(const Real& r, const Real& x) {
  return kPi * (r * r * r * r - 2 * r * r * x * x + x * x * x * x) / 4;
}

Real exact_centroid(const Real& r, const Real& s, const Real& d) {
  if (!cross(r, s, d)) return r < s ? Real(0) : d;
  const Real x = plane(r, s, d);
  const Real second = d * cap(s, s - (d - x)) - cap_moment(s, d - x);
  return (cap_moment(r, x) + second) / exact_volume(r, s, d);
}

/// The antiderivative of the lens volume, term by term.
Real antiderivative(const Real& r, const Real& s, const Real& t) {
  const Real sum2 = (r + s) * (r + s), difference2 = (r - s) * (r - s);
  const Real last = difference2 == 0 ? Real(0) : Real(3 * sum2 * difference2 * log(t));
  return kPi / 12 *
         (t * t * t * t / 4 - 3 * (sum2 + difference2) * t * t / 2 +
          2 * (r + s) * (sum2 + 3 * difference2) * t - last);
}

Real exact_potential(const Real& r, const Real& s, const Real& d) {
  if (d >= r + s) return 0;
  const Real from = std::max(d, Real(abs(r - s)));
  return antiderivative(r, s, r + s) - antiderivative(r, s, from) +
         (from - d) * ball(std::min(r, s));
}

/// Integral of d lens_push from d on: by Gauss' rule of two points in 4,000 steps up to the
/// distance from which nothing fades.
Real push_potential(double r, double s, double d) {
  const Real fade = kFade * Real(std::min(r, s));
  if (d >= fade) return exact_potential(r, s, d);
  const int steps = 400;
  const Real step = (fade - d) / steps;
  Real sum = 0;
  for (int i = 0; i < steps; ++i)
    for (const int side : {-1, 1}) {
      const Real t = d + step * (i + Real(0.5) + side / (2 * sqrt(Real(3))));
      sum += exact_volume(r, s, t) * t / fade;
    }
  return exact_potential(r, s, fade) + sum * step / 2;
}

struct Balls {
  double r = 1, s = 1, d = 1;
};

/// Of radii up to 10^6 apart; crossing anywhere, or nearly touching, from outside or from inside,
/// or one within the other.
Balls random_balls(Random& random) {
  Balls balls{
      .r = std::pow(10, random.uniform(-3, 3)), .s = std::pow(10, random.uniform(-3, 3)), .d = 0};
  if (random.below(4) == 0) balls.s = balls.r * (1 + std::pow(10, random.uniform(-12, 0)));
  const double small = std::min(balls.r, balls.s), large = std::max(balls.r, balls.s);
  const double depth =
      2 * small * (random.below(2) == 0 ? random.unit() : std::pow(10, random.uniform(-9, 0)));
  balls.d = random.below(2) == 0 ? balls.r + balls.s - depth : large - small + depth;
  if (random.below(8) == 0) balls.d = random.unit() * (large - small);
  return balls;
}

/// How much a number changes over the rounding of the distance: its derivative times a unit in the
/// last place of the largest length.
double of_rounding(const Balls& balls, double derivative) {
  return 0x1p-52 * std::max({balls.r, balls.s, balls.d}) * std::abs(derivative);
}

// A handful of roundings of 1.1e-16 each. The distance is a double, and exact: but its difference
// from the sum of the radii is rounded when it is not small.
TEST_CASE("volume, disk and centroid of a lens are those of the textbook") {
  Random random(1);
  for (int i = 0; i < test::campaign(20000); ++i) {
    const Balls balls = random_balls(random);
    const auto [r, s, d] = balls;
    CAPTURE(r);
    CAPTURE(s);
    CAPTURE(d);
    const auto volume = static_cast<double>(exact_volume(r, s, d));
    const auto area = static_cast<double>(exact_area(r, s, d));
    CHECK(std::abs(lens_volume(r, s, d) - volume) <= 4e-15 * volume + of_rounding(balls, area));
    // The area vanishes like the depth, or the distance from the inner tangency.
    const double slope = 2 * std::numbers::pi * std::max(r, s);
    CHECK(std::abs(lens_area(r, s, d) - area) <= 4e-15 * area + of_rounding(balls, slope));
    CHECK(lens_area(r, s, d) >= 0);
    if (!(lens_volume(r, s, d) > 0)) continue;
    const auto centroid = static_cast<double>(exact_centroid(r, s, d));
    // Over a change of d, the centroid moves at most as much.
    CHECK(std::abs(lens_centroid(r, s, d) - centroid) <= 4e-15 * std::max(centroid, d));
  }
}

TEST_CASE("separate balls have no lens, and a ball within another is the lens") {
  CHECK(lens_volume(1, 2, 3) == 0);
  CHECK(lens_volume(1, 2, 1e9) == 0);
  CHECK(lens_area(1, 2, 4) == 0);
  CHECK(lens_potential(1, 2, 3) == 0);
  // Squares of these radii are no doubles.
  CHECK(lens_volume(1e160, 1, 2e160) == 0);
  CHECK(lens_potential(1e160, 1, 2e160) == 0);
  CHECK(lens_potential(1, 1e160, 1.5e160) == 0);
  const double unit = 4 * std::numbers::pi / 3;
  CHECK(lens_volume(1, 3, 1.5) == test::approx(unit).epsilon(1e-15));
  CHECK(lens_volume(1, 1, 0) == test::approx(unit).epsilon(1e-15));
  CHECK(lens_area(1, 3, 1.5) == 0);
  CHECK(lens_centroid(3, 1, 1.5) == test::approx(1.5).epsilon(1e-15));
  CHECK(lens_centroid(1, 3, 1.5) == 0);
  CHECK(lens_centroid(1, 1, 0) == 0);
}

// The sum of both distances from a center is the distance of the centers.
TEST_CASE("the centroid is the same from either side") {
  Random random(2);
  for (int i = 0; i < test::campaign(5000); ++i) {
    const auto [r, s, d] = random_balls(random);
    if (!(lens_volume(r, s, d) > 0)) continue;
    CHECK(std::abs(lens_centroid(r, s, d) + lens_centroid(s, r, d) - d) <= 8e-15 * d);
  }
}

TEST_CASE("the potential is the integral of the volume") {
  Random random(3);
  for (int i = 0; i < test::campaign(5000); ++i) {
    const Balls balls = random_balls(random);
    const auto [r, s, d] = balls;
    CAPTURE(r);
    CAPTURE(s);
    CAPTURE(d);
    const auto potential = static_cast<double>(exact_potential(r, s, d));
    // The cubic term in the depth is a difference of terms up to four times as large.
    CHECK(std::abs(lens_potential(r, s, d) - potential) <=
          2e-14 * potential + of_rounding(balls, lens_volume(r, s, d)));
  }
}

// Gauss' rule of two points on 400 steps is wrong by some (1 / 400)^4 / 4320, or 1e-14, of the
// fourth derivative, and where the volume's third derivative jumps by (1 / 400)^4, or 3e-11.
TEST_CASE("the potential of the faded push is the integral of the push") {
  Random random(4);
  for (int i = 0; i < test::campaign(100); ++i) {
    const double r = random.uniform(0.5, 2), s = i % 4 == 0 ? r : random.uniform(0.5, 2);
    const double d = random.unit() * kFade * std::min(r, s);
    const auto potential = static_cast<double>(push_potential(r, s, d));
    CHECK(std::abs(lens_push_potential(r, s, d) - potential) <= 1e-9 * potential);
  }
  CHECK(lens_push_potential(1, 2, 2.5) == lens_potential(1, 2, 2.5));
  CHECK(lens_push_potential(1, 1, 0) > lens_push_potential(1, 1, 1e-3));
}

// The force is the push times the vector between the centers: its length and its direction change.
TEST_CASE("the push of two balls changes by no more than its bound times the motion") {
  Random random(5);
  const auto force = [](double r, double s, double x, double y) {
    const double push = lens_push(r, s, std::hypot(x, y));
    return std::array{push * x, push * y};
  };
  double largest = 0;
  for (int i = 0; i < test::campaign(100000); ++i) {
    const double r = random.uniform(0.1, 2), s = i % 3 == 0 ? r : random.uniform(0.1, 2);
    const double size = i % 2 == 0 ? r + s : std::min(r, s);
    const double x = size * random.uniform(-1, 1), y = size * random.uniform(-1, 1);
    const double step = size * std::pow(10, random.uniform(-4, 0));
    const double u = step * random.uniform(-1, 1), v = step * random.uniform(-1, 1);
    const auto before = force(r, s, x, y), after = force(r, s, x + u, y + v);
    const double change = std::hypot(after[0] - before[0], after[1] - before[1]);
    const double bound = lens_push_bound(r, s) * std::hypot(u, v);
    CHECK(change <= bound * (1 + 1e-9));  // differences lose a few digits
    largest = std::max(largest, change / bound);
  }
  CHECK(largest > 0.9);  // the bound is no larger than needed
  CHECK(force(1, 1, 0, 0) == std::array{0.0, 0.0});
}

}  // namespace
}  // namespace plimsoll
