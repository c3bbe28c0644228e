// Pairs of parts that may be close enough, one after the other; two leaves triangle by triangle,
// with exact numbers where rounding leaves open what is asked.
#include <plimsoll/distance.h>

#include <algorithm>
#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "core/number_text.h"
#include "pairs/pair_finder.h"
#include "pairs/triangle_pair.h"
#include "proximity/closeness.h"
#include "proximity/hull_test.h"
#include "proximity/posed_triangles.h"
#include "proximity/search_start.h"
#include "proximity/search_work.h"

namespace plimsoll {
namespace {

/// A pair of parts, and a normal between them.
template <class Real>
struct WaitingPair {
  PartPair pair;
  Triple<Real> normal;
};

template <class Real>
using WaitingPairs = std::vector<WaitingPair<Real>>;

}  // namespace

struct NearPairSearch::State {
  SearchMemory<WaitingPairs<float>, WaitingPairs<double>> memory;
  std::vector<TrianglePair> found, sorting;
  HullGaps hulls;
  SearchCounts counts;
};

namespace {

/// Measures pairs of leaves.
class CloseTriangles {
 public:
  CloseTriangles(const PosedBodies& bodies, PosedLeaves (&memory)[2], double distance,
                 bool is_one_body, std::vector<TrianglePair>& found)
      : triangles_(bodies, memory),
        tree_(*bodies.tree[0].tree),
        is_one_body_(is_one_body),
        closeness_(triangles_.to_units(distance),
                   Closeness::max_work_of(bodies.tree[0].tree->triangles +
                                          bodies.tree[1].tree->triangles)),
        found_(found) {}

  [[nodiscard]] double distance() const { return closeness_.distance(); }
  [[nodiscard]] PosedTriangles& triangles() { return triangles_; }

  /// The gap that tells parts apart, and whether one does.
  [[nodiscard]] double enough() const { return distance(); }
  [[nodiscard]] bool leaves_out(double gap) const { return gap > distance(); }

  /// Errors: `ResourceLimit` where too many are found, or to decide or to search takes too long.
  /// What is found is worth a microsecond each.
  [[nodiscard]] Result<void> check_limits(const SearchWork& work) const {
    if (closeness_.is_exhausted()) return Closeness::too_much_work();
    if (work.is_exhausted(static_cast<double>(found_.size())))
      return work.too_much_work("parts that are near each other, but for their triangles",
                                "a smaller distance");
    if (found_.size() <= NearPairSearch::kMaxPairs) return {};
    return Error{ErrorCode::kResourceLimit,
                 "found more than " + std::to_string(NearPairSearch::kMaxPairs) +
                     " pairs of triangles within it, expected fewer: a smaller distance",
                 "distance"};
  }

  void measure(std::uint32_t a_leaf, std::uint32_t b_leaf, const Triple<double>& n) {
    triangles_.visit_near(
        a_leaf, b_leaf,
        [&](const PosedLeaf& a, const PosedLeaf& b) { return near_pairs(a, b, n, distance()); },
        [&](const TwoTriangles& pair, const PosedTriangles::Measured& measured) {
          const auto& [t, u] = pair.place;
          if (is_one_body_ && !are_to_be_asked(t, u)) return;
          const bool meet =
              measured.may_meet &&
              meeting_of(triangles_.corners(0, t), triangles_.corners(1, u)) != Meeting::kApart;
          if (meet || closeness_.holds(measured.a, measured.b_corners(), measured.squared))
            add(t, u);
        });
  }

 private:
  /// Of the pairs of one body each once, and none with a vertex in common.
  [[nodiscard]] bool are_to_be_asked(const TrianglePlace& t, const TrianglePlace& u) const {
    if (std::pair(t.leaf, t.t) >= std::pair(u.leaf, u.t)) return false;
    for (const auto& p : tree_.leaves[t.leaf].corner)
      for (const auto& q : tree_.leaves[u.leaf].corner)
        if (p[t.t] == q[u.t]) return false;
    return true;
  }

  void add(const TrianglePlace& t, const TrianglePlace& u) {
    TrianglePair pair{triangles_.number(0, t), triangles_.number(1, u)};
    if (is_one_body_ && pair.a > pair.b) std::swap(pair.a, pair.b);
    found_.push_back(pair);
  }

