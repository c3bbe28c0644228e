// Solids of revolution but balls: one integral along the meridian.
#include <plimsoll/elementary.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "hydro/quadrature.h"
#include "hydro/wet_part.h"
#include "shape/primitive_moments.h"

namespace plimsoll {
namespace {

using std::numbers::pi;

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
  struct Whole {
    Box3 box;
    VolumeMoments moments;
    double area;
  };

  /// Without `areas` only volume and first moments are summed.
  Revolution(const Whole& whole, const WaterPlane& water, bool areas)
      : whole_(whole),
        areas_(areas),
        flipped_(water.normal.dot(whole.box.center()) < water.offset) {
    const Box3& box = whole.box;
    n_ = flipped_ ? Vec3(-water.normal) : water.normal;
    d_ = flipped_ ? -water.offset : water.offset;
    s_ = elementary::hypot(n_.x(), n_.y());
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
    const double d_rho = to.rho - from.rho, d_z = to.z - from.z,
                 length = elementary::hypot(d_rho, d_z);
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
    const double beta = elementary::atan2(s_, c_);
    std::array<Singularity, 6> singularities{};
    for (const int side : {0, 1}) {
      const double sign = side == 0 ? 1 : -1;
      const double sine = (d_ - c_ * center.z - sign * s_ * center.rho) / radius;
      const double rise = elementary::asin(std::clamp(sine, -1.0, 1.0));
      const double beside = std::fabs(sine) > 1 ? elementary::acosh(std::fabs(sine)) : 0;
      const auto at = static_cast<std::size_t>(2 * side);
      singularities[at] = {rise - sign * beta, beside};
      singularities[at + 1] = {pi - rise - sign * beta, beside};
    }
    const double turned = center.rho / radius;  // rho = 0 at cos(t) = -turned
    singularities[4] = {elementary::acos(std::fmax(-turned, -1)),
                        turned > 1 ? elementary::acosh(turned) : 0, true};
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
      const auto [sine, cosine] = elementary::sin_cos(t);
      return Point{center.rho + radius * cosine, center.z + radius * sine, cosine, sine, radius};
    });
    return *this;
  }

  [[nodiscard]] WetPart wet() const {
    const auto& [volume, first_x, first_z, area, section, t, tt, yy] = sums_;
    const Vec3 apex = apex_x_ * lean_ + apex_z_ * Vec3::UnitZ();
    WetPart wet{volume, area, volume * apex + first_x * lean_ + first_z * Vec3::UnitZ(), {}};
    if (flipped_) {
      wet.volume = whole_.moments.volume - wet.volume;
      wet.first = whole_.moments.first - wet.first;
      if (areas_) wet.area = whole_.area - wet.area;
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
    const double sine = width / reach, cosine = level / reach,
                 half = elementary::atan2(width, -level);
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

  Whole whole_;
  bool areas_, flipped_;
  Vec3 n_, lean_ = Vec3::UnitX();
  double d_, s_, c_, apex_x_, apex_z_;
  std::array<double, 8> sums_{};
};

WetPart turned(const Capsule& c, Revolution& body) {
  const double r = c.radius, top = c.height / 2;
  return body.arc({0, -top}, r, -pi / 2, 0)
      .line({r, -top}, {r, top})
      .arc({0, top}, r, 0, pi / 2)
      .wet();
}
WetPart turned(const Cone& c, Revolution& body) {
  return body.line({0, 0}, {c.radius, 0}).line({c.radius, 0}, {0, c.height}).wet();
}
WetPart turned(const Torus& t, Revolution& body) {
  return body.arc({t.major, 0}, t.minor, -pi, pi).wet();
}

template <class Solid>
WetPart wet_part_of(const Solid& solid, const WaterPlane& water, bool areas) {
  Revolution body({own_box(solid), own_moments(solid), own_area(solid)}, water, areas);
  return turned(solid, body);
}

}  // namespace

WetPart integrated_part(const Capsule& capsule, const WaterPlane& water, bool areas) {
  return wet_part_of(capsule, water, areas);
}
WetPart integrated_part(const Cone& cone, const WaterPlane& water, bool areas) {
  return wet_part_of(cone, water, areas);
}
WetPart wet_part(const Torus& torus, const WaterPlane& water, bool areas) {
  return wet_part_of(torus, water, areas);
}

}  // namespace plimsoll
