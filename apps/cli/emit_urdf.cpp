#include <fmt/format.h>

#include "reports.h"
#include "rigid_body.h"
#include "text.h"

namespace plimsoll::cli {

// URDF: <inertia> holds the entries of the tensor about the center of mass, in the axes of
// <origin>; ixy is the entry, that is minus the product of inertia (wiki.ros.org/urdf/XML/link).
std::string urdf_document(const MassReport& report) {
  require_rigid_body(report, "URDF");
  const std::string name = xml_attribute(body_name(report));
  const Mat3& i = report.mass.inertia;
  return fmt::format(
      R"(<?xml version="1.0"?>
{}
<robot name="{}">
  <link name="{}">
    <inertial>
      <origin xyz="{}" rpy="0 0 0"/>
      <mass value="{}"/>
      <inertia ixx="{}" ixy="{}" ixz="{}" iyy="{}" iyz="{}" izz="{}"/>
    </inertial>
  </link>
</robot>
)",
      provenance(report), name, name, numbers(report.mass.center_of_mass), number(report.mass.mass),
      number(i(0, 0)), number(i(0, 1)), number(i(0, 2)), number(i(1, 1)), number(i(1, 2)),
      number(i(2, 2)));
}

}  // namespace plimsoll::cli
