// Cells of a grid with more triangles than a grid is good for: a scan and one triangle a hundred
// sizes away leave all of the scan in few.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tree/hilbert_curve.h"

namespace plimsoll {

/// Whether most triangles are in few of some large cubes, given how many are in each and in those
/// before it. A surface goes through sixteen or more.
[[nodiscard]] inline bool are_concentrated(std::span<const std::uint32_t> ends) {
  constexpr double kFew = 12;
  double squares = 0, before = 0;
  for (const double end : ends) {
    squares += (end - before) * (end - before);
    before = end;
  }
  return kFew * squares > before * before;
}

/// Calls visit(begin, end) for each run of equal code(i), i < count, that is too long. Scans have
/// some ten triangles in a cell.
void for_each_crowd(const auto& code, std::size_t count, const auto& visit) {
  constexpr std::size_t kCrowd = 64;
  for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
    while (end < count && code(end) == code(begin)) ++end;
    if (end - begin > kCrowd) visit(begin, end);
  }
}

/// Sorts triangles along the Hilbert curve through their own box, and those that are too many in a
/// cell there again. `sum_of(number)` is the sum of a triangle's corners, its fourth number any.
/// Those that lie in one place keep their order. O(n log n).
template <class SumOf>
void sort_along_curve(std::span<std::uint32_t> numbers, const SumOf& sum_of) {
  using Eigen::Array4f;
  constexpr int kSides = 10;
  constexpr float kPlaces = (1U << HilbertCurve::kField) - 1;
  Array4f low = sum_of(numbers[0]), high = low;
  for (const std::uint32_t number : numbers) {
    const Array4f sum = sum_of(number);
    low = low.min(sum);
    high = high.max(sum);
  }
  const float scale = kPlaces / (high - low).head<3>().maxCoeff();
  if (!(scale > 0 && std::isfinite(scale))) return;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sorted(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Array4f place = ((sum_of(numbers[i]) - low) * scale).min(kPlaces);
    const auto at = [&](int k) { return static_cast<std::uint64_t>(place[k]); };
    sorted[i] = {kHilbertCurve.number<kSides>(HilbertCurve::word(at(0), at(1), at(2))), numbers[i]};
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& x, const auto& y) { return x.first < y.first; });
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = sorted[i].second;
  for_each_crowd([&](std::size_t i) { return sorted[i].first; }, numbers.size(),
                 [&](std::size_t begin, std::size_t end) {
                   sort_along_curve(numbers.subspan(begin, end - begin), sum_of);
                 });
}

}  // namespace plimsoll
