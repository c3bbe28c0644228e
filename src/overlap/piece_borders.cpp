#include "overlap/piece_borders.h"

#include <cmath>

#include "mesh/posed_vertex.h"

namespace plimsoll {
namespace {

constexpr std::uint32_t kOfLeaf = TriangleTree::kLeafTriangles;

/// Around each vertex.
std::vector<int> windings_of(const Side& of) {
  const SolidSums& sums = of.sums;
  const SpanningMoments& spanning = *sums.spanning;
  std::vector<int> gain(spanning.same.size() + 1, 0);
  const auto add = [&](std::uint32_t vertex, int by) {
    const SpanningMoments::Range range = spanning.range[vertex];
    gain[range.place] += by;
    gain[range.end] -= by;
  };
  for (std::size_t i = 0; i < spanning.components.size(); ++i)
    add(spanning.components[i].root, of.root_windings[i]);
  for (const WindingStep& step : sums.steps) add(step.child, step.by);
  for (std::size_t i = 1; i < gain.size(); ++i) gain[i] += gain[i - 1];
  std::vector<int> winding;
  for (const SpanningMoments::Range& range : spanning.range)
    winding.push_back(range.end > 0 ? gain[range.place] : 0);
  return winding;
}

}  // namespace

PieceBorders::PieceBorders(const std::array<const Side*, 2>& sides,
                           std::span<const CurveSegment> segments, const LocalFrame& local)
    : sides_(sides), segments_(segments), local_(local) {
  sort_knots();
  set_vertices();
  order_knots();
  join();
}

void PieceBorders::sort_knots() {
  for (const CurveSegment& segment : segments_)
    for (const auto& [key, at] :
         {std::pair(segment.first, segment.from), std::pair(segment.second, segment.to)})
      knots_.push_back({key, at});
  std::sort(knots_.begin(), knots_.end(),
            [](const Knot& x, const Knot& y) { return x.key < y.key; });
  knots_.erase(std::unique(knots_.begin(), knots_.end(),
                           [](const Knot& x, const Knot& y) { return x.key == y.key; }),
               knots_.end());
}

void PieceBorders::set_vertices() {
  auto node = static_cast<std::uint32_t>(knots_.size());
  for (std::size_t s = 0; s < 2; ++s) {
    const PosedTree& posed = side(s).posed;
    Vertices& of = vertices_[s];
    for (const auto& vertex : posed.tree->vertices) {
      of.world.push_back(
          posed_vertex(posed.tree->frame.to_meters(Vec3::Map(vertex.x)), posed.world_from_mesh));
      of.local.push_back(rounded_point(local_, of.world.back()));
    }
    of.winding = windings_of(side(s));
    of.is_passed.resize(of.world.size(), false);
    of.first_node = node;
    node += static_cast<std::uint32_t>(of.world.size());
    for (const int winding : of.winding)
      is_tangled_ = is_tangled_ || (winding != 0 && winding != inside(s));
  }
  for (const Knot& knot : knots_)
    for (const std::uint32_t end : {knot.key.low, knot.key.high})
      vertices_[knot.key.is_edge_of_b].is_passed[end] = true;
  groups_ = DisjointSets(node);
}

/// Those of one edge, in the order of their keys before they are put in that along the edge.
std::pair<std::size_t, std::size_t> PieceBorders::knots_of(std::size_t s, std::uint32_t u,
                                                           std::uint32_t v) const {
  if (!vertices_[s].is_passed[u] || !vertices_[s].is_passed[v]) return {0, 0};
  const auto [low, high] = std::minmax(u, v);
  const auto [first, last] = std::equal_range(
      knots_.begin(), knots_.end(), Knot{{static_cast<std::uint32_t>(s), low, high, 0, 0}, {}},
      [](const Knot& x, const Knot& y) { return x.key.edge() < y.key.edge(); });
  return {first - knots_.begin(), last - knots_.begin()};
}

std::array<MovedPoint, 3> PieceBorders::moved_triangle(std::size_t s, std::uint32_t place) const {
  std::array<MovedPoint, 3> moved;
  for (std::size_t k = 0; k < 3; ++k) moved[k] = moved_vertex(s, corners(s, place)[k]);
  return moved;
}
MovedPoint PieceBorders::moved_vertex(std::size_t s, std::uint32_t vertex) const {
  return {vertices_[s].world[vertex], side(s).ties.way(vertex)};
}
std::array<std::uint32_t, 3> PieceBorders::corners(std::size_t s, std::uint32_t place) const {
  const auto& corner = side(s).posed.tree->leaves[place / kOfLeaf].corner;
  const std::vector<std::uint32_t>& same = side(s).sums.spanning->same;
  const std::size_t t = place % kOfLeaf;
  return {same[corner[0][t]], same[corner[1][t]], same[corner[2][t]]};
}

/// Puts the knots of each edge in their order from its lower vertex on.
void PieceBorders::order_knots() {
  for (std::size_t first = 0, last = 0; first < knots_.size(); first = last) {
    const CurveKnot& key = knots_[first].key;
    while (last < knots_.size() && knots_[last].key.edge() == key.edge()) ++last;
    if (last - first == 1) continue;
    const std::size_t s = key.is_edge_of_b;
    const RoundedPoint low = vertices_[s].local[key.low], high = vertices_[s].local[key.high];
    const MovedPoint from = moved_vertex(s, key.low), to = moved_vertex(s, key.high);
    const Vec3 way = (high.at - low.at).stableNormalized();
    std::sort(knots_.begin() + static_cast<std::ptrdiff_t>(first),
              knots_.begin() + static_cast<std::ptrdiff_t>(last),
              [&](const Knot& x, const Knot& y) {
                const double ahead = (y.at.at - x.at.at).dot(way);
                const double off =
                    x.at.off + y.at.off + 0x1p-50 * (x.at.at.lpNorm<1>() + y.at.at.lpNorm<1>());
                if (std::fabs(ahead) > off) return ahead > 0;
                if (x.key.triangle == y.key.triangle) return false;
                return passes_before(from, to, moved_triangle(1 - s, x.key.triangle),
                                     moved_triangle(1 - s, y.key.triangle));
              });
  }
}

std::uint32_t PieceBorders::node_of(const CurveKnot& key) const {
  const auto [first, last] = knots_of(key.is_edge_of_b, key.low, key.high);
  std::size_t k = first;
  while (k < last && knots_[k].key != key) ++k;
  return static_cast<std::uint32_t>(k);
}

void PieceBorders::join() {
  for (const CurveSegment& segment : segments_) {
    nodes_.push_back({node_of(segment.first), node_of(segment.second)});
    groups_.join(nodes_.back()[0], nodes_.back()[1]);
  }
  for (std::size_t s = 0; s < 2; ++s) {
    visit_triangles(s, [&](const std::array<std::uint32_t, 3>& c) {
      for (std::size_t k = 0; k < 3; ++k)
        visit_inside(s, c[k], c[(k + 1) % 3],
                     [&](const Corner& x, const Corner& y) { groups_.join(x.node, y.node); });
    });
  }
}

}  // namespace plimsoll
