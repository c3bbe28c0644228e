#include "tree/self_intersection.h"

#include <algorithm>
#include <atomic>
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

/// The pairs of some triangles, skip and wanted as for the tree's visits.
template <class Skip, class Wanted>
class PairSearch {
 public:
  PairSearch(const MeshView& mesh, const BoxTree& tree, std::span<const std::uint32_t> triangles,
             const Skip& skip, const Wanted& wanted)
      : mesh_(mesh), tree_(tree), triangles_(triangles), skip_(skip), wanted_(wanted) {}

  FoundPairs find(const PairLimit& limit) const {
    std::atomic<std::size_t> count = 0;
    const auto too_many = [&] { return count.load(std::memory_order_relaxed) > limit.most; };
    const auto done = [&] { return too_many() && !limit.count_on; };
    const std::vector<NodePair> pieces = split_pairs(tree_, skip_);
    std::vector<std::vector<TrianglePair>> found(pieces.size());
    parallel_for_each_index(pieces.size(), [&](std::size_t piece) {
      visit(pieces[piece], done, [&](const TrianglePair& pair) {
        ++count;
        if (!too_many()) found[piece].push_back(pair);
      });
    });
    FoundPairs result{{}, count, !too_many()};
    if (result.is_complete) {
      for (const auto& part : found)
        result.pairs.insert(result.pairs.end(), part.begin(), part.end());
    } else {
      result.pairs = sample(pieces);
    }
    std::sort(result.pairs.begin(), result.pairs.end(),
              [](const TrianglePair& x, const TrianglePair& y) {
                return x.a != y.a ? x.a < y.a : x.b < y.b;
              });
    return result;
  }

 private:
  /// Calls each(pair) for the pairs below `piece` until done() holds.
  template <class Done, class Each>
  void visit(NodePair piece, const Done& done, const Each& each) const {
    visit_pairs_below(
        tree_, piece, [&](std::size_t a, std::size_t b) { return done() || skip_(a, b); },
        [&](std::size_t i, std::size_t j) {
          const std::uint32_t t = triangles_[tree_.item(i)], u = triangles_[tree_.item(j)];
          if (done() || !wanted_(t, u)) return;
          const Meeting meeting = meeting_of(corners_of(mesh_, t), corners_of(mesh_, u));
          if (meeting != Meeting::kApart)
            each({std::min(t, u), std::max(t, u), meeting == Meeting::kCrosses});
        });
  }

  /// The first pairs in the order of the tree, which no thread changes.
  std::vector<TrianglePair> sample(const std::vector<NodePair>& pieces) const {
    constexpr std::size_t kSample = 1000;
    std::vector<TrianglePair> pairs;
    const auto done = [&] { return pairs.size() == kSample; };
    for (const NodePair& piece : pieces)
      visit(piece, done, [&](const TrianglePair& pair) { pairs.push_back(pair); });
    return pairs;
  }

  const MeshView& mesh_;
  const BoxTree& tree_;
  std::span<const std::uint32_t> triangles_;
  const Skip& skip_;
  const Wanted& wanted_;
};

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

FoundPairs intersecting_pairs(const MeshView& mesh, const BoxTree& tree,
                              std::span<const std::uint32_t> triangles,
                              std::span<const std::uint32_t> group, const PairLimit& limit) {
  if (group.empty()) {
    const auto skip = [](std::size_t, std::size_t) { return false; };
    const auto wanted = [](std::uint32_t, std::uint32_t) { return true; };
    return PairSearch(mesh, tree, triangles, skip, wanted).find(limit);
  }
  const auto groups = groups_of_nodes(tree, triangles, group);
  const auto skip = [&](std::size_t a, std::size_t b) {
    return groups[a] == groups[b] && groups[a] != kSeveral;
  };
  const auto wanted = [&](std::uint32_t t, std::uint32_t u) { return group[t] != group[u]; };
  return PairSearch(mesh, tree, triangles, skip, wanted).find(limit);
}

FoundPairs self_intersecting_pairs(const MeshView& mesh, const PairLimit& limit) {
  const std::vector<std::uint32_t> triangles = triangles_with_area(mesh);
  return intersecting_pairs(mesh, triangle_tree(mesh, triangles), triangles, {}, limit);
}

}  // namespace plimsoll
