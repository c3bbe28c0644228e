// The knots of the curve by the edges on which they lie, in their order along each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "overlap/curve_loops.h"
#include "overlap/curve_search.h"
#include "overlap/local_frame.h"

namespace plimsoll {

class EdgeKnots {
 public:
  struct Knot {
    CurveKnot key;
    RoundedPoint at;
    bool is_tied = false;  ///< It is where the one before it is: nothing lies between them.
  };
  /// Where a piece of an edge ends: a knot, by its number, or a vertex, by any other.
  struct Corner {
    RoundedPoint at;
    std::uint32_t node;
  };

  /// Those of the segments, of which each has two.
  EdgeKnots(const std::array<const Side*, 2>& sides, std::span<const CurveSegment> segments,
            const LocalFrame& local);

  [[nodiscard]] std::size_t size() const { return knots_.size(); }
  [[nodiscard]] const Knot& operator[](std::size_t i) const { return knots_[i]; }
  /// Whether a piece ends in a knot that is where the one before it is.
  [[nodiscard]] bool is_empty_before(const Corner& to) const {
    return to.node < knots_.size() && knots_[to.node].is_tied;
  }
  /// The range of those on one edge of surface `s`, from its lower vertex to the higher.
  [[nodiscard]] std::pair<std::size_t, std::size_t> of_edge(std::size_t s, std::uint32_t u,
                                                            std::uint32_t v) const;
  /// The number of a knot.
  [[nodiscard]] std::uint32_t node_of(const CurveKnot& key) const;

  /// Calls use(from, to, winding) for each piece into which the knots of a range part their edge.
  /// `winding` is how often the other surface winds around `low`; returns the same of `high`.
  template <class Use>
  [[nodiscard]] int visit_pieces(const std::pair<std::size_t, std::size_t>& range,
                                 const Corner& low, const Corner& high, int winding,
                                 const Use& use) const {
    Corner before = low;
    for (std::size_t k = range.first; k < range.second; ++k) {
      const Corner here{knots_[k].at, static_cast<std::uint32_t>(k)};
      use(before, here, winding);
      winding += knots_[k].key.gain;
      before = here;
    }
    use(before, high, winding);
    return winding;
  }

 private:
  std::vector<Knot> knots_;
};

}  // namespace plimsoll
