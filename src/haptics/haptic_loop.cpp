#include <plimsoll/haptics.h>
#include <plimsoll/rotation.h>
#include <plimsoll/shape.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <numbers>
#include <span>
#include <string>
#include <utility>

#include "core/number_text.h"
#include "haptics/coupling.h"
#include "haptics/hand_tank.h"

namespace plimsoll {
namespace {

constexpr double kMaxSteps = 1000;                    // in a tick
constexpr double kMinPeriod = 1e-6, kMaxPeriod = 10;  // [s]

/// What rounding of a path may add to its steps.
constexpr double kRounding = 1e-9;

Error refused(double found, const std::string& expected, const char* where) {
  return {ErrorCode::kInvalidArgument, "found " + digits(found) + ", expected " + expected, where};
}

Result<void> check_options(const HapticOptions& options) {
  const DeviceLimits& limits = options.limits;
  if (!(options.period >= kMinPeriod && options.period <= kMaxPeriod))
    return refused(options.period, "a time from 1e-6 to 10 [s]", "period");
  if (!(limits.speed >= 0 && std::isfinite(limits.speed)))
    return refused(limits.speed, "a speed not below 0 [m/s]", "limits.speed");
  if (!(limits.turning >= 0 && limits.turning * options.period < std::numbers::pi))
    return refused(limits.turning,
                   "a speed not below 0, of less than half a turn in a period [rad/s]",
                   "limits.turning");
  if (!(limits.acceleration >= 0))
    return refused(limits.acceleration, "a number not below 0 [m/s^2]", "limits.acceleration");
  if (!(limits.turning_acceleration >= 0))
    return refused(limits.turning_acceleration, "a number not below 0 [rad/s^2]",
                   "limits.turning_acceleration");
  if (!(options.budget > 0)) return refused(options.budget, "a time above 0 [s]", "budget");
  if (!options.coupling) return {};
  for (const double number : {options.coupling->stiffness, options.coupling->damping})
    if (!(number >= 0 && std::isfinite(number)))
      return refused(number, "a number not below 0 [N/m, N s/m]", "coupling");
  return {};
}

/// Steps of the world in a tick: the frequency of the coupling times a step is 1/2 at most, and so
/// is what the damper takes of a speed in one.
double steps_for(const Coupling& coupling, double mass, double period) {
  const double frequency = std::sqrt(coupling.stiffness / mass), rate = coupling.damping / mass;
  return std::max(1.0, std::ceil(2 * period * std::max(frequency, rate) * (1 - kRounding)));
}

DeviceLimits with_room_for_rounding(DeviceLimits limits) {
  for (double* limit :
       {&limits.speed, &limits.turning, &limits.acceleration, &limits.turning_acceleration})
    *limit *= 1 + kRounding;
  return limits;
}

/// The pose that a device tells, as a rigid one.
Result<Pose> pose_of(const Pose& device) {
  Similarity given;
  given.matrix() = device.matrix();  // with its last row, which a conversion would mend
  Result<Pose> pose = nearest_pose(given);
  if (!pose) return Error{pose.error().code, pose.error().message, "device"};
  return pose;
}

DeviceStep step_between(const Pose& from, const Pose& to) {
  return {to.translation() - from.translation(),
          rotation_vector(to.linear() * from.linear().transpose())};
}

}  // namespace

DeviceLimits limits_of(std::span<const Pose> path, double period) {
  DeviceLimits limits{0, 0, 0, 0};
  DeviceStep last;
  const auto raise = [](double& limit, double to) { limit = std::max(limit, to); };
  for (std::size_t i = 1; i < path.size(); ++i) {
    // As HapticLoop takes them; what is no pose is refused there.
    const Result<Pose> from = pose_of(path[i - 1]), to = pose_of(path[i]);
    if (!from || !to) break;
    const DeviceStep step = step_between(*from, *to);
    raise(limits.speed, step.shift.norm() / period);
    raise(limits.turning, step.turn.norm() / period);
    raise(limits.acceleration, (step.shift - last.shift).norm() / (period * period));
    raise(limits.turning_acceleration, (step.turn - last.turn).norm() / (period * period));
    last = step;
  }
  return limits;
}

struct HapticLoop::State {
  World world;
  BodyId tool;
  HapticOptions options;
  Coupling coupling;
  std::shared_ptr<CouplingForce> force;
  int steps = 1;        // of the world in a tick
  Vec3 center;          // of mass of the tool, in its frame
  Pose device;          // where it was told to be last
  BodyForce held{};     // since then
  DeviceLimits limits;  // with room for rounding
  HandTank tank;
  DeviceStep last{};  // of the device
  std::size_t ticks = 0;
  std::optional<Error> end{};  // why there are no more ticks

