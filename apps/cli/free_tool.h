// What the program and the viewer ask of a tool in a hand.
#pragma once

#include <plimsoll/scene.h>

#include <string>

namespace plimsoll::cli {

/// Throws Failure unless the first body of the scene, which the file `name` holds, moves freely.
void require_free_tool(const Scene& scene, const std::string& name);

}  // namespace plimsoll::cli
