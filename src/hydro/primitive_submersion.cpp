#include "hydro/primitive_submersion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <numbers>
#include <span>
#include <type_traits>

#include "shape/gauss_legendre.h"
#include "shape/overloaded.h"
#include "shape/primitive_moments.h"

namespace plimsoll {
namespace {

using std::numbers::pi;

const Vec3 kNowhere = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());

/// The double exponential rule on [0, 1]: the trapezoid rule in t of x = 1 / (1 + exp(-pi sinh t))
/// [TakahasiMori1974]. Roots and logarithms at the ends do not matter to it, and little those that
/// lie beyond the ends, however near; intervals are split so that there are no others. With a third
/// of the step no result changes by more than 2e-13; past the last node is 4e-17 of the interval.
struct Node {
  double at, weight;
};
struct EndRule {
  static constexpr int kHalf = 37;
  static constexpr double kStep = 0.086;
  std::array<Node, 2 * kHalf + 1> nodes;

  EndRule() {
    for (int i = -kHalf; i <= kHalf; ++i) {
      const double t = kStep * i;
      const double before = 1 / (1 + std::exp(-pi * std::sinh(t)));
      const double behind = 1 / (1 + std::exp(pi * std::sinh(t)));
      nodes[static_cast<std::size_t>(i + kHalf)] = {before,
                                                    kStep * pi * std::cosh(t) * before * behind};
    }
  }
};

/// Gauss's rule in theta, x = (1 - cos theta) / 2, in which square roots at the ends are analytic.
/// A singularity beyond an end by 0.3 of the interval lies on the ellipse about theta's whose
/// half axes add up to 2.3 half intervals, and n nodes leave 2.3^-2n [Trefethen2013, theorem 19.3]:
/// 4e-18 times its strength for 24 of them.
struct ClearRule {
  std::array<Node, 24> nodes;

  ClearRule() {
    const GaussRule rule = gauss_legendre(static_cast<int>(nodes.size()));
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const double theta = pi * rule.nodes[i];
      const double root = std::sin(theta / 2);
      nodes[i] = {root * root, pi / 2 * std::sin(theta) * rule.weights[i]};
    }
  }
};

/// Where a function has a singularity: at t +- i `beside`; ends have to be clear of poles by more.
struct Singularity {
  double at, beside;
  bool is_pole = false;
};

/// Whether all singularities but roots at the ends are clear of [a, b]. A root that comes nearer to
/// an end than rounding is there.
bool is_clear(double a, double b, std::span<const Singularity> singularities) {
  constexpr double kFromRoots = 0.3, kFromPoles = 1;
  return std::all_of(singularities.begin(), singularities.end(), [&](const Singularity& s) {
    const double along = std::fmax(0, std::fmax(a - s.at, s.at - b));
    const bool is_end = std::fmin(std::fabs(a - s.at), std::fabs(b - s.at)) < 1e-13;
    return (is_end && s.beside == 0 && !s.is_pole) ||
           std::hypot(along, s.beside) >= (s.is_pole ? kFromPoles : kFromRoots) * (b - a);
  });
}

/// Adds the integrals over [a, b] of the terms, an array, to `sums`.
template <std::size_t N, class Terms>
void integrate(double a, double b, std::span<const Node> rule, const Terms& terms,
               std::array<double, N>& sums) {
  for (const Node& node : rule) {
    const std::array<double, N> value = terms(a + (b - a) * node.at);
    const double weight = (b - a) * node.weight;
    for (std::size_t k = 0; k < N; ++k) sums[k] += weight * value[k];
  }
}
std::span<const Node> rule_for(bool clear) {
  static const EndRule end;
  static const ClearRule smooth;
  return clear ? std::span<const Node>(smooth.nodes) : std::span<const Node>(end.nodes);
}

/// What the plane cuts off, in the making: `first` is the integral of p over the wet part.
struct Wet {
  double volume = 0, area = 0;
  Vec3 first = Vec3::Zero();
  WaterSection section;
};

