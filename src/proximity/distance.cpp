// The nearest pair of parts first: each has a number that no two points of it are nearer than. It
// is opened, the larger of its parts, and the eight children are compared with the other part at
// once; two leaves are measured triangle by triangle. The search ends where all pairs left are
// farther apart than two triangles that were measured. Pairs wait in stacks by steps of their
// numbers, a 64th wide: to keep a heap of them in order took longer than all comparisons together.
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

#include "core/no_index.h"
#include "core/power_of_two.h"
#include "pairs/pair_finder.h"
#include "pairs/triangle_pair.h"
#include "proximity/closest.h"
#include "proximity/nearest_point.h"
#include "proximity/posed_triangles.h"
#include "proximity/search_start.h"
#include "proximity/triangle_distance.h"

namespace plimsoll {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Families of pairs of parts, of which those pairs come first that are nearest to within a 64th: a
/// stack for each step of gaps, 64 steps to a power of two. Gaps below 2^-16 of the farthest are
/// one step.
template <class Real>
class WaitingPairs {
 public:
  struct Taken {
    PartPair pair;
    Real gap;
    std::uint32_t number;
  };

  /// Begins anew, for gaps up to `farthest`.
  void start(Real farthest) {
    count_ = 0;
    top_.fill(kNoIndex);
    filled_.fill(0);
    first_ = step_of(farthest);
  }

  /// Where the i-th of the families to be added next is put; good until the next call.
  [[nodiscard]] Family<Real>& next(std::size_t i = 0) {
    if (count_ + i >= families_.size()) families_.resize(2 * (count_ + i) + 64);
    return families_[count_ + i].family;
  }
  /// Adds the next family, pairs of which are no nearer than `gap` either.
  void add(Real gap) {
    auto& [family, below] = families_[count_];
    for (unsigned left = family.near; left != 0; left &= left - 1) {
      const auto k = static_cast<std::size_t>(std::countr_zero(left));
      family.gap[k] = std::max(gap, family.gap[k]);
      const std::size_t step = place_of(family.gap[k]);
      filled_[step / 64] |= std::uint64_t{1} << step % 64;
      below[k] = top_[step];
      top_[step] = static_cast<std::uint32_t>(kChildren * count_ + k);
    }
    ++count_;
  }

  /// A nearest pair, unless all are farther apart than that.
  [[nodiscard]] std::optional<Taken> take(Real farthest) {
    const std::size_t last = place_of(farthest);
    for (std::size_t word = filled_.size(); word-- > last / 64;) {
      if (filled_[word] == 0) continue;
      const std::size_t step =
          64 * word + 63 - static_cast<std::size_t>(std::countl_zero(filled_[word]));
      if (step < last) return std::nullopt;
      const std::uint32_t number = top_[step];
      const std::size_t k = number % kChildren;
      const auto& [family, below] = families_[number / kChildren];
      top_[step] = below[k];
      if (below[k] == kNoIndex) filled_[word] &= ~(std::uint64_t{1} << step % 64);
      return Taken{family.first.sibling(family.side, k), family.gap[k], number};
    }
    return std::nullopt;
  }
  /// From a's part to b's.
  [[nodiscard]] Triple<Real> normal_of(const Taken& taken) const {
    return families_[taken.number / kChildren].family.normal_of(taken.number % kChildren);
  }

 private:
  static constexpr std::size_t kSteps = 1024, kChildren = TriangleTree::kChildren;

  /// Exponent and six bits of a number that is not negative.
  static std::size_t step_of(Real gap) {
    if constexpr (std::is_same_v<Real, float>)
      return std::bit_cast<std::uint32_t>(gap) >> 17;
    else
      return std::bit_cast<std::uint64_t>(gap) >> 46;
  }
  [[nodiscard]] std::size_t place_of(Real gap) const {
    return std::min<std::size_t>(first_ - step_of(gap), kSteps - 1);
  }

  struct Waiting {
    Family<Real> family;
    std::uint32_t below[kChildren];  ///< The next of the stack, or kNoIndex.
  };
  std::vector<Waiting> families_;
  std::size_t count_ = 0;  // of those that were added
  std::array<std::uint32_t, kSteps> top_;
  std::array<std::uint64_t, kSteps / 64> filled_;
  std::size_t first_ = 0;
};

}  // namespace

struct DistanceSearch::State {
  SearchMemory<WaitingPairs<float>, WaitingPairs<double>> memory;
  Closest<TwoTriangles>::Memory kept;
};

namespace {

/// The triangles of both bodies, and the nearest pairs of those that were measured.
class NearestTriangles {
  /// Measures with bounds that hold.
  [[nodiscard]] auto measure_pair() {
    return [this](const TwoTriangles& pair) {
      const TripleCorners<double> a = triangles_.triangle(0, pair.place[0]);
      const TripleCorners<double> b = triangles_.triangle(1, pair.place[1]);
      return measured(a, b, nearest_points(a, b));
    };
  }

