// What `float` and `gz` are asked: a body, how heavy it is, and in what it floats.
#pragma once

#include <plimsoll/equilibrium.h>
#include <plimsoll/fluid_surface.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command_line.h"
#include "judge.h"
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
  Verdict verdict;                   ///< What the status comes from.
  std::shared_ptr<Notices> notices;  ///< What was said about it.
  Shape shape;                       ///< In the file's frame, or where it was put.
  CheckedMesh mesh;                  ///< Borrows the mesh of `shape`; empty for other shapes.
  std::optional<Similarity> pose;    ///< As given: world_from_body.
  double rho = kSeawaterDensity;     ///< Of the water [kg/m^3].
  double mass = 0;                   ///< [kg]
  Vec3 up{0, 0, 1};                  ///< As given, of unit length.
  bool floats = false;               ///< Lighter than the water it can displace.
  FloatingBody body;
  /// Of a mesh that does not close: what is computed is right as long as these points are dry. The
  /// body's volume is then that up to them.
  std::vector<Vec3> rim;
  bool is_weighed = true;  ///< Mass and center of mass are known: of an open mesh, if given.

  /// Where all of the rim is dry it does no harm.
  void set_dry() { status = verdict.status(RimUse::kDry); }

  /// The lowest height of the body along `up` [m].
  [[nodiscard]] double lowest(const Vec3& up) const;

  /// The height of the lowest point of the rim over the water [m]; nothing where there is no rim.
  [[nodiscard]] std::optional<double> rim_lowest(const FloatingState& state) const;
};

/// "NX,NY,NZ,D", D in meters or with a unit; throws Failure (usage).
[[nodiscard]] WaterPlane parse_plane(const std::optional<std::string>& text,
                                     const char* option = "--plane");

/// `held`: the body as --pose puts it, the center of mass with it; else in the file's frame, only
/// scaled by the pose. Throws Failure.
[[nodiscard]] FloatingInput read_floating(const FloatingArguments& arguments, const char* command,
                                          bool held);

/// A body's name, its status, and a warning where that forbids to trust the numbers. `is_open`: its
/// mesh does not close, which is sound where all of the rim is dry.
[[nodiscard]] std::string heading(const std::string& name, Status status, bool is_open);

/// A point, "X,Y,Z": lengths in meters, or each with its unit. A unit is of its number alone: where
/// some have one, the others have to have one too, but for zeros. Throws Failure (usage).
[[nodiscard]] Vec3 parse_point(const std::string& text, const char* option);

/// Three numbers; throws Failure (usage).
[[nodiscard]] Vec3 parse_vector(const std::string& text, const char* option);

/// The same of unit length; not all of them 0.
[[nodiscard]] Vec3 parse_direction(const std::string& text, const char* option);

}  // namespace plimsoll::cli
