#include "hand.h"

#include <chrono>
#include <string>
#include <system_error>
#include <utility>

namespace plimsoll::viewer {
namespace {

/// Ticks from one time to the next at which the window is told: about 120 times a second.
constexpr std::size_t kTell = 8;

/// A hand at a mouse, for a scene whose measure is `size` [m].
DeviceLimits limits_for(double size) {
  return {
      .speed = 10 * size, .turning = 20, .acceleration = 200 * size, .turning_acceleration = 400};
}

}  // namespace

Result<std::unique_ptr<Hand>> Hand::take(World world, double size) {
  const BodyId tool = world.ids().front();
  const Pose start = world.body(tool)->pose;
  const HapticOptions options{.limits = limits_for(size)};
  Result<HapticLoop> loop = HapticLoop::create(std::move(world), tool, start, options);
  if (!loop) return loop.error();
  try {
    return std::unique_ptr<Hand>(new Hand(*std::move(loop), start, options.limits));
  } catch (const std::system_error& error) {
    return Error{ErrorCode::kResourceLimit,
                 std::string("found that no thread can be started: ") + error.what(), ""};
  }
}

Hand::Hand(HapticLoop loop, const Pose& start, const DeviceLimits& limits)
    : loop_(std::move(loop)),
      ids_(loop_.world().ids()),
      device_(start, limits, loop_.period()),
      scene_(scene_now(loop_.world(), ids_)) {
  now_.device = start;
  times_ = std::async(std::launch::async, [this] {
    return run_in_real_time(loop_, device_, [this](const HapticTick& tick) { return note(tick); });
  });
}

Hand::~Hand() { device_.put_away(); }  // the future waits for the loop

/// On the loop's thread.
bool Hand::note(const HapticTick& tick) {
  queries_ += tick.query_seconds;
  if (++since_ < kTell) return true;
  const auto time = std::chrono::steady_clock::now();
  const double passed = std::chrono::duration<double>(time - std::exchange(told_, time)).count();
  const auto count = static_cast<double>(std::exchange(since_, 0));
  SceneNow scene = scene_now(loop_.world(), ids_);
  const std::scoped_lock lock(mutex_);
  scene_ = std::move(scene);
  now_ = {.device = device_.now(),
          .felt = tick.felt,
          .contact = tick.contact,
          .volume = tick.volume,
          .is_limited = tick.is_limited,
          .ticks = tick.number + 1,
          .rate = passed > 0 ? count / passed : 0,
          .query_seconds = std::exchange(queries_, 0) / count};
  return true;
}

SceneNow Hand::scene() const {
  const std::scoped_lock lock(mutex_);
  return scene_;
}

HandNow Hand::now() const {
  const std::scoped_lock lock(mutex_);
  return now_;
}

std::optional<Error> Hand::problem() {
  using namespace std::chrono_literals;
  if (!end_ && times_.wait_for(0s) == std::future_status::ready) end_ = times_.get();
  return end_ && !*end_ ? std::optional(end_->error()) : std::nullopt;
}

Result<HapticTimes> Hand::let_go() {
  device_.put_away();
  if (!end_) end_ = times_.get();
  return *end_;
}

}  // namespace plimsoll::viewer
