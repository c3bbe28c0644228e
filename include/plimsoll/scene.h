// SCENE.json: bodies and what is around them.
#pragma once

#include <plimsoll/dynamics.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace plimsoll {

/// No scene has more bodies than this.
inline constexpr std::size_t kMaxBodies = 100'000;

struct Scene {
  Environment environment;
  std::vector<RigidBody> bodies;  ///< Those with a `count` one by one: "duck[0]", "duck[1]", ...
  bool has_contact = false;       ///< It says how bodies touch.
};

/// Reads `path`, at most 64 MB of JSON; files that it names are looked up from its folder. Without
/// "fluid" there is none; keys left out within it, and those of "drag" and "gravity", have the
/// values that Environment begins with. Gravity is along -z: surfaces are heights over z = 0.
///
///   "fluid": {"density", "force": "weight" | "pressure", "surface": SURFACE}
///   SURFACE: {"type": "plane", "height"}
///            {"type": "waves", "height", "components": [{"amplitude", "wavelength",
///             "direction_deg", "phase"}]}
///            {"type": "heights", "origin": [x, y], "spacing": [dx, dy], "heights": [[h, ...],
///            ...]},
///             one row for each y, from the least on
///   "gravity": [0, 0, -g]   "drag": {"linear", "quadratic", "angular"}
///   "added_mass": {"linear", "angular"}   "contact": {"stiffness", "damping", "friction",
///   "spheres"} "bodies": [{"name", "shape": SHAPE, "density", "fixed", "pose", "velocity",
///               "angular_velocity", "count", "spacing": [dx, dy, dz]}]
///
/// Only "bodies", and of each "shape" and "density", must be there; a fixed one needs no density.
/// `count` bodies stand on a cubic lattice of `spacing`, x first, the first at `pose`.
/// Errors: `Malformed` for what is not JSON or not a scene: unknown keys are refused by name;
/// `ResourceLimit` beyond kMaxBodies; those of read_shape. `where` is the path with the place in
/// the document: "pond.json: bodies[1].shape.radius".
[[nodiscard]] Result<Scene> read_scene(const std::filesystem::path& path);

/// The same from memory. `name` stands for the file in messages.
[[nodiscard]] Result<Scene> read_scene(std::span<const std::byte> text, const std::string& name,
                                       const std::filesystem::path& folder);

}  // namespace plimsoll
