// Mass properties in 1200-bit arithmetic by the textbook sums about the origin,
//
//   V = sum D / 6,  int x = sum D s / 24,  int x x^T = sum D (s s^T + a a^T + b b^T + c c^T) / 120,
//   D = a . (b x c),  s = a + b + c,
//
// which are other expressions than the library's and share no code with it. Coordinates of 53 bits
// spread over up to 2^120 keep all products of five exact.
#pragma once

#include <plimsoll/mass_properties.h>

#include <boost/multiprecision/cpp_bin_float.hpp>

namespace plimsoll::test {

using Exact = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<1200, boost::multiprecision::digit_base_2>,
    boost::multiprecision::et_off>;

inline MassOptions with_density(double density) {
  MassOptions options;
  options.density = density;
  return options;
}
inline MassOptions with_mass(double mass) {
  MassOptions options;
  options.mass = mass;
  return options;
}
inline MassOptions in_unit(LengthUnit unit) {
  MassOptions options;
  options.unit = unit;
  return options;
}
inline MassOptions with_precision(Precision precision) {
  MassOptions options;
  options.precision = precision;
  return options;
}

struct ExactProperties {
  Exact volume = 0;  ///< signed
  Exact center[3];
  Exact inertia[3][3];  ///< about the center, of the solid turned outward
};

inline ExactProperties exact_properties(const MeshView& mesh) {
  Exact volume = 0;
  Exact first[3] = {};
  Exact second[3][3] = {};
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    Exact p[4][3];
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) p[k][i] = mesh.vertex(mesh.triangle(t)[k])[i];
      p[3][i] = p[0][i] + p[1][i] + p[2][i];
    }
    const Exact d = p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
                    p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
                    p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
    volume += d;
    for (int i = 0; i < 3; ++i) {
      first[i] += d * p[3][i];
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 4; ++k) second[i][j] += d * p[k][i] * p[k][j];
    }
  }
  ExactProperties r;
  r.volume = volume / 6;
  for (int i = 0; i < 3; ++i) r.center[i] = first[i] / 24 / r.volume;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) second[i][j] = second[i][j] / 120 - first[i] / 24 * r.center[j];
  const Exact trace = second[0][0] + second[1][1] + second[2][2];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      r.inertia[i][j] = (i == j ? trace : Exact(0)) - second[i][j];
      if (r.volume < 0) r.inertia[i][j] = -r.inertia[i][j];
    }
  return r;
}

/// How far rounded results lie from the exact ones; the largest component.
inline MassError true_error(const MassProperties& found, const ExactProperties& exact) {
  const auto distance = [](double a, const Exact& b) {
    return abs(Exact(a) - b).convert_to<double>();
  };
  MassError error;
  error.volume = distance(found.volume, abs(exact.volume));
  for (int i = 0; i < 3; ++i) {
    error.center_of_mass =
        std::max(error.center_of_mass, distance(found.center_of_mass[i], exact.center[i]));
    for (int j = 0; j < 3; ++j)
      error.inertia = std::max(error.inertia, distance(found.inertia(i, j), exact.inertia[i][j]));
  }
  return error;
}

}  // namespace plimsoll::test
