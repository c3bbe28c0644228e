// Whether the hulls of parts tell more than their boxes: some are asked, now and then.
#pragma once

#include <cstddef>

#include "proximity/hull_gap.h"
#include "proximity/search_work.h"

namespace plimsoll {

/// A search by boxes asks eight of the pairs that come next, after 4,096 pairs, 16,384 and so on,
/// whether their hulls leave them out, and more while most do: some hundredths of its time.
/// `Target` has enough(), the gap that is looked for, and leaves_out(gap), whether parts of that
/// gap can be left out.
template <class Target>
class HullTest {
 public:
  /// All are referred to. The gaps are started when they are needed.
  HullTest(const PosedBodies& bodies, HullGaps& gaps, PosedTriangles& triangles, Target& target,
           SearchCounts& counts)
      : bodies_(bodies), gaps_(gaps), triangles_(triangles), target_(target), counts_(counts) {}

  /// Whether the hulls of the next pair are to be asked.
  [[nodiscard]] bool asks() const { return counts_.by_boxes() >= next_; }

  /// Whether the hulls of a pair leave it out. `normal` is from a's part to b's.
  template <class Real>
  [[nodiscard, gnu::noinline]] bool leaves_out(const PartPair& pair, const Triple<Real>& normal) {
    start();
    ++counts_.hulls;
    const auto part = [&](int side) { return Part{pair.level(side), pair.number(side)}; };
    const Triple<double> n{-double{normal[0]}, -double{normal[1]}, -double{normal[2]}};
    const bool is_out = target_.leaves_out(gaps_.find(part(0), part(1), n, target_.enough()).gap);
    left_out_ += is_out ? 1 : 0;
    if (++asked_ == kAsked) {
      tell_more_ = left_out_ >= kMost;
      asked_ = left_out_ = 0;
      if (!tell_more_) wait();
    }
    return is_out;
  }

  /// Whether the hulls left most of those out that were asked last. Then the next are asked too.
  [[nodiscard]] bool tell_more() const { return tell_more_; }
  /// Asks none for a while.
  void wait() {
    tell_more_ = false;
    next_ = 4 * counts_.by_boxes();
  }

  /// Makes the gaps usable.
  void start() {
    if (!is_started_) gaps_.start(bodies_, triangles_);
    is_started_ = true;
  }

 private:
  static constexpr std::size_t kFirst = 4096, kAsked = 8, kMost = 6;

  const PosedBodies& bodies_;
  HullGaps& gaps_;
  PosedTriangles& triangles_;
  Target& target_;
  SearchCounts& counts_;
  std::size_t next_ = kFirst, asked_ = 0, left_out_ = 0;
  bool tell_more_ = false, is_started_ = false;
};

}  // namespace plimsoll