  [[nodiscard]] Result<DeviceStep> step_to(const Pose& to) const;
  [[nodiscard]] Result<void> advance(const Pose& to);
  [[nodiscard]] Result<HapticTick> move(const Pose& to);
  void add_contacts(HapticTick& tick) const;
  [[nodiscard]] Result<void> add_volumes(HapticTick& tick);
  [[nodiscard]] BodyForce felt() const;
};

HapticLoop::HapticLoop(std::unique_ptr<State> state) : state_(std::move(state)) {}
HapticLoop::HapticLoop(HapticLoop&&) noexcept = default;
HapticLoop& HapticLoop::operator=(HapticLoop&&) noexcept = default;
HapticLoop::~HapticLoop() = default;

Result<HapticLoop> HapticLoop::create(World world, BodyId tool, const Pose& device,
                                      const HapticOptions& options) {
  if (Result<void> usable = check_options(options); !usable) return usable.error();
  const std::optional<MassProperties> mass = world.mass(tool);
  if (!mass || world.is_kinematic(tool))
    return Error{ErrorCode::kInvalidArgument,
                 mass ? "found a body that is told how to move, expected one that moves freely"
                      : "found the id of no body, expected that of the tool",
                 "tool"};
  const Coupling coupling =
      options.coupling.value_or(critical_coupling(mass->mass, options.period));
  const double steps = steps_for(coupling, mass->mass, options.period);
  if (!(steps <= kMaxSteps))
    return Error{ErrorCode::kResourceLimit,
                 "found a coupling of " + digits(coupling.stiffness) + " N/m and " +
                     digits(coupling.damping) + " N s/m that needs " + digits(steps) +
                     " steps in a tick for a tool of " + digits(mass->mass) + " kg, expected " +
                     digits(kMaxSteps) + " at most",
                 "coupling"};
  if (std::isfinite(options.budget)) {
    std::optional<ContactLaw> law = world.contact();
    if (!law || law->method != ContactMethod::kSpheres)
      return refused(options.budget, "none: only spheres end in time", "budget");
    law->max_time = options.budget / (3 * steps);
    if (Result<void> set = world.set_contact(law); !set) return set.error();
  }
  const Result<Pose> start = pose_of(device);
  if (!start) return start.error();
  if (Result<void> put = world.set_state(tool, *start, Vec3::Zero(), Vec3::Zero()); !put)
    return put.error();
  auto force = std::make_shared<CouplingForce>(
      tool, CoupledTool{coupling, mass->inertia / mass->mass}, mass->center_of_mass);
  world.add_force(force);
  const DeviceLimits limits = with_room_for_rounding(options.limits);
  const HandTank tank(limits, options.period);
  return HapticLoop(std::make_unique<State>(State{std::move(world),
                                                  tool,
                                                  options,
                                                  coupling,
                                                  std::move(force),
                                                  static_cast<int>(steps),
                                                  mass->center_of_mass,
                                                  *start,
                                                  {},
                                                  limits,
                                                  tank}));
}

Result<DeviceStep> HapticLoop::State::step_to(const Pose& to) const {
  const DeviceStep step = step_between(device, to);
  const double h = options.period;
  const struct {
    double found, limit;
    const char *what, *unit;
  } bounds[] = {{step.shift.norm() / h, limits.speed, "goes at ", " m/s"},
                {step.turn.norm() / h, limits.turning, "turns at ", " rad/s"},
                {(step.shift - last.shift).norm() / (h * h), limits.acceleration,
                 "is accelerated by ", " m/s^2"},
                {(step.turn - last.turn).norm() / (h * h), limits.turning_acceleration,
                 "turns with an acceleration of ", " rad/s^2"}};
  for (const auto& [found, limit, what, unit] : bounds)
    if (!(found <= limit))
      return Error{ErrorCode::kInvalidArgument,
                   std::string("found a device that ") + what + to_text(found) + unit +
                       ", expected " + digits(limit) + unit + " at most",
                   "device"};
  return step;
}

/// Moves the world by a period.
Result<void> HapticLoop::State::advance(const Pose& to) {
  force->go(device, to, world.time(), options.period);
  for (int i = 0; i < steps; ++i)
    if (Result<void> done = world.step(options.period / steps); !done) return done;
  return {};
}

void HapticLoop::State::add_contacts(HapticTick& tick) const {
  const Vec3 origin = tick.world_from_tool.translation();
  for (const BodyContact& contact : world.contacts()) {
    if (contact.a != tool && contact.b != tool) continue;
    const double sign = contact.a == tool ? 1 : -1;
    tick.contact.force += sign * contact.force;
    tick.contact.torque += sign * (contact.torque + (contact.center - origin).cross(contact.force));
  }
}

Result<void> HapticLoop::State::add_volumes(HapticTick& tick) {
  for (const BodyContact& contact : world.contacts()) {
    if (contact.a != tool && contact.b != tool) continue;
    const Result<double> volume = world.shared_volume(contact.a, contact.b);
    if (!volume) return volume.error();
    tick.volume += *volume;
  }
  return {};
}

/// What the coupling pulls the device with where it and the tool are now.
BodyForce HapticLoop::State::felt() const {
  const BodyState tool_now = *world.body(tool);
  const Vec3 arm = tool_now.center_of_mass - tool_now.pose.translation();
  const BodyForce pull = force->pull(
      {tool_now.pose.linear(), tool_now.center_of_mass,
       tool_now.velocity + tool_now.angular_velocity.cross(arm), tool_now.angular_velocity},
      world.time());
  const Vec3 device_arm = device.linear() * center;
  return {-pull.force, -pull.torque - device_arm.cross(pull.force)};
}

/// Moves the world with the device, and asks what the tool meets there.
Result<HapticTick> HapticLoop::State::move(const Pose& to) {
  const double before = world.contact_seconds();
  if (Result<void> done = advance(to); !done) return done.error();
  HapticTick tick;
  tick.number = ticks;
  tick.world_from_tool = world.body(tool)->pose;
  add_contacts(tick);
  const auto start = std::chrono::steady_clock::now();
  if (Result<void> done = add_volumes(tick); !done) return done.error();
  tick.query_seconds =
      world.contact_seconds() - before +
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return tick;
}

Result<HapticTick> HapticLoop::tick(const Pose& device) {
  State& state = *state_;
  if (state.end) return *state.end;
  const Result<Pose> to = pose_of(device);
  if (!to) return to.error();
  const Result<DeviceStep> step = state.step_to(*to);
  if (!step) return step.error();
  Result<HapticTick> tick = state.move(*to);
  if (!tick) return state.end.emplace(tick.error());
  ++state.ticks;
  state.tank.count(state.held, *step);
  state.device = *to;
  state.last = *step;
  const BodyForce wanted = state.felt();
  const double share = state.tank.share_of(wanted, *step);
  tick->is_limited = share < 1;
  tick->felt = state.held = {share * wanted.force, share * wanted.torque};
  return tick;
}

const World& HapticLoop::world() const { return state_->world; }
const HandEnergy& HapticLoop::hand() const { return state_->tank.energy(); }
const Coupling& HapticLoop::coupling() const { return state_->coupling; }
double HapticLoop::period() const { return state_->options.period; }

}  // namespace plimsoll
