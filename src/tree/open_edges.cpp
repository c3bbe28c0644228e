#include "tree/open_edges.h"

#include <algorithm>
#include <utility>

#include "tree/triangle_tree.h"

namespace plimsoll {

std::vector<OpenEdge> find_open_edges(const TriangleTree& tree) {
  std::vector<OpenEdge> edges;  // from the lower number to the higher
  edges.reserve(3 * tree.triangles);
  for (std::size_t leaf = 0; leaf < tree.leaf_count(); ++leaf)
    for (std::size_t t = 0; t < tree.size_of(leaf); ++t)
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t a = tree.leaves[leaf].corner[k][t];
        const std::uint32_t b = tree.leaves[leaf].corner[(k + 1) % 3][t];
        if (a != b) edges.push_back({std::min(a, b), std::max(a, b), a < b ? 1 : -1});
      }
  const auto ends = [](const OpenEdge& edge) { return std::pair(edge.from, edge.to); };
  std::sort(edges.begin(), edges.end(),
            [&](const OpenEdge& x, const OpenEdge& y) { return ends(x) < ends(y); });
  std::vector<OpenEdge> open;
  for (const OpenEdge& edge : edges) {
    if (!open.empty() && ends(open.back()) == ends(edge)) {
      open.back().times += edge.times;
      continue;
    }
    if (!open.empty() && open.back().times == 0) open.pop_back();
    open.push_back(edge);
  }
  if (!open.empty() && open.back().times == 0) open.pop_back();
  open.shrink_to_fit();
  return open;
}

}  // namespace plimsoll
