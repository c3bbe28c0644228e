#include "shape/primitive_depth.h"

#include <plimsoll/elementary.h>

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

/// The depth in a product of intervals or disks: `past` is how far the point is past the wall of
/// each factor, negative inside.
template <class Vector>
double depth_in_product(const Vector& past) {
  const double farthest = past.maxCoeff();
  return farthest <= 0 ? -farthest : -past.cwiseMax(0).norm();
}

double distance_to_segment(const Vec2& p, const Vec2& a, const Vec2& b) {
  const Vec2 along = b - a;
  const double share = std::clamp((p - a).dot(along) / along.squaredNorm(), 0.0, 1.0);
  return (p - a - share * along).norm();
}

}  // namespace

double depth_in(const BoxSolid& box, const Vec3& p) {
  return depth_in_product(Vec3(p.cwiseAbs() - box.size / 2));
}

double depth_in(const Sphere& sphere, const Vec3& p) { return sphere.radius - p.norm(); }

// A ball of radius d about p lies inside the ellipsoid sum (x_i / a_i)^2 <= 1 if for some t, 0 < t
// < c^2, c the least of the a_i,
//
//   d^2 <= D(t) = t (1 - S(t)),   S(t) = sum p_i^2 / (a_i^2 - t):
//
// sum (x_i / a_i)^2 <= sum (x_i / a_i)^2 + (d^2 - |x - p|^2) / t in the ball, and the largest value
// of the right side over all x is (d^2 - D(t)) / t + 1. Outside, t < 0, sum (x_i / a_i)^2 >= 1 in
// the ball by the same inequalities turned round. D is concave, and nothing is lost where D' = 0:
//
//   sum (a_i p_i / (a_i^2 - t))^2 = 1,
//
// for the point a_i^2 p_i / (a_i^2 - t) is then on the surface and at the distance sqrt(D) of p.
// The left side falls convexly with g = c^2 - t: Newton's method from below stays below the root,
// and every g on the way gives a bound. In terms of g nothing cancels: a_i^2 - t = (a_i - c)(a_i +
// c) + g.
double depth_in(const Ellipsoid& ellipsoid, const Vec3& p) {
  const double size = ellipsoid.radii.maxCoeff();
  const Vec3 a = ellipsoid.radii / size, x = p.cwiseAbs() / size;
  const double c = a.minCoeff();
  const Vec3 excess = (a.array() - c) * (a.array() + c);
  const Vec3 numerator = a.cwiseProduct(x);
  // Where the sum is 1 or more by one of its terms.
  double g = std::max((numerator - excess).maxCoeff(), 0x1p-60 * c * c);
  constexpr int kMaxRounds = 60;
  for (int round = 0; round < kMaxRounds; ++round) {
    const Vec3 term = numerator.array() / (excess.array() + g);
    const double past = term.squaredNorm() - 1;
    if (!(past > 0)) break;
    const double slope = 2 * (term.array().square() / (excess.array() + g)).sum();
    const double step = past / slope;
    if (!(step > 0x1p-50 * g)) break;
    g += step;
  }
  const double t = c * c - g;
  const double sum = (x.array().square() / (excess.array() + g)).sum();
  const double squared = t * (1 - sum) - 0x1p-49 * std::abs(t) * (1 + sum);
  const bool is_inside = x.cwiseQuotient(a).squaredNorm() < 1;
  if (!(squared > 0) || is_inside != (t > 0)) return 0;
  return is_inside ? size * std::sqrt(squared) : -size * std::sqrt(squared);
}

double depth_in(const Torus& torus, const Vec3& p) {
  return torus.minor - elementary::hypot(elementary::hypot(p.x(), p.y()) - torus.major, p.z());
}

double depth_in(const Cylinder& cylinder, const Vec3& p) {
  return depth_in_product(Vec2(elementary::hypot(p.x(), p.y()) - cylinder.radius,
                               std::abs(p.z()) - cylinder.height / 2));
}

double depth_in(const Capsule& capsule, const Vec3& p) {
  const double past = std::max(std::abs(p.z()) - capsule.height / 2, 0.0);
  return capsule.radius - Vec3(p.x(), p.y(), past).norm();
}

// The half plane through the axis and the point: the cone is a triangle there, and what lies beyond
// the axis is as far as its mirror image.
double depth_in(const Cone& cone, const Vec3& p) {
  const Vec2 at(elementary::hypot(p.x(), p.y()), p.z());
  const double slant = elementary::hypot(cone.radius, cone.height);
  const double side = (cone.radius * (cone.height - at.y()) - cone.height * at.x()) / slant;
  const double inside = std::min(side, at.y());
  if (inside >= 0) return inside;
  const Vec2 rim(cone.radius, 0);
  return -std::min(distance_to_segment(at, Vec2::Zero(), rim),
                   distance_to_segment(at, rim, Vec2(0, cone.height)));
}

}  // namespace plimsoll