using Axes = Mat23;

Axes axes_across(const Vec3& n) {
  const Vec3 u = n.unitOrthogonal();
  Axes axes;
  axes << u.transpose(), n.cross(u).transpose();
  return axes;
}

/// Sets the center and shifts the moments to it: `first` and `second` are the integrals of q and
/// q q^T, q = axes (p - origin).
void finish(WaterSection& section, const Vec3& origin, const Vec2& first, const Mat2& second) {
  if (!(section.area > 0)) {
    section = {.center = kNowhere};
    return;
  }
  const Vec2 center = first / section.area;
  section.center = origin + section.axes.transpose() * center;
  section.second_moments = second - center * first.transpose();
  section.second_moments.diagonal() = section.second_moments.diagonal().cwiseMax(0);
}

// ---- boxes

/// Sums over faces that the plane has clipped. The apex is where the diagonal that rises most meets
/// the plane; it is in the box, so that all pyramids and all triangles of the section are positive.
class ClippedBox {
 public:
  ClippedBox(const BoxSolid& box, const WaterPlane& water) : half_(box.size / 2) {
    const Vec3& n = water.normal;
    Vec3 top;
    for (int i = 0; i < 3; ++i) top[i] = std::copysign(half_[i], n[i]);
    apex_ = top * (water.offset / n.dot(top));
    wet_.section.axes = axes_across(n);
    for (int i = 0; i < 8; ++i) {
      Corner& c = corners_[static_cast<std::size_t>(i)];
      c.at = {(i & 1) != 0 ? half_.x() : -half_.x(), (i & 2) != 0 ? half_.y() : -half_.y(),
              (i & 4) != 0 ? half_.z() : -half_.z()};
      c.height = n.dot(c.at) - water.offset;
    }
  }

  Wet wet() {
    for (int axis = 0; axis < 3; ++axis) {
      add_face(axis, -1);
      add_face(axis, 1);
    }
    wet_.first += wet_.volume * apex_;
    finish(wet_.section, apex_, plane_first_, plane_second_);
    return wet_;
  }

 private:
  struct Corner {
    Vec3 at = Vec3::Zero();
    double height = 0;  // over the water; exactly 0 where an edge is cut
  };

  // The same bits for both faces at the edge: always from the wet corner.
  static Corner cut(const Corner& a, const Corner& b) {
    const Corner& wet = a.height <= 0 ? a : b;
    const Corner& dry = a.height <= 0 ? b : a;
    return {wet.at + (dry.at - wet.at) * (wet.height / (wet.height - dry.height)), 0};
  }

  // Counter-clockwise from outside, clipped [SutherlandHodgman1974].
  void add_face(int axis, int side) {
    const int i = 1 << (axis + 1) % 3, j = 1 << (axis + 2) % 3, k = side > 0 ? 1 << axis : 0;
    const std::array<int, 4> ring = {k, side > 0 ? k + i : k + j, k + i + j,
                                     side > 0 ? k + j : k + i};
    std::array<Corner, 8> polygon;
    std::size_t count = 0;
    for (std::size_t c = 0; c < 4; ++c) {
      const Corner& from = corners_[static_cast<std::size_t>(ring[c])];
      const Corner& to = corners_[static_cast<std::size_t>(ring[(c + 1) % 4])];
      if (from.height <= 0) polygon[count++] = from;
      if (from.height < 0 ? to.height > 0 : from.height > 0 && to.height < 0)
        polygon[count++] = cut(from, to);
    }
    for (std::size_t c = 0; c < count; ++c) {
      const Corner& from = polygon[c];
      const Corner& to = polygon[(c + 1) % count];
      if (c > 0 && c + 1 < count) add_triangle(axis, side, polygon[0].at, from.at, to.at);
      if (from.height == 0 && to.height == 0) add_rim(from.at, to.at);
    }
  }

