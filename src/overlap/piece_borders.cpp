#include "overlap/piece_borders.h"

#include "overlap/winding_ranges.h"

namespace plimsoll {

PieceBorders::PieceBorders(const std::array<const Side*, 2>& sides,
                           std::span<const CurveSegment> segments, const LocalFrame& local)
    : sides_(sides), segments_(segments), local_(local), knots_(sides, segments, local) {
  set_vertices();
  join();
}

void PieceBorders::set_vertices() {
  auto node = static_cast<std::uint32_t>(knots_.size());
  for (std::size_t s = 0; s < 2; ++s) {
    const auto count = static_cast<std::uint32_t>(side(s).posed.tree->vertices.size());
    const WindingRanges windings(side(s));
    Vertices& of = vertices_[s];
    for (std::uint32_t v = 0; v < count; ++v) {
      of.local.push_back(rounded_point(local_, side(s).vertex(v)));
      of.winding.push_back(windings.around(v));
      is_tangled_ = is_tangled_ || (of.winding[v] != 0 && of.winding[v] != inside(s));
    }
    of.is_passed.resize(count, false);
    of.first_node = node;
    node += count;
  }
  for (std::size_t k = 0; k < knots_.size(); ++k)
    for (const std::uint32_t end : {knots_[k].key.low, knots_[k].key.high})
      vertices_[knots_[k].key.is_edge_of_b].is_passed[end] = true;
  groups_ = DisjointSets(node);
}

std::pair<std::size_t, std::size_t> PieceBorders::knots_of(std::size_t s, std::uint32_t u,
                                                           std::uint32_t v) const {
  if (!vertices_[s].is_passed[u] || !vertices_[s].is_passed[v]) return {0, 0};
  return knots_.of_edge(s, u, v);
}

void PieceBorders::join() {
  for (const CurveSegment& segment : segments_) {
    nodes_.push_back({knots_.node_of(segment.first), knots_.node_of(segment.second)});
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
