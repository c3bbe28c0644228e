// Rigid bodies for robot simulators: the mass, center and inertia of one, as URDF, SDF and MJCF.
#pragma once

#include <plimsoll/mass.h>
#include <plimsoll/result.h>

#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] plimsoll {

enum class RobotFormat {
  kUrdf,
  kSdf,   ///< 1.9
  kMjcf,  ///< Of MuJoCo.
};

/// "URDF", "SDF", "MJCF".
[[nodiscard]] const char* to_string(RobotFormat format);

/// The element `<inertial>` of a link or body, its lines without indentation. Numbers have the
/// fewest digits that bring the same doubles back, -0 as 0. URDF and SDF hold the tensor about the
/// center of mass, in the axes of the body, with the entries ixy = -int x y; MJCF the principal
/// moments and the turn of their axes.
/// Errors: `InvalidArgument` unless the mass is positive and some body has this inertia, all
/// finite; `Unsupported` for what MuJoCo takes of no body: a mass [kg] or principal moment [kg m^2]
/// below 1e-15, or a body so flat that rounding leaves the largest moment above the sum of the
/// others.
[[nodiscard]] Result<std::string> inertial_element(const MassProperties& mass, RobotFormat format);

/// A body for a document of its own.
struct RobotBody {
  std::string name;  ///< Any bytes; see robot_name.
  MassProperties mass;
  std::vector<std::string> comments;  ///< At the head of the document, a line each; any bytes.
};

/// A complete document with the one body: for urdfdom, libsdformat or MuJoCo, where a free joint
/// makes it a body that moves. Errors: as inertial_element.
[[nodiscard]] Result<std::string> robot_document(const RobotBody& body, RobotFormat format);

/// `name` as all three formats take it: "::" and reserved names are changed.
[[nodiscard]] std::string robot_name(std::string_view name);

}  // namespace plimsoll
