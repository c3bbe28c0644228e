#include <fmt/format.h>

#include "reports.h"
#include "rigid_body.h"
#include "text.h"

namespace plimsoll::cli {

// SDF: the pose of the center of mass in the link, then the entries of the tensor in that pose's
// axes; ixy is the entry, as in URDF (sdformat.org, link/inertial).
std::string sdf_document(const MassReport& report) {
  require_rigid_body(report, "SDF");
  const std::string name = xml_attribute(body_name(report));
  const Mat3& i = report.mass.inertia;
  return fmt::format(
      R"(<?xml version="1.0"?>
{}
<sdf version="1.9">
  <model name="{}">
    <link name="{}">
      <inertial>
        <pose>{} 0 0 0</pose>
        <mass>{}</mass>
        <inertia>
          <ixx>{}</ixx>
          <ixy>{}</ixy>
          <ixz>{}</ixz>
          <iyy>{}</iyy>
          <iyz>{}</iyz>
          <izz>{}</izz>
        </inertia>
      </inertial>
    </link>
  </model>
</sdf>
)",
      provenance(report), name, name, numbers(report.mass.center_of_mass), number(report.mass.mass),
      number(i(0, 0)), number(i(0, 1)), number(i(0, 2)), number(i(1, 1)), number(i(1, 2)),
      number(i(2, 2)));
}

}  // namespace plimsoll::cli