 public:
  NearestTriangles(const PosedBodies& bodies, PosedLeaves (&leaves)[2],
                   Closest<TwoTriangles>::Memory& kept)
      : triangles_(bodies, leaves), closest_(kept) {}

  /// Surfaces farther apart than that do not matter [m].
  void limit(double farthest) {
    limit_ = triangles_.to_units(farthest);
    closest_.limit(limit_);
  }

  [[nodiscard]] SurfaceMeeting meeting() const { return meeting_; }
  /// Whether any were measured that are no farther apart than that.
  [[nodiscard]] bool has_any() const { return closest_.has_any(); }
  /// How far apart triangles may be that matter still [units].
  [[nodiscard]] double distance() const { return closest_.distance(); }

  /// All pairs of triangles of two leaves that may be nearer than those before, or meet. `n` is
  /// between nearly nearest points of them, of a length of about 1, or 0.
  void measure(std::uint32_t a_leaf, std::uint32_t b_leaf, const Triple<double>& n) {
    triangles_.visit_near(
        a_leaf, b_leaf,
        [&](const PosedLeaf& a, const PosedLeaf& b) {
          LeafTriangles pairs = near_pairs(a, b, n, distance());
          if (pairs.near != 0 && closest_.found()) leave_alike_out(a, b, pairs);
          return pairs;
        },
        [&](const TwoTriangles& pair, const PosedTriangles::Measured& measured) {
          if (measured.may_meet) find_meeting(pair);
          if (meeting_ == SurfaceMeeting::kApart)
            closest_.offer(pair, measured.squared, measured.a, measured.b_corners(),
                           measure_pair());
        });
  }

  /// The leaves of an answer before, if the trees have them.
  void measure(const SurfaceDistance::Points& last) {
    if (triangles_.has_leaf(0, last.on_a.leaf) && triangles_.has_leaf(1, last.on_b.leaf))
      measure(last.on_a.leaf, last.on_b.leaf, {0, 0, 0});
  }

  /// Pairs that were not measured are no nearer than that [units].
  void leave_out(double distance) { left_out_ = std::min(left_out_, distance); }

  [[nodiscard]] SurfaceDistance result() {
    SurfaceDistance found;
    found.meeting = meeting_;
    if (meeting_ == SurfaceMeeting::kCrosses) {
      found.distance = found.lower = found.upper = 0;
      return found;
    }
    closest_.settle(measure_pair());
    const std::optional<MeasuredDistance>& closest = closest_.found();
    const auto meters = [&](double x) { return triangles_.to_meters(x); };
    if (meeting_ == SurfaceMeeting::kTouches) {
      found.distance = found.lower = found.upper = 0;
    } else if (closest && closest->distance <= limit_) {
      found.distance = meters(closest->distance);
      found.lower = meters(std::min({closest_.lower(), left_out_, closest->distance}));
      found.upper = meters(closest->upper);
    } else {
      found.lower = meters(std::min({limit_, closest_.lower(), left_out_}));
      return found;
    }
    found.nearest = points();
    return found;
  }

 private:
  /// Faces that are flat and parallel have as many nearest pairs as triangles. Where many pairs
  /// were measured, and one of them is an answer, those are left out that along the normal of the
  /// nearest are no nearer than it, but for what its bounds may differ.
  void leave_alike_out(const PosedLeaf& a, const PosedLeaf& b, LeafTriangles& pairs) {
    const MeasuredDistance& nearest = *closest_.found();
    const double alike = closest_.lower() - nearest.sharpness;
    if (!(alike > 0 && nearest.distance <= limit_)) return;
    const unsigned near = near_pairs(a, b, nearest.normal, alike).near;
    if ((pairs.near & ~near) != 0) leave_out(alike);
    pairs.near &= near;
  }

  void find_meeting(const TwoTriangles& pair) {
    const Meeting meeting =
        meeting_of(triangles_.corners(0, pair.place[0]), triangles_.corners(1, pair.place[1]));
    if (meeting == Meeting::kCrosses) meeting_ = SurfaceMeeting::kCrosses;
    if (meeting != Meeting::kTouch || meeting_ != SurfaceMeeting::kApart) return;
    meeting_ = SurfaceMeeting::kTouches;
    closest_.set(pair, measure_pair());
  }

  [[nodiscard]] SurfaceDistance::Points points() {
    const auto point = [&](int side, const Triple<double>& weights) {
      const TrianglePlace& place = closest_.pair().place[side];
      NearestPoint at = nearest_point(triangles_.triangle(side, place), weights);
      for (double& x : at.at) x = triangles_.to_meters(x);
      at.triangle = triangles_.number(side, place);
      at.leaf = place.leaf;
      return at;
    };
    return {point(0, closest_.found()->nearest.on_a), point(1, closest_.found()->nearest.on_b)};
  }

