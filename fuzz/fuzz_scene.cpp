// A document is refused with its place, or its bodies are those that a world takes; a pose
// likewise.
#include <plimsoll/scene.h>
#include <plimsoll/shape_io.h>

#include <cstdint>
#include <span>

#include "check_reader.h"

namespace {

template <class T>
void check_error(const plimsoll::Result<T>& read) {
  using namespace plimsoll;
  fuzz::require(!read.error().message.empty(), "an error without a message");
  fuzz::require(read.error().where.starts_with("input"), "an error that names no place");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace plimsoll;
  const auto text = std::as_bytes(std::span(data, size));
  const Result<Similarity> pose = read_pose(text, "input");
  if (pose)
    fuzz::require(nearest_similarity(*pose).has_value(), "a matrix that is near no pose");
  else
    check_error(pose);

  const Result<Scene> scene = read_scene(text, "input", {});
  if (!scene) {
    check_error(scene);
    return 0;
  }
  fuzz::require(!scene->bodies.empty() && scene->bodies.size() <= kMaxBodies, "a wrong count");
  fuzz::require(check_fluid_surface(scene->environment.surface).has_value(),
                "a surface that does not pass its check");
  for (const RigidBody& body : scene->bodies) {
    fuzz::require(check_shape(body.shape).has_value(), "a shape that does not pass its check");
    fuzz::require(check_pose(body.pose).has_value(), "a pose that does not pass its check");
    fuzz::require(!body.mass || check_given_mass(*body.mass).has_value(),
                  "a mass that does not pass its check");
    if (scene->bodies.size() > 20) break;
  }
  return 0;
}
