// What searches of two bodies begin with.
#pragma once

#include <plimsoll/result.h>

#include <string>

#include "core/number_text.h"
#include "pairs/posed_leaves.h"
#include "proximity/part_pairs.h"

namespace plimsoll {

/// How far apart surfaces may be that matter. Errors: `InvalidArgument` unless it is a number not
/// below 0.
[[nodiscard]] inline Result<void> check_farthest(double farthest) {
  if (farthest >= 0) return {};
  return Error{ErrorCode::kInvalidArgument,
               "found " + to_text(farthest) + ", expected a number not below 0", "farthest"};
}

/// The memory of a search, in floats and in doubles: `WaitingInFloats` and `WaitingInDoubles` keep
/// pairs of parts that are to be opened.
template <class WaitingInFloats, class WaitingInDoubles>
class SearchMemory {
 public:
  PosedLeaves leaves[2];

  /// Calls search(pairs, waiting), the pairs of parts begun anew, in floats or in doubles.
  template <class Search>
  auto search(const PosedBodies& bodies, bool in_floats, const Search& search) {
    return in_floats ? start(bodies, in_floats_, search) : start(bodies, in_doubles_, search);
  }

 private:
  template <class Real, class Waiting>
  struct Parts {
    PartPairs<Real> pairs;
    Waiting waiting;
  };
  template <class Parts, class Search>
  static auto start(const PosedBodies& bodies, Parts& parts, const Search& search) {
    parts.pairs.start(bodies);
    return search(parts.pairs, parts.waiting);
  }

  Parts<float, WaitingInFloats> in_floats_;
  Parts<double, WaitingInDoubles> in_doubles_;
};

}  // namespace plimsoll
