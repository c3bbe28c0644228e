#include "pairs/pair_finder.h"

#include <plimsoll/shape.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <optional>
#include <utility>

#include "core/number_text.h"
#include "core/parallel.h"
#include "core/power_of_two.h"
#include "pairs/part_hulls.h"
#include "pairs/self_pairs.h"
#include "pairs/triangle_pair.h"

namespace plimsoll {
namespace {

constexpr std::size_t kOfLeaf = TriangleTree::kLeafTriangles;
constexpr std::size_t kMany = 512;  // pairs of leaves that are looked at together
constexpr double kLargest = 1e300;  // the predicates take any finite numbers, and no others

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

struct PairFinder::Closer {
  PartHulls a;
  std::optional<PartHulls> b;         // of two bodies
  std::vector<std::uint32_t> groups;  // of one: parts whose triangles have a vertex in common

  [[nodiscard]] const PartHulls& of_b() const { return b ? *b : a; }
};

Error too_much_pair_work(double max_work) {
  return {ErrorCode::kResourceLimit,
          "found triangles that lie close together and do not touch, which take more work than " +
              to_text(max_work) + " us to tell apart, expected fewer of them, or more work",
          "max_work"};
}

Result<void> check_max_work(double max_work) {
  if (max_work >= 0) return {};
  return Error{ErrorCode::kInvalidArgument,
               "found " + to_text(max_work) + ", expected a number not below 0", "max_work"};
}

Result<void> check_pose_at(const Similarity& pose, const char* name) {
  Result<void> usable = check_pose(pose);
  if (!usable) return Error{usable.error().code, usable.error().message, name};
  return usable;
}

Result<void> check_posed(const PosedTree& posed, const char* name) {
  if (Result<void> usable = check_pose_at(posed.world_from_mesh, name); !usable) return usable;
  if (posed.tree->triangles == 0 || largest_coordinate(posed) <= kLargest) return {};
  return Error{ErrorCode::kInvalidArgument,
               "found a pose that may take a vertex beyond 1e300, expected smaller coordinates",
               name};
}

// By digits, the least first.
void sort_pairs(std::span<TrianglePair> pairs, std::vector<TrianglePair>& other) {
  constexpr std::size_t kWorthwhile = 256;
  if (pairs.size() < kWorthwhile) return std::sort(pairs.begin(), pairs.end());
  constexpr int kDigit = 11;
  constexpr std::size_t kBins = std::size_t{1} << kDigit;
  other.resize(pairs.size());
  std::span<TrianglePair> from = pairs, to = other;
  for (std::uint32_t TrianglePair::* const number : {&TrianglePair::b, &TrianglePair::a}) {
    std::uint32_t largest = 0;
    for (const TrianglePair& pair : from) largest = std::max(largest, pair.*number);
    for (int shift = 0; shift < 32 && largest >> shift != 0; shift += kDigit) {
      std::array<std::uint32_t, kBins> place{};  // of the next pair of a digit; first, how many
      const auto digit = [&](const TrianglePair& pair) {
        return pair.*number >> shift & (kBins - 1);
      };
      for (const TrianglePair& pair : from) ++place[digit(pair)];
      std::uint32_t before = 0;
      for (std::uint32_t& bin : place) before += std::exchange(bin, before);
      for (const TrianglePair& pair : from) to[place[digit(pair)]++] = pair;
      std::swap(from, to);
    }
  }
  if (from.data() != pairs.data()) std::copy(from.begin(), from.end(), pairs.begin());
}

bool PairFinder::find(const PosedTree& a, const PosedTree& b, bool stops_at_first,
                      std::size_t threads, double max_work, std::vector<TrianglePair>& found) {
  start(a, b, false);
  walk_.start(a, b);
  max_work_ = max_work;
  return find_all(stops_at_first, threads, found);
}

bool PairFinder::find_within(const PosedTree& body, std::size_t threads, double max_work,
                             std::vector<TrianglePair>& found) {
  start(body, body, true);
  walk_.start_within(body);
  max_work_ = max_work;
  return find_all(false, threads, found);
}

bool PairFinder::find_all(bool stops_at_first, std::size_t threads,
                          std::vector<TrianglePair>& found) {
  // Few leaves at first, in case the first pair is enough. So many pairs of leaves take some
  // 0.2 ms, after which another thread is worth waking.
  constexpr std::size_t kFew = 16, kWorthOthers = 4096;
  const std::size_t before = found.size();
  for (std::size_t enough = kFew; find_some(enough, stops_at_first, found);
       enough = std::min(2 * enough, kMany)) {
    if (is_exhausted(found.size() - before)) return false;
    if (is_weary(found.size() - before, 1)) look_closer();
    if (counts_.leaf_pairs > kWorthOthers && threads > 1 && !stops_at_first)
      return find_together(threads, found);
  }
  return true;
}

/// What is found is worth a microsecond each.
bool PairFinder::is_exhausted(std::size_t found) const {
  return counts_.work() > max_work_ + static_cast<double>(found);
}

void PairFinder::start(const PosedTree& a, const PosedTree& b, bool is_within) {
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

/// Whether boxes told so little that hulls are worth the time they take: that of some pairs for
/// each triangle. Scans have a third of these at most, whatever the tree. Of one of `sharers`.
bool PairFinder::is_weary(std::size_t found, std::size_t sharers) const {
  constexpr std::size_t kPatience = 4096, kLeafPairs = 20, kBoxPairs = 16, kDecisions = 4;
  constexpr std::size_t kOfPair = 4;
  constexpr std::size_t kMost = 1'000'000;  // triangles whose hulls take some 120 MB
  const std::size_t triangles = a_.tree->triangles + (is_within_ ? 0 : b_.tree->triangles);
  if (closer_ || triangles > kMost) return false;
  const auto is_above = [&](std::size_t count, std::size_t per_triangle) {
    return count > kOfPair * found + (kPatience + per_triangle * triangles) / sharers;
  };
  return is_above(counts_.leaf_pairs, kLeafPairs / kOfLeaf) ||
         is_above(counts_.box_pairs, kBoxPairs) || is_above(counts_.decisions, kDecisions);
}

void PairFinder::look_closer() {
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

/// In turns, as hulls are made once for all. Each may take a share of what is left of the work.
bool PairFinder::find_together(std::size_t threads, std::vector<TrianglePair>& found) {
  helpers_.resize(threads - 1);
  std::vector<PairWalk*> walks;
  for (PairFinder& helper : helpers_) {
    helper.start(a_, b_, is_within_);
    walks.push_back(&helper.walk_);
  }
  std::atomic<bool> is_cut_short = false;
  const auto find_rest = [&](PairFinder& finder, std::vector<TrianglePair>& all) {
    const std::size_t before = all.size();
    while (!finder.is_weary(all.size() - before, threads) && finder.find_some(kMany, false, all))
      if (finder.is_exhausted(all.size() - before)) {
        is_cut_short = true;
        return;
      }
  };
  const double left = (max_work_ - counts_.work()) / static_cast<double>(threads);
  for (PairFinder& helper : helpers_) helper.max_work_ = left;
  max_work_ = left;
  const PairCounts alone = std::exchange(counts_, {});
  do {
    walk_.share_with(walks);
    for (PairFinder& helper : helpers_) helper.closer_ = closer_;
    parallel_for_each_index(threads, [&](std::size_t i) {
      if (i == 0) return find_rest(*this, found);
      helpers_[i - 1].found_.clear();
      find_rest(helpers_[i - 1], helpers_[i - 1].found_);
    });
    for (const PairFinder& helper : helpers_)
      found.insert(found.end(), helper.found_.begin(), helper.found_.end());
  } while (!is_cut_short && collect_rest());
  counts_ += alone;
  for (PairFinder& helper : helpers_) {
    counts_ += helper.counts_;
    helper.closer_.reset();
  }
  return !is_cut_short;
}

/// Takes what the helpers left to be found. Returns whether there is any: it is found with hulls.
bool PairFinder::collect_rest() {
  for (PairFinder& helper : helpers_) walk_.take_rest(helper.walk_);
  if (!walk_.goes_on()) return false;
  look_closer();
  return true;
}

/// Of about `enough` pairs of leaves. Returns whether there may be more.
bool PairFinder::find_some(std::size_t enough, bool stops_at_first,
                           std::vector<TrianglePair>& found) {
  constexpr std::size_t kMostOpened = 4096;  // before work is looked at: some 10 ms with hulls
  const std::span<const LeafPair> some = walk_.next(enough, kMostOpened);
  const PairWalk::Work work = walk_.take_work();
  counts_.opened += work.opened;
  counts_.hulls += work.asked;
  if (some.empty()) return walk_.goes_on();
  counts_.leaf_pairs += some.size();
  of_a_.clear();
  of_b_.clear();
  for (const LeafPair& pair : some) {
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
  leaves_.clear();
  close_.clear();
  for (const LeafPair& pair : some)
    leaves_.push_back(
        {&a_leaves[pair.a], &b_leaves[pair.b], &a_leaves.boxes(pair.a), &b_leaves.boxes(pair.b)});
  if (is_within_) leave_out_neighbors(*a_.tree, some, leaves_);
  counts_.box_pairs += find_close_pairs(leaves_, close_);
  counts_.decisions += close_.size();
  const std::size_t before = found.size();
  std::size_t after = before;
  found.resize(before + close_.size());
  for (const ClosePair& pair : close_) {
    const LeafPair& of = some[pair.leaf_pair];
    found[after] = {a_.tree->numbers[kOfLeaf * of.a + pair.t],
                    b_.tree->numbers[kOfLeaf * of.b + pair.u]};
    after += touch(leaves_[pair.leaf_pair], pair) ? 1 : 0;
    if (stops_at_first && after > before) break;
  }
  found.resize(after);
  if (is_within_)
    for (TrianglePair& pair : std::span(found).subspan(before))
      if (pair.b < pair.a) std::swap(pair.a, pair.b);
  return !stops_at_first || after == before;
}

bool PairFinder::touch(const PosedLeafPair& leaves, const ClosePair& pair) {
  const std::array<Vec3, 3> t = leaves.a->corners(pair.t), u = leaves.b->corners(pair.u);
  return pair.is_certain ? crossed_planes_meet(t, pair.t_above, u, pair.u_above)
                         : meeting_of(t, u) != Meeting::kApart;
}

}  // namespace plimsoll
