// Units in which powers of a body's size neither overflow nor underflow: powers of two, so that a
// length keeps its digits. Bodies of common sizes stay in meters.
#pragma once

#include <plimsoll/shape.h>

#include <algorithm>
#include <type_traits>

#include "core/overloaded.h"
#include "core/power_of_two.h"

namespace plimsoll {

/// e of the unit 2^e m for lengths of about `size`: 0 between 2^-100 and 2^100.
[[nodiscard]] inline int unit_exponent(double size) {
  if (!(size > 0) || !std::isfinite(size)) return 0;
  const int exponent = exponent_of(size);
  return exponent < -100 || exponent > 100 ? exponent : 0;
}

[[nodiscard]] inline Vec3 times_power_of_two(const Vec3& v, int e) {
  return v.unaryExpr([e](double x) { return times_power_of_two(x, e); });
}

/// The longest length of a primitive; 0 of all that is none.
[[nodiscard]] inline double longest_length(const Shape& shape) {
  return std::visit(
      Overloaded{
          [](const BoxSolid& box) { return box.size.maxCoeff(); },
          [](const Sphere& sphere) { return sphere.radius; },
          [](const Ellipsoid& ellipsoid) { return ellipsoid.radii.maxCoeff(); },
          [](const Torus& torus) { return torus.major; },
          [](const Cylinder& cylinder) { return std::max(cylinder.radius, cylinder.height); },
          [](const Capsule& capsule) { return std::max(capsule.radius, capsule.height); },
          [](const Cone& cone) { return std::max(cone.radius, cone.height); },
          [](const auto&) { return 0.0; }},
      shape.solid);
}

/// A primitive, its lengths multiplied by 2^e; its pose stays.
[[nodiscard]] inline Shape resized(Shape shape, int e) {
  const auto grow = [e](auto&... lengths) { ((lengths = times_power_of_two(lengths, e)), ...); };
  std::visit(Overloaded{[&](BoxSolid& box) { grow(box.size); },
                        [&](Sphere& sphere) { grow(sphere.radius); },
                        [&](Ellipsoid& ellipsoid) { grow(ellipsoid.radii); },
                        [&](Torus& torus) { grow(torus.major, torus.minor); },
                        [&](Cylinder& cylinder) { grow(cylinder.radius, cylinder.height); },
                        [&](Capsule& capsule) { grow(capsule.radius, capsule.height); },
                        [&](Cone& cone) { grow(cone.radius, cone.height); }, [](auto&) {}},
             shape.solid);
  return shape;
}

}  // namespace plimsoll
