// Vectors of space in numbers of any kind.
#pragma once

#include <array>

#include "simd/kernel.h"

namespace plimsoll {

/// Coordinates, or any three numbers: doubles, numbers with more digits, or as many as there are
/// lanes (wide_triple.h).
template <class Number>
using Triple = std::array<Number, 3>;

#include "simd/triple.inc"

}  // namespace plimsoll
