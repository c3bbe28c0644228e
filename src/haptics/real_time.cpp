#include <plimsoll/haptics.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <string>
#include <system_error>
#include <thread>

namespace plimsoll {
namespace {

using Clock = std::chrono::steady_clock;

double seconds(Clock::duration time) { return std::chrono::duration<double>(time).count(); }

/// Wakes at even times, and moves them all where it was late by one of them or more.
class Beat {
 public:
  explicit Beat(double period)
      : period_(std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(period))),
        due_(Clock::now()) {}

  void start_anew() { due_ = Clock::now(); }
  /// Waits until the next time is due.
  void wait() {
    due_ += period_;
    if (const Clock::time_point now = Clock::now(); now - due_ >= period_) due_ = now;
    std::this_thread::sleep_until(due_);
  }
  /// Since it was due [s].
  [[nodiscard]] double late() const { return seconds(Clock::now() - due_); }

 private:
  Clock::duration period_;
  Clock::time_point due_;
};

class RealTimeRun {
 public:
  RealTimeRun(HapticLoop& loop, HapticDevice& device,
              const std::function<bool(const HapticTick&)>& take)
      : loop_(loop), device_(device), take_(take), period_(loop.period()), beat_(period_) {}

  Result<HapticTimes> run(bool with_empty) {
    Result<HapticTimes> times = run_ticks(with_empty);
    device_.push({});
    return times;
  }

 private:
  Result<HapticTimes> run_ticks(bool with_empty) {
    if (with_empty) times_.late_of_empty = 0;
    beat_.start_anew();
    for (std::size_t ticks = 1;; ++ticks) {
      const Result<bool> goes_on = run_tick();
      if (!goes_on) return goes_on.error();
      if (with_empty && (!*goes_on || ticks % slice() == 0)) run_empty();
      if (!*goes_on) return std::move(times_);
    }
  }

  [[nodiscard]] std::size_t slice() const {
    constexpr double kSlice = 0.1;  // [s]
    return std::max<std::size_t>(1, static_cast<std::size_t>(kSlice / period_));
  }

  /// Whether there is another.
  Result<bool> run_tick() {
    beat_.wait();
    const std::optional<Pose> pose = device_.pose();
    if (!pose) return false;
    const Result<HapticTick> tick = loop_.tick(*pose);
    if (!tick) return tick.error();
    device_.push(tick->felt);
    times_.latency.push_back(beat_.late());
    if (times_.latency.back() > period_) ++times_.late;
    return take_(*tick);
  }

  /// As many ticks of nothing as there were of the loop.
  void run_empty() {
    beat_.start_anew();
    for (; empty_ < times_.latency.size(); ++empty_) {
      beat_.wait();
      if (beat_.late() > period_) ++*times_.late_of_empty;
    }
    beat_.start_anew();
  }

  HapticLoop& loop_;
  HapticDevice& device_;
  const std::function<bool(const HapticTick&)>& take_;
  double period_;
  Beat beat_;
  HapticTimes times_;
  std::size_t empty_ = 0;  // ticks of the loop of nothing
};

}  // namespace

Result<HapticTimes> run_in_real_time(HapticLoop& loop, HapticDevice& device,
                                     const std::function<bool(const HapticTick&)>& take,
                                     bool with_empty) {
  std::future<Result<HapticTimes>> times;
  try {
    times = std::async(std::launch::async,
                       [&] { return RealTimeRun(loop, device, take).run(with_empty); });
  } catch (const std::system_error& error) {
    return Error{ErrorCode::kResourceLimit,
                 std::string("found that no thread can be started: ") + error.what(), ""};
  }
  return times.get();
}

}  // namespace plimsoll
