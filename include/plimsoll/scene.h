// SCENE.json: bodies and what is around them.
#pragma once

#include <plimsoll/contact.h>
#include <plimsoll/forces.h>
#include <plimsoll/mesh_io.h>
#include <plimsoll/result.h>
#include <plimsoll/rigid_body.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace [[gnu::visibility("default")]] plimsoll {

/// No scene has more bodies than this.
inline constexpr std::size_t kMaxBodies = 100'000;

class World;

struct Scene {
  Environment environment;
  std::vector<RigidBody> bodies;  ///< Those with a `count` one by one: "duck[0]", "duck[1]", ...
  /// How bodies meet; nothing where they pass through each other.
  std::optional<ContactLaw> contact;
  bool gives_spheres = false;  ///< Whether "contact" has "spheres".
  /// Pairs of bodies that "ignore" names, by their places in `bodies`, the smaller first;
  /// ascending.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ignored;
  /// What fluid and contact have by default, of "fluid.density", "fluid.force", "drag.quadratic",
  /// "contact.stiffness", "contact.damping" and "contact.friction"; the force only off still water,
  /// where it matters.
  std::vector<std::string> left_out;
  std::vector<Notice> notices;  ///< As ShapeFile has them.
};

/// What a scene is read for.
enum class SceneUse {
  kMotion,  ///< Bodies weigh something.
  kPlaces,  ///< Only where they are counts: "density" and "mass" may be left out.
};

/// Reads `path`, at most 64 MB of JSON; files that it names are looked up from its folder. Without
/// "fluid" there is none; keys left out within it, and those of "drag" and "gravity", have the
/// values that Environment begins with. Gravity is along -z: surfaces are heights over z = 0.
///
///   "fluid": {"density", "force": "pressure" | "weight", "surface": SURFACE}
///   SURFACE: {"type": "plane", "height"}
///            {"type": "waves", "height", "components": [{"amplitude", "wavelength",
///             "direction_deg", "phase"}]}
///            {"type": "heights", "origin": [x, y], "spacing": [dx, dy], "heights": [[h, ...],
///            ...]},
///             one row for each y, from the least on
///   "gravity": [0, 0, -g]   "drag": {"linear", "quadratic", "angular"}
///   "added_mass": {"linear", "angular"}
///   "contact": {"method": "exact" | "spheres", "stiffness", "damping", "friction", "spheres",
///               "sleep_after"}
///   "bodies": [{"name", "shape": SHAPE, "density", "mass", "center_of_mass": [x, y, z],
///               "inertia": [[...], [...], [...]], "fixed", "pose", "velocity",
///               "angular_velocity", "count", "spacing": [dx, dy, dz]}]
///   "ignore": [["name", "name"], ...], pairs of bodies that do not collide and are not asked about
///
/// Only "bodies", and of each "shape" and either "density" or "mass", must be there; a fixed one
/// needs neither. "center_of_mass" and "inertia" are those of GivenMass and need a mass: in the
/// frame of the body, which is that of its shape after the shape's own "scale" and "pose", before
/// the body's "pose". Each of these four may be null, which is as if it were left out.
/// `count` bodies stand on a cubic lattice of `spacing`, x first, the first at `pose`. Each "pose"
/// becomes its nearest_similarity, which a notice says where it differs. A body without a name is
/// called "body 0" by its place in the list, and those of a count "duck[0]", "duck[1]" and so on;
/// names are unique, and "ignore" has each pair once, in either order.
///
/// Errors: `Malformed` for what is not JSON or not a scene: unknown keys are refused by name;
/// `ResourceLimit` beyond kMaxBodies; those of read_shape. `where` is the path with line, column
/// and the place in the document: "pond.json:3:14: bodies[1].shape.radius".
[[nodiscard]] Result<Scene> read_scene(const std::filesystem::path& path,
                                       SceneUse use = SceneUse::kMotion);

/// The same from memory. `name` stands for the file in messages.
[[nodiscard]] Result<Scene> read_scene(std::span<const std::byte> text, const std::string& name,
                                       const std::filesystem::path& folder,
                                       SceneUse use = SceneUse::kMotion);

/// Has the bodies of a world that was created with those of `scene` meet as it says, but for the
/// pairs that it ignores. Errors: as World::set_contact.
[[nodiscard]] Result<void> apply_contact(const Scene& scene, World& world);

}  // namespace plimsoll
