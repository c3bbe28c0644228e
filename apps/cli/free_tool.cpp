#include "free_tool.h"

#include "failure.h"

namespace plimsoll::cli {

void require_free_tool(const Scene& scene, const std::string& name) {
  if (scene.bodies.front().is_kinematic)
    throw Failure{kRejected, "invalid_argument",
                  "found \"fixed\": true, expected a tool that moves freely", name + ": bodies[0]"};
}

}  // namespace plimsoll::cli
