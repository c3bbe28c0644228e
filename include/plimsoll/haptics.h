// A tool in a hand, a thousand times a second: the hand moves a device, springs and dampers bind a
// body of a World to it, and what they pull with is what the hand feels. World coordinates.
//
//   Result<HapticLoop> loop = HapticLoop::create(*std::move(world), tool, *device.pose());
//   while (const std::optional<Pose> pose = device.pose()) {  // each millisecond
//     const Result<HapticTick> tick = loop->tick(*pose);
//     if (tick) device.push(tick->felt);
//   }
#pragma once

#include <plimsoll/body_id.h>
#include <plimsoll/forces.h>
#include <plimsoll/result.h>
#include <plimsoll/types.h>
#include <plimsoll/world.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace [[gnu::visibility("default")]] plimsoll {

/// The virtual coupling: a spring and a damper between the tool's center of mass and the point of
/// the device where that is while both are at one pose, and others about it, of stiffness and
/// damping times the inertia over the mass: turns swing at the frequency of shifts [Colgate1995].
struct Coupling {
  double stiffness = 0;  ///< [N/m]
  double damping = 0;    ///< [N s/m]
};

/// Critically damped, of a frequency of 1/4 over the period: the tool follows in four ticks.
[[nodiscard]] Coupling critical_coupling(double mass, double period);

/// How a device moves at most. It may begin at rest only where that is within the accelerations.
struct DeviceLimits {
  double speed = 10;     ///< [m/s]
  double turning = 100;  ///< [rad/s]; by less than half a turn in a period.
  /// How much these change from one period to the next, over the period: of vectors. Infinite where
  /// that is not known; the less it is, the less a force has to be limited [m/s^2, rad/s^2].
  double acceleration = std::numeric_limits<double>::infinity();
  double turning_acceleration = std::numeric_limits<double>::infinity();
};

/// The least limits within which poses `period` apart stay, beginning at rest.
[[nodiscard]] DeviceLimits limits_of(std::span<const Pose> path, double period = 1e-3);

struct HapticOptions {
  double period = 1e-3;  ///< The time of a tick, from 1e-6 to 10 [s].
  /// critical_coupling of the tool's mass where absent.
  std::optional<Coupling> coupling = std::nullopt;
  DeviceLimits limits = {};  ///< A device that moves beyond them is an error.
  /// Where bodies meet as spheres: time for all queries of a tick. The searches of its steps end
  /// after a third of it, for to list what they found takes as long again, and asking for the
  /// volume. Replaces ContactLaw::max_time. A step that has to begin again takes its time again
  /// [s].
  double budget = std::numeric_limits<double>::infinity();
};

/// What came of a tick.
struct HapticTick {
  std::size_t number = 0;                   ///< From 0.
  Pose world_from_tool = Pose::Identity();  ///< At its end, when the device is where it was told.
  /// What bodies that touch the tool do to it there, the torque about the tool's origin.
  BodyForce contact;
  double volume = 0;  ///< The volume that it shares with other bodies there, added up [m^3].
  /// To push the device with until the next tick, the torque about the device's origin.
  BodyForce felt;
  bool is_limited = false;  ///< `felt` is less than the coupling pulls with: too little was put in.
  double query_seconds = 0;  ///< Wall time of contacts and of the volume [s].
};

/// What the hand has put into the device, force times step, less what it got out [J].
struct HandEnergy {
  double now = 0;
  double least = 0;         ///< The least that `now` ever was; 0 at the beginning.
  double largest_step = 0;  ///< The most that one tick has changed it by, up or down.
};

/// Moves a world by a period at each tick, while the device goes evenly from its last pose to the
/// one that it is told. Steps of the world are as short as the coupling needs, and parts of these
/// as short as contacts need.
///
/// The force that is held while the device goes on may give energy that nobody has put in. So it is
/// limited: what the hand has put in never falls below minus the most that one tick has changed it
/// by, less 1e-13 J, whatever the device does within its DeviceLimits (docs/theory/haptics.md)
/// [HannafordRyu2002]. That is so for a device that holds each force from the pose that gave it to
/// the next: the time that a tick takes to compute is left out.
class HapticLoop {
 public:
  /// The tool is put at rest in the first pose of the device. Errors: `InvalidArgument` for a tool
  /// that is no body, or is told how to move, a period or limits out of range, a coupling of which
  /// a number is below 0 or not finite, and a budget that is not above 0 or of bodies that do not
  /// meet as spheres; as World::set_state; `ResourceLimit` for a coupling that needs more than
  /// 1,000 steps in a tick.
  [[nodiscard]] static Result<HapticLoop> create(World world, BodyId tool, const Pose& device,
                                                 const HapticOptions& options = {});

  HapticLoop(HapticLoop&&) noexcept;
  HapticLoop& operator=(HapticLoop&&) noexcept;
  ~HapticLoop();

