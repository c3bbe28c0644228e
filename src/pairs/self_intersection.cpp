#include "pairs/self_intersection.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/parallel.h"
#include "core/predicates.h"
#include "pairs/self_pairs.h"
#include "tree/hull_tree.h"

namespace plimsoll {
namespace {

/// As SelfPairs, of a tree of hulls.
class HullPairs {
 public:
  using Piece = std::vector<NodePair>;  // that wait to be opened

  HullPairs(const HullTree& tree, std::span<const std::uint32_t> group)
      : tree_(tree), group_(group) {
    if (!group.empty()) find_groups();
  }

  [[nodiscard]] std::vector<Piece> pieces(PairLooks& looks) const {
    const auto skip = [&](std::size_t a, std::size_t b) { return skips(a, b, looks); };
    std::vector<Piece> pieces;
    for (const NodePair& pair : split_pairs(tree_.boxes(), skip)) pieces.push_back({pair});
    return pieces;
  }

  [[nodiscard]] static bool is_done(const Piece& piece) { return piece.empty(); }

  template <class Done, class Visit>
  void visit(Piece& piece, const Done& done, PairLooks& looks, const Visit& visit) const {
    visit_waiting_pairs(
        tree_.boxes(), piece, done,
        [&](std::size_t a, std::size_t b) { return skips(a, b, looks); },
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
  [[nodiscard]] bool skips(std::size_t a, std::size_t b, PairLooks& looks) const {
    if (!groups_.empty() && groups_[a] == groups_[b] && groups_[a] != kSeveralGroups) return true;
    ++looks.hulls;
    return tree_.are_apart(a, b);
  }

  const HullTree& tree_;
  std::span<const std::uint32_t> group_;
  std::vector<std::uint32_t> groups_;  // of nodes
};

constexpr std::size_t kSample = 1000;  // pairs that are listed where there are too many

/// The intersecting ones among pairs of triangles, whichever tree tells of them.
template <class Pairs>
class SelfSearch {
 public:
  SelfSearch(const MeshView& mesh, const Pairs& pairs) : mesh_(mesh), pairs_(pairs) {}

  /// Up to `limit` pairs; of more, only that there are. Where is_weary(looks) holds it ends with
  /// those that it found. Pieces take turns, and what ends the search is asked between these, so
  /// that no thread decides it.
  template <class Weary>
  [[nodiscard]] FoundPairs find(std::size_t limit, const Weary& is_weary) const {
    FoundPairs result;
    std::vector<Piece> pieces = pairs_.pieces(result.looks);
    std::vector<std::vector<MeetingPair>> found(pieces.size());
    std::vector<std::size_t> open(pieces.size());
    std::iota(open.begin(), open.end(), std::size_t{0});
    while (!open.empty() && result.is_complete) {
      constexpr std::size_t kTogether = 64;
      const std::size_t turns = std::min(open.size(), kTogether);
      std::array<PairLooks, kTogether> looks{};
      std::array<std::size_t, kTogether> before{};
      parallel_for_each_index(turns, [&](std::size_t i) {
        std::vector<MeetingPair>& pairs = found[open[i]];
        before[i] = pairs.size();
        looks[i] = advance(pieces[open[i]], pairs);
      });
      for (std::size_t i = 0; i < turns; ++i) {
        result.looks += looks[i];
        result.count += found[open[i]].size() - before[i];
      }
      open.erase(std::remove_if(open.begin(), open.begin() + static_cast<std::ptrdiff_t>(turns),
                                [&](std::size_t i) { return Pairs::is_done(pieces[i]); }),
                 open.begin() + static_cast<std::ptrdiff_t>(turns));
      result.is_complete = result.count <= limit && !is_weary(result.looks);
    }
    result.count = std::min(result.count, limit + 1);
    if (result.count > limit) return result;
    result.pairs.reserve(result.count);
    for (const auto& part : found)
      result.pairs.insert(result.pairs.end(), part.begin(), part.end());
    sort(result.pairs);
    return result;
  }

  /// The first pairs in the order of the tree, which no thread changes, and the first that crosses
  /// among as many as the limit.
  template <class Weary>
  [[nodiscard]] std::vector<MeetingPair> sample(std::size_t limit, const Weary& is_weary) const {
    std::vector<MeetingPair> pairs;
    std::size_t count = 0;
    bool crosses = false;
    PairLooks looks;
    const auto done = [&] {
      return (count >= kSample && (crosses || count >= limit)) || is_weary(looks);
    };
    for (Piece& piece : pairs_.pieces(looks))
      pairs_.visit(piece, done, looks, [&](std::uint32_t t, std::uint32_t u) {
        if (done()) return;
        look(t, u, looks, [&](const MeetingPair& pair) {
          if (++count <= kSample || (pair.crosses && !crosses)) pairs.push_back(pair);
          crosses = crosses || pair.crosses;
        });
      });
    sort(pairs);
    return pairs;
  }

 private:
  using Piece = typename Pairs::Piece;

  /// Calls each(pair) if the triangles meet.
  template <class Each>
  void look(std::uint32_t t, std::uint32_t u, PairLooks& looks, const Each& each) const {
    ++looks.pairs;
    const Meeting meeting = meeting_within_mesh(corners_of(mesh_, t), corners_of(mesh_, u));
    if (meeting != Meeting::kApart)
      each(MeetingPair{std::min(t, u), std::max(t, u), meeting == Meeting::kCrosses});
  }

  /// Goes on with a piece for some milliseconds.
  PairLooks advance(Piece& piece, std::vector<MeetingPair>& pairs) const {
    constexpr std::uint64_t kTurn = 1 << 14;
    PairLooks looks;
    pairs_.visit(
        piece, [&] { return looks.pairs + looks.hulls >= kTurn; }, looks,
        [&](std::uint32_t t, std::uint32_t u) {
          look(t, u, looks, [&](const MeetingPair& pair) { pairs.push_back(pair); });
        });
    return looks;
  }

  static void sort(std::vector<MeetingPair>& pairs) {
    std::sort(pairs.begin(), pairs.end(), [](const MeetingPair& x, const MeetingPair& y) {
      return x.a != y.a ? x.a < y.a : x.b < y.b;
    });
  }

  const MeshView& mesh_;
  const Pairs& pairs_;
};

/// The first pairs, and the first that crosses.
void keep_sample(std::vector<MeetingPair>& pairs) {
  if (pairs.size() <= kSample) return;
  const auto rest = pairs.begin() + static_cast<std::ptrdiff_t>(kSample);
  const auto crosses = [](const MeetingPair& pair) { return pair.crosses; };
  const auto crossing = std::find_if(pairs.begin(), pairs.end(), crosses);
  if (crossing > rest && crossing != pairs.end()) *rest = *crossing;
  pairs.resize(kSample + (crossing >= rest && crossing != pairs.end() ? 1 : 0));
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

// Boxes alone tell the triangles of most meshes apart. Where they leave many pairs to be looked at,
// the search begins again with hulls. Pairs of more than the limit always come from hulls.
FoundPairs intersecting_pairs(const MeshView& mesh, const TriangleTree& tree,
                              std::span<const std::uint32_t> group, std::size_t limit,
                              double max_work) {
  constexpr std::uint64_t kPatience =
      128;                                // pairs for each triangle; scans and parts have below 40
  constexpr double kWorkOfTriangle = 20;  // [us]; where hulls tell triangles apart they take 3
  const std::uint64_t patience = kPatience * tree.triangles;
  const SelfPairs by_boxes(tree, group);
  FoundPairs found = SelfSearch(mesh, by_boxes).find(limit, [&](const PairLooks& looks) {
    return looks.pairs > patience;
  });
  if (found.is_complete) return found;
  const HullTree hulls(mesh, std::span(tree.numbers).first(tree.triangles));
  const HullPairs pairs(hulls, group);
  const SelfSearch by_hulls(mesh, pairs);
  const auto is_weary = [&](const PairLooks& looks) {
    return looks.work() > max_work + kWorkOfTriangle * static_cast<double>(tree.triangles);
  };
  if (found.count <= limit) {
    found = by_hulls.find(limit, is_weary);
    found.is_dense = found.is_complete;
  }
  if (found.count > limit)
    found.pairs = by_hulls.sample(limit, is_weary);
  else if (!found.is_complete)
    keep_sample(found.pairs);
  return found;
}

FoundPairs self_intersecting_pairs(const MeshView& mesh, std::size_t limit, double max_work) {
  TriangleTree tree;
  TreeBuilder().build(mesh, triangles_with_area(mesh), TreeQuality::kTight, tree);
  return intersecting_pairs(mesh, tree, {}, limit, max_work);
}

}  // namespace plimsoll
