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
  std::optional<std::string> max_work;  ///< Of commands that declare it.
};
void declare_floating(CommandLine& line, FloatingArguments& arguments, bool with_pose);

/// How a body lies: turned by `heel` about the file's x axis (or, if that is upright, about y) by
/// the right-hand rule, and that axis raised over the water's plane by `trim` [rad].
struct Attitude {
  double heel = 0, trim = 0;
};

/// The same, read and weighed. SI units.
struct FloatingInput {
  std::string name;
  Status status = Status::kOk;
  Verdict verdict;                   ///< What the status comes from.
  std::shared_ptr<Notices> notices;  ///< What was said about it.
  Shape shape;                       ///< In the file's frame, or where it was put.
  CheckedMesh mesh;                  ///< Borrows the mesh of `shape`; empty for other shapes.
  bool is_held = false;              ///< By --pose: the body only rises or sinks.
  /// From the file's frame to that of the body below: --pose of a held body, else its scale.
  Similarity body_from_file = Similarity::Identity();
  Mat3 heading = Mat3::Identity();  ///< In which --pose held a free body.
  double rho = kSeawaterDensity;    ///< Of the water [kg/m^3].
  double mass = 0;                  ///< [kg]
  Vec3 up{0, 0, 1};                 ///< As given, of unit length.
  bool floats = false;              ///< Lighter than the water it can displace.
  FloatingBody body;
  /// Of a mesh that does not close: what is computed is right as long as these points are dry. The
  /// body's volume is then that up to them.
  std::vector<Vec3> rim;
  bool is_weighed = true;  ///< Mass and center of mass are known: of an open mesh, if given.
  bool is_lost = false;    ///< Body::is_lost.

  /// Where all of the rim is dry it does no harm: the status is what else is wrong, if the body is
  /// weighed.
  void set_dry();

  /// Where the state of the body has not its displacement, the status says so, and a notice.
  void judge_state(const FloatingState& state);

  /// The lowest height of the body along `up` [m].
  [[nodiscard]] double lowest(const Vec3& up) const;

  /// The height of the lowest point of the rim over the water [m]; nothing where there is no rim.
  [[nodiscard]] std::optional<double> rim_lowest(const FloatingState& state) const;

  /// Whether all of a rim is over the water; true where there is none.
  [[nodiscard]] bool has_dry_rim(const FloatingState& state) const {
    return rim_lowest(state).value_or(1) > 0;
  }

  /// Whether no righting arm is left: poses are rotations to 1e-9.
  [[nodiscard]] bool is_at_rest(const FloatingState& state) const;

  /// A direction of the body, such as the water's normal, in the file's frame, of the same length.
  [[nodiscard]] Vec3 in_file(const Vec3& direction) const;

  /// How the body lies. Upright is --up for one that was let go, and the file's z axis for one that
  /// is held, for which --up says where the water is.
  [[nodiscard]] Attitude attitude(const FloatingState& state) const;
};

/// How a body lies whose upright is `upright` and whose water's normal is `up`, in its own frame.
[[nodiscard]] Attitude attitude_of(const Vec3& up, const Vec3& upright);

/// "NX,NY,NZ,D", D in meters or with a unit; throws Failure (usage).
[[nodiscard]] WaterPlane parse_plane(const std::optional<std::string>& text,
                                     const char* option = "--plane");

/// `held`: the body as --pose puts it, the center of mass with it; else in the file's frame, only
/// scaled by the pose. Throws Failure.
[[nodiscard]] FloatingInput read_floating(const FloatingArguments& arguments, const char* command,
                                          bool held);

/// A point, "X,Y,Z": lengths in meters, or each with its unit. A unit is of its number alone: where
/// some have one, the others have to have one too, but for zeros. Throws Failure (usage).
[[nodiscard]] Vec3 parse_point(const std::string& text, const char* option);

/// Three numbers; throws Failure (usage).
[[nodiscard]] Vec3 parse_vector(const std::string& text, const char* option);

/// The same of unit length; not all of them 0.
[[nodiscard]] Vec3 parse_direction(const std::string& text, const char* option);

}  // namespace plimsoll::cli
