// Submersions of primitives by slices z = const and chords of the section, integrated adaptively in
// long double: slow, and with nothing in common with the library's own way.
#pragma once

#include <plimsoll/shape.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "hydro/slices.h"

namespace plimsoll::test {

// ---- solids of revolution

/// A piece of a solid of revolution in z = low..high of outer and inner radius, at most `reach`.
template <class Radius>
void add_slices(const Leaning& w, Real reach, Real low, Real high, const std::vector<Real>& breaks,
                const Radius& radii, TrueSubmersion& sum) {
  const Real size = reach * reach * (high - low);
  const auto of = [&](Real arm, auto&& value) {
    return integral(
        [&](Real z) {
          const auto [outer, inner] = radii(z);
          return value(segment(outer, w.reach(z)), z) - value(segment(inner, w.reach(z)), z);
        },
        low, high, size * arm, w.with_levels(breaks, reach));
  };
  const Real volume = of(1, [](const Segment& g, Real) { return g.area; });
  sum.volume += volume;
  sum.first += of(reach, [](const Segment& g, Real) { return g.first; }) * w.lean;
  const Real arm = 2 * std::max(std::abs(low), std::abs(high));  // never weighted with 0
  const Real about = of(arm, [&](const Segment& g, Real z) { return g.area * (z + arm); });
  sum.first.z() += about - arm * volume;
}

/// The wet part of a disk that faces up or down.
inline Real wet_disk(const Leaning& w, Real radius, Real z) {
  return segment(radius, w.reach(z)).area;
}
/// The wet part of the wall between two radii.
inline Real wet_wall(const Leaning& w, Real from, Real to, Real low, Real high) {
  const Real slant = std::hypot(to - from, high - low);
  if (low == high) return 0;
  const auto arc = [&](Real x) {
    return segment(from + (to - from) * x, w.reach(low + (high - low) * x)).arc;
  };
  std::vector<Real> breaks = w.with_levels({}, std::max(from, to));
  for (Real& z : breaks) z = (z - low) / (high - low);
  return slant * integral(arc, 0, 1, std::max(from, to), breaks);
}
/// The wet part of the surface that an arc about (major, z) makes.
inline Real wet_arc(const Leaning& w, Real major, Real z, Real r, Real from, Real to) {
  const auto arc = [&](Real angle) {
    return segment(major + r * std::cos(angle), w.reach(z + r * std::sin(angle))).arc;
  };
  std::vector<Real> breaks;
  for (const Real x : {w.s, -w.s})
    for (const Real y : {w.c, -w.c}) breaks.push_back(std::atan2(y, x));
  for (const Real level : w.with_levels({}, major + r)) {
    const Real angle = std::asin(std::clamp<Real>((level - z) / r, -1, 1));
    breaks.insert(breaks.end(), {angle, kPi - angle, -kPi - angle});
  }
  return r * integral(arc, from, to, (major + r) * (to - from), breaks);
}

inline TrueSubmersion truth(const Cylinder& solid, const Leaning& w) {
  const Real r = solid.radius, h = static_cast<Real>(solid.height) / 2;
  TrueSubmersion sum;
  add_slices(w, r, -h, h, {}, [&](Real) { return std::pair<Real, Real>(r, 0); }, sum);
  sum.wetted_area = wet_disk(w, r, -h) + wet_disk(w, r, h) + wet_wall(w, r, r, -h, h);
  add_section(w, r, r, -h, h, {}, [&](Real x, Real) { return chord((r - x) * (r + x)); }, sum);
  return sum;
}

inline TrueSubmersion truth(const Cone& solid, const Leaning& w) {
  const Real r = solid.radius, h = solid.height;
  TrueSubmersion sum;
  const auto radius = [&](Real z) { return r * (h - z) / h; };
  add_slices(w, r, 0, h, {}, [&](Real z) { return std::pair<Real, Real>(radius(z), 0); }, sum);
  sum.wetted_area = wet_disk(w, r, 0) + wet_wall(w, r, 0, 0, h);
  add_section(
      w, r, r, 0, h, {-w.s * h, -w.s * Leaning::edge(w.d, std::abs(w.c))},
      [&](Real x, Real z) { return chord((radius(z) - x) * (radius(z) + x)); }, sum);
  return sum;
}

inline TrueSubmersion truth(const Capsule& solid, const Leaning& w) {
  const Real r = solid.radius, h = static_cast<Real>(solid.height) / 2;
  TrueSubmersion sum;
  const auto square = [&](Real z) {
    const Real beyond = std::max<Real>(0, std::abs(z) - h);
    return std::max<Real>(0, (r - beyond) * (r + beyond));
  };
  const auto radii = [&](Real z) { return std::pair<Real, Real>(std::sqrt(square(z)), 0); };
  add_slices(w, r, -h - r, -h, {-h - w.c * r, -h + w.c * r}, radii, sum);
  add_slices(w, r, -h, h, {}, radii, sum);
  add_slices(w, r, h, h + r, {h - w.c * r, h + w.c * r}, radii, sum);
  sum.wetted_area = wet_arc(w, 0, -h, r, -kPi / 2, 0) + wet_wall(w, r, r, -h, h) +
                    wet_arc(w, 0, h, r, 0, kPi / 2);
  add_section(
      w, r, r, -h - r, h + r, {w.s * h, -w.s * h},
      [&](Real x, Real z) { return chord(square(z) - x * x); }, sum);
  return sum;
}

inline TrueSubmersion truth(const Sphere& solid, const Leaning& w) {
  return truth(Capsule{solid.radius, 0}, w);
}

inline TrueSubmersion truth(const Torus& solid, const Leaning& w) {
  const Real major = solid.major, r = solid.minor;
  TrueSubmersion sum;
  const auto thick = [&](Real z) { return std::sqrt(std::max<Real>(0, (r - z) * (r + z))); };
  add_slices(
      w, major + r, -r, r, {-w.c * r, w.c * r},
      [&](Real z) { return std::pair(major + thick(z), major - thick(z)); }, sum);
  sum.wetted_area = wet_arc(w, major, 0, r, -kPi, kPi);
  add_section(
      w, major + r, major + r, -r, r, {w.c * major, -w.c * major},
      [&](Real x, Real z) -> Chords {
        const Real g = thick(z), outer = (major + g - x) * (major + g + x),
                   inner = (major - g - x) * (major - g + x);
        if (!(outer > 0)) return {};
        const Real b = std::sqrt(outer), a = std::sqrt(std::max<Real>(0, inner));
        return {{-b, -a}, {a, b}};
      },
      sum);
  return sum;
}

// ---- boxes

/// Of { |x| <= a, |y| <= b, p x + q y <= level }: area, and the integrals of x and y.
inline std::array<Real, 3> cut_rectangle(Real a, Real b, Real p, Real q, Real level) {
  const std::array<std::array<Real, 2>, 4> corner = {{{-a, -b}, {a, -b}, {a, b}, {-a, b}}};
  std::vector<std::array<Real, 2>> kept;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto &v = corner[i], &next = corner[(i + 1) % 4];
    const Real f = p * v[0] + q * v[1] - level, g = p * next[0] + q * next[1] - level;
    if (f <= 0) kept.push_back(v);
    if ((f < 0 && g > 0) || (f > 0 && g < 0))
      kept.push_back(
          {v[0] + (next[0] - v[0]) * f / (f - g), v[1] + (next[1] - v[1]) * f / (f - g)});
  }
  std::array<Real, 3> sum{};
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const auto &v = kept[i], &next = kept[(i + 1) % kept.size()];
    const Real cross = v[0] * next[1] - v[1] * next[0];
    sum[0] += cross / 2;
    sum[1] += cross * (v[0] + next[0]) / 6;
    sum[2] += cross * (v[1] + next[1]) / 6;
  }
  return sum;
}

