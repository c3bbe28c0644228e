// What `float` and `gz` are asked: a body, how heavy it is, and in what it floats.
#pragma once

#include <plimsoll/equilibrium.h>

#include <memory>
#include <optional>
#include <string>

#include "command_line.h"
#include "mass_report.h"
#include "solid_input.h"

namespace plimsoll::cli {

struct FloatingArguments {
  BodyArguments body;
  std::optional<std::string> mass;
  std::optional<std::string> density;
  std::optional<std::string> com;
  std::optional<std::string> rho;
  std::optional<std::string> up;
};
void declare_floating(CommandLine& line, FloatingArguments& arguments, bool with_pose);

/// The same, read and weighed. SI units.
struct FloatingInput {
  std::string name;
  Status status = Status::kOk;
  Shape shape;          ///< In the file's frame, or where it was put.
  double rho = 1025;    ///< Of the water [kg/m^3].
  double mass = 0;      ///< [kg]
  Vec3 up{0, 0, 1};     ///< As given, of unit length.
  bool floats = false;  ///< Lighter than the water it can displace.
  FloatingBody body;

  /// The lowest height of the body along `up` [m].
  [[nodiscard]] double lowest(const Vec3& up) const;
};

/// "NX,NY,NZ,D"; throws Failure (usage).
[[nodiscard]] WaterPlane parse_plane(const std::optional<std::string>& text);

/// `held`: the body as --pose puts it, the center of mass with it; else in the file's frame, only
/// scaled by the pose. Throws Failure.
[[nodiscard]] FloatingInput read_floating(const FloatingArguments& arguments, const char* command,
                                          bool held);

/// The body's name, its status, and a warning where that forbids to trust the numbers.
[[nodiscard]] std::string heading(const FloatingInput& input);

/// Three numbers; throws Failure (usage).
[[nodiscard]] Vec3 parse_vector(const std::string& text, const char* option);

/// The same of unit length; not all of them 0.
[[nodiscard]] Vec3 parse_direction(const std::string& text, const char* option);

}  // namespace plimsoll::cli
