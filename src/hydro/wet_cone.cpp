// Cones: pyramids from the tip, over the base and over the section, which is part of a conic.
//
// In units of the radius along the base and of the height up, let the plane lean by S = s r and
// C = c h, and turn so that the tip is above the water, C > d. If it cuts the base, the half angle
// of what is wet there is t, cos t = -d / S, and the section has the chord 2 sin t, and the depth
// over its half axis
//   e = (1 - cos t) (C - S) / (C - d),   below 0 for a hyperbola, 0 for a parabola.
// Its area is 2 h i(e) sin^3 t / (C - d) times r^2, i = area(e) of conic_segment.h, and that of the
// wet base r^2 sin^3 t i(1 - cos t), so that under and over the water are
//   1/3 sin^3 t (i(1 - cos t) - i(e)),   1/3 sin^3 t (i(1 + cos t) + i(e)).
// Nothing depends on which way the section leans, nor is a parabola, or a section along the axis,
// anything special. If the plane passes above the base, the section is an ellipse, and above it is
//   pi/3 ((C - d)^2 / (C^2 - S^2))^(3/2).
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "hydro/conic_segment.h"
#include "hydro/wet_part.h"

namespace plimsoll {
namespace {

using std::numbers::pi;

/// Relative to the whole, differences below this lose three digits; they are integrated instead.
constexpr double kLittle = 4e-3;

/// The water with the tip above it, and the numbers of the cone that it makes.
class ConeCut {
 public:
  ConeCut(const Cone& cone, const WaterPlane& water)
      : r_(cone.radius), h_(cone.height), normal_(water.normal) {
    tip_is_wet_ = h_ * water.normal.z() < water.offset;
    const Vec3 n = tip_is_wet_ ? Vec3(-water.normal) : water.normal;
    d_ = tip_is_wet_ ? -water.offset : water.offset;
    s_ = std::sqrt(n.x() * n.x() + n.y() * n.y());
    c_ = n.z();
    if (s_ > 0) {
      const double per_s = 1 / s_;
      lean_ = {per_s * n.x(), per_s * n.y(), 0};
    }
    slope_ = s_ * r_;
    rise_ = c_ * h_;
    // Where the tip is in the plane the section is a triangle, a hyperbola of no size.
    tip_ = std::max(rise_ - d_, 1e-30 * (slope_ + std::abs(rise_)));
    slant_ = std::sqrt(r_ * r_ + h_ * h_) / r_;
  }

  /// The plane passes above the base. Nothing where too little is wet for a difference.
  [[nodiscard]] std::optional<WetPart> over_base(bool areas) const {
    const double along = tip_ / (rise_ - slope_), square = along * (tip_ / (rise_ + slope_));
    const double b = std::sqrt(square), share = square * b;
    if (!tip_is_wet_ && share > 1 - kLittle) return std::nullopt;
    // The half axes over the base are a r and b r; the middle is under the tip by a h.
    const double a = along * (rise_ / (rise_ + slope_)), volume = pi / 3 * r_ * r_ * h_;
    const Vec3 middle =
        r_ * slope_ / (rise_ + slope_) * along * lean_ + (h_ - a * h_) * Vec3::UnitZ();
    WetPart wet{share * volume,
                pi * r_ * r_ * slant_ * a * b,
                share * volume * (h_ / 4 * Vec3::UnitZ() + 0.75 * middle),
                {}};
    if (!tip_is_wet_) {
      wet.volume = volume - wet.volume;
      wet.first = volume * h_ / 4 * Vec3::UnitZ() - wet.first;
      wet.area = pi * r_ * r_ * (1 + slant_) - wet.area;
    }
    if (!areas) return wet;
    const double length = r_ / c_ * a, width = r_ * b, area = pi * length * width;
    set_section(wet, middle, {area, 0, area / 4 * length * length, area / 4 * width * width});
    return wet;
  }

  /// The plane cuts the base. Nothing where too little is wet for a difference.
  [[nodiscard]] std::optional<WetPart> through_base(bool areas) const {
    const double per_slope = 1 / slope_, e = (slope_ + d_) * per_slope;
    const DiskSegment base = disk_segment(tip_is_wet_ ? (slope_ - d_) * per_slope : e);
    if (!tip_is_wet_ && slope_ * base.sine * base.sine < kLittle * tip_) return std::nullopt;
    const StripMoments section = segment(e * ((rise_ - slope_) / tip_), base.sine);
    const double side = tip_is_wet_ ? 1 : -1, disk = r_ * r_ * base.area;
    const Vec3 chord = r_ * d_ * per_slope * lean_, up = s_ * Vec3::UnitZ() - c_ * lean_;
    const Vec3 tip = h_ * Vec3::UnitZ();
    const double of_base = h_ * disk, of_section = side * tip_ * section.area;
    const double cube = r_ * r_ * r_ * base.sine * base.sine * base.sine;
    WetPart wet;
    wet.volume = (of_base + of_section) / 3;
    wet.first =
        wet.volume / 4 * tip +
        side * (h_ * cube / 6 * lean_ + tip_ / 4 * (section.area * chord + section.first * up));
    if (!areas) return wet;
    wet.area = disk + slant_ * (disk + side * c_ * section.area);
    set_section(wet, chord, section);
    return wet;
  }

  [[nodiscard]] bool is_over_base() const { return d_ >= slope_; }
  [[nodiscard]] bool is_under_base() const { return d_ <= -slope_; }

 private:
  /// Of depth `e` and half chord `sine`.
  [[nodiscard]] StripMoments segment(double e, double sine) const {
    if (std::abs(e) <= kShallow) {
      const ReducedSegment of = shallow_segment(e);
      const double y = r_ * sine, q = y * sine * (h_ / tip_), area = y * q;
      return {area * of.area, area * q * of.first, 2 * area * q * q * of.half_second,
              area * y * y * of.across};
    }
    const DiskSegment of = e > 0 ? disk_segment(e) : hyperbola_segment(e);
    const double along = tip_ / std::abs(rise_ - slope_), per_sum = 1 / (rise_ + slope_);
    const double a = along * h_ * per_sum * r_;
    const double b = r_ * std::sqrt(along * tip_ * per_sum), area = a * b;
    return {area * of.area, area * a * of.first, 2 * area * a * a * of.half_second,
            area * b * b * of.across};
  }

  void set_section(WetPart& wet, const Vec3& origin, const StripMoments& section) const {
    const Vec3 u = s_ * Vec3::UnitZ() - c_ * lean_;
    set_strip(wet.section, origin, {u, normal_.cross(u)}, section);
  }

  double r_, h_;
  Vec3 normal_, lean_ = Vec3::UnitX();
  bool tip_is_wet_;
  double s_, c_, d_, slope_, rise_, tip_, slant_;
};

}  // namespace

WetPart wet_part(const Cone& cone, const WaterPlane& water, bool areas) {
  const ConeCut cut(cone, water);
  if (cut.is_under_base()) return integrated_part(cone, water, areas);
  const std::optional<WetPart> wet =
      cut.is_over_base() ? cut.over_base(areas) : cut.through_base(areas);
  return wet ? *wet : integrated_part(cone, water, areas);
}

}  // namespace plimsoll
