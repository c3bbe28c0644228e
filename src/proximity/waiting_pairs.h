// Pairs of parts that wait to be opened, the nearest first.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "core/no_index.h"
#include "proximity/part_pairs.h"

namespace plimsoll {

/// Families of pairs of parts, of which those pairs come first that are nearest to within a 64th: a
/// stack for each step of gaps, 64 steps to a power of two. Gaps below 2^-16 of the farthest are
/// one step.
template <class Real>
class WaitingPairs {
 public:
  struct Taken {
    PartPair pair;
    Real gap;
    std::uint32_t number;
  };

  /// Begins anew, for gaps up to `farthest`.
  void start(Real farthest) {
    count_ = 0;
    top_.fill(kNoIndex);
    filled_.fill(0);
    first_ = step_of(farthest);
  }

  /// Whether so many families were added that memory matters: 25 MB, of doubles 42, in an array
  /// that may be twice as large.
  [[nodiscard]] bool is_full() const { return count_ >= kMaxFamilies; }

  /// Where the i-th of the families to be added next is put; good until the next call.
  [[nodiscard]] Family<Real>& next(std::size_t i = 0) {
    if (count_ + i >= families_.size()) families_.resize(2 * (count_ + i) + 64);
    return families_[count_ + i].family;
  }
  /// Adds the next family, pairs of which are no nearer than `gap` either.
  void add(Real gap) {
    auto& [family, below] = families_[count_];
    for (unsigned left = family.near; left != 0; left &= left - 1) {
      const auto k = static_cast<std::size_t>(std::countr_zero(left));
      family.gap[k] = std::max(gap, family.gap[k]);
      const std::size_t step = place_of(family.gap[k]);
      filled_[step / 64] |= std::uint64_t{1} << step % 64;
      below[k] = top_[step];
      top_[step] = static_cast<std::uint32_t>(kChildren * count_ + k);
    }
    ++count_;
  }

  /// A nearest pair, unless all are farther apart than that.
  [[nodiscard]] std::optional<Taken> take(Real farthest) {
    const std::size_t last = place_of(farthest);
    for (std::size_t word = filled_.size(); word-- > last / 64;) {
      if (filled_[word] == 0) continue;
      const std::size_t step =
          64 * word + 63 - static_cast<std::size_t>(std::countl_zero(filled_[word]));
      if (step < last) return std::nullopt;
      const std::uint32_t number = top_[step];
      const std::size_t k = number % kChildren;
      const auto& [family, below] = families_[number / kChildren];
      top_[step] = below[k];
      if (below[k] == kNoIndex) filled_[word] &= ~(std::uint64_t{1} << step % 64);
      return Taken{family.first.sibling(family.side, k), family.gap[k], number};
    }
    return std::nullopt;
  }
  /// From a's part to b's.
  [[nodiscard]] Triple<Real> normal_of(const Taken& taken) const {
    return families_[taken.number / kChildren].family.normal_of(taken.number % kChildren);
  }

 private:
  static constexpr std::size_t kMaxFamilies = std::size_t{1} << 17;
  static constexpr std::size_t kSteps = 1024, kChildren = TriangleTree::kChildren;

  /// Exponent and six bits of a number that is not negative.
  static std::size_t step_of(Real gap) {
    if constexpr (std::is_same_v<Real, float>)
      return std::bit_cast<std::uint32_t>(gap) >> 17;
    else
      return std::bit_cast<std::uint64_t>(gap) >> 46;
  }
  [[nodiscard]] std::size_t place_of(Real gap) const {
    return std::min<std::size_t>(first_ - step_of(gap), kSteps - 1);
  }

  struct Waiting {
    Family<Real> family;
    std::uint32_t below[kChildren];  ///< The next of the stack, or kNoIndex.
  };
  std::vector<Waiting> families_;
  std::size_t count_ = 0;  // of those that were added
  std::array<std::uint32_t, kSteps> top_;
  std::array<std::uint64_t, kSteps / 64> filled_;
  std::size_t first_ = 0;
};

}  // namespace plimsoll
