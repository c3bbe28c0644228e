#include "simulation.h"

#include <plimsoll/gl_engines.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

namespace plimsoll::viewer {
namespace {

constexpr int kMaxSteps = 16;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Result<WaterControls> water_of(const Environment& environment) {
  const Result<FreeSurface> surface = FreeSurface::create(environment.surface);
  if (!surface) return surface.error();
  const Result<SurfaceNow> now = surface->at(0, environment.gravity);
  if (!now) return now.error();
  WaterControls water;
  water.level = now->mean_height();
  water.force = environment.force;
  water.drag = environment.drag;
  water.wave = {.amplitude = 0.1, .wavelength = 4, .direction_deg = 30, .phase = 0};
  const auto* waves = std::get_if<Waves>(&environment.surface);
  water.has_waves = waves != nullptr && !waves->components.empty();
  if (water.has_waves) water.wave = waves->components.front();
  return water;
}

/// Images have 32 x 32 pixels, as in the paper.
Result<std::shared_ptr<BuoyancyEngine>> make_engine(Method method) {
  if (method == Method::kExact) return exact_buoyancy();
  if (method == Method::kImage) return image_buoyancy();
  const Result<GlContext> context = GlContext::create();
  if (!context) return context.error();
  GlWaterOptions options;
  options.algorithm = method == Method::kGlPeel ? ImageAlgorithm::kPeel : ImageAlgorithm::kAdditive;
  return gl_buoyancy(*context, options);
}

}  // namespace

Result<Simulation> Simulation::create(Scene scene) {
  Simulation simulation;
  simulation.scene_ = std::move(scene);
  const Result<WaterControls> water = water_of(simulation.scene_.environment);
  if (!water) return water.error();
  simulation.first_water_ = simulation.water_ = *water;
  Result<void> made = simulation.begin(Method::kExact);
  if (!made && made.error().code == ErrorCode::kUnavailable)
    made = simulation.begin(Method::kImage);
  if (!made) return made.error();
  return simulation;
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
    return waves;
  }
  if (const auto* grid = std::get_if<HeightGrid>(&given)) {
    HeightGrid moved = *grid;
    for (double& height : moved.heights) height += water.level - first_water_.level;
    return moved;
  }
  return StillWater{water.level};
}

Environment Simulation::environment_for(const WaterControls& water) const {
  Environment environment = scene_.environment;
  environment.surface = surface_for(water);
  environment.force = water.force;
  environment.drag = water.drag;
  return environment;
}

Result<void> Simulation::set_water(const WaterControls& water) {
  Result<void> done = world_->set_environment(environment_for(water));
  if (done) water_ = water;
  return done;
}

Result<void> Simulation::set_density(std::size_t body, double density) {
  const double factor = density / mass(body).density;
  Result<void> done = world_->set_density(id(body), density);
  if (!done) return done;
  RigidBody& changed = scene_.bodies[body];
  changed.density = density;
  if (changed.mass) changed.mass->mass *= factor;
  if (changed.mass && changed.mass->inertia) *changed.mass->inertia *= factor;
  return done;
}

Result<World> Simulation::make_world(Method method) const {
  Result<std::shared_ptr<BuoyancyEngine>> engine = make_engine(method);
  if (!engine) return engine.error();
  Result<World> world = World::create(environment_for(water_), scene_.bodies, *std::move(engine));
  if (!world) return world;
  if (Result<void> met = apply_contact(scene_, *world); !met) return met.error();
  return world;
}

Result<void> Simulation::begin(Method method) {
  Result<World> world = make_world(method);
  if (!world) return world.error();
  world_ = *std::move(world);
  ids_ = world_->ids();
  method_ = method;
  return {};
}

Result<void> Simulation::set_method(Method method) {
  Result<std::shared_ptr<BuoyancyEngine>> engine = make_engine(method);
  if (!engine) return engine.error();
  Result<void> done = world_->set_engine(*std::move(engine));
  if (done) method_ = method;
  return done;
}

Result<void> Simulation::restart() {
  owed_ = 0;
  return begin(method_);
}

Result<StepTimes> Simulation::step_once(const std::optional<Pull>& pull) {
  const double before = world_->buoyancy_seconds();
  const auto start = std::chrono::steady_clock::now();
  if (pull)
    if (Result<void> pulled = apply(*pull, *world_, kStep); !pulled) return pulled.error();
  Result<void> done = world_->step(kStep);
  if (!done) return done.error();
  return StepTimes{1, seconds_since(start), world_->buoyancy_seconds() - before};
}

Result<StepTimes> Simulation::advance(double seconds, double limit,
                                      const std::optional<Pull>& pull) {
  StepTimes times;
  owed_ += std::max(0.0, seconds);
  while (owed_ >= kStep && times.steps < kMaxSteps && times.seconds < limit) {
    const Result<StepTimes> one = step_once(pull);
    if (!one) return one.error();
    owed_ -= kStep;
    times.steps += 1;
    times.seconds += one->seconds;
    times.buoyancy += one->buoyancy;
  }
  owed_ = std::min(owed_, kStep);
  return times;
}

}  // namespace plimsoll::viewer