  void add_triangle(int axis, int side, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 e = b - a, f = c - a;
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    const double area = std::abs(e[i] * f[j] - e[j] * f[i]) / 2;
    const double height = half_[axis] - side * apex_[axis];
    wet_.area += area;
    wet_.volume += height * area / 3;
    wet_.first += height * area / 4 * ((a + b + c) / 3 - apex_);
  }

  // The section closes the wet surface, so it runs along the rim backward. Where a face is in the
  // plane with the solid below, the faces at its sides undo its rim.
  void add_rim(const Vec3& from, const Vec3& to) {
    const Vec2 p = wet_.section.axes * (to - apex_), q = wet_.section.axes * (from - apex_);
    const double area = (p.x() * q.y() - p.y() * q.x()) / 2;
    const Vec2 sum = p + q;
    wet_.section.area += area;
    plane_first_ += area / 3 * sum;
    plane_second_ += area / 12 * (p * p.transpose() + q * q.transpose() + sum * sum.transpose());
  }

  Vec3 half_, apex_;
  std::array<Corner, 8> corners_;
  Wet wet_;
  Vec2 plane_first_ = Vec2::Zero();
  Mat2 plane_second_ = Mat2::Zero();
};

// Without `areas` what costs much may be left out: here nothing does.
Wet wet_part(const BoxSolid& box, const WaterPlane& water, bool) {
  return ClippedBox(box, water).wet();
}

// ---- balls and ellipsoids

