#include "simulation.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

#include "engine.h"

namespace plimsoll::viewer {
namespace {

constexpr int kMostSteps = 16;
constexpr double kMostSeconds = 0.1;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

WaterControls water_of(const Environment& environment) {
  WaterControls water;
  water.level = SurfaceNow(environment.surface, 0, 1).mean_height();
  water.force = environment.force;
  water.drag = environment.drag;
  water.wave = {.amplitude = 0.1, .wavelength = 4, .direction_deg = 30, .phase = 0};
  const auto* waves = std::get_if<Waves>(&environment.surface);
  water.has_waves = waves != nullptr && !waves->components.empty();
  if (water.has_waves) water.wave = waves->components.front();
  return water;
}

/// A body as the world has it now: scaled, as its pose is not.
RigidBody as_it_is(const RigidBody& given, const World& world, std::size_t i) {
  RigidBody body = given;
  const BodyState state = world.body(i);
  body.shape = world.shape(i);
  body.pose = state.pose;
  body.velocity = state.velocity;
  body.angular_velocity = state.angular_velocity;
  if (given.mass) {
    const MassProperties& mass = world.mass(i);
    body.mass = GivenMass{mass.mass, mass.center_of_mass, mass.inertia};
  }
  return body;
}

/// The wave as it is `time` later: the world that it goes to counts from zero.
WaveComponent later(WaveComponent wave, double time, double gravity) {
  wave.phase -= std::sqrt(gravity * 2 * std::numbers::pi / wave.wavelength) * time;
  return wave;
}

}  // namespace

Result<Simulation> Simulation::create(Scene scene) {
  Simulation simulation;
  simulation.scene_ = std::move(scene);
  simulation.first_water_ = simulation.water_ = water_of(simulation.scene_.environment);
  Result<void> made = simulation.replace_world(Method::kExact, simulation.scene_.bodies, 0);
  if (!made && made.error().code == ErrorCode::kUnavailable)
    made = simulation.replace_world(Method::kImage, simulation.scene_.bodies, 0);
  if (!made) return made.error();
  return simulation;
}

SurfaceNow Simulation::surface() const {
  const Environment& environment = world_->environment();
  return {environment.surface, world_->time(), environment.gravity};
}

/// Waves of the scene's are kept but for the first, which the controls have; a grid of heights
/// moves up and down as a whole.
FluidSurface Simulation::surface_for(const WaterControls& water) const {
  const FluidSurface& given = scene_.environment.surface;
  if (water.has_waves) {
    Waves waves{.height = water.level, .components = {water.wave}};
    if (const auto* own = std::get_if<Waves>(&given); own != nullptr && !own->components.empty())
      waves.components.insert(waves.components.end(), own->components.begin() + 1,
                              own->components.end());
    for (WaveComponent& wave : waves.components)
      wave = later(wave, earlier_, scene_.environment.gravity);
    return waves;
  }
  if (const auto* grid = std::get_if<HeightGrid>(&given)) {
    HeightGrid moved = *grid;
    for (double& height : moved.heights) height += water.level - first_water_.level;
    return moved;
  }
  return StillWater{water.level};
}

Result<void> Simulation::set_water(const WaterControls& water) {
  Environment environment = scene_.environment;
  environment.surface = surface_for(water);
  environment.force = water.force;
  environment.drag = water.drag;
  Result<void> done = world_->set_environment(environment);
  if (done) water_ = water;
  return done;
}

Result<void> Simulation::set_density(std::size_t body, double density) {
  const double factor = density / world_->mass(body).density;
  Result<void> done = world_->set_density(body, density);
  if (!done) return done;
  RigidBody& changed = scene_.bodies[body];
  changed.density = density;
  if (changed.mass) changed.mass->mass *= factor;
  if (changed.mass && changed.mass->inertia) *changed.mass->inertia *= factor;
  return done;
}

Result<void> Simulation::replace_world(Method method, std::span<const RigidBody> bodies,
                                       double earlier) {
  Result<BuoyancyEngine> engine = make_engine(method, scaled_shapes(bodies));
  if (!engine) return engine.error();
  Environment environment = scene_.environment;
  const double earlier_before = std::exchange(earlier_, earlier);
  environment.surface = surface_for(water_);
  environment.force = water_.force;
  environment.drag = water_.drag;
  Result<World> world = World::create(environment, bodies, *std::move(engine));
  if (!world) {
    earlier_ = earlier_before;
    return world.error();
  }
  world_ = *std::move(world);
  method_ = method;
  return {};
}

Result<void> Simulation::set_method(Method method) {
  std::vector<RigidBody> bodies;
  for (std::size_t i = 0; i < scene_.bodies.size(); ++i)
    bodies.push_back(as_it_is(scene_.bodies[i], *world_, i));
  return replace_world(method, bodies, time());
}

Result<void> Simulation::restart() {
  owed_ = 0;
  return replace_world(method_, scene_.bodies, 0);
}

Result<StepTimes> Simulation::step_once(const std::optional<Pull>& pull) {
  const double before = world_->buoyancy_seconds();
  const auto start = std::chrono::steady_clock::now();
  if (pull) apply(*pull, *world_, kStep);
  Result<void> done = world_->step(kStep);
  if (!done) return done.error();
  return StepTimes{1, seconds_since(start), world_->buoyancy_seconds() - before};
}

Result<StepTimes> Simulation::advance(double seconds, const std::optional<Pull>& pull) {
  StepTimes times;
  owed_ += std::max(0.0, seconds);
  while (owed_ >= kStep && times.steps < kMostSteps && times.seconds < kMostSeconds) {
    const Result<StepTimes> one = step_once(pull);
    if (!one) return one.error();
    owed_ -= kStep;
    times.steps += 1;
    times.seconds += one->seconds;
    times.buoyancy += one->buoyancy;
  }
  owed_ = std::min(owed_, kStep);  // what could not be done in time is let go
  return times;
}

}  // namespace plimsoll::viewer
