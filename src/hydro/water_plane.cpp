#include "hydro/water_plane.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/plane_level.h"
#include "core/power_of_two.h"

namespace plimsoll {
namespace {

constexpr double kFar = 1e300;
double limited(double offset) { return std::clamp(offset, -kFar, kFar); }

/// The same plane, its normal and offset divided by a power of two that makes the normal's length a
/// usual number, so that nothing overflows. Normals between 2^-100 and 2^100 stay.
WaterPlane shortened(WaterPlane water) {
  constexpr int kUsual = 100;
  const int e = exponent_of(water.normal.cwiseAbs().maxCoeff());
  if (e >= -kUsual && e <= kUsual) return water;
  return {water.normal.unaryExpr([e](double x) { return std::ldexp(x, -e); }),
          limited(std::ldexp(water.offset, -e))};
}

}  // namespace

bool is_plane(const WaterPlane& water) {
  const Vec3& n = water.normal;
  // 0 times what is not finite is NaN.
  const double nothing = 0 * n[0] + 0 * n[1] + 0 * n[2] + 0 * water.offset;
  return nothing == 0 && (n[0] != 0 || n[1] != 0 || n[2] != 0);
}

Error no_plane() {
  return {ErrorCode::kInvalidArgument,
          "found a normal without direction or numbers that are not finite, expected a plane",
          "water"};
}

Error too_far_apart() {
  return {ErrorCode::kResourceLimit,
          "found a pose and a plane so far apart that no number tells how far", "water"};
}

Submersion unknown_submersion() {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const Vec3 nowhere = Vec3::Constant(kNaN);
  return {kNaN,
          nowhere,
          kNaN,
          {kNaN, nowhere, Mat2::Constant(kNaN), Mat23::Constant(kNaN)},
          std::numeric_limits<double>::infinity()};
}

WaterPlane with_unit_normal(const WaterPlane& water) {
  const WaterPlane given = shortened(water);
  const double length = given.normal.norm();
  return {given.normal / length, limited(given.offset / length)};
}

WaterPlane plane_in_body(const WaterPlane& water, const Mat3& linear, const Vec3& translation,
                         const SimilarityParts& own) {
  const WaterPlane given = shortened(water);
  Vec3 normal = linear.transpose() * given.normal;
  double level = level_over(translation, given.normal, own.translation, normal, given.offset);
  // Roots and quotients take as long as a ball.
  if (const double square = given.normal.squaredNorm(); square != 1) {
    const double length = std::sqrt(square);
    normal = linear.transpose() * (given.normal / length);
    level /= length;
  }
  return {own.rotation.transpose() * normal, limited(own.scale == 1 ? level : level / own.scale)};
}

}  // namespace plimsoll
