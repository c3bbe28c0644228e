#include <plimsoll/haptics.h>
#include <plimsoll/rotation.h>
#include <plimsoll/shape.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "core/number_text.h"
#include "haptics/coupling.h"
#include "haptics/hand_tank.h"

namespace plimsoll {
namespace {

constexpr double kMostSteps = 1000;  // in a tick

Error refused(double found, const std::string& expected, const char* where) {
  return {ErrorCode::kInvalidArgument, "found " + digits(found) + ", expected " + expected, where};
}

Result<void> check_options(const HapticOptions& options) {
  const auto is_above_0 = [](double x) { return x > 0 && std::isfinite(x); };
  if (!is_above_0(options.period)) return refused(options.period, "a time above 0 [s]", "period");
  if (!is_above_0(options.max_speed))
    return refused(options.max_speed, "a speed above 0 [m/s]", "max_speed");
  if (!is_above_0(options.max_turning))
    return refused(options.max_turning, "a speed above 0 [rad/s]", "max_turning");
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
  return std::max(1.0, std::ceil(2 * period * std::max(frequency, rate)));
}

DeviceStep step_between(const Pose& from, const Pose& to) {
  return {to.translation() - from.translation(),
          rotation_vector(to.linear() * from.linear().transpose())};
}

}  // namespace

struct HapticLoop::State {
  World world;
  BodyId tool;
  HapticOptions options;
  Coupling coupling;
  std::shared_ptr<CouplingForce> force;
  int steps = 1;     // of the world in a tick
  Vec3 center;       // of mass of the tool, in its frame
  Pose device;       // where it was told to be last
  BodyForce held{};  // since then
  HandTank tank;
  std::size_t ticks = 0;

  [[nodiscard]] Result<DeviceStep> step_to(const Pose& to) const;
  [[nodiscard]] Result<void> advance(const Pose& to);
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
  if (!(steps <= kMostSteps))
    return Error{ErrorCode::kResourceLimit,
                 "found a coupling of " + digits(coupling.stiffness) + " N/m and " +
                     digits(coupling.damping) + " N s/m that needs " + digits(steps) +
                     " steps in a tick for a tool of " + digits(mass->mass) +
                     " kg, expected 1000 at most",
                 "coupling"};
  const Result<Pose> start = nearest_pose(Similarity(device));
  if (!start) return start.error();
  if (Result<void> put = world.set_state(tool, *start, Vec3::Zero(), Vec3::Zero()); !put)
    return put.error();
  auto force = std::make_shared<CouplingForce>(
      tool, CoupledTool{coupling, mass->inertia / mass->mass}, mass->center_of_mass);
  world.add_force(force);
  const HandTank tank(options.max_speed * options.period, options.max_turning * options.period,
                      options.period);
  return HapticLoop(std::make_unique<State>(State{std::move(world),
                                                  tool,
                                                  options,
                                                  coupling,
                                                  std::move(force),
                                                  static_cast<int>(steps),
                                                  mass->center_of_mass,
                                                  *start,
                                                  {},
                                                  tank}));
}

Result<DeviceStep> HapticLoop::State::step_to(const Pose& to) const {
  const DeviceStep step = step_between(device, to);
  const auto too_far = [&](double found, double limit, const char* unit) {
    return Error{ErrorCode::kInvalidArgument,
                 std::string("found a device that goes ") + digits(found) + unit +
                     " in a tick, expected " + digits(limit * options.period) + unit + " at most",
                 "device"};
  };
  if (!(step.shift.norm() <= options.max_speed * options.period))
    return too_far(step.shift.norm(), options.max_speed, " m");
  if (!(step.turn.norm() <= options.max_turning * options.period))
    return too_far(step.turn.norm(), options.max_turning, " rad");
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

Result<HapticTick> HapticLoop::tick(const Pose& device) {
  State& state = *state_;
  const Result<Pose> to = nearest_pose(Similarity(device));
  if (!to) return to.error();
  const Result<DeviceStep> step = state.step_to(*to);
  if (!step) return step.error();
  const double before = state.world.contact_seconds();
  if (Result<void> done = state.advance(*to); !done) return done.error();
  state.tank.count(state.held, *step);
  state.device = *to;
  HapticTick tick;
  tick.number = state.ticks++;
  tick.world_from_tool = state.world.body(state.tool)->pose;
  state.add_contacts(tick);
  const auto start = std::chrono::steady_clock::now();
  if (Result<void> done = state.add_volumes(tick); !done) return done.error();
  tick.query_seconds =
      state.world.contact_seconds() - before +
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const BodyForce wanted = state.felt();
  const double share = state.tank.share_of(wanted, *step);
  tick.is_limited = share < 1;
  tick.felt = state.held = {share * wanted.force, share * wanted.torque};
  return tick;
}

const World& HapticLoop::world() const { return state_->world; }
const HandEnergy& HapticLoop::hand() const { return state_->tank.energy(); }
const Coupling& HapticLoop::coupling() const { return state_->coupling; }
double HapticLoop::period() const { return state_->options.period; }

}  // namespace plimsoll
