// Segments of disks and hyperbolas against Gauss's rule, where sums over their angles would cancel
// and where they would not.
#include "hydro/conic_segment.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/gauss_rules.h"
#include "support/approx.h"

namespace plimsoll {
namespace {

using Real = long double;
constexpr Real kPi = std::numbers::pi_v<Real>;

void check_near(double value, Real expected, double tolerance) {
  CAPTURE(value);
  CAPTURE(static_cast<double>(expected));
  CHECK(std::abs(value - static_cast<double>(expected)) <=
        tolerance * std::abs(static_cast<double>(expected)));
}

/// Area, first, half of the second moment about the chord, moment across, arcs or 0. With x =
/// cos(tau), cos(tau) - cos(t) is a product of sines, so that no term cancels; with cosh and sinh
/// for the hyperbola. Smooth: 40 points are exact to the rounding of their weights, 1e-16.
std::array<Real, 5> integrals(Real e) {
  const bool is_disk = e > 0;
  const auto sine = [&](Real x) { return is_disk ? std::sin(x) : std::sinh(x); };
  const Real t = 2 * (is_disk ? std::asin(std::sqrt(e / 2)) : std::asinh(std::sqrt(-e / 2)));
  const GaussRule rule = gauss_legendre(40);
  std::array<Real, 5> sums{};
  for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
    const Real tau = t * rule.nodes[i], y = sine(tau);
    const Real x = 2 * sine((t + tau) / 2) * sine((t - tau) / 2);
    const Real weight = t * rule.weights[i] * 2 * y * y;
    const std::array<Real, 5> terms = {1, x, x * x / 2, y * y / 3, is_disk ? tau / (2 * y) : 0};
    for (std::size_t k = 0; k < terms.size(); ++k) sums[k] += weight * terms[k];
  }
  return sums;
}

const std::vector<double> kDepths = {1e-300, 1e-30, 1e-12, 1e-6, 1e-3, 0.01, 0.1,     0.14999,
                                     0.15,   0.151, 0.3,   0.7,  1,    1.3,  1.99999, 2};

// The larger the fewer powers of e cancel: e^(7/2) in the worst of them at 0.15, 3e-13. Below 1e-20
// products underflow.
TEST_CASE("a segment of the disk has its area and moments however shallow it is") {
  for (const double e : kDepths) {
    CAPTURE(e);
    const DiskSegment found = disk_segment(e);
    const std::array<Real, 5> expected = integrals(e);
    check_near(found.cosine, 1 - static_cast<Real>(e), 1e-15);
    if (e < 2)
      check_near(found.sine, std::sqrt(static_cast<Real>(e) * (2 - static_cast<Real>(e))), 1e-15);
    check_near(found.angle, 2 * std::asin(std::sqrt(static_cast<Real>(e) / 2)), 1e-15);
    check_near(found.area, expected[0], 3e-15);
    check_near(found.arcs, expected[4], 3e-15);
    if (e < 1e-20) continue;
    check_near(found.first, expected[1], 2e-14);
    check_near(found.across, expected[3], 2e-14);
    check_near(found.half_second, expected[2], 4e-13);
  }
}

// The same segment, by its half chord, as part of an ellipse, a parabola and a hyperbola.
TEST_CASE("shallow segments of conics pass from ellipses to hyperbolas") {
  for (const double e : {-0.15, -0.1, -0.01, -1e-6, 1e-6, 0.01, 0.1, 0.15}) {
    CAPTURE(e);
    const ReducedSegment found = shallow_segment(e);
    const std::array<Real, 5> expected = integrals(e);
    const Real square = std::abs(e * (2 - static_cast<Real>(e))), cube = square * std::sqrt(square);
    check_near(found.area, expected[0] / cube, 3e-15);
    check_near(found.first, expected[1] / (cube * square), 1e-14);
    check_near(found.half_second, expected[2] / (cube * square * square), 3e-14);
    check_near(found.across, expected[3] / (cube * square), 3e-15);
  }
  CHECK(shallow_segment(0).area == test::approx(2.0 / 3).epsilon(1e-15));
}

// Far out sums of e^4 make what is e^4 / 12: nothing is lost.
TEST_CASE("a segment of a hyperbola has its area and moments however deep it is") {
  for (const double e : {-0.15, -0.2, -1.0, -7.0, -1e3}) {
    CAPTURE(e);
    const DiskSegment found = hyperbola_segment(e);
    const std::array<Real, 5> expected = integrals(e);
    check_near(found.area, expected[0], 2e-14);
    check_near(found.first, expected[1], 4e-14);
    check_near(found.half_second, expected[2], 2e-12);
    check_near(found.across, expected[3], 2e-13);
  }
}

// Rounded once from the nearest of eight directions and once more: 7e-16, where angles are above 2
// and have a unit in the last place of 4e-16.
TEST_CASE("the angle of a direction is that of its arc") {
  double worst = 0;
  for (int i = 0; i <= 200000; ++i) {
    const Real angle = kPi * i / 200000;
    const double found = angle_of(static_cast<double>(std::cos(angle)),
                                  std::abs(static_cast<double>(std::sin(angle))));
    worst = std::max(worst, std::abs(static_cast<double>(found - angle)));
  }
  CHECK(worst <= 7e-16);
}

}  // namespace
}  // namespace plimsoll