/// A cap of height h = r + d: V = pi/3 h^2 (3 r - h), V center = -pi/4 (r^2 - d^2)^2 n.
Wet wet_part(const Sphere& sphere, const WaterPlane& water, bool) {
  const double r = sphere.radius, d = water.offset, h = r + d;
  const double square = h * (r - d);  // of the radius of the section
  const double area = pi * square;
  Wet wet{.volume = pi / 3 * h * h * (3 * r - h),
          .area = 2 * pi * r * h,
          .first = -pi / 4 * square * square * water.normal,
          .section = {.area = area, .axes = axes_across(water.normal)}};
  finish(wet.section, d * water.normal, Vec2::Zero(), area * square / 4 * Mat2::Identity());
  return wet;
}

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
    n_across_ = std::hypot(n[order[1]], n[order[2]]);
    toward_ = std::atan2(std::abs(n[order[2]]), std::abs(n[order[1]]));
  }

  // With t = toward +- (pi / 2 - x), circles meet the cap for x from `first` to pi / 2. There are
  // creases at t = 0, where g is least, and, if the cap passes the end of the axis at a distance
  // like `pass`, singularities at x = +-i pass: the smaller it is, the more they need a split.
  [[nodiscard]] double area() const {
    const double beyond = (-d_ - n_axis_) * (n_axis_ - d_);  // d^2 - n_axis^2
    const double first =
        beyond > 0 ? std::atan2(std::sqrt(beyond), std::sqrt((1 - d_) * (1 + d_))) : 0;
    const double pass = n_axis_ - d_, split = std::max(first, pass < 0.3 ? 3 * pass : 0);
    const double crease = std::max(first, pi / 2 - toward_);
    Sum sum{};
    for (const double side : {-1, 1}) {
      std::array<double, 4> ends = {first, split, side < 0 ? crease : first, pi / 2};
      std::sort(ends.begin(), ends.end());
      const auto strip = [&](double x) {
        return Sum{strip_width(toward_ + side * (pi / 2 - x), n_across_ * std::sin(x), beyond > 0)};
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
    const double cosine = std::cos(t), sine = std::sin(t);
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
    return (flat + g / e * std::arg(turn)) / 2;
  }

  double d_, size_ = 1, n_axis_ = 0, n_across_ = 0, toward_ = 0;
  std::array<double, 3> q_{};
};

/// The image of the unit ball under D = diag(radii), cut by the plane of direction D n. A disk of
/// radius rho has second moments A rho^2 / 4 along any axes; D takes them along.
Wet wet_part(const Ellipsoid& ellipsoid, const WaterPlane& water, bool areas) {
  const Vec3 &radii = ellipsoid.radii, n = radii.cwiseProduct(water.normal);
  const double reach = n.norm(), product = radii.prod();
  const Vec3 n_ball = n / reach;
  const double d = water.offset / reach;
  Wet wet = wet_part(Sphere{1}, {n_ball, d}, areas);
  wet.volume *= product;
  wet.first = product * radii.cwiseProduct(wet.first);
  if (!areas) return wet;
  wet.area = EllipsoidCap(radii, n_ball, -std::abs(d)).area();
  if (d > 0) wet.area = *exact_area({ellipsoid}) - wet.area;
  const Axes axes = axes_across(water.normal), pulled = axes * radii.asDiagonal();
  const Axes in_disk = pulled - pulled * n_ball * n_ball.transpose();
  wet.section.axes = axes;
  wet.section.area *= product / reach;
  finish(wet.section, d * radii.cwiseProduct(n_ball), Vec2::Zero(),
         wet.section.area * (1 - d) * (1 + d) / 4 * in_disk * in_disk.transpose());
  return wet;
}

// ---- solids of revolution

/// Sums over the surface that the meridian makes, turned about z. In the frame whose x axis is the
/// direction that n = (s, 0, c) leans to, the parallel circle (rho, z) is wet where
///   s rho cos(phi) <= D = d - c z,   phi in [alpha, 2 pi - alpha], cos(alpha) = D / (s rho),
/// so that integrals along it of powers of cos(phi) are closed forms, and the rest is one integral
/// along the meridian. By the divergence theorem, with a in the plane and u = (c, 0, -s), y in it,
///   V = 1/3 int (p - a) . N,        int (p - a) dV = 1/4 int (p - a) (p - a) . N,
///   int f over the section = -int f (n . N)   for any f that is constant along n,
/// all over the wet surface. Alpha is analytic but where |D| = s rho and rho = 0; meridians are
/// split there. For tiny parts to be accurate, what is on the side with less of the box is
/// integrated, and the rest found from the whole; what lies in the plane is wet.
class Revolution {
 public:
  /// Without `areas` only volume and first moments are summed.
  Revolution(const Shape& solid, const Box3& box, const WaterPlane& water, bool areas)
      : solid_(solid), areas_(areas), flipped_(water.normal.dot(box.center()) < water.offset) {
    n_ = flipped_ ? Vec3(-water.normal) : water.normal;
    d_ = flipped_ ? -water.offset : water.offset;
    s_ = std::hypot(n_.x(), n_.y());
    c_ = n_.z();
    if (s_ > 0) lean_ = {n_.x() / s_, n_.y() / s_, 0};
    const double radius = s_ > 0 ? box.max().x() : 0;
    const double bottom = c_ > 0 ? box.min().z() : box.max().z();
    const double top = c_ > 0 ? box.max().z() : box.min().z();
    const double low = c_ * bottom - s_ * radius, high = c_ * top + s_ * radius;
    const double part = (d_ - low) / (high - low);
    apex_x_ = radius * (2 * part - 1);
    apex_z_ = bottom + part * (top - bottom);
  }

  struct Radial {
    double rho, z;
  };

  /// A straight piece of the meridian; the solid is on its left.
  Revolution& line(const Radial& from, const Radial& to) {
    const double d_rho = to.rho - from.rho, d_z = to.z - from.z, length = std::hypot(d_rho, d_z);
    if (!(length > 0)) return *this;
    std::array<double, 4> ends = {0, 1, 0, 0};
    std::array<Singularity, 3> singularities{};
    for (const std::size_t side : {0, 1}) {
      const double slope = side == 0 ? s_ : -s_;
      const double before = d_ - c_ * from.z - slope * from.rho;
      const double behind = d_ - c_ * to.z - slope * to.rho;
      const double root = before / (before - behind);
      ends[2 + side] = std::fmin(std::fmax(root, 0), 1);
      singularities[side] = {std::isfinite(root) ? root : kFar, 0};
    }
    singularities[2] = {d_rho != 0 ? -from.rho / d_rho : kFar, 0, true};
    add(ends, singularities, [&](double x) {
      return Point{from.rho + x * d_rho, from.z + x * d_z, d_z / length, -d_rho / length, length};
    });
    return *this;
  }

  /// A piece of a circle, counter-clockwise from angle `from` to `to`. With tan(beta) = s / c,
  ///   D = +-s rho  where  r sin(t +- beta) = d - c z -+ s rho at the center;
  /// where this has no solution, the nearest t is where alpha has a singularity beside the
  /// meridian.
  Revolution& arc(const Radial& center, double radius, double from, double to) {
    const double beta = std::atan2(s_, c_);
    std::array<Singularity, 6> singularities{};
    for (const int side : {0, 1}) {
      const double sign = side == 0 ? 1 : -1;
      const double sine = (d_ - c_ * center.z - sign * s_ * center.rho) / radius;
      const double rise = std::asin(std::clamp(sine, -1.0, 1.0));
      const double beside = std::fabs(sine) > 1 ? std::acosh(std::fabs(sine)) : 0;
      const auto at = static_cast<std::size_t>(2 * side);
      singularities[at] = {rise - sign * beta, beside};
      singularities[at + 1] = {pi - rise - sign * beta, beside};
    }
    const double turned = center.rho / radius;  // rho = 0 at cos(t) = -turned
    singularities[4] = {std::acos(std::fmax(-turned, -1)), turned > 1 ? std::acosh(turned) : 0,
                        true};
    singularities[5] = {2 * pi - singularities[4].at, singularities[4].beside, true};
    if (to - from == 2 * pi) {  // a circle begins anywhere: there, no piece is for nothing
      from = singularities[0].at;
      to = from + 2 * pi;
    }
    std::array<double, 6> ends = {from, to};
    for (std::size_t i = 0; i < 4; ++i) ends[2 + i] = turned_into(singularities[i].at, from, to);
    // Each of them once before, in and behind the arc, of which no piece is longer than a turn.
    std::array<Singularity, 18> all{};
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Singularity& s = singularities[i % singularities.size()];
      const double in = s.at - 2 * pi * std::floor((s.at - from) / (2 * pi));
      all[i] = {in + 2 * pi * (static_cast<double>(i / singularities.size()) - 1), s.beside,
                s.is_pole};
    }
    add(ends, all, [&](double t) {
      const double cosine = std::cos(t), sine = std::sin(t);
      return Point{center.rho + radius * cosine, center.z + radius * sine, cosine, sine, radius};
    });
    return *this;
  }

  [[nodiscard]] Wet wet() const {
    const auto& [volume, first_x, first_z, area, section, t, tt, yy] = sums_;
    const Vec3 apex = apex_x_ * lean_ + apex_z_ * Vec3::UnitZ();
    Wet wet{volume, area, volume * apex + first_x * lean_ + first_z * Vec3::UnitZ(), {}};
    if (flipped_) {
      const VolumeMoments whole = *exact_moments(solid_);
      wet.volume = whole.volume - wet.volume;
      wet.first = whole.first - wet.first;
      if (areas_) wet.area = *exact_area(solid_) - wet.area;
    }
    if (!areas_) return wet;
    const Vec3 u = c_ * lean_ - s_ * Vec3::UnitZ(), v = n_.cross(u);
    wet.section.axes << u.transpose(), (flipped_ ? Vec3(-v) : v).transpose();
    wet.section.area = section;
    finish(wet.section, apex, {t, 0}, Vec2(tt, yy).asDiagonal());
    return wet;
  }

 private:
  struct Point {
    double rho, z, n_rho, n_z, speed;  // N, and the length of the meridian by its parameter
  };

  static double turned_into(double angle, double from, double to) {
    return std::fmin(angle - 2 * pi * std::floor((angle - from) / (2 * pi)), to);
  }

  /// The integrals of cos^k(phi), k = 0 to 3, over the wet part of a parallel circle.
  [[nodiscard]] std::array<double, 4> harmonics(double rho, double z) const {
    const double level = d_ - c_ * z, reach = s_ * rho;
    if (level >= reach && (level > -reach || !flipped_)) return {2 * pi, 0, pi, 0};
    if (level <= -reach) return {0, 0, 0, 0};
    const double width = std::sqrt((reach - level) * (reach + level));
    const double sine = width / reach, cosine = level / reach, half = std::atan2(width, -level);
    return {2 * half, -2 * sine, half - sine * cosine, -2 * sine * (1 - sine * sine / 3)};
  }

  static constexpr double kFar = 1e300;

  template <std::size_t N, class Meridian>
  void add(std::array<double, N> ends, std::span<const Singularity> singularities,
           const Meridian& meridian) {
    std::sort(ends.begin(), ends.end());
    for (std::size_t i = 0; i + 1 < N; ++i) {
      const double low = ends[i], high = ends[i + 1];
      if (!(low < high)) continue;
      const Point middle = meridian((low + high) / 2);
      const double wet = harmonics(middle.rho, middle.z)[0];
      if (wet == 0) continue;
      // Where whole circles are wet nothing is singular.
      const auto rule = rule_for(wet == 2 * pi || is_clear(low, high, singularities));
      const auto at = [&](double x) { return terms(meridian(x)); };
      areas_ ? integrate(low, high, rule, at, sums_) : add_moments(low, high, rule, at);
    }
  }
  template <class Terms>
  void add_moments(double low, double high, std::span<const Node> rule, const Terms& terms) {
    std::array<double, 3> sums{};
    integrate(
        low, high, rule,
        [&](double x) {
          const std::array<double, 8> all = terms(x);  // what is unused costs nothing
          return std::array<double, 3>{all[0], all[1], all[2]};
        },
        sums);
    for (std::size_t k = 0; k < sums.size(); ++k) sums_[k] += sums[k];
  }

  /// Along a parallel circle (p - a) . N, -n . N and t = (p - a) . u are linear in cos(phi).
  [[nodiscard]] std::array<double, 8> terms(const Point& p) const {
    const std::array<double, 4> j = harmonics(p.rho, p.z);
    const double up = p.z - apex_z_, area = p.rho * p.speed;
    const double k0 = p.rho * p.n_rho + up * p.n_z, k1 = -apex_x_ * p.n_rho;
    const double f0 = -c_ * p.n_z, f1 = -s_ * p.n_rho;
    const double t0 = -c_ * apex_x_ - s_ * up, t1 = c_ * p.rho;
    const double flux = k0 * j[0] + k1 * j[1], flux1 = k0 * j[1] + k1 * j[2];
    const double lid = f0 * j[0] + f1 * j[1], lid1 = f0 * j[1] + f1 * j[2],
                 lid2 = f0 * j[2] + f1 * j[3];
    return {area * flux / 3,
            area * (p.rho * flux1 - apex_x_ * flux) / 4,
            area * up * flux / 4,
            area * j[0],
            area * lid,
            area * (t0 * lid + t1 * lid1),
            area * (t0 * t0 * lid + 2 * t0 * t1 * lid1 + t1 * t1 * lid2),
            area * p.rho * p.rho * (lid - lid2)};
  }

  const Shape& solid_;
  bool areas_, flipped_;
  Vec3 n_, lean_ = Vec3::UnitX();
  double d_, s_, c_, apex_x_, apex_z_;
  std::array<double, 8> sums_{};
};

