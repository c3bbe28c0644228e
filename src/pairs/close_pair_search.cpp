#include "pairs/close_pair_search.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "core/power_of_two.h"
#include "pairs/part_hulls.h"
#include "pairs/self_pairs.h"

namespace plimsoll {
namespace {

constexpr std::size_t kOfLeaf = TriangleTree::kLeafTriangles;

double size_of(const PosedTree& posed) { return posed.tree->frame.reach * unit_of(posed); }

/// The busiest vertex of each triangle as its group, if many triangles name it: a fan's center.
/// Two of one group are no pair. kSeveralGroups for all others, as a tree's leaves name vertices.
std::vector<std::uint32_t> hubs_of_triangles(const TriangleTree& tree) {
  constexpr std::uint32_t kHubValence = 32;  // usual vertices have 6
  std::vector<std::uint32_t> valence(tree.vertices.size(), 0);
  std::uint32_t largest = 0;
  for (std::size_t i = 0; i < tree.triangles; ++i) {
    for (const auto& corner : tree.leaves[i / kOfLeaf].corner) ++valence[corner[i % kOfLeaf]];
    largest = std::max(largest, tree.numbers[i]);
  }
  std::vector<std::uint32_t> hubs(largest + 1, kSeveralGroups);
  for (std::size_t i = 0; i < tree.triangles; ++i) {
    std::uint32_t most = kHubValence - 1;
    for (const auto& corner : tree.leaves[i / kOfLeaf].corner) {
      const std::uint32_t v = corner[i % kOfLeaf];
      if (valence[v] <= most) continue;
      most = valence[v];
      hubs[tree.numbers[i]] = v;
    }
  }
  return hubs;
}

}  // namespace

PairCounts& PairCounts::operator+=(const PairCounts& other) {
  opened += other.opened;
  hulls += other.hulls;
  leaf_pairs += other.leaf_pairs;
  box_pairs += other.box_pairs;
  decisions += other.decisions;
  return *this;
}

struct ClosePairSearch::Closer {
  PartHulls a;
  std::optional<PartHulls> b;         // of two bodies
  std::vector<std::uint32_t> groups;  // of one: parts whose triangles have a vertex in common

  [[nodiscard]] const PartHulls& of_b() const { return b ? *b : a; }
};

void ClosePairSearch::start(const PosedTree& a, const PosedTree& b) {
  begin(a, b, false);
  walk_.start(a, b);
}

void ClosePairSearch::start_within(const PosedTree& body) {
  begin(body, body, true);
  walk_.start_within(body);
}

void ClosePairSearch::begin(const PosedTree& a, const PosedTree& b, bool is_within) {
  a_ = a;
  b_ = b;
  is_within_ = is_within;
  const PosedTree& smaller = size_of(a) < size_of(b) ? a : b;
  origin_ = posed_center(smaller);
  a_leaves_.start(a, origin_);
  b_leaves_.start(b, origin_);
  counts_ = {};
  closer_.reset();
}

bool ClosePairSearch::is_weary(std::size_t found, std::size_t sharers) const {
  constexpr std::size_t kPatience = 4096, kLeafPairs = 20, kBoxPairs = 16, kDecisions = 4;
  constexpr std::size_t kOfPair = 4;
  constexpr std::size_t kMost = 1'000'000;  // triangles whose hulls take 146 MB
  const std::size_t triangles = a_.tree->triangles + (is_within_ ? 0 : b_.tree->triangles);
  if (closer_ || triangles > kMost) return false;
  const auto is_above = [&](std::size_t count, std::size_t per_triangle) {
    return count > kOfPair * found + (kPatience + per_triangle * triangles) / sharers;
  };
  return is_above(counts_.leaf_pairs, kLeafPairs / kOfLeaf) ||
         is_above(counts_.box_pairs, kBoxPairs) || is_above(counts_.decisions, kDecisions);
}

void ClosePairSearch::look_closer() {
  const int exponent =
      exponent_of(std::max({size_of(a_), size_of(b_), std::numeric_limits<double>::min()}));
  auto closer = std::make_shared<Closer>(Closer{PartHulls(a_, origin_, exponent), {}, {}});
  if (is_within_)
    closer->groups = groups_of_children(*a_.tree, hubs_of_triangles(*a_.tree));
  else
    closer->b.emplace(b_, origin_, exponent);
  closer_ = std::move(closer);
  walk_.look_closer(closer_->a, closer_->of_b(), closer_->groups);
}

void ClosePairSearch::share_with(std::span<ClosePairSearch* const> others) {
  std::vector<PairWalk*> walks;
  for (ClosePairSearch* other : others) {
    other->closer_ = closer_;
    walks.push_back(&other->walk_);
  }
  walk_.share_with(walks);
}

bool ClosePairSearch::take_rest(ClosePairSearch& other) {
  walk_.take_rest(other.walk_);
  return walk_.goes_on();
}

bool ClosePairSearch::find(std::size_t enough) {
  constexpr std::size_t kMostOpened = 4096;  // before work is looked at
  leaves_.clear();
  close_.clear();
  some_ = walk_.next(enough, kMostOpened);
  const PairWalk::Work work = walk_.take_work();
  counts_.opened += work.opened;
  counts_.hulls += work.asked;
  if (some_.empty()) return walk_.goes_on();
  counts_.leaf_pairs += some_.size();
  of_a_.clear();
  of_b_.clear();
  for (const LeafPair& pair : some_) {
    of_a_.push_back(pair.a);
    of_b_.push_back(pair.b);
  }
  // With those of the next pairs, so many of both bodies fit into a second cache of a megabyte. The
  // walk goes on to leaves near those before: to pose a few again takes less time than to fetch all
  // from farther away.
  constexpr std::size_t kMostPosed = 256;
  PosedLeaves &a_leaves = a_leaves_, &b_leaves = is_within_ ? a_leaves_ : b_leaves_;
  for (PosedLeaves* leaves : {&a_leaves, &b_leaves})
    if (leaves->size() > kMostPosed) leaves->forget();
  a_leaves.pose(of_a_);
  b_leaves.pose(of_b_);
  for (const LeafPair& pair : some_)
    leaves_.push_back(
        {&a_leaves[pair.a], &b_leaves[pair.b], &a_leaves.boxes(pair.a), &b_leaves.boxes(pair.b)});
  if (is_within_) leave_out_neighbors(*a_.tree, some_, leaves_);
  counts_.box_pairs += find_close_pairs(leaves_, close_);
  counts_.decisions += close_.size();
  return true;
}

}  // namespace plimsoll