inline TrueSubmersion truth(const BoxSolid& box, const Leaning& w) {
  const RealVec3 half = box.size.cast<Real>() / 2, n = w.n;
  TrueSubmersion sum;
  const Real size = 8 * half.prod();
  const auto of = [&](Real arm, auto&& value) {
    return integral(
        [&](Real z) {
          return value(cut_rectangle(half.x(), half.y(), n.x(), n.y(), w.d - n.z() * z), z);
        },
        -half.z(), half.z(), size * arm, w.with_levels({}, half.norm()));
  };
  sum.volume = of(1, [](const auto& m, Real) { return m[0]; });
  sum.first = {of(half.x(), [](const auto& m, Real) { return m[1]; }),
               of(half.y(), [](const auto& m, Real) { return m[2]; }),
               of(half.z(), [](const auto& m, Real z) { return m[0] * z; })};
  for (int k = 0; k < 3; ++k)
    for (const int side : {-1, 1}) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      sum.wetted_area +=
          cut_rectangle(half[i], half[j], n[i], n[j], w.d - n[k] * side * half[k])[0];
    }
  const auto chords = [&](Real x, Real) -> Chords {
    Real a = -1e30L, b = 1e30L;  // of y where x lean + y side is in the rectangle
    for (int k = 0; k < 2; ++k) {
      const Real at = x * w.lean[k], slope = w.side[k];
      if (std::abs(slope) < 1e-25L) {
        if (std::abs(at) > half[k]) return {};
        continue;
      }
      a = std::max(a, std::min((-half[k] - at) / slope, (half[k] - at) / slope));
      b = std::min(b, std::max((-half[k] - at) / slope, (half[k] - at) / slope));
    }
    return a < b ? Chords{{a, b}} : Chords{};
  };
  const Real width = std::abs(w.lean.x()) * half.x() + std::abs(w.lean.y()) * half.y();
  add_section(w, width, half.norm(), -half.z(), half.z(), {}, chords, sum);
  return sum;
}

