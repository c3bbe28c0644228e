#include "hydro/clip_plane.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/power_of_two.h"

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

BodyFrame body_frame(const Box3& box) {
  if (box.isEmpty()) return {};
  BodyFrame frame;
  const Vec3 half = 0.5 * box.max() - 0.5 * box.min();
  frame.exponent = frame_exponent(half.maxCoeff());
  // Sterbenz: x - c is exact for c / 2 <= x <= 2 c. Where the box reaches farther c is 0.
  for (int i = 0; i < 3; ++i) {
    const double low = times_power_of_two(box.min()[i], -frame.exponent);
    const double high = times_power_of_two(box.max()[i], -frame.exponent);
    const double middle = low / 2 + high / 2;
    const bool is_far = low > 0 ? 2 * low >= middle && high <= 2 * middle
                                : high < 0 && 2 * high <= middle && low >= 2 * middle;
    frame.center[i] = is_far ? middle : 0;
    frame.reach = std::max({frame.reach, high - frame.center[i], frame.center[i] - low});
  }
  return frame;
}

double level_far_from_origin(const ClipPlane& plane) { return -plane.exact_height(Vec3::Zero()); }

}  // namespace plimsoll
