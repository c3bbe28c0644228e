// Cylinders and capsules: the side between two circles, the rims, and beyond them the half balls.
//
// In units of the radius, in the frame whose axis points to where the wet part is deepest, `along`,
// and the other up the cylinder, the water is -s along + c up <= d with s, c >= 0. By symmetry no
// other case is needed: what is computed is the side of the plane with less of the body, d <= 0,
// and the rest found from the whole. At the height z the disk is wet beyond along = w = (c z - d) /
// s, a segment (conic_segment.h) whose integrals by w are closed forms again. With k = s / c,
//   V = k int area dw = k first,    int along dV = k across,    int (z - z_0) dV = k^2 half_second,
// the wetted side is 2 k arcs, and the section the segment at the rim drawn out by 1 / c along the
// plane: all differences of what they are at both rims.
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "core/gauss_rules.h"
#include "hydro/conic_segment.h"
#include "hydro/wet_part.h"

namespace plimsoll {
namespace {

using std::numbers::pi;

/// The water in the frame above, and the way back. What depends on the side that is computed is
/// multiplied by a sign: no branch could be predicted.
struct Tilt {
  double s, c, d;
  double per_s = 0;  // 1 / s
  double side;       // -1 where what is computed is dry
  Vec3 along = -Vec3::UnitX(), up, across;

  Tilt(const WaterPlane& water, double per_radius) : side(std::copysign(1, -water.offset)) {
    const Vec3& n = water.normal;
    d = -std::abs(water.offset) * per_radius;
    s = std::sqrt(n.x() * n.x() + n.y() * n.y());
    c = std::abs(n.z());
    if (s > 0) {
      per_s = 1 / s;
      along = {-side * per_s * n.x(), -side * per_s * n.y(), 0};
    }
    up = {0, 0, std::copysign(1, side * n.z())};
    across = up.cross(along);
  }
};

/// Of the section, in the plane: from `origin`, in (along, up), in the direction (c, s).
struct Strip {
  double origin_along = 0, origin_up = 0;
  double area = 0, first = 0, second = 0, across = 0;

  /// Adds what has these moments about a point at `shift`, and lies beyond it.
  void add(double shift, double more, double more_first, double more_second, double more_across) {
    area += more;
    first += more_first + shift * more;
    second += more_second + shift * (2 * more_first + shift * more);
    across += more_across;
  }
};

/// What is wet, in units of the radius.
struct Sums {
  double volume = 0, along = 0, up = 0, area = 0;
  Strip section;
};

enum class Wet { kNone, kSegment, kAll };

/// A rim at the height `z`, where the water is up to `level` along the axis that the plane leans
/// to.
struct WetRim {
  double z, level;
  Wet wet;
  double depth = 0;  // of the segment, if that is wet
  DiskSegment segment{};

