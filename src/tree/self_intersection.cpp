#include "tree/self_intersection.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <optional>

#include "core/parallel.h"
#include "core/predicates.h"
#include "tree/node_hulls.h"

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

/// The pairs of triangles below one tree. What is wanted are pairs of different groups, or all
/// where there are none; hulls, where there are any, tell more nodes apart than boxes do.
class PairSearch {
 public:
  PairSearch(const MeshView& mesh, const BoxTree& tree, std::span<const std::uint32_t> triangles,
             std::span<const std::uint32_t> group, const NodeHulls* hulls)
      : mesh_(mesh), tree_(tree), triangles_(triangles), group_(group), hulls_(hulls) {
    if (!group.empty()) groups_ = groups_of_nodes(tree, triangles, group);
  }

  /// Nothing if more than `most_looks` pairs have to be looked at.
  [[nodiscard]] std::optional<FoundPairs> find(std::size_t limit, std::size_t most_looks) const {
    std::atomic<std::size_t> count = 0, looks = 0;
    const auto is_weary = [&] { return looks.load(std::memory_order_relaxed) > most_looks; };
    const auto too_many = [&] { return count.load(std::memory_order_relaxed) > limit; };
    const std::vector<NodePair> pieces =
        split_pairs(tree_, [this](std::size_t a, std::size_t b) { return skips(a, b); });
    std::vector<std::vector<TrianglePair>> found(pieces.size());
    parallel_for_each_index(pieces.size(), [&](std::size_t piece) {
      constexpr std::size_t kBatch = 256;  // counted at once
      std::size_t here = 0;
      const auto done = [&] { return too_many() || is_weary(); };
      const auto look = [&] {
        if (++here % kBatch == 0) looks += kBatch;
      };
      visit(pieces[piece], done, look, [&](const TrianglePair& pair) {
        ++count;
        if (!too_many()) found[piece].push_back(pair);
      });
    });
    if (is_weary() && !too_many()) return std::nullopt;
    FoundPairs result{{}, std::min<std::size_t>(count, limit + 1), !too_many()};
    if (result.is_complete) {
      for (const auto& part : found)
        result.pairs.insert(result.pairs.end(), part.begin(), part.end());
    } else {
      result.pairs = sample(pieces, limit);
    }
    std::sort(result.pairs.begin(), result.pairs.end(),
              [](const TrianglePair& x, const TrianglePair& y) {
                return x.a != y.a ? x.a < y.a : x.b < y.b;
              });
    return result;
  }

 private:
  [[nodiscard]] bool skips(std::size_t a, std::size_t b) const {
    if (!groups_.empty() && groups_[a] == groups_[b] && groups_[a] != kSeveral) return true;
    return hulls_ != nullptr && hulls_->are_apart(a, b);
  }
  [[nodiscard]] bool is_wanted(std::uint32_t t, std::uint32_t u) const {
    return group_.empty() || group_[t] != group_[u];
  }

  /// Calls each(pair) for the pairs below `piece` until done() holds, look() for each that is
  /// decided by its corners.
  template <class Done, class Look, class Each>
  void visit(NodePair piece, const Done& done, const Look& look, const Each& each) const {
    visit_pairs_below(
        tree_, piece, [&](std::size_t a, std::size_t b) { return done() || skips(a, b); },
        [&](std::size_t i, std::size_t j) {
          const std::uint32_t t = triangles_[tree_.item(i)], u = triangles_[tree_.item(j)];
          if (done() || !is_wanted(t, u)) return;
          look();
          const Meeting meeting = meeting_within_mesh(corners_of(mesh_, t), corners_of(mesh_, u));
          if (meeting != Meeting::kApart)
            each({std::min(t, u), std::max(t, u), meeting == Meeting::kCrosses});
        });
  }

  /// The first pairs in the order of the tree, which no thread changes, and the first that crosses
  /// among as many as the limit.
  [[nodiscard]] std::vector<TrianglePair> sample(const std::vector<NodePair>& pieces,
                                                 std::size_t limit) const {
    constexpr std::size_t kSample = 1000;
    std::vector<TrianglePair> pairs;
    std::size_t count = 0;
    bool crosses = false;
    const auto done = [&] { return count >= kSample && (crosses || count >= limit); };
    for (const NodePair& piece : pieces)
      visit(
          piece, done, [] {},
          [&](const TrianglePair& pair) {
            if (++count <= kSample || (pair.crosses && !crosses)) pairs.push_back(pair);
            crosses = crosses || pair.crosses;
          });
    return pairs;
  }

  const MeshView& mesh_;
  const BoxTree& tree_;
  std::span<const std::uint32_t> triangles_, group_;
  const NodeHulls* hulls_;
  std::vector<std::uint32_t> groups_;  // of nodes
};

std::vector<Box3> boxes_of(const MeshView& mesh, std::span<const std::uint32_t> triangles) {
  std::vector<Box3> boxes(triangles.size());
  for (std::size_t i = 0; i < triangles.size(); ++i)
    for (const Vec3& p : corners_of(mesh, triangles[i]).point) boxes[i].extend(p);
  return boxes;
}

std::vector<Vec3> centroids_of(const MeshView& mesh, std::span<const std::uint32_t> triangles) {
  std::vector<Vec3> centroids(triangles.size());
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const auto& [a, b, c] = corners_of(mesh, triangles[i]).point;
    centroids[i] = a / 3 + b / 3 + c / 3;
  }
  return centroids;
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
  return BoxTree(boxes_of(mesh, triangles));
}

BoxTree centroid_tree(const MeshView& mesh, std::span<const std::uint32_t> triangles) {
  return {boxes_of(mesh, triangles), centroids_of(mesh, triangles)};
}

// Boxes alone tell the triangles of most meshes apart. Where they leave many pairs to be looked at,
// the search begins again with hulls.
FoundPairs intersecting_pairs(const MeshView& mesh, const BoxTree& tree,
                              std::span<const std::uint32_t> triangles,
                              std::span<const std::uint32_t> group, std::size_t limit) {
  constexpr std::size_t kPatience = 128;  // pairs for each triangle; scans and parts have below 40
  const PairSearch by_boxes(mesh, tree, triangles, group, nullptr);
  if (auto found = by_boxes.find(limit, kPatience * triangles.size())) return *std::move(found);
  const BoxTree sorted = centroid_tree(mesh, triangles);
  const NodeHulls hulls(mesh, sorted, triangles);
  const PairSearch by_hulls(mesh, sorted, triangles, group, &hulls);
  FoundPairs found = *by_hulls.find(limit, std::numeric_limits<std::size_t>::max());
  found.is_dense = true;
  return found;
}

FoundPairs self_intersecting_pairs(const MeshView& mesh, std::size_t limit) {
  const std::vector<std::uint32_t> triangles = triangles_with_area(mesh);
  return intersecting_pairs(mesh, triangle_tree(mesh, triangles), triangles, {}, limit);
}

}  // namespace plimsoll
