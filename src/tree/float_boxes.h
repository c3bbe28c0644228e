// Some boxes in float, side by side, so that one is compared with all of them at once.
#pragma once

#include <cmath>
#include <cstddef>

namespace plimsoll {

struct FloatBox {
  float center[3], half[3];
};

/// One that is not there has a size far below zero, so that nothing meets it.
template <std::size_t kCount>
struct FloatBoxes {
  alignas(8 * kCount) float center[3][kCount];
  float half[3][kCount];

  [[nodiscard]] bool is_there(std::size_t k) const { return half[0][k] >= 0; }
  [[nodiscard]] FloatBox operator[](std::size_t k) const {
    return {{center[0][k], center[1][k], center[2][k]}, {half[0][k], half[1][k], half[2][k]}};
  }
  void set_absent(std::size_t k) {
    for (int i = 0; i < 3; ++i) {
      center[i][k] = 0;
      half[i][k] = -1e38F;
    }
  }
};

/// Which of the boxes meet `box`, a bit for each. Differences and sums are rounded.
template <std::size_t kCount>
[[nodiscard]] unsigned meeting(const FloatBox& box, const FloatBoxes<kCount>& boxes) {
  int meets[kCount];
  for (std::size_t k = 0; k < kCount; ++k) {
    int all = 1;
    for (std::size_t i = 0; i < 3; ++i)
      all &= std::fabs(boxes.center[i][k] - box.center[i]) <= boxes.half[i][k] + box.half[i];
    meets[k] = all;
  }
  unsigned bits = 0;
  for (std::size_t k = 0; k < kCount; ++k) bits |= static_cast<unsigned>(meets[k]) << k;
  return bits;
}

}  // namespace plimsoll