  PosedTriangles triangles_;
  const TriangleTree& tree_;
  bool is_one_body_;
  Closeness closeness_;  // in units
  std::vector<TrianglePair>& found_;
};

/// Errors: those of check_limits.
template <class Real>
Result<void> find_all(const PosedBodies& bodies, bool is_one_body, PartPairs<Real>& pairs,
                      WaitingPairs<Real>& waiting, CloseTriangles& triangles,
                      HullTest<CloseTriangles>& hulls, SearchWork& work) {
  const Real farthest = pairs.farthest_gap(triangles.distance());
  // Of one body, pairs whose first part lies behind the second are those of the second and the
  // first.
  const auto is_behind = [&](const PartPair& pair) {
    const std::size_t levels = bodies.tree[0].tree->levels();
    const auto leaves = [&](int side, std::uint64_t number) {
      return number << 3 * (levels - pair.level(side));
    };
    return leaves(0, pair.number(0)) >= leaves(1, pair.number(1) + std::uint64_t{1});
  };
  Family<Real> family;
  const auto wait = [&] {
    for (unsigned left = family.near; left != 0; left &= left - 1) {
      const auto k = static_cast<std::size_t>(std::countr_zero(left));
      const PartPair pair = family.first.sibling(family.side, k);
      if (!is_one_body || !is_behind(pair)) waiting.push_back({pair, family.normal_of(k)});
    }
  };
  waiting.clear();
  for (std::uint32_t k = 0; k < pairs.root_children(); ++k) {
    pairs.open_roots(k, farthest, family);
    wait();
  }
  while (!waiting.empty()) {
    const auto [pair, n] = waiting.back();
    waiting.pop_back();
    if (pairs.are_leaves(pair)) {
      ++work.counts.measured;
      triangles.measure(pair.number(0), pair.number(1), {n[0], n[1], n[2]});
    } else if (!hulls.asks() || !hulls.leaves_out(pair, n)) {
      ++work.counts.opened;
      pairs.open(pair, farthest, family);
      wait();
    }
    if (Result<void> usual = triangles.check_limits(work); !usual) return usual;
  }
  return {};
}

}  // namespace

NearPairSearch::NearPairSearch() : state_(std::make_unique<State>()) {}
NearPairSearch::NearPairSearch(NearPairSearch&&) noexcept = default;
NearPairSearch& NearPairSearch::operator=(NearPairSearch&&) noexcept = default;
NearPairSearch::~NearPairSearch() = default;

const SearchCounts& counts_of(const NearPairSearch& search) { return search.state_->counts; }

Result<std::span<const TrianglePair>> NearPairSearch::find(
    const DistanceTree& a, const Similarity& world_from_a, const DistanceTree& b,
    const Similarity& world_from_b, double distance, bool is_one_body, double max_work) {
  if (!(distance > 0))
    return Error{ErrorCode::kInvalidArgument,
                 "found " + to_text(distance) + ", expected a number above 0", "distance"};
  state_->found.clear();
  if (a.triangle_count() == 0 || b.triangle_count() == 0)
    return std::span<const TrianglePair>(state_->found);
  const PosedBodies bodies({a.tree_.get(), world_from_a}, *a.boxes_, {b.tree_.get(), world_from_b},
                           *b.boxes_);
  CloseTriangles triangles(bodies, state_->memory.leaves, distance, is_one_body, state_->found);
  SearchWork work(max_work);
  HullTest<CloseTriangles> hulls(bodies, state_->hulls, triangles.triangles(), triangles,
                                 work.counts);
  // Beyond it all that is nearer than their room would be measured, which one stray triangle makes
  // larger than most parts; doubles take as long.
  const bool in_floats = bodies.are_for_floats && bodies.room<float>() <= triangles.distance();
  const Result<void> done =
      state_->memory.search(bodies, in_floats, [&](auto& pairs, auto& waiting) {
        return find_all(bodies, is_one_body, pairs, waiting, triangles, hulls, work);
      });
  state_->counts = work.counts;
  if (!done) return done.error();
  sort_pairs(state_->found, state_->sorting);
  return std::span<const TrianglePair>(state_->found);
}

Result<std::span<const TrianglePair>> NearPairSearch::pairs(const DistanceTree& a,
                                                            const Similarity& world_from_a,
                                                            const DistanceTree& b,
                                                            const Similarity& world_from_b,
                                                            double distance, double max_work) {
  const PosedTree of_a{a.tree_.get(), world_from_a}, of_b{b.tree_.get(), world_from_b};
  if (Result<void> usable = check_posed(of_a, "world_from_a"); !usable) return usable.error();
  if (Result<void> usable = check_posed(of_b, "world_from_b"); !usable) return usable.error();
  return find(a, world_from_a, b, world_from_b, distance, false, max_work);
}

Result<std::span<const TrianglePair>> NearPairSearch::self_pairs(const DistanceTree& mesh,
                                                                 double distance,
                                                                 const Similarity& world_from_mesh,
                                                                 double max_work) {
  const PosedTree posed{mesh.tree_.get(), world_from_mesh};
  if (Result<void> usable = check_posed(posed, "world_from_mesh"); !usable) return usable.error();
  return find(mesh, world_from_mesh, mesh, world_from_mesh, distance, true, max_work);
}

}  // namespace plimsoll
