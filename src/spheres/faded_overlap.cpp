#include "spheres/faded_overlap.h"

#include <hwy/cache_control.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <numbers>

#include "spheres/deadline.h"

namespace plimsoll {
namespace {

/// Time kept for a pair that counts at the end, without and with its force [s].
constexpr double kTimePerPairLeft = 6e-9, kTimePerForceLeft = 3.5e-8;
/// Time kept for the pair that is opened next: more than is usual [s].
constexpr double kTimeToOpen = 2.5e-6, kTimeToOpenForces = 4e-6;

}  // namespace

class FadedOverlapSearch::Run {
 public:
  Run(FadedOverlapSearch& memory, const PosedHierarchies& bodies, const PosedBlocks& blocks,
      NodeBall ball, ForceSum* forces)
      : memory_(memory), bodies_(bodies), blocks_(blocks), ball_(ball), forces_(forces) {
    memory_.pairs_.clear();
    memory_.forces_.clear();
    memory_.free_.clear();
    memory_.waiting_.clear();
    memory_.fading_.clear();
    open_roots(blocks_, ball_, forces_ != nullptr, memory_.opened_);
    add_children(std::numeric_limits<float>::infinity());
  }

  [[nodiscard]] bool has_any() const { return !memory_.waiting_.empty(); }
  /// How many pairs count at the end.
  [[nodiscard]] std::size_t left() const {
    return memory_.waiting_.size() + memory_.fading_.size() - first_fading_;
  }

  void open_first() {
    const std::uint32_t place = place_of(memory_.waiting_.front());
    std::pop_heap(memory_.waiting_.begin(), memory_.waiting_.end());
    memory_.waiting_.pop_back();
    if (has_any()) prefetch(memory_.pairs_[place_of(memory_.waiting_.front())].expected.pair);
    const BlockPair opened = memory_.pairs_[place].expected.pair;
    const float key = memory_.pairs_[place].expected.key;
    if (is_summed_at_once(opened))
      sum_below(opened, place);
    else
      open(opened, place);
    memory_.fading_.push_back(place);
    end_fading(key);
  }

  [[nodiscard]] TimedOverlap end(std::size_t expansions) {
    const double last_key =
        has_any() ? memory_.pairs_[place_of(memory_.waiting_.front())].expected.key : 0;
    const auto weight = [&](double key) {
      if (last_key == 0) return key > 0 || !has_any() ? 1.0 : 0.0;
      return std::clamp((key / last_key - 1) / kFadeOfKeys, 0.0, 1.0);
    };
    for (std::size_t i = first_fading_; i < memory_.fading_.size(); ++i) {
      const std::uint32_t place = memory_.fading_[i];
      const Pair& pair = memory_.pairs_[place];
      const double opened = weight(pair.expected.key);
      count_known(place, opened);
      count_expected(pair, weight(pair.parent_key) - opened);
    }
    for (const std::uint64_t left : memory_.waiting_) {
      const Pair& pair = memory_.pairs_[place_of(left)];
      count_expected(pair, weight(pair.parent_key));
    }
    return total(expansions);
  }

 private:
  /// The largest comes first: keys, which are not negative, are ordered as their bits are.
  static std::uint64_t waiting(float key, std::uint32_t place) {
    return (std::uint64_t{std::bit_cast<std::uint32_t>(key)} << 32U) | (0xffffffffU - place);
  }
  static std::uint32_t place_of(std::uint64_t waiting) {
    return 0xffffffffU - static_cast<std::uint32_t>(waiting);
  }

  /// A force takes as long as some ten lenses: two low blocks may have a thousand.
  [[nodiscard]] bool is_summed_at_once(const BlockPair& pair) const {
    const SphereBlock& from = (pair.is_from_b ? blocks_.b : blocks_.a).blocks[pair.from];
    const SphereBlock& to = (pair.is_from_b ? blocks_.a : blocks_.b).blocks[pair.to];
    return forces_ != nullptr ? from.has_spheres && to.has_spheres : from.is_low && to.is_low;
  }

  /// What the next pair is decided by.
  void prefetch(const BlockPair& pair) const {
    const SphereBlock* from = &(pair.is_from_b ? blocks_.b : blocks_.a).blocks[pair.from];
    const SphereBlock* to = &(pair.is_from_b ? blocks_.a : blocks_.b).blocks[pair.to];
    for (const SphereBlock* block : {from, to}) {
      for (const float(&row)[SphereBlock::kWidth] : block->center) hwy::Prefetch(&row);
      hwy::Prefetch(&block->radius[static_cast<std::size_t>(ball_)]);
      hwy::Prefetch(&block->origin);
    }
  }

  void sum_below(const BlockPair& opened, std::uint32_t place) {
    BlockSums& known = memory_.pairs_[place].known;
    known = {};
    memory_.below_.add_below(blocks_, ball_, opened, known);
    if (forces_ == nullptr || forces_->has_contacts()) return;
    ForceSum sum = forces_->without_forces();
    add_forces_below(opened, sum, 1);
    memory_.forces_[place] = sum.sum();
  }

  void add_forces_below(const BlockPair& opened, ForceSum& forces, double weight) {
    memory_.meeting_.clear();
    memory_.below_.add_meeting_below(blocks_, opened, memory_.meeting_);
    for (const SpherePair& pair : memory_.meeting_)
      forces.add(bodies_, pair, std::sqrt(bodies_.squared_distance(pair)), weight);
  }