  WetRim(const Tilt& water, double at) : z(at), level(water.d - water.c * at) {
    wet = level >= water.s ? Wet::kAll : level <= -water.s ? Wet::kNone : Wet::kSegment;
    if (wet != Wet::kSegment) return;
    depth = (water.s + level) * water.per_s;
    if (depth < 2)
      segment = disk_segment(depth);
    else
      wet = Wet::kAll;
  }
  [[nodiscard]] double disk() const {
    return wet == Wet::kAll ? pi : wet == Wet::kSegment ? segment.area : 0;
  }
};

/// The plane leaves by the side all around: means over the disk.
void add_slanted(const Tilt& water, const WetRim& low, bool areas, Sums& sums) {
  const double draw = 1 / water.c, slope = water.s * draw, height = water.d * draw - low.z;
  const double volume = pi * height;
  sums.volume += volume;
  sums.along += pi / 4 * slope;
  sums.up += pi / 2 * (height * height + slope * slope / 4) + low.z * volume;
  if (!areas) return;
  sums.area += 2 * pi * height;
  const double quarter = pi / 4 * draw;
  sums.section = {0, water.d * draw, pi * draw, 0, quarter * draw * draw, quarter};
}

/// The plane all but holds the axis: differences of what is at the rims would cancel, and the
/// integrals over the height are smooth. The nearest singularity is 1 / `nearness` half heights
/// from the middle, or more: n nodes leave (2 / nearness)^-2n, below 1e-15 [Trefethen2013, theorem
/// 19.3].
void add_upright(const Tilt& water, const WetRim& low, const WetRim& high, double nearness,
                 bool areas, Sums& sums) {
  static const std::array<GaussRule, 2> rules = {gauss_legendre(3), gauss_legendre(6)};
  const GaussRule& rule = rules[nearness > 0.006 ? 1 : 0];
  const double height = high.z - low.z;
  for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
    const double z = low.z + height * rule.nodes[i], weight = height * rule.weights[i];
    const DiskSegment at = disk_segment((water.s + water.d - water.c * z) * water.per_s);
    const double cube = 2.0 / 3 * at.sine * at.sine * at.sine;
    sums.volume += weight * at.area;
    sums.along += weight * cube;
    sums.up += weight * at.area * z;
    if (!areas) continue;
    sums.area += 2 * weight * at.angle;
    const double there = (z - low.z) * water.per_s, chord = 2 * weight * water.per_s * at.sine;
    sums.section.add(0, chord, there * chord, there * there * chord, weight * water.per_s * cube);
  }
}

/// With the section's origin at the chord of the lower rim.
void add_side(const Tilt& water, const WetRim& low, const WetRim& high, bool areas, Sums& sums) {
  if (low.wet == Wet::kNone) return;
  if (low.wet == Wet::kAll) return add_slanted(water, low, areas, sums);
  Strip& section = sums.section;
  section.origin_along = low.segment.cosine;
  section.origin_up = low.z;
  if (high.wet == Wet::kSegment) {
    constexpr double kNear = 0.1;  // beyond, no difference is below 1/50 of what it is between
    const double reach = water.c * (high.z - low.z) / 2, room = water.s + water.d;
    if (reach <= kNear * room) return add_upright(water, low, high, reach / room, areas, sums);
  }
  const DiskSegment none{}, &a = low.segment, &b = high.wet == Wet::kNone ? none : high.segment;
  const double draw = 1 / water.c, slope = water.s * draw;
  const double run = (high.z - low.z) * water.c * water.per_s;  // from chord to chord
  const double across = a.across - b.across;
  const double half_second = a.half_second - b.half_second - run * b.first;
  const double volume = slope * (a.first - b.first);
  sums.volume += volume;
  sums.along += slope * across;
  sums.up += slope * slope * half_second + low.z * volume;
  if (!areas) return;
  sums.area += 2 * slope * (a.arcs - b.arcs);
  section.add(0, draw * (a.area - b.area), draw * draw * (a.first - b.first - run * b.area),
              2 * draw * draw * draw * (half_second - run * run * b.area / 2), draw * across);
}

/// What lies under the water of half a ball beyond a rim that is wet in part, `side` 1 above and -1
/// below. With t the half angle of the rim's wet arc and d = level = -s cos t, the section, a
/// circle of radius q = sqrt(1 - d^2), has in the half ball an arc of 2 kappa, and meets the rim at
/// an angle beta:
///   q (cos, sin) kappa = (c cos t, sin t),   q (cos, sin) beta = (c, s sin t),   c times `side`.
/// By Gauss and Bonnet the wet surface is 2 (beta + d kappa); the pyramids over it and over the
/// section from the center of the ball are the volume, and their moments
///   1/4 (disk side - (q^2 section) n - 2/3 d sin^3 t u),   u = (c, s) of the plane,
/// since the surface's normals and those of the flat sides add up to 0.
void add_end(const Tilt& water, const WetRim& rim, int side, bool areas, Sums& sums) {
  if (rim.wet == Wet::kNone) return;
  if (rim.wet == Wet::kAll) {
    sums.volume += 2 * pi / 3;
    sums.up += side * pi / 4 + rim.z * (2 * pi / 3);
    sums.area += 2 * pi;
    return;
  }
  const DiskSegment& disk = rim.segment;
  const double d = rim.level, c = side * water.c, across = c * disk.cosine;
  const double square = across * across + disk.sine * disk.sine, radius = std::sqrt(square);
  const double per_radius = 1 / radius;
  const double cube = 2.0 / 3 * disk.sine * disk.sine * disk.sine;
  const double x = per_radius * across, y = per_radius * disk.sine;
  const double beta = angle_of(per_radius * c, water.s * y), kappa = angle_of(x, y);
  const DiskSegment circle = deep_segment(x, y, kappa);
  const double surface = 2 * (beta + d * kappa), section = square * circle.area;
  const double volume = (surface + d * section) / 3;
  sums.volume += volume;
  sums.along += (water.s * square * section + c * d * cube) / 4;
  sums.up += side * (disk.area - c * square * section + water.s * d * cube) / 4 + rim.z * volume;
  if (!areas) return;
  sums.area += surface;
  sums.section.add(side > 0 ? (rim.z - sums.section.origin_up) * water.per_s : 0, section,
                   side * square * radius * circle.first, 2 * square * square * circle.half_second,
                   square * square * circle.across);
}

/// A cap of the lower ball alone, as of any ball.
Sums cap_of(const Tilt& water, const WetRim& low) {
  const double d = low.level, depth = 1 + d, square = depth * (1 - d);
  const double moment = pi / 4 * square * square;
  Sums sums;
  sums.volume = pi / 3 * depth * depth * (3 - depth);
  sums.along = moment * water.s;
  sums.up = low.z * sums.volume - moment * water.c;
  sums.area = 2 * pi * depth;
  sums.section = {-d * water.s, low.z + d * water.c, pi * square, 0, moment, moment};
  return sums;
}

/// In meters, and the right way round; `whole` as for a solid that is all wet.
WetPart placed(const Tilt& water, const Sums& sums, const Sums& whole, double r, bool areas) {
  const double square = r * r, rest = (1 - water.side) / 2;
  const auto part = [&](double of_whole, double of_part) {
    return rest * of_whole + water.side * of_part;
  };
  WetPart wet;
  wet.volume = part(whole.volume, sums.volume) * square * r;
  wet.first = water.side * square * square * (sums.along * water.along + sums.up * water.up);
  if (!areas) return wet;
  wet.area = part(whole.area, sums.area) * square;
  const Strip& strip = sums.section;
  set_strip(wet.section, r * (strip.origin_along * water.along + strip.origin_up * water.up),
            {water.c * water.along + water.s * water.up, water.across},
            {square * strip.area, square * r * strip.first, square * square * strip.second,
             square * square * strip.across});
  return wet;
}

}  // namespace

