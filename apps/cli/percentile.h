// Percentiles by nearest rank.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace plimsoll::cli {

[[nodiscard]] inline std::vector<double> ascending(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values;
}

/// The least of the values that at least that share of all do not exceed; 0 without any.
[[nodiscard]] inline double percentile(const std::vector<double>& ascending, double share) {
  if (ascending.empty()) return 0;
  const auto count = static_cast<double>(ascending.size());
  const auto rank = static_cast<std::size_t>(std::ceil(share * count));
  return ascending[std::max<std::size_t>(rank, 1) - 1];
}

}  // namespace plimsoll::cli
