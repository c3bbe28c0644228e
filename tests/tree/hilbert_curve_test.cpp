#include "tree/hilbert_curve.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <vector>

namespace plimsoll {
namespace {

/// Of a Morton code.
int place_along(std::uint32_t morton, int axis) {
  int place = 0;
  for (int bit = 0; bit < 10; ++bit)
    place |= static_cast<int>(morton >> (3 * bit + axis) & 1U) << bit;
  return place;
}

/// What defines the curve, up to turns and mirrors: it passes each cell of every cube once before
/// it leaves the cube, and each cell shares a face with the next.
template <int kBits>
void check_curve() {
  constexpr std::uint32_t kCells = 1U << kBits;
  std::vector<std::uint32_t> cell(kCells, kCells);
  for (std::uint32_t morton = 0; morton < kCells; ++morton) {
    const std::uint32_t number = kHilbertCurve.number<kBits>(morton);
    REQUIRE(number < kCells);
    REQUIRE(cell[number] == kCells);
    cell[number] = morton;
  }
  CHECK(cell[0] == 0);
  std::uint32_t jumps = 0, cubes_left = 0;
  for (std::uint32_t number = 1; number < kCells; ++number) {
    int steps = 0;
    for (int axis = 0; axis < 3; ++axis)
      steps += std::abs(place_along(cell[number], axis) - place_along(cell[number - 1], axis));
    jumps += steps != 1 ? 1 : 0;
    for (int bits = 3; bits < kBits; bits += 3)
      if (number >> bits == (number - 1) >> bits &&
          cell[number] >> bits != cell[number - 1] >> bits)
        ++cubes_left;
  }
  CHECK(jumps == 0);
  CHECK(cubes_left == 0);
}

TEST_CASE("the Hilbert curve passes each cell once, and goes on to a cell that shares a face") {
  check_curve<12>();
  check_curve<21>();
}

TEST_CASE("a finer Hilbert curve passes the cubes of a coarser one in its order") {
  for (std::uint32_t cell = 0; cell < 1U << 12; ++cell) {
    CHECK((kHilbertCurve.number<21>(cell << 9 | 0x1b3) >> 9) == kHilbertCurve.number<12>(cell));
    CHECK((kHilbertCurve.number<30>(cell << 18 | 0x2b1d3) >> 18) == kHilbertCurve.number<12>(cell));
  }
}

}  // namespace
}  // namespace plimsoll
