// Integrals of the lens volume over the distance of the centers.
#include "spheres/lens.h"

#include <plimsoll/elementary.h>

#include <cmath>

namespace plimsoll {
namespace {

/// The sum of x^k / k from k = 4: -log(1 - x) less the first three terms of its series. The closed
/// form loses 5 bits at 1/2, and all where x is small. Precondition: 0 <= x < 1.
double log_tail(double x) {
  if (x > 0.5) return -elementary::log1p(-x) - x * (1 + x * (0.5 + x / 3));
  double power = x * x * x * x;
  double sum = 0;
  for (int k = 4; power > 0x1p-60 * sum; ++k, power *= x) sum += power / k;
  return sum;
}

double ball_volume(double radius) { return 4 * std::numbers::pi / 3 * radius * radius * radius; }

/// The antiderivative over t of t V(t), where the surfaces cross at the distance t.
double crossing_moment(double sum, double difference, double t) {
  const double s2 = sum * sum, d2 = difference * difference;
  return std::numbers::pi / 12 * t * t *
         (t * (t * t / 5 - (s2 + d2)) + sum * (s2 + 3 * d2) - 3 * d2 * s2 / t);
}

}  // namespace

// With S = r + s and u = S - t, V is pi/12 u^2 (6 m - u + 3 D (2 m - u) / (S - u)). From u = 0 to
// the depth h, the polynomial gives 2 m h^3 - h^4 / 4. In the rest, (2 m - u) / (S - u) = 1 - D /
// (S - u) and the integral of u^2 / (S - u) is S^2 times the sum of (h / S)^k / k from k = 3, whose
// first term joins the polynomial:
//
//   3 D (2 m h^3 / (3 S) - D S^2 (sum from k = 4)).
//
// The second term is at most 3/4 of the first. Where one ball lies in the other, V is constant.
double lens_potential(double r, double s, double d) {
  const auto [radius, difference, distance, depth, inside] = lens_terms(r, s, d);
  const double sum = r + s;
  if (!(depth > 0)) return 0;
  double integral = depth * depth * depth * (2 * radius - depth / 4);
  if (difference > 0)
    integral += 3 * difference *
                (2 * radius * depth * depth * depth / (3 * sum) -
                 difference * sum * sum * log_tail(depth / sum));
  return std::numbers::pi / 12 * integral + std::fmax(0.0, difference - d) * ball_volume(radius);
}

// Up to the distance f the force is V t / f. The integral from d to f is that of a constant volume
// times t up to t = D, and a polynomial from there on. Where the latter matters D is below f, so
// that its terms are no larger than some (5 m)^5.
double lens_push_potential(double r, double s, double d) {
  const double small = std::fmin(r, s), difference = std::fabs(r - s);
  const double fade = kFade * small;
  if (d >= fade) return lens_potential(r, s, d);
  const double crossing = std::fmin(std::fmax(d, difference), fade);
  double moment = ball_volume(small) * (crossing - d) * (crossing + d) / 2;
  if (crossing < fade)
    moment += crossing_moment(r + s, difference, fade) -
              (crossing > 0 ? crossing_moment(r + s, difference, crossing) : 0);
  return lens_potential(r, s, fade) + moment / fade;
}

}  // namespace plimsoll
