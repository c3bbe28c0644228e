// What is claimed of an estimate of an error: it holds in 99 of 100 cases, and is not much too
// wide. The ratios are those of the true error to the estimate, in independent random cases.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/by_chance.h"

namespace plimsoll::test {

/// One estimate in a hundred may be exceeded.
inline void check_estimates_hold(const std::string& what, const std::vector<double>& ratios) {
  const auto outside = std::count_if(ratios.begin(), ratios.end(), [](double r) { return r > 1; });
  MESSAGE(what, ": ", outside, " of ", ratios.size(), " outside");
  CAPTURE(what);
  CHECK(outside <= max_by_chance(static_cast<int>(ratios.size()), 0.01));
}

/// The median of estimate / error is `widest` or less: half of the cases may be above.
inline void check_estimates_are_close(const std::string& what, std::vector<double> ratios,
                                      double widest) {
  std::sort(ratios.begin(), ratios.end());
  const auto wider = std::lower_bound(ratios.begin(), ratios.end(), 1 / widest) - ratios.begin();
  MESSAGE(what, ": estimate / error is ", 1 / ratios[ratios.size() / 2], " in the median of ",
          ratios.size());
  CAPTURE(what);
  CHECK(wider <= max_by_chance(static_cast<int>(ratios.size()), 0.5));
}

}  // namespace plimsoll::test
