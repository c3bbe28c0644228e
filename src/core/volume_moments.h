// Integrals of 1, x and x x^T over a solid: what mass, center and inertia are made of.
#pragma once

#include <plimsoll/types.h>

#include <cmath>

namespace plimsoll {

struct VolumeMoments {
  double volume = 0;           ///< int dV
  Vec3 first = Vec3::Zero();   ///< int x dV
  Mat3 second = Mat3::Zero();  ///< int x x^T dV, symmetric
};

inline VolumeMoments operator+(const VolumeMoments& a, const VolumeMoments& b) {
  return {a.volume + b.volume, a.first + b.first, a.second + b.second};
}

inline VolumeMoments operator*(double factor, const VolumeMoments& m) {
  return {factor * m.volume, factor * m.first, factor * m.second};
}

/// The moments of the solid that `map` makes of one with moments `m`: with x' = A x + t,
///   int x' x'^T dV' = |det A| (A S A^T + A f t^T + t (A f)^T + V t t^T).
inline VolumeMoments transformed(const VolumeMoments& m, const Similarity& map) {
  const Mat3 a = map.linear();
  const Vec3 t = map.translation();
  const Vec3 f = a * m.first;
  const double det = std::abs(a.determinant());
  return {det * m.volume, det * (f + m.volume * t),
          det * (a * m.second * a.transpose() + f * t.transpose() + t * f.transpose() +
                 m.volume * t * t.transpose())};
}

}  // namespace plimsoll
