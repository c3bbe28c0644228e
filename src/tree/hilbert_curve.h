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
//   e <- e ^ rot(g(2 floor((w - 1) / 2)), d + 1),   d <- d + 1 + (ones that w, or w - 1 if w is
//   even,
//                                                                 ends in)   (mod 3),
//
// where for w = 0 the terms of w are 0 [Hamilton2006].
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

    for (std::uint32_t state = 0; state < kStates; ++state)
      for (std::uint32_t cell = 0; cell <= kStepMask; ++cell) {
        const Step a = step[state * 8 + (cell >> 6)], b = step[a.state * 8 + (cell >> 3 & 7)],
                   c = step[b.state * 8 + (cell & 7)];
        steps_[state << kStepBits | cell] = static_cast<std::uint16_t>(
            c.state << kStepBits | a.number << 6 | b.number << 3 | c.number);
      }

    for (std::uint32_t cell = 0; cell < start_.size(); ++cell) {
      const Step first = step[cell >> kStepBits];
      const std::uint32_t rest = steps_[first.state << kStepBits | (cell & kStepMask)];
      start_[cell] =
          (rest >> kStepBits) << kStartBits | first.number << kStepBits | (rest & kStepMask);
    }
  }

  /// The number of a cell, by its Morton code: the bits of its places along x, y and z interleaved,
  /// x lowest. The curve begins at cell 0.
  template <int kBits>
  [[nodiscard]] constexpr std::uint32_t number(std::uint32_t morton) const {
    static_assert(kBits >= kStartBits && (kBits - kStartBits) % kStepBits == 0 && kBits <= 30);
    int left = kBits - kStartBits;
    const std::uint32_t start = start_[morton >> left];
    std::uint32_t number = start & kStartMask, state = start >> kStartBits << kStepBits;
    while (left > 0) {
      left -= kStepBits;
      const std::uint32_t next = steps_[state | (morton >> left & kStepMask)];
      number = number << kStepBits | (next & kStepMask);
      state = next & ~kStepMask;
    }
    return number;
  }

 private:
  static constexpr int kStartBits = 12, kStepBits = 9;  // of codes, taken at once: 4 and 3 steps
  static constexpr std::uint32_t kStartMask = (1U << kStartBits) - 1;
  static constexpr std::uint32_t kStepMask = (1U << kStepBits) - 1;
  static constexpr std::uint32_t kStates = 24;  // e + 8 d

  struct Step {
    std::uint32_t number, state;
  };

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
