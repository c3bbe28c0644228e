#include "tree/hilbert_curve.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <vector>

namespace plimsoll {
namespace {

/// A place in a cell, the cell given by kSides bits for each axis, x lowest, and where in it by the
/// lowest bits of `rest`.
template <int kSides>
std::uint64_t word(std::uint32_t cell, std::uint64_t rest = 0) {
  constexpr std::uint32_t kMask = (1U << kSides) - 1;
  constexpr int kShift = HilbertCurve::kField - kSides;
  const auto place = [&](int axis) {
    return std::uint64_t{cell >> (axis * kSides) & kMask} << kShift | (rest & ((1U << kShift) - 1));
  };
  return HilbertCurve::word(place(0), place(1), place(2));
}

/// What defines the curve, up to turns and mirrors: it passes each cell of every cube once before
/// it leaves the cube, and each cell shares a face with the next.
template <int kSides>
void check_curve() {
  constexpr std::uint32_t kCells = 1U << (3 * kSides), kMask = (1U << kSides) - 1;
  std::vector<std::uint32_t> cell_at(kCells, kCells);
  for (std::uint32_t cell = 0; cell < kCells; ++cell) {
    const std::uint32_t number = kHilbertCurve.number<kSides>(word<kSides>(cell));
    REQUIRE(number < kCells);
    REQUIRE(cell_at[number] == kCells);
    cell_at[number] = cell;
  }
  CHECK(cell_at[0] == 0);
  std::uint32_t jumps = 0, cubes_left = 0;
  for (std::uint32_t number = 1; number < kCells; ++number) {
    const std::uint32_t here = cell_at[number], before = cell_at[number - 1];
    int steps = 0;
    std::uint32_t changed = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const std::uint32_t to = here >> (axis * kSides) & kMask;
      const std::uint32_t from = before >> (axis * kSides) & kMask;
      steps += std::abs(static_cast<int>(to) - static_cast<int>(from));
      changed |= to ^ from;
    }
    jumps += steps != 1 ? 1 : 0;
    for (int level = 1; level < kSides; ++level)
      if (number >> (3 * level) == (number - 1) >> (3 * level) && changed >> level != 0)
        ++cubes_left;
  }
  CHECK(jumps == 0);
  CHECK(cubes_left == 0);
}

TEST_CASE("the Hilbert curve passes each cell once, and goes on to a cell that shares a face") {
  check_curve<4>();
  check_curve<7>();
}

TEST_CASE("a finer Hilbert curve passes the cubes of a coarser one in its order") {
  for (std::uint32_t cell = 0; cell < 1U << 12; ++cell) {
    const std::uint64_t at = word<4>(cell, 0x1b35a);
    const std::uint32_t number = kHilbertCurve.number<4>(at);
    CHECK(number == kHilbertCurve.number<4>(word<4>(cell)));
    CHECK((kHilbertCurve.number<7>(at) >> 9) == number);
    CHECK((kHilbertCurve.number<10>(at) >> 18) == number);
    CHECK((kHilbertCurve.number<10>(at) >> 9) == kHilbertCurve.number<7>(at));
  }
}

TEST_CASE("the finest Hilbert curve passes each cell of a cube once, face by face") {
  // 512 cells in each of 64 cubes of the curve of 2^7 along each axis.
  constexpr std::uint32_t kMask = 7;
  for (std::uint32_t cube = 0; cube < 64; ++cube) {
    const std::uint64_t corner = word<7>(cube * 0x7e31U % (1U << 21));
    std::vector<std::uint32_t> cell_at(512, 512);
    for (std::uint32_t cell = 0; cell < 512; ++cell) {
      const std::uint64_t at =
          corner | HilbertCurve::word(cell & kMask, cell >> 3 & kMask, cell >> 6)
                       << (HilbertCurve::kField - 10);
      const std::uint32_t number = kHilbertCurve.number<10>(at) & 511;
      REQUIRE(cell_at[number] == 512);
      cell_at[number] = cell;
    }
    for (std::uint32_t number = 1; number < 512; ++number) {
      int steps = 0;
      for (int axis = 0; axis < 3; ++axis)
        steps += std::abs(static_cast<int>(cell_at[number] >> (3 * axis) & kMask) -
                          static_cast<int>(cell_at[number - 1] >> (3 * axis) & kMask));
      REQUIRE(steps == 1);
    }
  }
}

}  // namespace
}  // namespace plimsoll
