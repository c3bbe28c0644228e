// What commands that move the bodies of a scene have in common.
#pragma once

#include <plimsoll/scene.h>

#include <span>
#include <string>
#include <vector>

#include "failure.h"
#include "mass_report.h"
#include "notices.h"

namespace plimsoll::cli {

/// Throws Failure.
[[nodiscard]] Scene read_scene_of(const std::string& name);

/// Says what the scene leaves to its defaults, the first center of mass outside of its body's box,
/// and waves that would break.
void say_about_scene(const Scene& scene, const std::string& name, Notices& notices);

/// The status of each body. Says of those that are no solid what is wrong with them, of bodies of
/// the same surfaces once.
[[nodiscard]] std::vector<Status> judge_bodies(const Scene& scene, const std::string& name,
                                               Notices& notices);

/// Why there is no world, or no contact in it. What is wrong with a body has the word of its
/// status.
[[nodiscard]] Failure world_failure(const Error& error, const std::string& scene,
                                    std::span<const Status> statuses);

}  // namespace plimsoll::cli
