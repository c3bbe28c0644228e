#include "tree/self_intersection.h"

#include <algorithm>
#include <limits>

#include "core/parallel.h"
#include "core/predicates.h"

namespace plimsoll {
namespace {

constexpr std::uint32_t kSeveral = std::numeric_limits<std::uint32_t>::max();

// The group to which all items below each node belong, or kSeveral.
std::vector<std::uint32_t> groups_of_nodes(const BoxTree& tree,
                                           std::span<const std::uint32_t> triangles,
                                           std::span<const std::uint32_t> group) {
  std::vector<std::uint32_t> groups(tree.node_count(), kSeveral);
  for (std::size_t node = tree.node_count(); node-- > 0;) {
    if (tree.is_leaf(node)) {
      const std::size_t first = tree.first_slot(node);
      groups[node] = group[triangles[tree.item(first)]];
      for (std::size_t slot = first; slot < tree.first_slot(node + 1); ++slot)
        if (group[triangles[tree.item(slot)]] != groups[node]) groups[node] = kSeveral;
    } else if (groups[2 * node + 1] == groups[2 * node + 2]) {
      groups[node] = groups[2 * node + 1];
    }
  }
  return groups;
}

template <class Skip, class Wanted>
std::vector<TrianglePair> collect_pairs(const MeshView& mesh, const BoxTree& tree,
                                        std::span<const std::uint32_t> triangles, const Skip& skip,
                                        const Wanted& wanted) {
  const std::vector<NodePair> pieces = split_pairs(tree, skip);
  std::vector<std::vector<TrianglePair>> found(pieces.size());
  parallel_for_each_index(pieces.size(), [&](std::size_t piece) {
    visit_pairs_below(tree, pieces[piece], skip, [&](std::size_t i, std::size_t j) {
      const std::uint32_t t = triangles[tree.item(i)], u = triangles[tree.item(j)];
      if (!wanted(t, u)) return;
      const Meeting meeting = meeting_of(corners_of(mesh, t), corners_of(mesh, u));
      if (meeting != Meeting::kApart)
        found[piece].push_back({std::min(t, u), std::max(t, u), meeting == Meeting::kCrosses});
    });
  });
  std::vector<TrianglePair> pairs;
  for (const auto& part : found) pairs.insert(pairs.end(), part.begin(), part.end());
  std::sort(pairs.begin(), pairs.end(), [](const TrianglePair& x, const TrianglePair& y) {
    return x.a != y.a ? x.a < y.a : x.b < y.b;
  });
  return pairs;
}

}  // namespace

std::vector<std::uint32_t> triangles_with_area(const MeshView& mesh) {
  std::vector<std::uint32_t> triangles;
  triangles.reserve(mesh.triangle_count());
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    const auto& [a, b, c] = corners_of(mesh, t).point;
    if (!are_collinear(a, b, c)) triangles.push_back(static_cast<std::uint32_t>(t));
  }
  return triangles;
}

BoxTree triangle_tree(const MeshView& mesh, std::span<const std::uint32_t> triangles) {
  std::vector<Box3> boxes(triangles.size());
  for (std::size_t i = 0; i < triangles.size(); ++i)
    for (const Vec3& p : corners_of(mesh, triangles[i]).point) boxes[i].extend(p);
  return BoxTree(boxes);
}

std::vector<TrianglePair> intersecting_pairs(const MeshView& mesh, const BoxTree& tree,
                                             std::span<const std::uint32_t> triangles,
                                             std::span<const std::uint32_t> group) {
  if (group.empty())
    return collect_pairs(
        mesh, tree, triangles, [](std::size_t, std::size_t) { return false; },
        [](std::uint32_t, std::uint32_t) { return true; });
  const auto groups = groups_of_nodes(tree, triangles, group);
  return collect_pairs(
      mesh, tree, triangles,
      [&](std::size_t a, std::size_t b) { return groups[a] == groups[b] && groups[a] != kSeveral; },
      [&](std::uint32_t t, std::uint32_t u) { return group[t] != group[u]; });
}

std::vector<TrianglePair> self_intersecting_pairs(const MeshView& mesh) {
  const std::vector<std::uint32_t> triangles = triangles_with_area(mesh);
  return intersecting_pairs(mesh, triangle_tree(mesh, triangles), triangles);
}

}  // namespace plimsoll
