// The nearest pair of parts first: each has a number that no two points of it are nearer than. It
// is opened, the larger of its parts, and the eight children are compared with the other part at
// once; two leaves are measured triangle by triangle. The search ends where all pairs left are
// farther apart than two triangles that were measured. Pairs wait in stacks by steps of their
// numbers, a 64th wide: to keep a heap of them in order took longer than all comparisons together.
//
// Boxes of slivers, and of patches that run along each other, may tell nothing. So now and then
// some pairs are asked by the hulls of their triangles, which take twenty times as long
// (hull_test.h); where these tell more, the search begins anew by hulls (hull_search.h), with what
// it has found so far. Once so many pairs wait that memory matters, what is found last is opened
// first.
//
// Measuring is rounded (triangle_distance.h). All pairs of triangles that rounding does not tell
// from the nearest are kept, and measured once more with bounds that hold, when the search has
// ended. Triangles whose boxes along the world's axes meet are asked exactly whether they have a
// point in common.
#include <plimsoll/distance.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include "core/number_text.h"
#include "pairs/pair_finder.h"
#include "proximity/hull_search.h"
#include "proximity/hull_test.h"
#include "proximity/nearest_triangles.h"
#include "proximity/search_start.h"
#include "proximity/search_work.h"
#include "proximity/waiting_pairs.h"

namespace plimsoll {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

}  // namespace

struct DistanceSearch::State {
  SearchMemory<WaitingPairs<float>, WaitingPairs<double>> memory;
  Closest<TwoTriangles>::Memory kept;
  HullSearch::Memory hulls;
  SearchCounts counts;
};

namespace {

/// Looks among pairs of parts by their boxes.
template <class Real>
class Search {
 public:
  Search(PartPairs<Real>& pairs, WaitingPairs<Real>& waiting, NearestTriangles& triangles,
         HullTest<NearestTriangles>& hulls, std::size_t max_by_boxes, SearchWork& work)
      : pairs_(pairs),
        waiting_(waiting),
        triangles_(triangles),
        hulls_(hulls),
        max_by_boxes_(max_by_boxes),
        work_(work) {}

  /// Measures two leaves, and makes the pairs of the roots wait.
  void start() {
    farthest_ = pairs_.farthest_gap(triangles_.distance());
    descend();
    waiting_.start(farthest_);
    for (std::uint32_t k = 0; k < pairs_.root_children(); ++k) {
      pairs_.open_roots(k, farthest_, waiting_.next());
      waiting_.add(0);
    }
  }

  /// Returns whether all were looked at that may be nearest, or surfaces were found to cross: else
  /// the work is exhausted or hulls tell more, and it can go on.
  [[nodiscard]] bool run() {
    farthest_ = pairs_.farthest_gap(triangles_.distance());
    for (std::size_t opened = 1; opened != 0 && !crosses();) {
      if (is_too_much()) return false;
      Real gaps[kAtOnce];
      opened = 0;
      while (opened < kAtOnce) {
        const auto taken = waiting_.take(farthest_);
        if (!taken) break;
        if (taken->gap > farthest_ || is_near_enough(taken->gap)) continue;
        if (hulls_.asks() && hulls_.leaves_out(taken->pair, waiting_.normal_of(*taken))) {
          if (hulls_.tell_more()) break;
          continue;
        }
        if (pairs_.are_leaves(taken->pair)) {
          measure(taken->pair, waiting_.normal_of(*taken));
          if (crosses()) return true;
          if (is_too_much()) break;
        } else if (waiting_.is_full()) {
          if (!search_below({taken->pair, taken->gap, waiting_.normal_of(*taken)}))
            return crosses();
        } else {
          if (triangles_.has_tolerance()) descend_below(taken->pair);
          pairs_.open(taken->pair, farthest_, waiting_.next(opened));
          gaps[opened++] = taken->gap;
        }
      }
      for (std::size_t i = 0; i < opened; ++i) waiting_.add(gaps[i]);
      work_.counts.opened += opened;
      if (opened == 0 && is_too_much()) return false;
    }
    return true;
  }

 private:
  /// So many pairs are opened before the children of any wait: a processor computes several gaps
  /// in the time of one.
  static constexpr std::size_t kAtOnce = 4;

  struct Pending {
    PartPair pair;
    Real gap;
    Triple<Real> normal;  // from a's part to b's
  };

