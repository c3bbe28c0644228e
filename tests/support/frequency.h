// How often what swings passes through its mean.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace plimsoll::test {

/// Of samples `h` apart [1/s]; 0 of what passes once.
inline double frequency(const std::vector<double>& x, double h) {
  const double mean =
      (*std::max_element(x.begin(), x.end()) + *std::min_element(x.begin(), x.end())) / 2;
  double first = -1, last = -1;
  int passes = 0;
  for (std::size_t i = 1; i < x.size(); ++i) {
    if ((x[i - 1] - mean) * (x[i] - mean) >= 0) continue;
    last = h * (static_cast<double>(i) + (mean - x[i]) / (x[i] - x[i - 1]));
    if (first < 0) first = last;
    ++passes;
  }
  return passes > 1 ? (passes - 1) / (2 * (last - first)) : 0;
}

}  // namespace plimsoll::test
