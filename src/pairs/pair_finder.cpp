#include "pairs/pair_finder.h"

#include <plimsoll/shape.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <string>
#include <utility>

#include "core/number_text.h"
#include "core/parallel.h"
#include "pairs/triangle_pair.h"

namespace plimsoll {
namespace {

constexpr std::size_t kOfLeaf = TriangleTree::kLeafTriangles;
constexpr std::size_t kMany = 512;  // pairs of leaves that are looked at together
constexpr double kLargest = 1e300;  // the predicates take any finite numbers, and no others

}  // namespace

Error too_much_pair_work(double max_work) {
  return {ErrorCode::kResourceLimit,
          "found triangles that lie close together and do not touch, which take more work than " +
              to_text(max_work) + " us to tell apart, expected fewer of them, or more work",
          "max_work"};
}

Error too_many_near_bodies(std::size_t most) {
  return {ErrorCode::kResourceLimit,
          "found more than " + std::to_string(most) +
              " pairs of bodies whose boxes and hulls meet, expected fewer bodies in one place",
          "bodies"};
}

Result<void> check_max_work(double max_work) {
  if (max_work >= 0) return {};
  return Error{ErrorCode::kInvalidArgument,
               "found " + to_text(max_work) + ", expected a number not below 0", "max_work"};
}

Result<void> check_posed(const PosedTree& posed, const char* name) {
  if (const Result<void> usable = check_pose(posed.world_from_mesh); !usable)
    return Error{usable.error().code, usable.error().message, name};
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
  close_.start(a, b);
  max_work_ = max_work;
  return find_all(stops_at_first, threads, found);
}

bool PairFinder::find_within(const PosedTree& body, std::size_t threads, double max_work,
                             std::vector<TrianglePair>& found) {
  close_.start_within(body);
  max_work_ = max_work;
  return find_all(false, threads, found);
}

bool PairFinder::find_all(bool stops_at_first, std::size_t threads,
                          std::vector<TrianglePair>& found) {
  // Few leaves at first, in case the first pair is enough. So many pairs of leaves are
  // worth waking another thread.
  constexpr std::size_t kFew = 16, kWorthOthers = 4096;
  const std::size_t before = found.size();
  for (std::size_t enough = kFew; find_some(enough, stops_at_first, found);
       enough = std::min(2 * enough, kMany)) {
    if (is_exhausted(found.size() - before)) return false;
    if (close_.is_weary(found.size() - before, 1)) close_.look_closer();
    if (counts().leaf_pairs > kWorthOthers && threads > 1 && !stops_at_first)
      return find_together(threads, found);
  }
  return true;
}

/// What is found is worth a microsecond each.
bool PairFinder::is_exhausted(std::size_t found) const {
  return counts().work() > max_work_ + static_cast<double>(found);
}

/// In turns, as hulls are made once for all. Each may take a share of what is left of the work.
bool PairFinder::find_together(std::size_t threads, std::vector<TrianglePair>& found) {
  helpers_.resize(threads - 1);
  std::vector<ClosePairSearch*> others;
  for (PairFinder& helper : helpers_) {
    helper.close_.join(close_);
    others.push_back(&helper.close_);
  }
  std::atomic<bool> is_cut_short = false;
  const auto find_rest = [&](PairFinder& finder, std::vector<TrianglePair>& all) {
    const std::size_t before = all.size();
    while (!finder.close_.is_weary(all.size() - before, threads) &&
           finder.find_some(kMany, false, all))
      if (finder.is_exhausted(all.size() - before)) {
        is_cut_short = true;
        return;
      }
  };
  const double left = (max_work_ - counts().work()) / static_cast<double>(threads);
  for (PairFinder& helper : helpers_) helper.max_work_ = left;
  max_work_ = left;
  const PairCounts alone = close_.take_counts();
  do {
    close_.share_with(others);
    parallel_for_each_index(threads, [&](std::size_t i) {
      if (i == 0) return find_rest(*this, found);
      helpers_[i - 1].found_.clear();
      find_rest(helpers_[i - 1], helpers_[i - 1].found_);
    });
    for (const PairFinder& helper : helpers_)
      found.insert(found.end(), helper.found_.begin(), helper.found_.end());
  } while (!is_cut_short && collect_rest());
  close_.add_counts(alone);
  for (ClosePairSearch* other : others) {
    close_.add_counts(other->counts());
    other->drop_hulls();
  }
  return !is_cut_short;
}

/// Takes what the helpers left to be found. Returns whether there is any: it is found with hulls.
bool PairFinder::collect_rest() {
  bool is_left = false;
  for (PairFinder& helper : helpers_) is_left = close_.take_rest(helper.close_);
  if (is_left) close_.look_closer();
  return is_left;
}

/// Of about `enough` pairs of leaves. Returns whether there may be more.
bool PairFinder::find_some(std::size_t enough, bool stops_at_first,
                           std::vector<TrianglePair>& found) {
  const bool goes_on = close_.find(enough);
  const std::size_t before = found.size();
  std::size_t after = before;
  found.resize(before + close_.close().size());
  for (const ClosePair& pair : close_.close()) {
    const LeafPair& of = close_.leaf_pairs()[pair.leaf_pair];
    found[after] = {close_.a().tree->numbers[kOfLeaf * of.a + pair.t],
                    close_.b().tree->numbers[kOfLeaf * of.b + pair.u]};
    after += touch(close_.leaves()[pair.leaf_pair], pair) ? 1 : 0;
    if (stops_at_first && after > before) break;
  }
  found.resize(after);
  if (close_.is_within())
    for (TrianglePair& pair : std::span(found).subspan(before))
      if (pair.b < pair.a) std::swap(pair.a, pair.b);
  return goes_on && (!stops_at_first || after == before);
}

bool PairFinder::touch(const PosedLeafPair& leaves, const ClosePair& pair) {
  const std::array<Vec3, 3> t = leaves.a->corners(pair.t), u = leaves.b->corners(pair.u);
  return pair.is_certain ? crossed_planes_meet(t, pair.t_above, u, pair.u_above)
                         : meeting_of(t, u) != Meeting::kApart;
}

}  // namespace plimsoll
