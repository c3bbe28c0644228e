#include "columns/line_crossings.h"

#include <plimsoll/elementary.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace plimsoll {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

/// Cuts `span` to low <= x + s dx < high. False if nothing is left.
bool clip_to_slab(double x, double dx, double low, double high, std::uint32_t low_surface,
                  std::uint32_t high_surface, Span& span) {
  if (dx == 0) return low <= x && x < high;
  double enter = (low - x) / dx, leave = (high - x) / dx;
  if (dx < 0) {
    std::swap(enter, leave);
    std::swap(low_surface, high_surface);
  }
  if (enter > span.enter) {
    span.enter = enter;
    span.enter_surface = low_surface;
  }
  if (leave < span.leave) {
    span.leave = leave;
    span.leave_surface = high_surface;
  }
  return span.enter < span.leave;
}

/// The roots of a s^2 + 2 b s + c, ascending, where d = b^2 - a c >= 0 is known better than from
/// that difference: the larger one by a sum, the other by Vieta. A vanishing a sends one to
/// infinity.
struct Roots {
  double low, high;
};
Roots quadratic_roots(double a, double b, double c, double d) {
  const double q = -(b + std::copysign(std::sqrt(d), b));
  if (q == 0) return {0, 0};
  const double s = q / a, t = c / q;
  return {std::min(s, t), std::max(s, t)};
}

/// The piece within radius r of the axis z, by x^2 + y^2 <= r^2:
///   a = dx^2 + dy^2, b = x dx + y dy, c = x^2 + y^2 - r^2, b^2 - a c = a r^2 - (x dy - y dx)^2.
bool clip_to_tube(const Line& line, double r, Span& span) {
  const double x = line.origin.x(), y = line.origin.y();
  const double dx = line.direction.x(), dy = line.direction.y();
  const double a = dx * dx + dy * dy, c = x * x + y * y - r * r;
  if (a == 0) return c < 0;
  const double moment = x * dy - y * dx;
  const double d = a * r * r - moment * moment;
  if (!(d > 0)) return false;
  const Roots roots = quadratic_roots(a, x * dx + y * dy, c, d);
  span.enter = roots.low;
  span.leave = roots.high;
  return true;
}

/// The piece within radius r of the point (0, 0, z).
bool clip_to_ball(const Line& line, double z, double r, Span& span) {
  const Vec3 from = line.origin - Vec3(0, 0, z);
  const double b = from.dot(line.direction);
  const double d = r * r - (from - b * line.direction).squaredNorm();
  if (!(d > 0)) return false;
  const double half = std::sqrt(d);
  span.enter = -b - half;
  span.leave = -b + half;
  return true;
}

}  // namespace

bool clip_to_box(const Line& line, const Box3& box, Span& span) {
  span = {-kFar, kFar, 0, 0};
  for (int i = 0; i < 3; ++i) {
    const auto face = static_cast<std::uint32_t>(2 * i);
    if (!clip_to_slab(line.origin[i], line.direction[i], box.min()[i], box.max()[i], face, face + 1,
                      span))
      return false;
  }
  return true;
}

void crossings(const Line& line, const BoxSolid& box, LineSpans& out) {
  Span span;
  if (clip_to_box(line, {-0.5 * box.size, 0.5 * box.size}, span)) out.add(span);
}

void crossings(const Line& line, const Sphere& sphere, LineSpans& out) {
  Span span;
  if (clip_to_ball(line, 0, sphere.radius, span)) out.add(span);
}

// In units of the half axes the ellipsoid is the unit ball, and the line has speed |e|.
void crossings(const Line& line, const Ellipsoid& ellipsoid, LineSpans& out) {
  const Vec3 p = line.origin.cwiseQuotient(ellipsoid.radii);
  const Vec3 e = line.direction.cwiseQuotient(ellipsoid.radii);
  const double speed = e.norm();
  const Vec3 unit = e / speed;
  const double b = p.dot(unit);
  const double d = 1 - (p - b * unit).squaredNorm();
  if (!(d > 0)) return;
  const double half = std::sqrt(d);
  out.add({(-b - half) / speed, (-b + half) / speed, 0, 0});
}

void crossings(const Line& line, const Cylinder& cylinder, LineSpans& out) {
  Span span{-kFar, kFar, 0, 0};
  const double half = cylinder.height / 2;
  if (clip_to_tube(line, cylinder.radius, span) &&
      clip_to_slab(line.origin.z(), line.direction.z(), -half, half, 1, 2, span))
    out.add(span);
}