WetPart wet_part(const Cylinder& cylinder, const WaterPlane& water, bool areas) {
  const double per_radius = 1 / cylinder.radius, half = cylinder.height * per_radius / 2;
  const Tilt tilt(water, per_radius);
  const WetRim low(tilt, -half), high(tilt, half);
  Sums sums, whole;
  add_side(tilt, low, high, areas, sums);
  sums.area += low.disk() + high.disk();
  whole.volume = 2 * pi * half;
  whole.area = 2 * pi * (1 + 2 * half);
  return placed(tilt, sums, whole, cylinder.radius, areas);
}

WetPart wet_part(const Capsule& capsule, const WaterPlane& water, bool areas) {
  // Two rims in one place would both be wet, or both dry, where the water is level with them.
  if (capsule.height == 0) return wet_part(Sphere{capsule.radius}, water, areas);
  const double per_radius = 1 / capsule.radius, half = capsule.height * per_radius / 2;
  const Tilt tilt(water, per_radius);
  const WetRim low(tilt, -half), high(tilt, half);
  // The angles at the ends cancel where little is wet: with a depth of 0.02 the volume is good to
  // 2e-13 of itself.
  constexpr double kLittle = 0.02;
  if (low.wet == Wet::kSegment && 1 + low.level < kLittle)
    return integrated_part(capsule, water, areas);
  Sums sums, whole;
  if (low.wet == Wet::kNone) {
    sums = cap_of(tilt, low);
  } else {
    add_side(tilt, low, high, areas, sums);
    add_end(tilt, low, -1, areas, sums);
    add_end(tilt, high, 1, areas, sums);
  }
  whole.volume = 2 * pi * half + 4 * pi / 3;
  whole.area = 4 * pi * (1 + half);
  return placed(tilt, sums, whole, capsule.radius, areas);
}

}  // namespace plimsoll
