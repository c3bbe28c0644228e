#include "spheres/ball_box.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "core/random.h"
#include "support/campaign.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

using Real = long double;
constexpr double kPi = std::numbers::pi, kInfinite = std::numeric_limits<double>::infinity();

Box3 box_of(const Vec3& low, const Vec3& high) { return {low, high}; }

// The oracle cuts the ball across x. What a disc and a rectangle have in common is an integral over
// y in closed form between the places where the circle passes a side; the integral over x goes by
// double exponential quadrature between the places where that changes, which no root at an end
// disturbs. Long doubles throughout.

/// Integral of sqrt(r^2 - y^2).
Real half_disc(Real r, Real y) {
  const Real t = std::clamp(y / r, Real(-1), Real(1));
  return r * r / 2 * (t * std::sqrt(std::max(1 - t * t, Real(0))) + std::asin(t));
}

Real disc_rectangle(Real r, const std::array<Real, 2>& y, const std::array<Real, 2>& z) {
  if (!(r > 0) || y[0] >= r || y[1] <= -r) return 0;
  std::vector<Real> cuts{-r, r, y[0], y[1]};
  for (const Real side : z)
    if (std::abs(side) < r)
      for (const Real sign : {-1, 1}) cuts.push_back(sign * std::sqrt((r - side) * (r + side)));
  for (Real& cut : cuts) cut = std::clamp(cut, std::max(y[0], -r), std::min(y[1], r));
  std::sort(cuts.begin(), cuts.end());
  Real area = 0;
  for (std::size_t i = 1; i < cuts.size(); ++i) {
    const Real a = cuts[i - 1], b = cuts[i], middle = (a + b) / 2;
    if (!(a < b) || middle <= y[0] || middle >= y[1]) continue;
    const Real s = std::sqrt(std::max((r - middle) * (r + middle), Real(0)));
    const Real below = std::max(-s, z[0]), above = std::min(s, z[1]);
    if (below >= above) continue;
    const Real round = half_disc(r, b) - half_disc(r, a);
    area += (above == s ? round : above * (b - a)) - (below == -s ? -round : below * (b - a));
  }
  return area;
}

template <class F>
Real integral(Real a, Real b, const F& f) {
  constexpr int kNodes = 60;
  constexpr Real kStep = 3.4L / kNodes;
  Real sum = 0;
  for (int i = -kNodes; i <= kNodes; ++i) {
    const Real t = kStep * static_cast<Real>(i), u = std::numbers::pi_v<Real> / 2 * std::sinh(t);
    const Real to_end = 1 / (std::exp(2 * u) + 1);  // share of the way left to b
    const Real weight = std::numbers::pi_v<Real> / 4 * std::cosh(t) / (std::cosh(u) * std::cosh(u));
    sum += weight * f(b - (b - a) * to_end);
  }
  return sum * kStep * (b - a);
}

Real oracle(const Vec3& low, const Vec3& high) {
  const std::array<Real, 2> x{low.x(), high.x()}, y{low.y(), high.y()}, z{low.z(), high.z()};
  std::vector<Real> cuts{x[0], x[1], -1, 0, 1};
  const auto add = [&](Real squared) {
    if (squared < 1)
      for (const Real sign : {-1, 1}) cuts.push_back(sign * std::sqrt(1 - squared));
  };
  for (const Real v : y) add(v * v);
  for (const Real w : z) add(w * w);
  for (const Real v : y)
    for (const Real w : z) add(v * v + w * w);
  for (Real& cut : cuts)
    cut = std::clamp(cut, std::clamp(x[0], Real(-1), Real(1)), std::clamp(x[1], Real(-1), Real(1)));
  std::sort(cuts.begin(), cuts.end());
  Real volume = 0;
  for (std::size_t i = 1; i < cuts.size(); ++i)
    if (cuts[i - 1] < cuts[i])
      volume += integral(cuts[i - 1], cuts[i], [&](Real at) {
        return disc_rectangle(std::sqrt(std::max((1 - at) * (1 + at), Real(0))), y, z);
      });
  return volume;
}

// The header's bound; the oracle's own error is far below it.
constexpr double kBound = 1e-13 * 4 * kPi / 3;

