#include "spheres/timed_overlap.h"

#include "spheres/deadline.h"
#include "spheres/density.h"
#include "spheres/lens.h"
#include "spheres/sphere_overlap.h"

namespace plimsoll {

/// One question. The published algorithm 3 reads: the estimate loses the expected volume of a pair
/// that is opened before it gains that of its children. Pairs of leaves count with their lens at
/// once; a leaf against a node opens the node; pairs without volume are left out.
class TimedOverlapSearch::Run {
 public:
  Run(const PosedHierarchies& bodies, NodeBall ball, PairOrder order, std::size_t max_waiting,
      ForceSum* forces, std::vector<Waiting>& waiting)
      : bodies_(bodies),
        ball_(ball),
        order_(order),
        max_waiting_(max_waiting),
        forces_(forces),
        waiting_(waiting) {
    waiting_.clear();
    add({0, 0}, bodies_.squared_distance({0, 0}));
  }

  [[nodiscard]] bool has_any() const { return !waiting_.empty(); }
  [[nodiscard]] double time_to_end() const {
    return forces_ != nullptr ? kTimePerPair * static_cast<double>(waiting_.size()) : 0;
  }

  void open_first() {
    std::pop_heap(waiting_.begin(), waiting_.end(), comes_later);
    const Waiting first = waiting_.back();
    waiting_.pop_back();
    count(first, -1);
    bodies_.for_each_child_pair(first.pair,
                                [&](SpherePair pair, double squared) { add(pair, squared); });
  }

  [[nodiscard]] TimedOverlap end(std::size_t expansions) {
    const bool is_complete = !has_any() && !is_any_aside_;
    if (is_complete) expected_ = overlap_ = children_ = 0;  // without what rounding has left
    const double lenses = found_.volume;
    for (const Waiting& left : waiting_) {
      if (forces_ != nullptr) forces_->add_expected(bodies_, left.pair, left.distance);
      if (left.overlap > 0)
        add_lens(bodies_, left.pair, left.distance, ball_, left.expected / left.overlap, found_);
    }
    TimedOverlap found{.expansions = expansions, .is_complete = is_complete};
    found.volume = lenses + std::max(0.0, expected_);
    found.moment = found_.moment;
    found.node_overlap = lenses + std::max({0.0, expected_, overlap_});
    if (order_ == PairOrder::kChildOverlap) found.child_overlap = lenses + std::max(0.0, children_);
    return found;
  }

 private:
  static bool comes_later(const Waiting& x, const Waiting& y) {
    return x.key != y.key ? x.key < y.key : x.pair > y.pair;
  }

  [[nodiscard]] bool has_no_push(SpherePair pair, double distance) const {
    return forces_ == nullptr || distance >= bodies_.a_radius(pair.a, NodeBall::kPrimary) +
                                                 bodies_.b_radius(pair.b, NodeBall::kPrimary) +
                                                 bodies_.rounding();
  }
  [[nodiscard]] double overlap(SpherePair pair, double distance) const {
    return lens_volume(bodies_.a_radius(pair.a, ball_), bodies_.b_radius(pair.b, ball_), distance);
  }

  [[nodiscard]] double child_overlap(SpherePair pair) const {
    double sum = 0;
    bodies_.for_each_child_pair(
        pair, [&](SpherePair child, double squared) { sum += overlap(child, std::sqrt(squared)); });
    return sum;
  }

  void add(SpherePair pair, double squared) {
    const double distance = std::sqrt(squared);
    const double volume = overlap(pair, distance);
    if (!(volume > 0) && has_no_push(pair, distance)) return;
    if (bodies_.are_leaves(pair)) {
      add_lens(bodies_, pair, distance, ball_, 1, found_);
      if (forces_ != nullptr) forces_->add(bodies_, pair, distance);
      return;
    }
    if (forces_ == nullptr && add_subtree(bodies_, pair, distance, ball_, found_)) return;
    const double share = density(bodies_.a(pair.a), ball_) * density(bodies_.b(pair.b), ball_);
    const double children = order_ == PairOrder::kChildOverlap ? child_overlap(pair) : 0;
    const double key = order_ == PairOrder::kUncertainty ? (1 - share) * volume
                       : order_ == PairOrder::kOverlap   ? volume
                                                         : children;
    queue({key, share * volume, volume, children, distance, pair});
  }

  void queue(const Waiting& added) {
    count(added, 1);
    if (waiting_.size() < max_waiting_) {
      waiting_.push_back(added);
      std::push_heap(waiting_.begin(), waiting_.end(), comes_later);
    } else {
      is_any_aside_ = true;
      if (forces_ != nullptr) forces_->add_expected(bodies_, added.pair, added.distance);
    }
  }

  void count(const Waiting& pair, double sign) {
    expected_ += sign * pair.expected;
    overlap_ += sign * pair.overlap;
    children_ += sign * pair.children;
  }

  const PosedHierarchies& bodies_;
  NodeBall ball_;
  PairOrder order_;
  std::size_t max_waiting_;
  ForceSum* forces_;
  std::vector<Waiting>& waiting_;
  SphereOverlap found_;                               // lenses that were reached
  double expected_ = 0, overlap_ = 0, children_ = 0;  // sums over the pairs that are left
  bool is_any_aside_ = false;
};

TimedOverlap TimedOverlapSearch::find(const PosedHierarchies& bodies, NodeBall ball,
                                      PairOrder order, const OverlapBudget& budget,
                                      ForceSum* forces) {
  PLIMSOLL_ASSERT(ball != NodeBall::kReach, "reach balls are no spheres of a packing");
  const Deadline deadline(budget.max_time);
  Run run(bodies, ball, order, budget.max_waiting, forces, waiting_);
  std::size_t expansions = 0;
  while (run.has_any() && expansions < budget.max_expansions) {
    if (expansions % kExpansionsPerLook == 0 && deadline.is_near(run.time_to_end())) break;
    run.open_first();
    ++expansions;
  }
  return run.end(expansions);
}

}  // namespace plimsoll
