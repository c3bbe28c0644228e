#include "dynamics/forces.h"

#include <cstddef>
#include <variant>

namespace plimsoll {

Result<void> ForceModel::push(const WorldNow& /*now*/, std::span<BodyForce> /*forces*/) {
  return {};
}
Result<void> ForceModel::resist(const WorldNow& /*now*/,
                                std::span<std::optional<Resistance>> /*resistances*/) {
  return {};
}
std::shared_ptr<const ForceModel::Memory> ForceModel::save() const { return nullptr; }
void ForceModel::restore(const std::shared_ptr<const Memory>& /*memory*/) {}

Result<void> FluidLift::push(const WorldNow& now, std::span<BodyForce> forces) {
  const Environment& environment = now.environment;
  const double pressure = environment.fluid_density * environment.gravity;
  const bool is_weight = environment.force == FluidForce::kWeight ||
                         std::holds_alternative<StillWater>(environment.surface);
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const BodyNow& body = *now.bodies[i];
    const Buoyancy& wet = body.buoyancy;
    const Vec3 lift = pressure * (is_weight ? Vec3(0, 0, wet.volume) : wet.lift);
    forces[i].force += lift;
    if (wet.volume == 0) continue;
    Vec3 torque = (wet.center - body.center_of_mass).cross(lift);
    if (!is_weight) torque += pressure * wet.lift_moment;
    forces[i].torque += torque;
  }
  return {};
}

Result<void> Gravity::push(const WorldNow& now, std::span<BodyForce> forces) {
  for (std::size_t i = 0; i < forces.size(); ++i)
    forces[i].force -= Vec3(0, 0, now.bodies[i]->mass * now.environment.gravity);
  return {};
}

Result<void> FluidDrag::resist(const WorldNow& now,
                               std::span<std::optional<Resistance>> resistances) {
  const Drag& drag = now.environment.drag;
  for (std::size_t i = 0; i < resistances.size(); ++i) {
    const BodyNow& body = *now.bodies[i];
    const Buoyancy& wet = body.buoyancy;
    if (wet.volume == 0) continue;
    const double displaced = now.environment.fluid_density * wet.volume;
    const double quadratic = drag.quadratic.value_or(1 / body.size);
    resistances[i] = Resistance{drag.linear * displaced, quadratic * displaced,
                                drag.angular * displaced * body.size * body.size, wet.center,
                                now.surface.velocity(wet.center)};
  }
  return {};
}

}  // namespace plimsoll
