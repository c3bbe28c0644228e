// A body on a damped spring that hangs from the mouse.
#pragma once

#include <plimsoll/world.h>

namespace plimsoll::viewer {

struct Pull {
  BodyId body;
  Vec3 grip = Vec3::Zero();    ///< Where the spring holds, in the frame of the body [m].
  Vec3 target = Vec3::Zero();  ///< Where it pulls to, in the world [m].
};

/// Gives the body the spring's impulse over a step of `h` [s]. Errors: of World::push, where the
/// mouse is beyond all bounds.
[[nodiscard]] Result<void> apply(const Pull& pull, World& world, double h);

}  // namespace plimsoll::viewer
