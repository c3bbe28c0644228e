// The basis that Bezier patches are written in.
#pragma once

#include <plimsoll/patches.h>

#include <array>
#include <cstddef>

namespace plimsoll {

using Bernstein = std::array<double, kMaxPatchDegree + 1>;

/// B_i(t) = C(n, i) t^i (1 - t)^(n - i) for i = 0 ... n = degree, one degree after another:
///
///   B_i^k = (1 - t) B_i^(k-1) + t B_(i-1)^(k-1).
///
/// Nothing cancels for t in [0, 1]: each is good to 3 n units in the last place.
[[nodiscard]] inline Bernstein bernstein(int degree, double t) {
  const double s = 1 - t;
  Bernstein basis{1};
  for (std::size_t k = 1; k <= static_cast<std::size_t>(degree); ++k) {
    for (std::size_t i = k; i > 0; --i) basis[i] = s * basis[i] + t * basis[i - 1];
    basis[0] *= s;
  }
  return basis;
}

}  // namespace plimsoll
