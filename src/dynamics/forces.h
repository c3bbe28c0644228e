// The forces that every World has: models like those that a program may add.
#pragma once

#include <plimsoll/forces.h>

namespace plimsoll {

/// The weight of the displaced fluid or the integral of its pressure, as the environment says, from
/// the buoyancy that the engine found.
class FluidLift final : public ForceModel {
 public:
  [[nodiscard]] Result<void> push(const WorldNow& now, std::span<BodyForce> forces) override;
};

class Gravity final : public ForceModel {
 public:
  [[nodiscard]] Result<void> push(const WorldNow& now, std::span<BodyForce> forces) override;
};

/// Of the fluid on what is wet of a body.
class FluidDrag final : public ForceModel {
 public:
  [[nodiscard]] Result<void> resist(const WorldNow& now,
                                    std::span<std::optional<Resistance>> resistances) override;
};

}  // namespace plimsoll
