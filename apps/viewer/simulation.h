// The scene, moving: what the controls say is done to its world, step by step.
#pragma once

#include <plimsoll/scene.h>
#include <plimsoll/world.h>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "controls.h"
#include "pull.h"
#include "scene_now.h"

namespace plimsoll::viewer {

/// Of the steps of a frame.
struct StepTimes {
  int steps = 0;
  double seconds = 0;   ///< Of all of them.
  double buoyancy = 0;  ///< Of these, in the engine.
};

/// Errors leave it as it was.
class Simulation {
 public:
  static constexpr double kStep = 0.005;  ///< [s]

  /// By the exact method, or by image where bodies have no exact integrals.
  [[nodiscard]] static Result<Simulation> create(Scene scene);

  [[nodiscard]] const World& world() const { return *world_; }
  [[nodiscard]] const Scene& scene() const { return scene_; }
  [[nodiscard]] SceneNow now() const { return scene_now(*world_, ids_); }
  [[nodiscard]] bool has_fluid() const { return scene_.environment.fluid_density > 0; }
  /// Of the body of the scene with this index.
  [[nodiscard]] BodyId id(std::size_t body) const { return ids_[body]; }
  [[nodiscard]] MassProperties mass(std::size_t body) const { return *world_->mass(ids_[body]); }
  [[nodiscard]] Method method() const { return method_; }

  /// What the scene says.
  [[nodiscard]] WaterControls water() const { return first_water_; }

  [[nodiscard]] Result<void> set_water(const WaterControls& water);
  [[nodiscard]] Result<void> set_density(std::size_t body, double density);
  /// Goes on from where the bodies are.
  [[nodiscard]] Result<void> set_method(Method method);
  /// Another world, as this one was when it began.
  [[nodiscard]] Result<World> make_world(Method method) const;
  /// Back to where the scene begins; water, densities and method stay.
  [[nodiscard]] Result<void> restart();

  /// Whole steps, for so many seconds of the scene together with what the frames before left over:
  /// 16 at most, and none after `limit` [s] of computing. What is not done then is let go: the
  /// scene goes slower.
  [[nodiscard]] Result<StepTimes> advance(double seconds, double limit,
                                          const std::optional<Pull>& pull);
  [[nodiscard]] Result<StepTimes> step_once(const std::optional<Pull>& pull);

 private:
  Simulation() = default;
  [[nodiscard]] FluidSurface surface_for(const WaterControls& water) const;
  [[nodiscard]] Environment environment_for(const WaterControls& water) const;
  [[nodiscard]] Result<void> begin(Method method);

  Scene scene_;  // with the densities of now
  std::optional<World> world_;
  std::vector<BodyId> ids_;  // in the order of the scene
  WaterControls first_water_, water_;
  Method method_ = Method::kExact;
  double owed_ = 0;  // less than a step
};

}  // namespace plimsoll::viewer
