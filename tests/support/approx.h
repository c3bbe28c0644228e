// Numbers that are right to a share of themselves.
#pragma once

#include <doctest/doctest.h>

#include <limits>

namespace plimsoll::test {

/// As doctest::Approx, which by itself also allows that share of 1: of a small number that is any
/// number. What is right to a share of another size says so by scale().
inline doctest::Approx approx(double value) {
  return doctest::Approx(value).scale(std::numeric_limits<double>::min());
}

}  // namespace plimsoll::test
