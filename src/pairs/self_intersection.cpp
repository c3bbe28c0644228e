#include "pairs/self_intersection.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <optional>

#include "core/parallel.h"
#include "core/predicates.h"
#include "pairs/self_pairs.h"
#include "tree/hull_tree.h"

namespace plimsoll {
namespace {

/// As SelfPairs, of a tree of hulls.
class HullPairs {
 public:
  using Piece = NodePair;

  HullPairs(const HullTree& tree, std::span<const std::uint32_t> group)
      : tree_(tree), group_(group) {
    if (!group.empty()) find_groups();
  }

  [[nodiscard]] std::vector<Piece> pieces() const {
    return split_pairs(tree_.boxes(), [this](std::size_t a, std::size_t b) { return skips(a, b); });
  }

  template <class Done, class Visit>
  void visit(const Piece& piece, const Done& done, const Visit& visit) const {
    visit_pairs_below(
        tree_.boxes(), piece, [&](std::size_t a, std::size_t b) { return done() || skips(a, b); },
        [&](std::size_t i, std::size_t j) {
          const std::uint32_t t = triangle_at(i), u = triangle_at(j);
          if (group_.empty() || group_[t] != group_[u]) visit(t, u);
        });
  }

 private:
  [[nodiscard]] std::uint32_t triangle_at(std::size_t slot) const {
    return tree_.triangle(tree_.boxes().item(slot));
  }
  /// The group to which all triangles below each node belong, or kSeveralGroups.
  void find_groups() {
    const BoxTree& boxes = tree_.boxes();
    groups_.assign(boxes.node_count(), kSeveralGroups);
    for (std::size_t node = boxes.node_count(); node-- > 0;) {
      if (boxes.is_leaf(node)) {
        const std::size_t first = boxes.first_slot(node);
        groups_[node] = group_[triangle_at(first)];
        for (std::size_t slot = first; slot < boxes.first_slot(node + 1); ++slot)
          if (group_[triangle_at(slot)] != groups_[node]) groups_[node] = kSeveralGroups;
      } else if (groups_[2 * node + 1] == groups_[2 * node + 2]) {
        groups_[node] = groups_[2 * node + 1];
      }
    }
  }
  [[nodiscard]] bool skips(std::size_t a, std::size_t b) const {
    if (!groups_.empty() && groups_[a] == groups_[b] && groups_[a] != kSeveralGroups) return true;
    return tree_.are_apart(a, b);
  }

  const HullTree& tree_;
  std::span<const std::uint32_t> group_;
  std::vector<std::uint32_t> groups_;  // of nodes
};

/// The intersecting ones among pairs of triangles, whichever tree tells of them.
template <class Pairs>
class SelfSearch {
 public:
  SelfSearch(const MeshView& mesh, const Pairs& pairs) : mesh_(mesh), pairs_(pairs) {}

  /// Nothing if more than `max_looks` pairs have to be looked at. Of more than the limit, only the
  /// count.
  [[nodiscard]] std::optional<FoundPairs> find(std::size_t limit, std::size_t max_looks) const {
    std::atomic<std::size_t> count = 0, looks = 0;
    const auto is_weary = [&] { return looks.load(std::memory_order_relaxed) > max_looks; };
    const auto too_many = [&] { return count.load(std::memory_order_relaxed) > limit; };
    const std::vector<Piece> pieces = pairs_.pieces();
    std::vector<std::vector<MeetingPair>> found(pieces.size());
    parallel_for_each_index(pieces.size(), [&](std::size_t piece) {
      constexpr std::size_t kBatch = 256;  // counted at once
      std::size_t here = 0;
      const auto done = [&] { return too_many() || is_weary(); };
      const auto look = [&] {
        if (++here % kBatch == 0) looks += kBatch;
      };
      visit(pieces[piece], done, look, [&](const MeetingPair& pair) {
        ++count;
        if (!too_many()) found[piece].push_back(pair);
      });
      looks += here % kBatch;
    });
    if (is_weary() && !too_many()) return std::nullopt;
    FoundPairs result{{}, std::min<std::size_t>(count, limit + 1), !too_many()};
    if (!result.is_complete) return result;
    for (const auto& part : found)
      result.pairs.insert(result.pairs.end(), part.begin(), part.end());
    sort(result.pairs);
    return result;
  }

  /// The first pairs in the order of the tree, which no thread changes, and the first that crosses
  /// among as many as the limit.
  [[nodiscard]] std::vector<MeetingPair> sample(std::size_t limit) const {
    constexpr std::size_t kSample = 1000;
    std::vector<MeetingPair> pairs;
    std::size_t count = 0;
    bool crosses = false;
    const auto done = [&] { return count >= kSample && (crosses || count >= limit); };
    for (const Piece& piece : pairs_.pieces())
      visit(
          piece, done, [] {},
          [&](const MeetingPair& pair) {
            if (++count <= kSample || (pair.crosses && !crosses)) pairs.push_back(pair);
            crosses = crosses || pair.crosses;
          });
    sort(pairs);
    return pairs;
  }

 private:
  using Piece = typename Pairs::Piece;

  /// Calls each(pair) for the pairs of `piece` until done() holds, look() for each that is decided
  /// by its corners.
  template <class Done, class Look, class Each>
  void visit(const Piece& piece, const Done& done, const Look& look, const Each& each) const {
    pairs_.visit(piece, done, [&](std::uint32_t t, std::uint32_t u) {
      if (done()) return;
      look();
      const Meeting meeting = meeting_within_mesh(corners_of(mesh_, t), corners_of(mesh_, u));
      if (meeting != Meeting::kApart)
        each({std::min(t, u), std::max(t, u), meeting == Meeting::kCrosses});
    });
  }

  static void sort(std::vector<MeetingPair>& pairs) {
    std::sort(pairs.begin(), pairs.end(), [](const MeetingPair& x, const MeetingPair& y) {
      return x.a != y.a ? x.a < y.a : x.b < y.b;
    });
  }

  const MeshView& mesh_;
  const Pairs& pairs_;
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

// Boxes alone tell the triangles of most meshes apart. Where they leave many pairs to be looked at,
// the search begins again with hulls. Whether it was stopped first by what it had looked at or by
// what it had found depends on the threads: so pairs of more than the limit always come from hulls.
FoundPairs intersecting_pairs(const MeshView& mesh, const TriangleTree& tree,
                              std::span<const std::uint32_t> group, std::size_t limit) {
  constexpr std::size_t kPatience = 128;  // pairs for each triangle; scans and parts have below 40
  const SelfPairs by_boxes(tree, group);
  std::optional<FoundPairs> found =
      SelfSearch(mesh, by_boxes).find(limit, kPatience * tree.triangles);
  if (found && found->is_complete) return *std::move(found);
  const HullTree hulls(mesh, std::span(tree.numbers).first(tree.triangles));
  const HullPairs pairs(hulls, group);
  const SelfSearch by_hulls(mesh, pairs);
  if (!found) found = by_hulls.find(limit, std::numeric_limits<std::size_t>::max());
  found->is_dense = found->is_complete;
  if (!found->is_complete) found->pairs = by_hulls.sample(limit);
  return *std::move(found);
}

FoundPairs self_intersecting_pairs(const MeshView& mesh, std::size_t limit) {
  TriangleTree tree;
  TreeBuilder().build(mesh, triangles_with_area(mesh), TreeQuality::kTight, tree);
  return intersecting_pairs(mesh, tree, {}, limit);
}

}  // namespace plimsoll
