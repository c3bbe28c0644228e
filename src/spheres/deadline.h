// The end of a question that has only so much time.
#pragma once

#include <chrono>
#include <cstddef>
#include <limits>

namespace plimsoll {

/// The clock is read once in so many expansions, beside which reading takes little time.
inline constexpr std::size_t kExpansionsPerLook = 2;

/// Time kept for a pair that counts at the end [s].
inline constexpr double kTimePerPair = 6e-8;

class Deadline {
 public:
  explicit Deadline(double time) : time_(time) {
    if (time_ < std::numeric_limits<double>::infinity()) start_ = Clock::now();
  }
  /// Whether less than `reserve` is left.
  [[nodiscard]] bool is_near(double reserve) const {
    if (!(time_ < std::numeric_limits<double>::infinity())) return false;
    return std::chrono::duration<double>(Clock::now() - start_).count() + reserve >= time_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  double time_;
  Clock::time_point start_;
};

/// Ends a search after a number of steps, or in time. The clock is read once in two steps.
class StepLimit {
 public:
  /// `reserve`: so much of the deadline's time is left for others [s]. The deadline must outlive
  /// it.
  StepLimit(const Deadline& deadline, std::size_t max_steps, double reserve)
      : deadline_(deadline), max_steps_(max_steps), reserve_(reserve) {}

  /// Whether another step may be taken, which counts from now on. Once it may not, none may.
  [[nodiscard]] bool take() {
    if (is_spent_) return false;
    is_spent_ =
        steps_ >= max_steps_ || (steps_ % kStepsPerLook == 0 && deadline_.is_near(reserve_));
    if (!is_spent_) ++steps_;
    return !is_spent_;
  }
  [[nodiscard]] bool is_spent() const { return is_spent_; }
  [[nodiscard]] std::size_t steps() const { return steps_; }

 private:
  static constexpr std::size_t kStepsPerLook = 2;
  const Deadline& deadline_;
  std::size_t max_steps_, steps_ = 0;
  double reserve_;
  bool is_spent_ = false;
};

}  // namespace plimsoll
