#include "hydro/clip_plane.h"

#include <limits>

namespace plimsoll {

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

Submersion unknown_submersion() {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const Vec3 nowhere = Vec3::Constant(kNaN);
  return {kNaN,
          nowhere,
          kNaN,
          {kNaN, nowhere, Mat2::Constant(kNaN), Mat23::Constant(kNaN)},
          std::numeric_limits<double>::infinity()};
}

}  // namespace plimsoll
