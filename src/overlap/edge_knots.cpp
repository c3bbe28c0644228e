#include "overlap/edge_knots.h"

#include <algorithm>
#include <cmath>

#include "overlap/moved_points.h"

namespace plimsoll {
namespace {

std::array<MovedPoint, 3> moved_triangle(const Side& of, std::uint32_t place) {
  const std::array<std::uint32_t, 3> corner = of.corners(place);
  return {of.moved(corner[0]), of.moved(corner[1]), of.moved(corner[2])};
}

}  // namespace

EdgeKnots::EdgeKnots(const std::array<const Side*, 2>& sides,
                     std::span<const CurveSegment> segments, const LocalFrame& local) {
  for (const CurveSegment& segment : segments)
    for (const auto& [key, at] :
         {std::pair(segment.first, segment.from), std::pair(segment.second, segment.to)})
      knots_.push_back({.key = key, .at = at});
  std::sort(knots_.begin(), knots_.end(),
            [](const Knot& x, const Knot& y) { return x.key < y.key; });
  knots_.erase(std::unique(knots_.begin(), knots_.end(),
                           [](const Knot& x, const Knot& y) { return x.key == y.key; }),
               knots_.end());
  for (std::size_t first = 0, last = 0; first < knots_.size(); first = last) {
    const CurveKnot& key = knots_[first].key;
    while (last < knots_.size() && knots_[last].key.edge() == key.edge()) ++last;
    if (last - first == 1) continue;
    const Side &of = *sides[key.is_edge_of_b], &other = *sides[1 - key.is_edge_of_b];
    const MovedPoint from = of.moved(key.low), to = of.moved(key.high);
    const Vec3 way = (local(to.at) - local(from.at)).stableNormalized();
    const auto is_before = [&](const Knot& x, const Knot& y) {
      const double ahead = (y.at.at - x.at.at).dot(way);
      const double off =
          x.at.off + y.at.off + 0x1p-50 * (x.at.at.lpNorm<1>() + y.at.at.lpNorm<1>());
      if (std::fabs(ahead) > off) return ahead > 0;
      if (x.key.triangle == y.key.triangle) return false;
      return passes_before(from, to, moved_triangle(other, x.key.triangle),
                           moved_triangle(other, y.key.triangle));
    };
    std::sort(knots_.begin() + static_cast<std::ptrdiff_t>(first),
              knots_.begin() + static_cast<std::ptrdiff_t>(last), is_before);
    for (std::size_t k = first + 1; k < last; ++k)
      knots_[k].is_tied = !is_before(knots_[k - 1], knots_[k]);
  }
}

std::pair<std::size_t, std::size_t> EdgeKnots::of_edge(std::size_t s, std::uint32_t u,
                                                       std::uint32_t v) const {
  const auto [low, high] = std::minmax(u, v);
  const auto [first, last] =
      std::equal_range(knots_.begin(), knots_.end(),
                       Knot{.key = {static_cast<std::uint32_t>(s), low, high, 0, 0}, .at = {}},
                       [](const Knot& x, const Knot& y) { return x.key.edge() < y.key.edge(); });
  return {first - knots_.begin(), last - knots_.begin()};
}

std::uint32_t EdgeKnots::node_of(const CurveKnot& key) const {
  const auto [first, last] = of_edge(key.is_edge_of_b, key.low, key.high);
  std::size_t k = first;
  while (k < last && knots_[k].key != key) ++k;
  return static_cast<std::uint32_t>(k);
}

}  // namespace plimsoll