Wet turned(const Cylinder& c, Revolution& body) {
  const double r = c.radius, top = c.height / 2;
  return body.line({0, -top}, {r, -top}).line({r, -top}, {r, top}).line({r, top}, {0, top}).wet();
}
Wet turned(const Capsule& c, Revolution& body) {
  const double r = c.radius, top = c.height / 2;
  return body.arc({0, -top}, r, -pi / 2, 0)
      .line({r, -top}, {r, top})
      .arc({0, top}, r, 0, pi / 2)
      .wet();
}
Wet turned(const Cone& c, Revolution& body) {
  return body.line({0, 0}, {c.radius, 0}).line({c.radius, 0}, {0, c.height}).wet();
}
Wet turned(const Torus& t, Revolution& body) {
  return body.arc({t.major, 0}, t.minor, -pi, pi).wet();
}

template <class Solid>
Wet wet_part(const Solid& solid, const WaterPlane& water, bool areas) {
  const Shape own{solid};
  Revolution body(own, bounding_box(own), water, areas);
  return turned(solid, body);
}

// ---- any

struct Span {
  double low, high;
};

/// From the lowest to the highest n . p of a solid.
Span span_of(const BoxSolid& box, const Vec3& n) {
  const double reach = n.cwiseAbs().dot(box.size / 2);
  return {-reach, reach};
}
Span span_of(const Sphere& sphere, const Vec3&) { return {-sphere.radius, sphere.radius}; }
Span span_of(const Ellipsoid& e, const Vec3& n) {
  const double reach = n.cwiseProduct(e.radii).norm();
  return {-reach, reach};
}
Span span_of(const Torus& t, const Vec3& n) {
  const double reach = t.major * std::hypot(n.x(), n.y()) + t.minor;
  return {-reach, reach};
}
Span span_of(const Cylinder& c, const Vec3& n) {
  const double reach = c.radius * std::hypot(n.x(), n.y()) + c.height / 2 * std::abs(n.z());
  return {-reach, reach};
}
Span span_of(const Capsule& c, const Vec3& n) {
  const double reach = c.radius + c.height / 2 * std::abs(n.z());
  return {-reach, reach};
}
Span span_of(const Cone& c, const Vec3& n) {
  const double rim = c.radius * std::hypot(n.x(), n.y()), tip = c.height * n.z();
  return {std::min(-rim, tip), std::max(rim, tip)};
}