// Convex, so the piece reaches from the first to the last point of the three parts.
void crossings(const Line& line, const Capsule& capsule, LineSpans& out) {
  Span whole{kFar, -kFar, 0, 0};
  const auto extend = [&](const Span& part) {
    if (part.enter < whole.enter) {
      whole.enter = part.enter;
      whole.enter_surface = part.enter_surface;
    }
    if (part.leave > whole.leave) {
      whole.leave = part.leave;
      whole.leave_surface = part.leave_surface;
    }
  };
  const double half = capsule.height / 2;
  Span part{-kFar, kFar, 0, 0};
  if (clip_to_tube(line, capsule.radius, part) &&
      clip_to_slab(line.origin.z(), line.direction.z(), -half, half, 0, 0, part))
    extend(part);
  part = {0, 0, 1, 1};
  if (clip_to_ball(line, -half, capsule.radius, part)) extend(part);
  part = {0, 0, 2, 2};
  if (clip_to_ball(line, half, capsule.radius, part)) extend(part);
  if (whole.enter < whole.leave) out.add(whole);
}

// With w = h - z below the apex and k = r / h the cone is x^2 + y^2 <= k^2 w^2, 0 <= w <= h. The
// quadratic's half discriminant b^2 - a c, by Lagrange's identity for diag(1, 1, -k^2), is
//   k^2 ((x dw - w dx)^2 + (y dw - w dy)^2) - (x dy - y dx)^2.
// Where a > 0 the line is inside one nappe between the roots; where a < 0 it is inside each of the
// two beyond a root, and the nappe w > 0 is where w grows.
void crossings(const Line& line, const Cone& cone, LineSpans& out) {
  const double x = line.origin.x(), y = line.origin.y(), w = cone.height - line.origin.z();
  const double dx = line.direction.x(), dy = line.direction.y(), dw = -line.direction.z();
  const double k = cone.radius / cone.height;
  const double a = dx * dx + dy * dy - k * dw * (k * dw);
  const double b = x * dx + y * dy - k * w * (k * dw);
  const double c = x * x + y * y - k * w * (k * w);
  const double u = k * (x * dw - w * dx), v = k * (y * dw - w * dy), moment = x * dy - y * dx;
  const double d = u * u + v * v - moment * moment;
  Span span{-kFar, kFar, 0, 0};
  if (a > 0) {
    if (!(d > 0)) return;
    const Roots roots = quadratic_roots(a, b, c, d);
    span.enter = roots.low;
    span.leave = roots.high;
  } else if (a < 0) {
    const Roots roots = quadratic_roots(a, b, c, std::max(d, 0.0));
    (dw > 0 ? span.enter : span.leave) = dw > 0 ? roots.high : roots.low;
  } else if (b != 0) {
    (b > 0 ? span.leave : span.enter) = -c / (2 * b);
  }
  if (clip_to_slab(line.origin.z(), line.direction.z(), 0, cone.height, 1, 0, span)) out.add(span);
}

// ---- torus

namespace {

/// The real roots of s^3 + p s + q, ascending; returns their number, 1 or 3. They only divide the
/// line into pieces, so that an error e moves a minimum there by order e^2.
int cubic_roots(double p, double q, std::array<double, 3>& roots) {
  const double third = p / 3, half = q / 2;
  const double discriminant = third * third * third + half * half;
  if (discriminant >= 0) {
    const double u = -std::copysign(elementary::cbrt(std::fabs(half) + std::sqrt(discriminant)), q);
    roots[0] = u == 0 ? 0 : u - third / u;
    return 1;
  }
  const double g = std::sqrt(-third);
  const double angle = elementary::acos(std::clamp(-half / (g * g * g), -1.0, 1.0)) / 3;
  const SineAndCosine turn = elementary::sin_cos(angle);
  const double cosine = g * turn.cosine, sine = std::numbers::sqrt3 * g * turn.sine;
  roots = {-cosine - sine, -cosine + sine, 2 * cosine};
  return 3;
}

/// f(s) = (rho - R)^2 + z^2 - r^2 along a line; negative inside. Better conditioned than the
/// quartic (s^2 + m)^2 - 4 R^2 rho^2, of which it is a factor with the same sign.
struct TubeDistance {
  const Vec3& from;
  const Vec3& direction;
  double major, minor;

