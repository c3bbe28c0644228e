// Four points that are hard for orientation tests: flat by construction, off by one unit in the
// last place, tiny, huge, of all magnitudes at once.
#pragma once

#include <plimsoll/types.h>

#include <array>
#include <cmath>
#include <limits>

#include "core/random.h"

namespace plimsoll::test {

constexpr int kPredicateCaseKinds = 10;

inline Vec3 random_point(Random& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

inline Vec3 lattice_point(Random& random, int size) {
  const auto coordinate = [&] { return static_cast<double>(random.below(2 * size + 1)) - size; };
  return {coordinate(), coordinate(), coordinate()};
}

/// `p` with each coordinate moved by at most `steps` neighboring doubles.
inline Vec3 nudged(Random& random, Vec3 p, int steps) {
  for (int k = 0; k < 3; ++k)
    for (std::uint64_t i = random.below(steps + 1); i > 0; --i)
      p[k] = std::nextafter(p[k], random.below(2) == 0 ? -1e308 : 1e308);
  return p;
}

/// The fourth point near the plane of the others, up to rounding.
inline Vec3 combination(Random& random, const std::array<Vec3, 4>& p) {
  const double s = random.uniform(-2, 2), t = random.uniform(-2, 2);
  return p[0] + s * (p[1] - p[0]) + t * (p[2] - p[0]);
}

inline double any_magnitude(Random& random) {
  const int exponent = static_cast<int>(random.below(2040)) - 1050;
  return std::ldexp(random.uniform(-1, 1), exponent);
}

inline std::array<Vec3, 4> predicate_case(Random& random, int kind) {
  std::array<Vec3, 4> p;
  const auto fill = [&](auto point) {
    for (Vec3& each : p) each = point();
  };
  switch (kind) {
    case 0:  // anywhere
      fill([&] { return random_point(random, 1); });
      break;
    case 1:  // nearly in one plane, far from the origin
      fill([&] { return Vec3(random_point(random, 1) + Vec3(1e6, -1e5, 1e7)); });
      p[3] = combination(random, p);
      break;
    case 2:  // in a plane to the last bit or off by few
      fill([&] { return random_point(random, 1); });
      p[3] = nudged(random, combination(random, p), 3);
      break;
    case 3:  // small whole numbers, often exactly flat
      fill([&] { return lattice_point(random, 3); });
      break;
    case 4:  // the same, scaled to 2^-300
      fill([&] { return Vec3(std::ldexp(1, -300) * lattice_point(random, 3)); });
      break;
    case 5:  // near 2^300, nearly flat
      fill([&] { return Vec3(std::ldexp(1, 300) * random_point(random, 1)); });
      p[3] = combination(random, p);
      break;
    case 6:  // near 2^-300, nearly flat
      fill([&] { return Vec3(std::ldexp(1, -300) * random_point(random, 1)); });
      p[3] = nudged(random, combination(random, p), 1);
      break;
    case 7:  // coordinates from the smallest subnormals to nearly the largest doubles
      fill([&] {
        return Vec3(any_magnitude(random), any_magnitude(random), any_magnitude(random));
      });
      break;
    case 8:  // nearly on one line
      fill([&] { return random_point(random, 1); });
      p[2] = nudged(random, p[0] + random.uniform(-1, 2) * (p[1] - p[0]), 1);
      p[3] = p[0] + 2 * (p[1] - p[0]);
      break;
    default:  // two points equal
      fill([&] { return Vec3(any_magnitude(random), random.unit(), random.unit()); });
      p[3] = p[random.below(3)];
      break;
  }
  return p;
}

}  // namespace plimsoll::test
