#include "tree/body_frame.h"

#include <algorithm>

namespace plimsoll {

BodyFrame body_frame(const Box3& box) {
  if (box.isEmpty()) return {};
  BodyFrame frame;
  const Vec3 half = 0.5 * box.max() - 0.5 * box.min();
  // Half of the smallest double is 0.
  const double size = half.isZero(0) ? (box.max() - box.min()).maxCoeff() : half.maxCoeff();
  // A body may be 2^1000 times smaller than its coordinates: these may not overflow.
  const double largest = std::max(box.max().cwiseAbs().maxCoeff(), box.min().cwiseAbs().maxCoeff());
  const int least = largest > 0 ? std::min(0, exponent_of(largest) - 1022) : 0;
  frame.exponent = std::max(frame_exponent(size), least);
  // Sterbenz: x - c is exact for c / 2 <= x <= 2 c. Where the box reaches farther c is 0.
  for (int i = 0; i < 3; ++i) {
    const double low = times_power_of_two(box.min()[i], -frame.exponent);
    const double high = times_power_of_two(box.max()[i], -frame.exponent);
    // Halves of the smallest doubles are rounded.
    const double middle = low == high ? low : low / 2 + high / 2;
    const bool is_far = low > 0 ? 2 * low >= middle && high <= 2 * middle
                                : high < 0 && 2 * high <= middle && low >= 2 * middle;
    frame.center[i] = is_far ? middle : 0;
    frame.reach = std::max({frame.reach, high - frame.center[i], frame.center[i] - low});
  }
  return frame;
}

}  // namespace plimsoll
