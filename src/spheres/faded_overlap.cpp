#include "spheres/faded_overlap.h"

#include <plimsoll/assert.h>

#include <algorithm>
#include <limits>

#include "spheres/deadline.h"
#include "spheres/density.h"
#include "spheres/lens.h"
#include "spheres/sphere_overlap.h"

namespace plimsoll {
namespace {

constexpr std::size_t kFirstCapacity = std::size_t{1} << 14;

/// No key is a smaller part of the overlap: the keys of pairs that are known almost whole order
/// them too.
constexpr double kLeastKey = 0.01;

/// Time kept for a pair that counts at the end, with its moment and its force [s].
constexpr double kTimePerFadingPair = 8e-8;

class Run {
 public:
  using Pair = FadedOverlapSearch::Pair;

  Run(const PosedHierarchies& bodies, NodeBall ball, ForceSum* forces, std::vector<Pair>& waiting,
      std::vector<Pair>& fading)
      : bodies_(bodies), ball_(ball), forces_(forces), waiting_(waiting), fading_(fading) {
    waiting_.clear();
    fading_.clear();
    add({0, 0}, bodies_.squared_distance({0, 0}), std::numeric_limits<double>::infinity());
  }

  [[nodiscard]] bool has_any() const { return !waiting_.empty(); }
  /// How many pairs count at the end.
  [[nodiscard]] std::size_t left() const {
    return waiting_.size() + fading_.size() - first_fading_;
  }

  void open_first() {
    std::pop_heap(waiting_.begin(), waiting_.end(), comes_later);
    const Pair first = waiting_.back();
    waiting_.pop_back();
    fading_.push_back(first);
    bodies_.for_each_child_pair(
        first.pair, [&](SpherePair pair, double squared) { add(pair, squared, first.key); });
    end_fading(first.key);
  }

  [[nodiscard]] TimedOverlap end(std::size_t expansions) {
    const double last_key = has_any() ? waiting_.front().key : 0;
    const auto weight = [last_key](double key) {
      if (last_key == 0) return key > 0 ? 1.0 : 0.0;
      return std::clamp((key / last_key - 1) / FadedOverlapSearch::kFadeOfKeys, 0.0, 1.0);
    };
    for (std::size_t i = first_fading_; i < fading_.size(); ++i) {
      const Pair& pair = fading_[i];
      const bool is_leaf_pair = bodies_.are_leaves(pair.pair);
      count(pair, weight(pair.parent_key) - (is_leaf_pair ? 0 : weight(pair.key)));
    }
    for (const Pair& pair : waiting_) count(pair, weight(pair.parent_key));
    return {.volume = sum_.volume,
            .moment = sum_.moment,
            .expansions = expansions,
            .is_complete = !has_any()};
  }

 private:
  static bool comes_later(const Pair& x, const Pair& y) {
    return x.key != y.key ? x.key < y.key : x.pair > y.pair;
  }

  [[nodiscard]] double overlap(SpherePair pair, double distance, NodeBall ball) const {
    return lens_volume(bodies_.a_radius(pair.a, ball), bodies_.b_radius(pair.b, ball), distance);
  }

  /// 1 where no part of a node is within a leaf of the other body, 0 where all is.
  [[nodiscard]] double part_outside(SpherePair pair, double distance) const {
    const double r = bodies_.a_radius(pair.a, ball_), s = bodies_.b_radius(pair.b, ball_);
    double outside = 1;
    if (is_leaf(bodies_.a(pair.a))) outside = std::min(outside, (distance + s - r) / (2 * s));
    if (is_leaf(bodies_.b(pair.b))) outside = std::min(outside, (distance + r - s) / (2 * r));
    return std::max(outside, 0.0);
  }

  void add(SpherePair pair, double squared, double parent_key) {
    const double distance = std::sqrt(squared);
    const double volume = overlap(pair, distance, ball_);
    const double primary = forces_ != nullptr ? overlap(pair, distance, NodeBall::kPrimary) : 0;
    const double largest = std::max(volume, primary);
    if (!(largest > 0)) return;
    Pair added{0, parent_key, volume, volume, distance, pair};
    if (bodies_.are_leaves(pair)) {
      fading_.push_back(added);
      return;
    }
    const double share = density(bodies_.a(pair.a), ball_) * density(bodies_.b(pair.b), ball_);
    const double open = std::max(kLeastKey, (1 - share) * part_outside(pair, distance));
    added.key = std::min(parent_key, open * largest);
    added.expected *= share;
    waiting_.push_back(added);
    std::push_heap(waiting_.begin(), waiting_.end(), comes_later);
  }

  /// Counts pairs whose weights will stay what they are, however far the keys go down from `key`:
  /// 1 and 1 for pairs that were opened, 1 for leaves.
  void end_fading(double key) {
    const double whole = key * (1 + FadedOverlapSearch::kFadeOfKeys);
    for (; first_fading_ < fading_.size(); ++first_fading_) {
      const Pair& pair = fading_[first_fading_];
      const bool is_leaf_pair = bodies_.are_leaves(pair.pair);
      if ((is_leaf_pair ? pair.parent_key : pair.key) < whole) break;
      if (is_leaf_pair) count(pair, 1);
    }
    forget_counted();
  }

  void forget_counted() {
    if (first_fading_ < kFirstCapacity / 2 || first_fading_ < fading_.size() / 2) return;
    fading_.erase(fading_.begin(), fading_.begin() + static_cast<std::ptrdiff_t>(first_fading_));
    first_fading_ = 0;
  }

  void count(const Pair& pair, double weight) {
    if (!(weight > 0)) return;
    const bool is_leaf_pair = bodies_.are_leaves(pair.pair);
    if (pair.overlap > 0)
      add_lens(bodies_, pair.pair, pair.distance, ball_, weight * (pair.expected / pair.overlap),
               sum_);
    if (forces_ == nullptr) return;
    if (is_leaf_pair)
      forces_->add(bodies_, pair.pair, pair.distance, weight);
    else
      forces_->add_expected(bodies_, pair.pair, pair.distance, weight);
  }

  const PosedHierarchies& bodies_;
  NodeBall ball_;
  ForceSum* forces_;
  std::vector<Pair>& waiting_;
  std::vector<Pair>& fading_;
  std::size_t first_fading_ = 0;
  SphereOverlap sum_;
};

}  // namespace

FadedOverlapSearch::FadedOverlapSearch() {
  waiting_.reserve(kFirstCapacity);
  fading_.reserve(kFirstCapacity);
}

TimedOverlap FadedOverlapSearch::find(const PosedHierarchies& bodies, NodeBall ball,
                                      const OverlapBudget& budget, ForceSum* forces) {
  PLIMSOLL_ASSERT(ball != NodeBall::kReach, "reach balls are no spheres of a packing");
  const Deadline deadline(budget.max_time);
  Run run(bodies, ball, forces, waiting_, fading_);
  std::size_t expansions = 0;
  while (run.has_any() && expansions < budget.max_expansions && run.left() < budget.max_waiting) {
    if (expansions % kExpansionsPerLook == 0 &&
        deadline.is_near(kTimePerFadingPair * static_cast<double>(run.left())))
      break;
    run.open_first();
    ++expansions;
  }
  return run.end(expansions);
}

}  // namespace plimsoll
