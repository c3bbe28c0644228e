// How often the surface of one solid winds around the vertices of the other: the same for ranges of
// them, in the order of their places in the spanning tree (spanning_moments.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "overlap/curve_search.h"

namespace plimsoll {

class WindingRanges {
 public:
  /// After the curve and the windings around roots were found. O(steps log steps).
  explicit WindingRanges(const Side& of) : spanning_(*of.sums.spanning) {
    const auto add = [&](std::uint32_t vertex, int by) {
      const SpanningMoments::Range& range = spanning_.range[vertex];
      from_.push_back({range.place, by});
      from_.push_back({range.end, -by});
    };
    for (std::size_t i = 0; i < spanning_.components.size(); ++i)
      if (of.root_windings[i] != 0) add(spanning_.components[i].root, of.root_windings[i]);
    for (const WindingStep& step : of.sums.steps) add(step.child, step.by);
    std::sort(from_.begin(), from_.end(),
              [](const From& x, const From& y) { return x.place < y.place; });
    for (std::size_t i = 1; i < from_.size(); ++i) from_[i].winding += from_[i - 1].winding;
  }

  /// O(log steps).
  [[nodiscard]] int around(std::uint32_t vertex) const {
    const SpanningMoments::Range& range = spanning_.range[vertex];
    if (range.end == 0) return 0;
    const auto after =
        std::upper_bound(from_.begin(), from_.end(), range.place,
                         [](std::uint32_t place, const From& x) { return place < x.place; });
    return after == from_.begin() ? 0 : (after - 1)->winding;
  }

  /// Calls use(place, end, winding) for ranges of places around whose vertices it is not 0.
  template <class Use>
  void visit(const Use& use) const {
    for (std::size_t i = 0; i + 1 < from_.size(); ++i)
      if (from_[i].winding != 0 && from_[i].place < from_[i + 1].place)
        use(from_[i].place, from_[i + 1].place, from_[i].winding);
  }

 private:
  /// From this place on, as far as the next.
  struct From {
    std::uint32_t place;
    int winding;
  };
  const SpanningMoments& spanning_;
  std::vector<From> from_;
};

}  // namespace plimsoll
