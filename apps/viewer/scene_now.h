// A scene as it is at one time: what is seen of it, apart from the world that moves on.
#pragma once

#include <plimsoll/world.h>

#include <span>
#include <vector>

namespace plimsoll::viewer {

struct SceneNow {
  double time = 0;  ///< [s]
  SurfaceNow surface;
  std::vector<BodyState> bodies;  ///< In the order of the scene.
  std::vector<BodyContact> contacts;
};

[[nodiscard]] inline SceneNow scene_now(const World& world, std::span<const BodyId> ids) {
  SceneNow now{world.time(), world.surface(), {}, world.contacts()};
  for (const BodyId id : ids) now.bodies.push_back(*world.body(id));
  return now;
}

[[nodiscard]] inline std::vector<Pose> poses_of(const SceneNow& now) {
  std::vector<Pose> poses;
  for (const BodyState& body : now.bodies) poses.push_back(body.pose);
  return poses;
}

}  // namespace plimsoll::viewer
