// The scene's first body as a tool in the hand, which the mouse leads: a haptic loop on a thread of
// its own, as the window sees it.
#pragma once

#include <plimsoll/haptics.h>

#include <chrono>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "scene_now.h"

namespace plimsoll::viewer {

/// What the loop has come to.
struct HandNow {
  Pose device = Pose::Identity();
  BodyForce felt, contact;  ///< The torques about the device's origin, and the tool's.
  double volume = 0;        ///< That the tool shares with others [m^3].
  bool is_limited = false;
  std::size_t ticks = 0;
  double rate = 0;           ///< Ticks a second, of the last that were taken [1/s].
  double query_seconds = 0;  ///< The mean of these [s].
};

class Hand {
 public:
  /// Begins to tick. The mouse goes by no more than ten times `size` in a second. Errors: of
  /// HapticLoop::create.
  [[nodiscard]] static Result<std::unique_ptr<Hand>> take(World world, double size);
  Hand(const Hand&) = delete;
  Hand& operator=(const Hand&) = delete;
  ~Hand();

  void lead_to(const Pose& device) { device_.lead_to(device); }
  [[nodiscard]] SceneNow scene() const;
  [[nodiscard]] HandNow now() const;
  /// Why it has ended by itself; nothing while it goes on.
  [[nodiscard]] std::optional<Error> problem();
  /// Lets go, and tells how the loop kept to its time.
  [[nodiscard]] Result<HapticTimes> let_go();

 private:
  Hand(HapticLoop loop, const Pose& start, const DeviceLimits& limits);
  bool note(const HapticTick& tick);

  HapticLoop loop_;
  std::vector<BodyId> ids_;
  LedDevice device_;
  mutable std::mutex mutex_;  // of the two that follow
  SceneNow scene_;
  HandNow now_;
  // Of the loop's thread: since the last time that it told.
  std::size_t since_ = 0;
  double queries_ = 0;
  std::chrono::steady_clock::time_point told_ = std::chrono::steady_clock::now();
  std::future<Result<HapticTimes>> times_;
  std::optional<Result<HapticTimes>> end_;
};

}  // namespace plimsoll::viewer
