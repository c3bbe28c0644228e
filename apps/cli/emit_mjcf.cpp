#include <fmt/format.h>

#include "failure.h"
#include "reports.h"
#include "rigid_body.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

// MuJoCo's compiler takes no moving body of less mass [kg] or with a smaller principal moment
// [kg m^2] (mjMINVAL).
constexpr double kSmallest = 1e-15;

std::string objection(double mass, const Vec3& moments) {
  if (mass < kSmallest)
    return fmt::format("found a mass of {} kg; MuJoCo takes none below {}", mass, kSmallest);
  if (moments[0] < kSmallest)
    return fmt::format("found a principal moment of {} kg m^2; MuJoCo takes none below {}",
                       moments[0], kSmallest);
  if (moments[0] + moments[1] < moments[2])
    return fmt::format(
        "found principal moments of {} kg m^2, a body so flat that after rounding the largest "
        "exceeds the sum of the others, which MuJoCo refuses",
        numbers(moments));
  return {};
}

}  // namespace

// MJCF: the frame `quat` (w x y z, body from inertial frame) at the center of mass, and the
// principal moments in it (MuJoCo XML reference, body/inertial). The other spelling, the tensor as
// `fullinertia`, MuJoCo diagonalizes itself, and 3.2.7 leaves off-diagonals of 1e-12 kg m^2 as they
// are: several per cent of the inertia of a part of 5 mm. The free joint makes it a body that
// moves.
std::string mjcf_document(const MassReport& report) {
  require_rigid_body(report, "MJCF");
  const PrincipalAxes axes = principal_axes(report.mass.inertia);
  const std::string why = objection(report.mass.mass, axes.moments);
  if (!why.empty()) throw Failure{kRejected, "unsupported", "no MJCF written: " + why, {}};
  const Eigen::Quaterniond turn(Mat3(axes.axes.transpose()));
  const std::string name = xml_attribute(body_name(report));
  return fmt::format(
      R"(<?xml version="1.0"?>
{}
<mujoco model="{}">
  <compiler inertiafromgeom="false"/>
  <worldbody>
    <body name="{}">
      <freejoint/>
      <inertial pos="{}" mass="{}"
                quat="{} {}"
                diaginertia="{}"/>
    </body>
  </worldbody>
</mujoco>
)",
      provenance(report), name, name, numbers(report.mass.center_of_mass), number(report.mass.mass),
      number(turn.w()), numbers(turn.vec()), numbers(axes.moments));
}

}  // namespace plimsoll::cli