  /// Errors: `InvalidArgument` at "device" for a pose that is none, and for one that the device
  /// cannot have gone to since the last tick: the loop is then as before it. As World::step and
  /// World::shared_volume: the loop has then ended, and each further tick gives that error.
  [[nodiscard]] Result<HapticTick> tick(const Pose& device);

  [[nodiscard]] const World& world() const;
  [[nodiscard]] const HandEnergy& hand() const;
  [[nodiscard]] const Coupling& coupling() const;
  [[nodiscard]] double period() const;  ///< [s]

 private:
  struct State;
  explicit HapticLoop(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// What a hand holds.
class HapticDevice {
 public:
  virtual ~HapticDevice() = default;
  /// Where it is; nothing once it is put away.
  [[nodiscard]] virtual std::optional<Pose> pose() = 0;
  /// Pushes the hand from now on, the torque about the device's origin. No force comes last.
  virtual void push(const BodyForce& felt) = 0;
};

/// Goes along poses that were recorded, one at each question, and feels nothing.
class RecordedDevice final : public HapticDevice {
 public:
  explicit RecordedDevice(std::vector<Pose> path) : path_(std::move(path)) {}
  [[nodiscard]] std::optional<Pose> pose() override {
    if (next_ == path_.size()) return std::nullopt;
    return path_[next_++];
  }
  void push(const BodyForce&) override {}

 private:
  std::vector<Pose> path_;
  std::size_t next_ = 0;
};

/// Goes where a function of time says, which is told what the device is pushed with: a hand's
/// model, a test of one.
class ScriptedDevice final : public HapticDevice {
 public:
  /// Gives the pose at a time from 0 [s], or nothing at the end.
  using Script = std::function<std::optional<Pose>(double time, const BodyForce& felt)>;

  /// Asks for a pose at each multiple of `period`.
  explicit ScriptedDevice(Script script, double period = 1e-3)
      : script_(std::move(script)), period_(period) {}
  [[nodiscard]] std::optional<Pose> pose() override {
    return script_(period_ * static_cast<double>(next_++), felt_);
  }
  void push(const BodyForce& felt) override { felt_ = felt; }

 private:
  Script script_;
  double period_;
  BodyForce felt_;
  std::size_t next_ = 0;
};

/// Goes to where it is led, as a mouse leads it from time to time: at rest it sets out, and at rest
/// it arrives, within its limits. Any thread may lead it and ask.
class LedDevice final : public HapticDevice {
 public:
  /// Begins at rest. Each question is a `period` after the one before [s]. Preconditions: a pose;
  /// limits and a period that are positive and finite.
  LedDevice(const Pose& start, const DeviceLimits& limits, double period = 1e-3);
  ~LedDevice() override;

  [[nodiscard]] std::optional<Pose> pose() override;
  void push(const BodyForce& felt) override;

  /// Where it goes from now on. What is no pose leads nowhere.
  void lead_to(const Pose& pose);
  void put_away();

  [[nodiscard]] Pose now() const;        ///< Where it was at the last question.
  [[nodiscard]] BodyForce felt() const;  ///< What it is pushed with.

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Reads the poses of a device, `period` apart: CSV with the header time,x,y,z,qw,qx,qy,qz, in
/// seconds and meters, of quaternions of length 1 to 1e-3. Errors: `Malformed`, with the line; as
/// files. Precondition: a positive period.
[[nodiscard]] Result<std::vector<Pose>> read_device_path(const std::filesystem::path& path,
                                                         double period = 1e-3);
/// Reads from memory. `name` stands for the file in messages.
[[nodiscard]] Result<std::vector<Pose>> read_device_path(std::span<const std::byte> text,
                                                         const std::string& name,
                                                         double period = 1e-3);

/// How a loop kept to its time.
struct HapticTimes {
  /// From when a tick was due to when the device was pushed [s], one for each tick: 29 MB an hour.
  std::vector<double> latency;
  std::size_t late = 0;  ///< Ticks whose latency was more than a period.
  /// Late ticks among as many of a loop that does nothing, in turn with it: what the machine costs.
  /// Nothing where that was not asked for.
  std::optional<std::size_t> late_of_empty;
};

/// Runs the loop on a thread of its own, a tick each period of it, until the device is put away, a
/// tick fails or `take` says false; `take` is called on that thread after each push. A tick that is
/// late by a period or more moves all that follow. For a device that is recorded, which stands
/// still meanwhile, `with_empty` has a loop of nothing take turns with it, a tenth of a second
/// each. Errors: of the tick; `ResourceLimit` where no thread can be started. What `take` or the
/// device throws comes out of this call.
[[nodiscard]] Result<HapticTimes> run_in_real_time(
    HapticLoop& loop, HapticDevice& device, const std::function<bool(const HapticTick&)>& take,
    bool with_empty = false);

}  // namespace plimsoll