  [[nodiscard]] bool crosses() const { return triangles_.meeting() == SurfaceMeeting::kCrosses; }
  [[nodiscard]] bool is_too_much() const { return hulls_.tell_more() || is_over(); }
  [[nodiscard]] bool is_over() const {
    return work_.counts.by_boxes() > max_by_boxes_ || work_.is_exhausted();
  }

  void measure(const PartPair& leaves, const Triple<Real>& normal) {
    ++work_.counts.measured;
    triangles_.measure(leaves.number(0), leaves.number(1), {normal[0], normal[1], normal[2]});
    farthest_ = pairs_.farthest_gap(triangles_.distance());
  }

  /// Measures two leaves that are near each other, so that what is farther apart need not wait.
  void descend() {
    Family<Real> family;
    pairs_.open_roots(0, farthest_, family);
    for (std::uint32_t k = 1; k < pairs_.root_children(); ++k) {
      Family<Real> other;
      pairs_.open_roots(k, farthest_, other);
      if (nearest(other) < nearest(family)) family = other;
    }
    descend(family);
  }
  void descend(Family<Real>& family) {
    while (family.near != 0) {
      std::size_t k = 0;
      while ((family.near >> k & 1U) == 0 || family.gap[k] > nearest(family)) ++k;
      const PartPair pair = family.first.sibling(family.side, k);
      if (pairs_.are_leaves(pair)) return measure(pair, family.normal_of(k));
      pairs_.open(pair, farthest_, family);
    }
  }
  /// The same below a pair, after 16 pairs were opened, 32 and so on, where a tolerance is given:
  /// many are left out as soon as triangles are known that are nearly nearest.
  void descend_below(const PartPair& pair) {
    if (work_.counts.opened < next_descent_) return;
    next_descent_ = 2 * work_.counts.opened;
    Family<Real> family;
    pairs_.open(pair, farthest_, family);
    descend(family);
  }
  [[nodiscard]] static Real nearest(const Family<Real>& family) {
    Real least = std::numeric_limits<Real>::infinity();
    for (std::size_t k = 0; k < TriangleTree::kChildren; ++k)
      if ((family.near >> k & 1U) != 0) least = std::min(least, family.gap[k]);
    return least;
  }

  /// Looks at all below a pair, what was found last first: no more wait than some dozens. Returns
  /// false where surfaces cross, and where boxes are not to be asked further.
  [[nodiscard]] bool search_below(const Pending& root) {
    last_first_.assign(1, root);
    while (!last_first_.empty()) {
      const Pending pending = last_first_.back();
      last_first_.pop_back();
      if (pending.gap > farthest_ || is_near_enough(pending.gap)) continue;
      if (hulls_.asks() && hulls_.leaves_out(pending.pair, pending.normal)) continue;
      if (pairs_.are_leaves(pending.pair)) {
        measure(pending.pair, pending.normal);
        if (crosses() || is_over()) return false;
        continue;
      }
      Family<Real> family;
      pairs_.open(pending.pair, farthest_, family);
      const auto first = static_cast<std::ptrdiff_t>(last_first_.size());
      for (unsigned left = family.near; left != 0; left &= left - 1) {
        const auto k = static_cast<std::size_t>(std::countr_zero(left));
        last_first_.push_back({family.first.sibling(family.side, k),
                               std::max(pending.gap, family.gap[k]), family.normal_of(k)});
      }
      std::stable_sort(last_first_.begin() + first, last_first_.end(),
                       [](const Pending& p, const Pending& q) { return p.gap > q.gap; });
      ++work_.counts.opened;
      if (is_over()) return false;
    }
    return true;
  }

  /// Whether it can be nearer than what was measured by no more than the rounding of that, or than
  /// what is asked. Bodies may be so far apart, against their sizes, that the room hides which
  /// parts are nearer.
  bool is_near_enough(double gap) {
    const double least = gap - pairs_.room();
    return triangles_.is_near_enough(least);
  }