  void open(const BlockPair& opened, std::uint32_t place) {
    open_pair(blocks_, ball_, forces_ != nullptr, opened, memory_.opened_);
    memory_.pairs_[place].known = memory_.opened_.known;
    if (forces_ != nullptr) memory_.forces_[place] = {};
    add_children(memory_.pairs_[place].expected.key);
  }

  void add_children(float parent_key) {
    for (const ExpectedPair& child : memory_.opened_.children) {
      std::uint32_t place = static_cast<std::uint32_t>(memory_.pairs_.size());
      if (memory_.free_.empty()) {
        memory_.pairs_.emplace_back();
        if (forces_ != nullptr) memory_.forces_.emplace_back();
      } else {
        place = memory_.free_.back();
        memory_.free_.pop_back();
      }
      Pair& pair = memory_.pairs_[place];
      pair.parent_key = parent_key;
      pair.expected = child;
      pair.expected.key = std::min(parent_key, child.key);
      memory_.waiting_.push_back(waiting(pair.expected.key, place));
      std::push_heap(memory_.waiting_.begin(), memory_.waiting_.end());
    }
  }

  /// Counts pairs whose weight will stay 1 however far the keys go down from `key`: their children
  /// stand for them.
  void end_fading(float key) {
    const double whole = key * (1 + kFadeOfKeys);
    for (; first_fading_ < memory_.fading_.size(); ++first_fading_) {
      const std::uint32_t place = memory_.fading_[first_fading_];
      if (memory_.pairs_[place].expected.key < whole) break;
      count_known(place, 1);
      memory_.free_.push_back(place);
    }
  }

  void count_known(std::uint32_t place, double weight) {
    if (!(weight > 0)) return;
    const BlockSums& known = memory_.pairs_[place].known;
    for (std::size_t side = 0; side < 2; ++side) {
      sums_.volume[side] += weight * known.volume[side];
      for (std::size_t i = 0; i < 3; ++i) sums_.moment[side][i] += weight * known.moment[side][i];
    }
    if (forces_ == nullptr) return;
    if (!forces_->has_contacts()) return forces_->add(memory_.forces_[place], weight);
    // Contacts are made where their weight is known, one by one.
    const BlockPair& opened = memory_.pairs_[place].expected.pair;
    if (is_summed_at_once(opened)) add_forces_below(opened, *forces_, weight);
  }

  void count_expected(const Pair& pair, double weight) {
    if (!(weight > 0)) return;
    const ExpectedPair& expected = pair.expected;
    const std::size_t side = expected.is_in_b ? 1 : 0;
    const double volume = weight * expected.volume / cubes_[side];
    sums_.volume[side] += volume;
    for (std::size_t i = 0; i < 3; ++i) sums_.moment[side][i] += volume * expected.place[i];
    if (forces_ != nullptr && expected.primary > 0) push(expected, weight);
  }

  void push(const ExpectedPair& expected, double weight) {
    const BlockMap& map = blocks_.a_from_b;
    Vec3 place(expected.place[0], expected.place[1], expected.place[2]);
    Vec3 push(expected.push[0], expected.push[1], expected.push[2]);
    if (expected.is_in_b) {
      place = map.linear * place + map.offset;
      push = map.linear * push / map.scale;
    }
    const auto [from, to, rows, is_from_b] = expected.pair;
    const Vec3 of_a = axis(blocks_.a.axes[is_from_b ? to : from]);
    const Vec3 of_b = map.linear * axis(blocks_.b.axes[is_from_b ? from : to]) / map.scale;
    const double share = weight * cube();
    forces_->add_expected(share * expected.primary, blocks_.a.unit * place, share * push, of_a,
                          of_b);
  }
  static Vec3 axis(const BlockAxis& of) { return {of.axis[0], of.axis[1], of.axis[2]}; }

  /// What volumes are counted in.
  [[nodiscard]] double cube() const {
    const double unit = blocks_.a.unit;
    return std::numbers::pi / 12 * (unit * unit * unit);
  }

  [[nodiscard]] TimedOverlap total(std::size_t expansions) const {
    const SphereOverlap sum = overlap_of(sums_, blocks_);
    return {.volume = sum.volume,
            .moment = sum.moment,
            .expansions = expansions,
            .is_complete = !has_any()};
  }

  FadedOverlapSearch& memory_;
  const PosedHierarchies& bodies_;
  const PosedBlocks& blocks_;
  NodeBall ball_;
  ForceSum* forces_;
  std::size_t first_fading_ = 0;
  BlockSums sums_;
  const double cubes_[2] = {1, blocks_.a_from_b.linear.determinant()};  // of the units
};

TimedOverlap FadedOverlapSearch::find(const PosedHierarchies& bodies, const PosedBlocks& blocks,
                                      NodeBall ball, const OverlapBudget& budget,
                                      ForceSum* forces) {
  const bool with_forces = forces != nullptr;
  const Deadline deadline(budget.max_time);
  const double per_pair = with_forces ? kTimePerForceLeft : kTimePerPairLeft;
  const double to_open = with_forces ? kTimeToOpenForces : kTimeToOpen;
  Run run(*this, bodies, blocks, ball, forces);
  std::size_t expansions = 0;
  while (run.has_any() && expansions < budget.max_expansions && run.left() < budget.max_waiting) {
    if ((with_forces || expansions % kExpansionsPerLook == 0) &&
        deadline.is_near(to_open + per_pair * static_cast<double>(run.left())))
      break;
    run.open_first();
    ++expansions;
  }
  return run.end(expansions);
}

}  // namespace plimsoll
