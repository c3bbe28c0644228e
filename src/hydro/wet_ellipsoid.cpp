// Balls and ellipsoids: closed forms but for the wetted area of an ellipsoid.
#include <plimsoll/elementary.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "hydro/quadrature.h"
#include "hydro/wet_part.h"
#include "shape/primitive_moments.h"

namespace plimsoll {
namespace {

using std::numbers::pi;

/// The area of { D N : |N| = 1, n . N <= d } with d <= 0 and D = diag(radii), n of unit length. It
/// is the integral of f = sqrt(N^T Q N) over the cap, Q = diag(b^2 c^2, a^2 c^2, a^2 b^2). Great
/// circles through the end of the longest half axis a, N = (sin l, cos l cos t, cos l sin t), t
/// over half a turn, have with zeta = sin l and
///   g(t) = a^2 c^2 cos^2 t + a^2 b^2 sin^2 t >= b^2 c^2,   e^2 = g - b^2 c^2,
///   int f |cos l| dl = int sqrt(g - e^2 zeta^2) dzeta = (zeta w + g arg(w + i e zeta) / e) / 2,
/// w = sqrt(g (1 - zeta^2) + b^2 c^2 zeta^2).
class EllipsoidCap {
 public:
  EllipsoidCap(const Vec3& radii, const Vec3& n, double d) : d_(d) {
    std::array<int, 3> order = {0, 1, 2};
    std::sort(order.begin(), order.end(), [&](int i, int j) { return radii[i] > radii[j]; });
    size_ = radii[order[0]];
    const double b = radii[order[1]] / size_, c = radii[order[2]] / size_;
    q_ = {b * c * b * c, c * c, b * b};
    n_axis_ = std::abs(n[order[0]]);
    n_across_ = elementary::hypot(n[order[1]], n[order[2]]);
    toward_ = elementary::atan2(std::abs(n[order[2]]), std::abs(n[order[1]]));
  }

  // With t = toward +- (pi / 2 - x), circles meet the cap for x from `first` to pi / 2. There are
  // creases at t = 0, where g is least, and, if the cap passes the end of the axis at a distance
  // like `pass`, singularities at x = +-i pass: the smaller it is, the more they need a split.
  [[nodiscard]] double area() const {
    const double beyond = (-d_ - n_axis_) * (n_axis_ - d_);  // d^2 - n_axis^2
    const double first =
        beyond > 0 ? elementary::atan2(std::sqrt(beyond), std::sqrt((1 - d_) * (1 + d_))) : 0;
    const double pass = n_axis_ - d_, split = std::max(first, pass < 0.3 ? 3 * pass : 0);
    const double crease = std::max(first, pi / 2 - toward_);
    Sum sum{};
    for (const double side : {-1, 1}) {
      std::array<double, 4> ends = {first, split, side < 0 ? crease : first, pi / 2};
      std::sort(ends.begin(), ends.end());
      const auto strip = [&](double x) {
        return Sum{
            strip_width(toward_ + side * (pi / 2 - x), n_across_ * elementary::sin(x), beyond > 0)};
      };
      for (std::size_t i = 0; i < 3; ++i)
        if (ends[i] < ends[i + 1]) integrate(ends[i], ends[i + 1], rule_for(false), strip, sum);
    }
    return sum[0] * size_ * size_;
  }

 private:
  using Sum = std::array<double, 1>;
  using Complex = std::complex<double>;

  // n . N = m cos l + n_axis sin l = d at zeta = (d n_axis -+ m sqrt(q - d^2)) / q, q = m^2 +
  // n_axis^2. If the end of the axis is wet, the circle is from one of them over it to the other.
  // The angles add up to at most pi.
  [[nodiscard]] double strip_width(double t, double m, bool end_dry) const {
    const auto [sine, cosine] = elementary::sin_cos(t);
    const double g = q_[1] * cosine * cosine + q_[2] * sine * sine;
    const double e = std::sqrt(std::max(g - q_[0], 1e-30 * g));  // kept from 0 / 0
    const double square = m * m + n_axis_ * n_axis_;
    const double reach = m * std::sqrt(std::max(0.0, square - d_ * d_));
    const auto at = [&](double zeta) {
      return Complex(std::sqrt(g * (1 - zeta) * (1 + zeta) + q_[0] * zeta * zeta), e * zeta);
    };
    const double low = std::max(-1.0, (d_ * n_axis_ - reach) / square);
    const double high = std::min(1.0, (d_ * n_axis_ + reach) / square);
    const Complex at_low = at(low), at_high = at(high), at_end = at(1);
    const Complex turn = end_dry ? at_high * std::conj(at_low) : at_high * at_low * at_end * at_end;
    const double flat = end_dry ? high * at_high.real() - low * at_low.real()
                                : high * at_high.real() + low * at_low.real() + 2 * at_end.real();
    return (flat + g / e * elementary::atan2(turn.imag(), turn.real())) / 2;
  }

  double d_, size_ = 1, n_axis_ = 0, n_across_ = 0, toward_ = 0;
  std::array<double, 3> q_{};
};

}  // namespace

/// A cap of height h = r + d: V = pi/3 h^2 (3 r - h), V center = -pi/4 (r^2 - d^2)^2 n.
WetPart wet_part(const Sphere& sphere, const WaterPlane& water, bool areas) {
  const double r = sphere.radius, d = water.offset, h = r + d;
  const double square = h * (r - d);  // of the radius of the section
  WetPart wet;
  wet.volume = pi / 3 * h * h * (3 * r - h);
  wet.first = -pi / 4 * square * square * water.normal;
  if (!areas) return wet;
  const double area = pi * square;
  wet.area = 2 * pi * r * h;
  wet.section = {.area = area, .axes = axes_across(water.normal)};
  finish(wet.section, d * water.normal, Vec2::Zero(), area * square / 4 * Mat2::Identity());
  return wet;
}

/// The image of the unit ball under D = diag(radii), cut by the plane of direction D n. A disk of
/// radius rho has second moments A rho^2 / 4 along any axes; D takes them along.
WetPart wet_part(const Ellipsoid& ellipsoid, const WaterPlane& water,
                 const SubmersionParts& parts) {
  const Vec3 &radii = ellipsoid.radii, n = radii.cwiseProduct(water.normal);
  const double reach = n.norm(), product = radii.prod();
  const Vec3 n_ball = n / reach;
  const double d = water.offset / reach;
  WetPart wet = wet_part(Sphere{1}, {n_ball, d}, parts.waterplane);
  wet.volume *= product;
  wet.first = product * radii.cwiseProduct(wet.first);
  if (parts.wetted_area) {
    wet.area = EllipsoidCap(radii, n_ball, -std::abs(d)).area();
    if (d > 0) wet.area = own_area(ellipsoid) - wet.area;
  }
  if (!parts.waterplane) return wet;
  const Mat23 axes = axes_across(water.normal), pulled = axes * radii.asDiagonal();
  const Mat23 in_disk = pulled - pulled * n_ball * n_ball.transpose();
  wet.section.axes = axes;
  wet.section.area *= product / reach;
  finish(wet.section, d * radii.cwiseProduct(n_ball), Vec2::Zero(),
         wet.section.area * (1 - d) * (1 + d) / 4 * in_disk * in_disk.transpose());
  return wet;
}

}  // namespace plimsoll