  PosedTriangles triangles_;
  Closest<TwoTriangles> closest_;
  double limit_ = kInfinite, left_out_ = kInfinite;  // [units]
  SurfaceMeeting meeting_ = SurfaceMeeting::kApart;
};

template <class Real>
class Search {
 public:
  Search(PartPairs<Real>& pairs, WaitingPairs<Real>& waiting, NearestTriangles& triangles)
      : pairs_(pairs), waiting_(waiting), triangles_(triangles) {}

  void measure(const PartPair& leaves, const Triple<Real>& normal) {
    triangles_.measure(leaves.number(0), leaves.number(1), {normal[0], normal[1], normal[2]});
    farthest_ = pairs_.farthest_gap(triangles_.distance());
  }

  void run() {
    farthest_ = pairs_.farthest_gap(triangles_.distance());
    descend();
    if (triangles_.meeting() == SurfaceMeeting::kCrosses) return;
    waiting_.start(farthest_);
    for (std::uint32_t k = 0; k < pairs_.root_children(); ++k) {
      pairs_.open_roots(k, farthest_, waiting_.next());
      waiting_.add(0);
    }
    for (std::size_t opened = 1; opened != 0;) {
      Real gaps[kAtOnce];
      opened = 0;
      while (opened < kAtOnce) {
        const auto taken = waiting_.take(farthest_);
        if (!taken) break;
        if (taken->gap > farthest_ || is_near_enough(taken->gap)) continue;
        if (pairs_.are_leaves(taken->pair)) {
          measure(taken->pair, waiting_.normal_of(*taken));
          if (triangles_.meeting() == SurfaceMeeting::kCrosses) return;
        } else {
          pairs_.open(taken->pair, farthest_, waiting_.next(opened));
          gaps[opened++] = taken->gap;
        }
      }
      for (std::size_t i = 0; i < opened; ++i) waiting_.add(gaps[i]);
    }
  }

 private:
  /// So many pairs are opened before the children of any wait: a processor computes several gaps
  /// in the time of one.
  static constexpr std::size_t kAtOnce = 4;

  /// Measures two leaves that are near each other, so that what is farther apart need not wait.
  void descend() {
    Family<Real> family;
    pairs_.open_roots(0, farthest_, family);
    for (std::uint32_t k = 1; k < pairs_.root_children(); ++k) {
      Family<Real> other;
      pairs_.open_roots(k, farthest_, other);
      if (nearest(other) < nearest(family)) family = other;
    }
    while (family.near != 0) {
      std::size_t k = 0;
      while ((family.near >> k & 1U) == 0 || family.gap[k] > nearest(family)) ++k;
      const PartPair pair = family.first.sibling(family.side, k);
      if (pairs_.are_leaves(pair)) return measure(pair, family.normal_of(k));
      pairs_.open(pair, farthest_, family);
    }
  }
  [[nodiscard]] static Real nearest(const Family<Real>& family) {
    Real least = std::numeric_limits<Real>::infinity();
    for (std::size_t k = 0; k < TriangleTree::kChildren; ++k)
      if ((family.near >> k & 1U) != 0) least = std::min(least, family.gap[k]);
    return least;
  }

  /// Whether it can be nearer than what was measured by no more than the rounding of that. Bodies
  /// may be so far apart, against their sizes, that the room hides which parts are nearer.
  bool is_near_enough(double gap) {
    constexpr double kAlike = 1 - 0x1p-44;
    if (!triangles_.has_any()) return false;
    const double least = gap - pairs_.room();
    if (!(least > 0 && least >= kAlike * triangles_.distance())) return false;
    triangles_.leave_out(least);
    return true;
  }

  PartPairs<Real>& pairs_;
  WaitingPairs<Real>& waiting_;
  NearestTriangles& triangles_;
  Real farthest_ = 0;
};

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

Result<SurfaceDistance> DistanceSearch::find(const DistanceTree& a, const Similarity& world_from_a,
                                             const DistanceTree& b, const Similarity& world_from_b,
                                             const DistanceLimits& limits) {
  if (const Result<void> usable = check_pose_at(world_from_a, "world_from_a"); !usable)
    return usable.error();
  if (const Result<void> usable = check_pose_at(world_from_b, "world_from_b"); !usable)
    return usable.error();
  if (const Result<void> usable = check_farthest(limits.farthest); !usable) return usable.error();
  if (a.triangle_count() == 0 || b.triangle_count() == 0) {
    SurfaceDistance none;
    none.lower = kInfinite;
    return none;
  }
  const PosedBodies bodies({a.tree_.get(), world_from_a}, *a.boxes_, {b.tree_.get(), world_from_b},
                           *b.boxes_);
  NearestTriangles triangles(bodies, state_->memory.leaves, state_->kept);
  triangles.limit(limits.farthest);
  if (limits.last != nullptr && limits.last->nearest) triangles.measure(*limits.last->nearest);
  state_->memory.search(
      bodies, [&](auto& pairs, auto& waiting) { Search(pairs, waiting, triangles).run(); });
  return triangles.result();
}

}  // namespace plimsoll
