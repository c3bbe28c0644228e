// Primitives that a plane misses, wets whole, or cuts.
#include "hydro/primitive_submersion.h"

#include <plimsoll/elementary.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <type_traits>

#include "core/overloaded.h"
#include "hydro/small_body.h"
#include "hydro/wet_part.h"
#include "shape/primitive_moments.h"

namespace plimsoll {
namespace {

struct HeightRange {
  double low, high;
};

/// From the lowest to the highest n . p of a solid.
HeightRange heights_of(const Sphere& sphere, const Vec3&) {
  return {-sphere.radius, sphere.radius};
}
HeightRange heights_of(const Ellipsoid& e, const Vec3& n) {
  const double reach = n.cwiseProduct(e.radii).norm();
  return {-reach, reach};
}
HeightRange heights_of(const Torus& t, const Vec3& n) {
  const double reach = t.major * elementary::hypot(n.x(), n.y()) + t.minor;
  return {-reach, reach};
}
HeightRange heights_of(const Cylinder& c, const Vec3& n) {
  const double reach = c.radius * n.head<2>().norm() + c.height / 2 * std::abs(n.z());
  return {-reach, reach};
}
HeightRange heights_of(const Capsule& c, const Vec3& n) {
  const double reach = c.radius + c.height / 2 * std::abs(n.z());
  return {-reach, reach};
}
HeightRange heights_of(const Cone& c, const Vec3& n) {
  const double rim = c.radius * n.head<2>().norm(), tip = c.height * n.z();
  return {std::min(-rim, tip), std::max(rim, tip)};
}

template <class Solid>
concept RoundSolid = requires(const Solid& solid, const Vec3& n) { heights_of(solid, n); };

/// Smooth solids that touch the plane are dry; faces in it are wet.
template <class Solid>
constexpr bool kHasFaces = std::is_same_v<Solid, Cylinder> || std::is_same_v<Solid, Cone>;

/// The area of the surface, or more where that is not elementary: by Cauchy and Schwarz the mean of
/// a root, which the area of an ellipsoid is, is no more than the root of the mean.
template <class Solid>
double area_bound(const Solid& solid) {
  return own_area(solid);
}
double area_bound(const Cone& c) {
  return std::numbers::pi * c.radius * (c.radius + Vec2(c.radius, c.height).norm());
}
double area_bound(const Ellipsoid& e) {
  const Vec3& r = e.radii;
  const Vec3 products(r.y() * r.z(), r.z() * r.x(), r.x() * r.y());
  return 4 * std::numbers::pi / std::numbers::sqrt3 * products.norm();
}

/// Heights over the plane, and sums of pyramids, are good to this in sizes of the body.
constexpr double kRounding = 1e-15;

/// What is added to a bound where products of the body's lengths may underflow [m^3].
constexpr double kUnderflow = std::numeric_limits<double>::min();

/// `result` is new.
template <RoundSolid Solid>
void find_round_submersion(const Solid& solid, const WaterPlane& water,
                           const SubmersionParts& parts, Submersion& result) {
  const HeightRange range = heights_of(solid, water.normal);
  const double slack = kRounding * own_box(solid).diagonal().norm();
  if (range.low > water.offset + slack) return;
  result.volume_error = slack * area_bound(solid) + kUnderflow;
  if (range.low > water.offset || (range.low == water.offset && !kHasFaces<Solid>)) return;
  if (range.high <= water.offset) {
    const VolumeMoments whole = own_moments(solid);
    result.volume = whole.volume;
    result.center_of_buoyancy = whole.first / whole.volume;
    if (parts.wetted_area) result.wetted_area = own_area(solid);
    return;
  }
  const WetPart wet = wet_part(solid, water, parts);
  result.volume = range.low < water.offset ? std::max(0.0, wet.volume) : 0;
  if (result.volume > 0) result.center_of_buoyancy = wet.first / wet.volume;
  if (parts.wetted_area) result.wetted_area = std::max(0.0, wet.area);
  if (parts.waterplane) result.waterplane = wet.section;
}

}  // namespace

Result<Submersion> primitive_submersion(const Shape& shape, const WaterPlane& water,
                                        const SubmersionParts& parts) {
  Result<Submersion> result{Submersion()};  // filled in place: copies take a fifth of a ball's time
  const bool is_primitive =
      std::visit(Overloaded{[&](const BoxSolid& box) {
                              *result = box_submersion(box, water, parts);
                              return true;
                            },
                            [&](const RoundSolid auto& solid) {
                              find_round_submersion(solid, water, parts, *result);
                              return true;
                            },
                            [](const auto&) { return false; }},
                 shape.solid);
  if (!is_primitive)
    result = Error{ErrorCode::kUnavailable,
                   "patches, formulas and Booleans have no exact integrals under a plane", "shape"};
  return result;
}

}  // namespace plimsoll
