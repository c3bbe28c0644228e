// The closest of many pairs of triangles, of which squares of distances are rounded: those that
// rounding does not tell from the closest are kept, and measured with bounds when all are known.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "proximity/triangle_distance.h"

namespace plimsoll {

/// `Pair` names two triangles. Distances are in the units of the search.
template <class Pair>
class Closest {
 public:
  /// Which pairs were kept; nothing else.
  struct Kept {
    Pair pair;
    double least;  // what the square of their distance is not below
  };
  using Memory = std::vector<Kept>;

  explicit Closest(Memory& memory) : kept_(memory) { kept_.clear(); }

  /// Pairs farther apart than that do not matter.
  void limit(double farthest) { improve(farthest * farthest + kSmall); }
  /// Whether a pair was offered that, whatever is rounded, is no farther apart than distance().
  [[nodiscard]] bool has_any() const { return has_any_; }
  /// How far apart pairs may be that matter still.
  [[nodiscard]] double distance() const { return distance_; }

  /// `squared` is what nearest_points finds for the triangles a and b. `measure` takes a pair to
  /// its MeasuredDistance, or to nothing where it leaves the pair out.
  template <class Measure>
  void offer(const Pair& pair, double squared, const TripleCorners<double>& a,
             const TripleCorners<double>& b, const Measure& measure) {
    offer(pair, squared, kSquareRounding * squared_size(a, b), measure);
  }
  /// The same where `squared` may be off by `rounding`.
  template <class Measure>
  void offer(const Pair& pair, double squared, double rounding, const Measure& measure) {
    if (squared - rounding > squared_) return;
    if (improve(squared + rounding + kSmall)) has_any_ = true;
    if (kept_.size() == kMaxKept) settle(measure);
    kept_.push_back({pair, squared - rounding});
  }

  /// Measures all that were kept. Then `found` is the closest, if there is one.
  template <class Measure>
  void settle(const Measure& measure) {
    for (const Kept& kept : kept_) {
      if (kept.least > squared_) continue;
      const std::optional<MeasuredDistance> distance = measure(kept.pair);
      if (!distance) continue;
      lower_ = std::min(lower_, distance->lower);
      // Of pairs that are as close it is always the same, in whatever order they were offered.
      if (found_ && (distance->distance > found_->distance ||
                     (distance->distance == found_->distance && !(kept.pair < pair_))))
        continue;
      found_ = distance;
      pair_ = kept.pair;
    }
    kept_.clear();
    if (found_) improve(found_->upper * found_->upper + kSmall);
  }
  [[nodiscard]] const std::optional<MeasuredDistance>& found() const { return found_; }
  [[nodiscard]] const Pair& pair() const { return pair_; }
  /// No pair that was offered is closer.
  [[nodiscard]] double lower() const { return lower_; }

  /// The pair that touches, and no other.
  template <class Measure>
  void set(const Pair& pair, const Measure& measure) {
    found_ = measure(pair);
    pair_ = pair;
    kept_.clear();
    distance_ = 0;
  }

 private:
  static constexpr std::size_t kMaxKept = 256;
  /// Squares of distances do not go below it where they matter.
  static constexpr double kSmall = 0x1p-900;

  /// Returns whether that is less than before.
  bool improve(double squared) {
    if (!(squared < squared_)) return false;
    squared_ = squared;
    distance_ = std::sqrt(squared) * (1 + 0x1p-50);
    return true;
  }

  Memory& kept_;
  double distance_ = std::numeric_limits<double>::infinity();
  double squared_ = std::numeric_limits<double>::infinity();  // but for the rounding its square
  double lower_ = std::numeric_limits<double>::infinity();
  bool has_any_ = false;
  std::optional<MeasuredDistance> found_;
  Pair pair_{};
};

}  // namespace plimsoll
