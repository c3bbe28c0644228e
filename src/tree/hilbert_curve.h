// The Hilbert curve through a cube of cells: cells that follow each other on it share a face, so
// that triangles that do so lie near each other. The Morton curve jumps, and trees along it have up
// to twice as many pairs of leaves whose boxes meet.
//
// The curve enters a cube at its corner e and leaves it along axis d from there. It takes the eight
// cells of the cube in the order of Gray codes, turned so that they begin at e. With w the number
// of a cell in that order, g(w) = w ^ w / 2 its Gray code, rot a rotation of three bits to the
// left,
//
//   cell = e ^ rot(g(w), d + 1),
//   e <- e ^ rot(g(2 floor((w - 1) / 2)), d + 1),
//   d <- d + 1 + k (mod 3), k the ones that w, or w - 1 if w is even, ends in,
//
// where for w = 0 the terms of w are 0 [Hamilton2006]. Tables take four steps, then three at a
// time. They are asked with the bits of x, of y and of z side by side, which one multiplication
// gathers.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace plimsoll {

class HilbertCurve {
 public:
  /// Compilers bound the work of a constant: each table is made of the one before.
  constexpr HilbertCurve() {
    std::array<Step, kStates * 8> step{};
    for (std::uint32_t state = 0; state < kStates; ++state)
      for (std::uint32_t cell = 0; cell < 8; ++cell)
        step[state * 8 + cell] = step_down(state, cell);

    std::array<std::uint32_t, 1U << kStepBits> place{};
    for (std::uint32_t cell = 0; cell <= kStepMask; ++cell)
      place[cell] = side_by_side(cell, kSteps);
    for (std::uint32_t state = 0; state < kStates; ++state)
      for (std::uint32_t cell = 0; cell <= kStepMask; ++cell) {
        const Step a = step[state * 8 + (cell >> 6)], b = step[a.state * 8 + (cell >> 3 & 7)],
                   c = step[b.state * 8 + (cell & 7)];
        steps_[state << kStepBits | place[cell]] = static_cast<std::uint16_t>(
            c.state << kStepBits | a.number << 6 | b.number << 3 | c.number);
      }

    for (std::uint32_t cell = 0; cell <= kStartMask; ++cell) {
      const Step first = step[cell >> kStepBits];
      const std::uint32_t rest = steps_[first.state << kStepBits | place[cell & kStepMask]];
      start_[side_by_side(cell, kFirstSteps)] =
          (rest >> kStepBits) << kStartBits | first.number << kStepBits | (rest & kStepMask);
    }
  }

  /// Places along x, y and z, below 2^21 each, x in the lowest bits.
  static constexpr int kField = 21;
  [[nodiscard]] static constexpr std::uint64_t word(std::uint64_t x, std::uint64_t y,
                                                    std::uint64_t z) {
    return x | y << kField | z << 2 * kField;
  }

  /// The number of the cell that a place is in, where each axis has 2^kSides of them. The curve
  /// begins at the cell of place 0.
  template <int kSides>
  [[nodiscard]] constexpr std::uint32_t number(std::uint64_t word) const {
    static_assert(kSides == 4 || kSides == 7 || kSides == 10);
    const std::uint32_t start = start_[gathered<kFirstSteps, kField - kFirstSteps>(word)];
    std::uint32_t number = start & kStartMask, state = start >> kStartBits << kStepBits;
    const auto go_on = [&](std::uint32_t bits) {
      const std::uint32_t next = steps_[state | bits];
      number = number << kStepBits | (next & kStepMask);
      state = next & ~kStepMask;
    };
    if constexpr (kSides >= 7) go_on(gathered<kSteps, kField - 7>(word));
    if constexpr (kSides >= 10) go_on(gathered<kSteps, kField - 10>(word));
    return number;
  }

 private:
  static constexpr int kFirstSteps = 4, kSteps = 3;
  static constexpr int kStartBits = 3 * kFirstSteps, kStepBits = 3 * kSteps;
  static constexpr std::uint32_t kStartMask = (1U << kStartBits) - 1;
  static constexpr std::uint32_t kStepMask = (1U << kStepBits) - 1;
  static constexpr std::uint32_t kStates = 24;  // e + 8 d

  struct Step {
    std::uint32_t number, state;
  };

  /// Bits kLow to kLow + kCount - 1 of each place, side by side, those of x lowest. The product has
  /// them at its top: those of z moved by d, of y by d + 21 - kCount, of x by d + 42 - 2 kCount. Of
  /// the six other terms three lie beyond the word, and three below bit 43, side by side too, so
  /// that nothing is carried.
  template <int kCount, int kLow>
  static constexpr std::uint32_t gathered(std::uint64_t word) {
    constexpr int d = 64 - 2 * kField - kCount - kLow;
    static_assert(d >= 0 && 3 * kCount <= 64 - 43);
    constexpr std::uint64_t kOne = ((std::uint64_t{1} << kCount) - 1) << kLow;
    constexpr std::uint64_t kMoved = std::uint64_t{1} << (kField - kCount);
    constexpr std::uint64_t kMoves = (1 + kMoved + kMoved * kMoved) << d;
    return static_cast<std::uint32_t>((word & HilbertCurve::word(kOne, kOne, kOne)) * kMoves >>
                                      (64 - 3 * kCount));
  }

  /// From three bits for each step, the coarsest step highest, to those of x, of y and of z.
  static constexpr std::uint32_t side_by_side(std::uint32_t cell, int steps) {
    std::uint32_t bits = 0;
    for (int step = 0; step < steps; ++step, cell >>= 3)
      bits |= ((cell & 1) | (cell >> 1 & 1) << steps | (cell >> 2 & 1) << 2 * steps) << step;
    return bits;
  }

  static constexpr std::uint32_t turned(std::uint32_t x, std::uint32_t left) {
    return (x << left | x >> (3 - left)) & 7;
  }
  static constexpr Step step_down(std::uint32_t state, std::uint32_t cell) {
    const std::uint32_t e = state % 8, d = state / 8, turn = (d + 1) % 3;
    const std::uint32_t gray = turned(cell ^ e, (3 - turn) % 3);
    const std::uint32_t w = gray ^ gray >> 1 ^ gray >> 2;
    if (w == 0) return {0, e + 8 * turn};
    const std::uint32_t even = (w - 1) / 2 * 2;
    const auto ones = static_cast<std::uint32_t>(std::countr_one(w - 1 + w % 2));
    return {w, (e ^ turned(even ^ even >> 1, turn)) + 8 * ((turn + ones) % 3)};
  }

  std::array<std::uint32_t, 1U << kStartBits> start_{};  // number, and the state before it
  std::array<std::uint16_t, kStates << kStepBits> steps_{};
};

inline constexpr HilbertCurve kHilbertCurve;

}  // namespace plimsoll
