// What the curve in which two surfaces cross adds up to.
#pragma once

#include <plimsoll/types.h>

namespace plimsoll {

/// Integrals along the curve. By the theorem of Stokes they are those over a surface whose border
/// it is: the area vector is half the integral of x cross dx, and the integral of x cross n over
/// the surface is minus half that of |x|^2 dx.
struct CurveSums {
  Vec3 area_vector_x2 = Vec3::Zero();
  Vec3 square_x3 = Vec3::Zero();  ///< Three times the integral of |x|^2 dx.
  double length = 0;

  /// The segment from p to q.
  void add(const Vec3& p, const Vec3& q) {
    area_vector_x2 += p.cross(q);
    square_x3 += (p.squaredNorm() + p.dot(q) + q.squaredNorm()) * (q - p);
    length += (q - p).norm();
  }
};

}  // namespace plimsoll