// ---- ellipsoids

/// The cap of the ball that D = diag(radii) maps to the wet surface, in rings about its axis: the
/// trapezoid rule is exact to rounding on them with some 40 points times the aspect ratio.
inline Real ellipsoid_wetted_area(const RealVec3& radii, const RealVec3& n, Real d) {
  const RealVec3 axis = radii.cwiseProduct(n).normalized();
  const Real to = std::clamp<Real>(d / radii.cwiseProduct(n).norm(), -1, 1);
  const RealVec3 e = axis.unitOrthogonal(), f = axis.cross(e);
  const int count = static_cast<int>(40 * radii.maxCoeff() / radii.minCoeff());
  const auto ring = [&](Real angle) {
    Real sum = 0;
    for (int i = 0; i < count; ++i) {
      const Real turn = 2 * kPi * i / count;
      const RealVec3 p =
          -std::cos(angle) * axis + std::sin(angle) * (std::cos(turn) * e + std::sin(turn) * f);
      sum += p.cwiseQuotient(radii).norm();
    }
    return sum * std::sin(angle) * 2 * kPi / count;
  };
  return radii.prod() * integral(ring, 0, std::acos(-to), 1 / radii.minCoeff());
}

inline TrueSubmersion truth(const Ellipsoid& solid, const Leaning& w) {
  const Real a = solid.radii.x(), b = solid.radii.y(), c = solid.radii.z();
  const RealVec3 n = w.n;
  const Real slope = std::hypot(a * n.x(), b * n.y());
  const Real part_x = slope > 0 ? a * n.x() / slope : 1, part_y = slope > 0 ? b * n.y() / slope : 0;
  const Real top = c * c * n.z() / std::hypot(slope, c * n.z());
  TrueSubmersion sum;
  const auto of = [&](Real arm, auto&& value) {
    return a * b *
           integral(
               [&](Real z) {
                 const Real rho = std::sqrt(std::max<Real>(0, (c - z) * (c + z))) / c;
                 return value(segment(rho, Leaning::edge(w.d - n.z() * z, slope)), z);
               },
               -c, c, c * arm, w.with_levels({-top, top}, std::max(a, b)));
  };
  sum.volume = of(1, [](const Segment& g, Real) { return g.area; });
  const Real along = of(1, [](const Segment& g, Real) { return g.first; });
  sum.first = {a * part_x * along, b * part_y * along,
               of(c, [](const Segment& g, Real z) { return g.area * z; })};
  sum.wetted_area = ellipsoid_wetted_area({a, b, c}, n, w.d);
  const auto chords = [&](Real x, Real z) -> Chords {
    // (x lean + y side) in units of the half axes
    const Real px = x * w.lean.x() / a, py = x * w.lean.y() / b, vx = w.side.x() / a,
               vy = w.side.y() / b;
    const Real aa = vx * vx + vy * vy, bb = px * vx + py * vy, m = px * vy - py * vx;
    const Real square = aa * (c - z) * (c + z) / (c * c) - m * m;
    if (!(square > 0)) return {};
    return {{(-bb - std::sqrt(square)) / aa, (-bb + std::sqrt(square)) / aa}};
  };
  const Real width = std::hypot(a * w.lean.x(), b * w.lean.y());
  // The middle of the section is D^2 n d / |D n|^2.
  const RealVec3 middle =
      RealVec3(a * a, b * b, c * c).cwiseProduct(n) * w.d / (slope * slope + c * c * n.z() * n.z());
  add_section(w, width, std::hypot(a, b), -c, c, {w.c * middle.dot(w.lean) - w.s * middle.z()},
              chords, sum);
  return sum;
}

template <class Other>
TrueSubmersion truth(const Other&, const Leaning&) {
  return {};
}
inline TrueSubmersion truth(const Shape& shape, const WaterPlane& water) {
  return std::visit([&](const auto& solid) { return truth(solid, Leaning(water)); }, shape.solid);
}

}  // namespace plimsoll::test
