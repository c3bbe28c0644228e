#include "overlap/curve_loops.h"

#include <algorithm>

#include "core/disjoint_sets.h"
#include "core/no_index.h"

namespace plimsoll {
std::vector<CurveSums> curve_loops(std::span<const CurveSegment> segments) {
  struct End {
    CurveKnot knot;
    std::uint32_t segment;
  };
  std::vector<End> ends;
  ends.reserve(2 * segments.size());
  for (std::uint32_t i = 0; i < segments.size(); ++i) {
    ends.push_back({segments[i].first, i});
    ends.push_back({segments[i].second, i});
  }
  std::sort(ends.begin(), ends.end(), [](const End& x, const End& y) { return x.knot < y.knot; });
  DisjointSets groups(segments.size());
  for (std::size_t i = 1; i < ends.size(); ++i)
    if (ends[i].knot == ends[i - 1].knot) groups.join(ends[i].segment, ends[i - 1].segment);
  std::vector<CurveSums> loops;
  std::vector<std::uint32_t> place(segments.size(), kNoIndex);  // by group
  for (std::uint32_t i = 0; i < segments.size(); ++i) {
    std::uint32_t& loop = place[groups.find(i)];
    if (loop == kNoIndex) {
      loop = static_cast<std::uint32_t>(loops.size());
      loops.emplace_back();
    }
    loops[loop].add(segments[i].from.at, segments[i].to.at);
  }
  std::stable_sort(loops.begin(), loops.end(),
                   [](const CurveSums& x, const CurveSums& y) { return x.length > y.length; });
  return loops;
}

}  // namespace plimsoll
