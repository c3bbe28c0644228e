// What is claimed of an estimate of an error: it holds in 99 of 100 cases, and is not much too
// wide. The ratios are those of the true error to the estimate, in independent random cases.
#pragma once

#include <doctest/doctest.h>
#include <plimsoll/image.h>

#include <algorithm>
#include <cmath>
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

/// An image of a mesh, whose estimate is no less than what the lattice is known to miss.
inline void check_is_within_estimate(const ImageMass& image, const MassProperties& exact) {
  const auto largest = [](const auto& difference) { return difference.cwiseAbs().maxCoeff(); };
  CHECK(std::abs(image.properties.volume - exact.volume) <= image.error_estimate.volume);
  if (image.properties.volume == 0) return;
  CHECK(largest(image.properties.center_of_mass - exact.center_of_mass) <=
        image.error_estimate.center_of_mass);
  CHECK(largest(image.properties.inertia - exact.inertia) <= image.error_estimate.inertia);
}

}  // namespace plimsoll::test
