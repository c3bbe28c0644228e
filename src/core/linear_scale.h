// The scale of a linear map.
#pragma once

#include <plimsoll/elementary.h>
#include <plimsoll/types.h>

namespace plimsoll {

/// The cube root of the determinant, also where that is no number.
[[nodiscard]] inline double scale_of(const Mat3& linear) {
  const double size = linear.cwiseAbs().maxCoeff();
  return size * elementary::cbrt((linear / size).determinant());
}

}  // namespace plimsoll