TEST_CASE("what a ball and a box have in common is what quadrature says") {
  Random random(1);
  for (int round = 0; round < test::campaign(4000); ++round) {
    CAPTURE(round);
    const Vec3 a = 1.3 * test::random_vector(random);
    Vec3 b = 1.3 * test::random_vector(random);
    if (round % 3 == 0) b = a + std::pow(10.0, random.uniform(-4, 0)) * test::random_vector(random);
    Vec3 low = a.cwiseMin(b), high = a.cwiseMax(b);
    if (round % 5 == 0) low[round % 3] = 0;
    if (round % 7 == 0) high[round % 3] = low[round % 3] + 0.1;
    if ((high - low).minCoeff() <= 0) continue;
    const double volume = ball_box_volume({Vec3::Zero(), 1}, box_of(low, high));
    CHECK(std::abs(volume - static_cast<double>(oracle(low, high))) <= kBound);
  }
}

TEST_CASE("planes that touch the ball, or meet upon it, cost no digits") {
  Random random(2);
  for (int round = 0; round < test::campaign(2000); ++round) {
    CAPTURE(round);
    const Vec3 on = test::random_vector(random).normalized();
    const double off = std::pow(10.0, random.uniform(-17, -3)) * (round % 2 == 0 ? 1 : -1);
    Vec3 low = on * (1 + off);
    if (round % 3 == 0) low = Vec3(on.x(), on.y() / std::hypot(on.x(), on.y()) * (1 + off), -2);
    if (round % 3 == 1) low = Vec3(1 + off, random.uniform(-1e-4, 1e-4), 1e-5 * on.z());
    const Vec3 high(2, 2, 2);
    const double volume = ball_box_volume({Vec3::Zero(), 1}, box_of(low, high));
    CHECK(std::abs(volume - static_cast<double>(oracle(low, high))) <= kBound);
  }
}

TEST_CASE("octants, caps, quarters and the cube in a ball have their volumes") {
  const auto volume = [](const Vec3& low, const Vec3& high) {
    return ball_box_volume({Vec3::Zero(), 1}, box_of(low, high));
  };
  const Vec3 far = Vec3::Constant(kInfinite);
  CHECK(std::abs(volume(-far, far) - 4 * kPi / 3) <= kBound);
  CHECK(std::abs(volume(Vec3::Zero(), far) - kPi / 6) <= kBound);
  CHECK(std::abs(volume({0, 0, -1}, far) - kPi / 3) <= kBound);
  const double cap = kPi / 3 * 0.25 * 2.5;
  CHECK(std::abs(volume({-2, 0.5, -2}, far) - cap) <= kBound);
  // A cube of the ball's volume over six caps: the caps do not meet below 1 / sqrt(2).
  CHECK(std::abs(volume(Vec3::Constant(-0.75), Vec3::Constant(0.75)) -
                 (4 * kPi / 3 - 6 * kPi / 3 * 0.0625 * 2.75)) <= kBound);
  CHECK(volume(Vec3::Constant(-0.5), Vec3::Constant(0.5)) == 1);
  CHECK(volume({0.8, 0.8, -1}, {1, 1, 1}) == 0);
  CHECK(volume({1, -1, -1}, {2, 1, 1}) == 0);
  CHECK(ball_box_volume({Vec3::Zero(), 0}, box_of(-far, far)) == 0);
  CHECK(ball_box_volume({Vec3::Zero(), 1}, Box3()) == 0);
}

// Each of n^3 boxes is good to the bound; the whole is not better than their sum.
TEST_CASE("the boxes of a lattice share the ball, of any size and anywhere") {
  Random random(3);
  for (int round = 0; round < test::campaign(200); ++round) {
    CAPTURE(round);
    const double size = std::pow(10.0, random.uniform(-6, 6));
    const PlacedSphere ball{size * test::random_vector(random), size * random.uniform(0.1, 1)};
    double sum = 0;
    constexpr int kCount = 5;
    for (int i = 0; i < kCount * kCount * kCount; ++i) {
      const Vec3 place(i % kCount, i / kCount % kCount, i / kCount / kCount);
      const Vec3 low = size * (place * 0.8 - Vec3::Constant(2));
      sum += ball_box_volume(ball, box_of(low, low + Vec3::Constant(0.8 * size)));
    }
    const double whole = 4 * kPi / 3 * ball.radius * ball.radius * ball.radius;
    // Neighbors' common corners are rounded apart, by 4e-16 of the size, which is up to ten radii:
    // over a section of pi r^2 that is 3e-15 of the volume each.
    CHECK(std::abs(sum - whole) <= 125 * 1e-13 * whole);
  }
}

}  // namespace
}  // namespace plimsoll