  PartPairs<Real>& pairs_;
  WaitingPairs<Real>& waiting_;
  NearestTriangles& triangles_;
  HullTest<NearestTriangles>& hulls_;
  std::size_t max_by_boxes_;
  SearchWork& work_;
  std::vector<Pending> last_first_;
  std::size_t next_descent_ = 16;
  Real farthest_ = 0;
};

Result<void> check_limits(const DistanceLimits& limits) {
  if (Result<void> usable = check_farthest(limits.farthest); !usable) return usable;
  for (const auto& [value, name] :
       {std::pair(limits.tolerance, "tolerance"), std::pair(limits.max_work, "max_work")})
    if (!(value >= 0))
      return Error{ErrorCode::kInvalidArgument,
                   "found " + to_text(value) + ", expected a number not below 0", name};
  return {};
}

/// How many pairs of parts are looked at by their boxes at most: scans that run along each other
/// take some seven for each leaf, and with a tolerance as many as it takes to tell patches apart.
std::size_t max_by_boxes(const PosedBodies& bodies, bool has_tolerance) {
  constexpr std::size_t kFew = std::size_t{1} << 14, kOfLeaf = 16;
  if (has_tolerance) return 4 * kFew;
  return kFew + kOfLeaf * (bodies.tree[0].tree->leaf_count() + bodies.tree[1].tree->leaf_count());
}

/// How many gaps of hulls are found before boxes are asked again, a little of what these took; all
/// that are needed where boxes led nowhere.
std::size_t max_gaps(std::size_t by_boxes, std::size_t max_by_boxes) {
  if (by_boxes > max_by_boxes) return std::numeric_limits<std::size_t>::max();
  return 128 + by_boxes / 64;
}

}  // namespace

DistanceTree::DistanceTree(const MeshTree& triangles)
    : tree_(triangles.tree_),
      boxes_(std::make_shared<const std::vector<OrientedBoxes>>(oriented_boxes(*tree_))) {}

Box3 DistanceTree::box() const { return tree_->box; }
std::size_t DistanceTree::triangle_count() const { return tree_->triangles; }
std::size_t DistanceTree::memory() const {
  return memory_of(*tree_) + boxes_->size() * sizeof(OrientedBoxes);
}

DistanceSearch::DistanceSearch() : state_(std::make_unique<State>()) {}
DistanceSearch::DistanceSearch(DistanceSearch&&) noexcept = default;
DistanceSearch& DistanceSearch::operator=(DistanceSearch&&) noexcept = default;
DistanceSearch::~DistanceSearch() = default;

const SearchCounts& counts_of(const DistanceSearch& search) { return search.state_->counts; }

Result<SurfaceDistance> DistanceSearch::find(const DistanceTree& a, const Similarity& world_from_a,
                                             const DistanceTree& b, const Similarity& world_from_b,
                                             const DistanceLimits& limits) {
  const PosedTree of_a{a.tree_.get(), world_from_a}, of_b{b.tree_.get(), world_from_b};
  if (const Result<void> usable = check_posed(of_a, "world_from_a"); !usable) return usable.error();
  if (const Result<void> usable = check_posed(of_b, "world_from_b"); !usable) return usable.error();
  if (const Result<void> usable = check_limits(limits); !usable) return usable.error();
  if (a.triangle_count() == 0 || b.triangle_count() == 0) {
    SurfaceDistance none;
    none.lower = kInfinite;
    return none;
  }
  const PosedBodies bodies(of_a, *a.boxes_, of_b, *b.boxes_);
  NearestTriangles triangles(bodies, state_->memory.leaves, state_->kept);
  triangles.limit(limits.farthest);
  triangles.allow(limits.tolerance);
  if (limits.last != nullptr && limits.last->nearest) triangles.measure(*limits.last->nearest);
  SearchWork work(limits.max_work);
  HullTest<NearestTriangles> hulls(bodies, state_->hulls.gaps, triangles.triangles(), triangles,
                                   work.counts);
  const std::size_t most = max_by_boxes(bodies, limits.tolerance > 0);
  const bool is_coarse = bodies.are_for_floats && limits.tolerance == 0;
  state_->memory.search(bodies, is_coarse, [&](auto& pairs, auto& waiting) {
    Search search(pairs, waiting, triangles, hulls, most, work);
    search.start();
    while (!search.run() && !work.is_exhausted()) {
      const std::size_t by_boxes = work.counts.by_boxes();
      hulls.start();
      hulls.wait();
      if (HullSearch(bodies, state_->hulls, triangles, work).run(max_gaps(by_boxes, most))) return;
    }
  });
  state_->counts = work.counts;
  if (work.is_exhausted())
    return work.too_much_work("surfaces that run along each other", "a tolerance");
  return triangles.result();
}

}  // namespace plimsoll