template <class Solid>
concept Primitive = requires(const Solid& solid, const Vec3& n) { span_of(solid, n); };

/// Smooth solids that touch the plane are dry; faces in it are wet.
template <class Solid>
constexpr bool kHasFaces = std::is_same_v<Solid, BoxSolid> || std::is_same_v<Solid, Cylinder> ||
                           std::is_same_v<Solid, Cone>;

/// Heights over the plane, and sums of pyramids, are good to this in sizes of the body.
constexpr double kRounding = 1e-15;

template <Primitive Solid>
Submersion submersion_of(const Solid& solid, const WaterPlane& water, bool areas) {
  const Shape own{solid};
  const Span span = span_of(solid, water.normal);
  const double slack = kRounding * bounding_box(own).diagonal().norm();
  Submersion result{.center_of_buoyancy = kNowhere, .waterplane = {.center = kNowhere}};
  if (span.low > water.offset + slack) return result;
  result.volume_error = slack * *exact_area(own);
  if (span.low > water.offset || (span.low == water.offset && !kHasFaces<Solid>)) return result;
  if (span.high <= water.offset) {
    const VolumeMoments whole = *exact_moments(own);
    result.volume = whole.volume;
    result.center_of_buoyancy = whole.first / whole.volume;
    result.wetted_area = *exact_area(own);
    return result;
  }
  const Wet wet = wet_part(solid, water, areas);
  result.volume = span.low < water.offset ? std::max(0.0, wet.volume) : 0;
  if (result.volume > 0) result.center_of_buoyancy = wet.first / wet.volume;
  if (!areas) return result;
  result.wetted_area = std::max(0.0, wet.area);
  result.waterplane = wet.section;
  return result;
}

}  // namespace

std::optional<Submersion> primitive_submersion(const Shape& shape, const WaterPlane& water,
                                               bool areas) {
  return std::visit(
      Overloaded{[&](const Primitive auto& solid) -> std::optional<Submersion> {
                   return submersion_of(solid, water, areas);
                 },
                 [](const auto&) -> std::optional<Submersion> { return std::nullopt; }},
      shape.solid);
}

}  // namespace plimsoll
