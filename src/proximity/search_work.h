// What a search has done, and whether it may go on.
#pragma once

#include <plimsoll/distance.h>
#include <plimsoll/result.h>

#include <cstddef>
#include <string>

#include "core/number_text.h"

namespace plimsoll {

/// Counts, which are the same on any machine.
struct SearchCounts {
  std::size_t opened = 0;    ///< Pairs of parts that were opened, by boxes,
  std::size_t hulls = 0;     ///< gaps of hulls that were found,
  std::size_t measured = 0;  ///< pairs of leaves that were measured.

  [[nodiscard]] std::size_t by_boxes() const { return opened + measured; }
};

/// Of the last question.
[[nodiscard]] const SearchCounts& counts_of(const DistanceSearch& search);
[[nodiscard]] const SearchCounts& counts_of(const NearPairSearch& search);

class SearchWork {
 public:
  /// What it may take, in microseconds of a core of 3 GHz.
  explicit SearchWork(double max_work) : max_work_(max_work) {}

  SearchCounts counts;

  [[nodiscard]] double work() const {
    return 0.15 * static_cast<double>(counts.opened) + 3 * static_cast<double>(counts.hulls) +
           0.5 * static_cast<double>(counts.measured);
  }
  /// Whether it took more than it may, and than what was found is worth beside.
  [[nodiscard]] bool is_exhausted(double worth = 0) const { return work() > max_work_ + worth; }
  /// What is then said: what was found, and what else might help.
  [[nodiscard]] Error too_much_work(const std::string& found, const std::string& expected) const {
    return {ErrorCode::kResourceLimit,
            "found " + found + ", which take more work than " + to_text(max_work_) +
                " us, expected " + expected + ", or more work",
            "max_work"};
  }

 private:
  double max_work_;
};

}  // namespace plimsoll