  struct Value {
    double f, slope;
    double rounding;  // f is not known better than this
  };
  [[nodiscard]] Value operator()(double s) const {
    const Vec3 p = from + s * direction;
    const double rho = std::sqrt(p.x() * p.x() + p.y() * p.y());
    const double off = rho - major;
    const double radial = rho > 0 ? (p.x() * direction.x() + p.y() * direction.y()) / rho : 0;
    return {off * off + (p.z() - minor) * (p.z() + minor),
            2 * (off * radial + p.z() * direction.z()),
            0x1p-52 * (std::fabs(off) * rho + minor * minor)};
  }
};

/// The crossing between `inside`, where f is `f_inside` < 0, and `outside`: Newton kept within the
/// bracket, from where a parabola with its vertex inside has its root.
double find_crossing(const TubeDistance& distance, double inside, double f_inside, double outside) {
  const double f_outside = std::max(distance(outside).f, 0.0);
  const double size = std::fabs(inside) + std::fabs(outside);
  double s = inside + (outside - inside) * std::sqrt(f_inside / (f_inside - f_outside));
  for (int i = 0; i < 100; ++i) {
    const TubeDistance::Value value = distance(s);
    (value.f < 0 ? inside : outside) = s;
    double next = s - value.f / value.slope;
    const double low = std::min(inside, outside), high = std::max(inside, outside);
    if (!(next >= low && next <= high)) next = low + (high - low) / 2;
    if (std::fabs(next - s) <= 0x1p-52 * size || std::fabs(value.f) <= value.rounding) return next;
    s = next;
  }
  return s;
}

}  // namespace

// With the line's point nearest to the center as s = 0 and |p|^2 = |o|^2 + s^2, the quartic is
//   F = (s^2 + m)^2 - 4 R^2 (A s^2 + 2 B s + C),   m = |o|^2 + R^2 - r^2,
// A = dx^2 + dy^2, B = x dx + y dy, C = x^2 + y^2, and F' / 4 = s^3 + (m - 2 R^2 A) s - 2 R^2 B.
// Between the roots of F' there is at most one crossing.
void crossings(const Line& line, const Torus& torus, LineSpans& out) {
  const Vec3& d = line.direction;
  const double major = torus.major, minor = torus.minor;
  const double middle = -line.origin.dot(d);
  const Vec3 o = line.origin + middle * d;
  const double reach = major + minor;
  const double square = o.squaredNorm(), rest = reach * reach - square;
  if (!(rest > 0)) return;
  const double in_plane = d.x() * d.x() + d.y() * d.y();
  const double c = o.x() * o.x() + o.y() * o.y();
  if (in_plane == 0) {
    const double off = std::sqrt(c) - major;
    const double half = std::sqrt(std::max(0.0, (minor - off) * (minor + off)));
    if (half > 0) out.add({middle - half, middle + half, 0, 0});
    return;
  }
  Span range{-std::sqrt(rest), std::sqrt(rest), 0, 0};
  if (!clip_to_slab(o.z(), d.z(), -minor, minor, 0, 0, range)) return;

  const double m = square + (major - minor) * (major + minor);
  std::array<double, 3> roots;
  const int count = cubic_roots(m - 2 * major * major * in_plane,
                                -2 * major * major * (o.x() * d.x() + o.y() * d.y()), roots);
  const TubeDistance distance{o, d, major, minor};
  double before = range.enter, f_before = 0;  // the ends of the range are outside
  bool inside = false;
  double enter = 0;
  for (int i = 0; i <= count; ++i) {
    const bool last = i == count;
    const double s = last ? range.leave : roots[static_cast<std::size_t>(i)];
    if (!last && !(s > range.enter && s < range.leave)) continue;
    const double f = last ? 0 : distance(s).f;
    if (!inside && f < 0) {
      enter = find_crossing(distance, s, f, before);
      inside = true;
    } else if (inside && !(f < 0)) {
      const double leave = find_crossing(distance, before, f_before, s);
      // Where the tube closes its own hole the pieces may touch, or cross by rounding.
      if (out.count > 0 && middle + enter <= out.spans[0].leave)
        out.spans[0].leave = middle + leave;
      else
        out.add({middle + enter, middle + leave, 0, 0});
      inside = false;
    }
    before = s;
    f_before = f;
  }
}

}  // namespace plimsoll
