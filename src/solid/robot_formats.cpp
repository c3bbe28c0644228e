#include <plimsoll/robot_formats.h>
#include <plimsoll/text.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <initializer_list>
#include <utility>

namespace plimsoll {
namespace {

/// With an exponent below 1e-4 and from 1e16 on, as most programs print doubles.
std::string number(double value) {
  if (value == 0) return "0";
  std::array<char, 64> text{};
  const auto written = [&](std::chars_format format) {
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, format).ptr;
    return std::string(text.data(), end);
  };
  const std::string scientific = written(std::chars_format::scientific);
  const int exponent = std::atoi(scientific.c_str() + scientific.find('e') + 1);
  return exponent < -4 || exponent >= 16 ? scientific : written(std::chars_format::fixed);
}

std::string numbers(const Vec3& vector) {
  return number(vector[0]) + " " + number(vector[1]) + " " + number(vector[2]);
}

/// Puts `values` in the places of the marks "{}", in their order.
std::string filled(std::string_view text, std::initializer_list<std::string> values) {
  std::string full;
  for (const std::string& value : values) {
    const std::size_t mark = text.find("{}");
    full.append(text.substr(0, mark)).append(value);
    text.remove_prefix(mark + 2);
  }
  return full.append(text);
}

std::string indented(const std::string& lines, std::size_t spaces) {
  const std::string room(spaces, ' ');
  std::string moved = room;
  for (const char c : lines) {
    moved += c;
    if (c == '\n') moved += room;
  }
  return moved;
}

Result<void> check_rigid(const MassProperties& mass) {
  const bool is_finite =
      std::isfinite(mass.mass) && mass.center_of_mass.allFinite() && mass.inertia.allFinite();
  if (!is_finite)
    return Error{ErrorCode::kInvalidArgument, "there is no center of mass and no inertia", ""};
  if (mass.mass > 0 && is_physical(mass.inertia) &&
      principal_axes(mass.inertia).moments.minCoeff() > 0)
    return {};
  return Error{
      ErrorCode::kInvalidArgument,
      filled("the sums have mass {} kg and an inertia that no body has", {number(mass.mass)}), ""};
}

// URDF: <inertia> holds the entries of the tensor about the center of mass, in the axes of
// <origin>; ixy is the entry, that is minus the product of inertia (wiki.ros.org/urdf/XML/link).
std::string urdf_inertial(const MassProperties& mass) {
  const Mat3& i = mass.inertia;
  return filled(R"(<inertial>
  <origin xyz="{}" rpy="0 0 0"/>
  <mass value="{}"/>
  <inertia ixx="{}" ixy="{}" ixz="{}" iyy="{}" iyz="{}" izz="{}"/>
</inertial>)",
                {numbers(mass.center_of_mass), number(mass.mass), number(i(0, 0)), number(i(0, 1)),
                 number(i(0, 2)), number(i(1, 1)), number(i(1, 2)), number(i(2, 2))});
}

// SDF: the pose of the center of mass in the link, then the entries of the tensor in that pose's
// axes; ixy is the entry, as in URDF (sdformat.org, link/inertial).
std::string sdf_inertial(const MassProperties& mass) {
  const Mat3& i = mass.inertia;
  return filled(R"(<inertial>
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
</inertial>)",
                {numbers(mass.center_of_mass), number(mass.mass), number(i(0, 0)), number(i(0, 1)),
                 number(i(0, 2)), number(i(1, 1)), number(i(1, 2)), number(i(2, 2))});
}

// MuJoCo's compiler takes no moving body of less mass [kg] or with a smaller principal moment
// [kg m^2] (mjMINVAL).
constexpr double kSmallest = 1e-15;

std::string mjcf_objection(double mass, const Vec3& moments) {
  if (mass < kSmallest)
    return filled("found a mass of {} kg; MuJoCo takes none below {}",
                  {number(mass), number(kSmallest)});
  if (moments[0] < kSmallest)
    return filled("found a principal moment of {} kg m^2; MuJoCo takes none below {}",
                  {number(moments[0]), number(kSmallest)});
  if (moments[0] + moments[1] < moments[2])
    return filled(
        "found principal moments of {} kg m^2, a body so flat that after rounding the largest "
        "exceeds the sum of the others, which MuJoCo refuses",
        {numbers(moments)});
  return {};
}

// MJCF: the frame `quat` (w x y z, body from inertial frame) at the center of mass, and the
// principal moments in it (MuJoCo XML reference, body/inertial). The other spelling, the tensor as
// `fullinertia`, MuJoCo diagonalizes itself, and 3.2.7 leaves off-diagonals of 1e-12 kg m^2 as they
// are: several per cent of the inertia of a part of 5 mm.
Result<std::string> mjcf_inertial(const MassProperties& mass) {
  const PrincipalAxes axes = principal_axes(mass.inertia);
  if (std::string why = mjcf_objection(mass.mass, axes.moments); !why.empty())
    return Error{ErrorCode::kUnsupported, std::move(why), ""};
  const Eigen::Quaterniond turn(Mat3(axes.axes.transpose()));
  return filled(R"(<inertial pos="{}" mass="{}"
          quat="{} {}"
          diaginertia="{}"/>)",
                {numbers(mass.center_of_mass), number(mass.mass), number(turn.w()),
                 numbers(turn.vec()), numbers(axes.moments)});
}

/// Around the inertial element: the name, twice, and the indented element are still to come.
std::string_view frame_of(RobotFormat format) {
  switch (format) {
    case RobotFormat::kUrdf:
      return R"(<robot name="{}">
  <link name="{}">
{}
  </link>
</robot>
)";
    case RobotFormat::kSdf:
      return R"(<sdf version="1.9">
  <model name="{}">
    <link name="{}">
{}
    </link>
  </model>
</sdf>
)";
    case RobotFormat::kMjcf:
      break;
  }
  return R"(<mujoco model="{}">
  <compiler inertiafromgeom="false"/>
  <worldbody>
    <body name="{}">
      <freejoint/>
{}
    </body>
  </worldbody>
</mujoco>
)";
}

}  // namespace

const char* to_string(RobotFormat format) {
  return format == RobotFormat::kUrdf ? "URDF" : format == RobotFormat::kSdf ? "SDF" : "MJCF";
}

Result<std::string> inertial_element(const MassProperties& mass, RobotFormat format) {
  if (Result<void> usable = check_rigid(mass); !usable) return usable.error();
  if (format == RobotFormat::kUrdf) return urdf_inertial(mass);
  if (format == RobotFormat::kSdf) return sdf_inertial(mass);
  return mjcf_inertial(mass);
}

Result<std::string> robot_document(const RobotBody& body, RobotFormat format) {
  const Result<std::string> element = inertial_element(body.mass, format);
  if (!element) return element;
  std::string document = "<?xml version=\"1.0\"?>\n";
  for (const std::string& comment : body.comments)
    document += "<!-- " + xml_comment(comment) + " -->\n";
  const std::string name = xml_attribute(robot_name(body.name));
  const std::size_t depth = format == RobotFormat::kUrdf ? 4 : 6;
  return document + filled(frame_of(format), {name, name, indented(*element, depth)});
}

// SDF keeps "::" for scopes, and "world" and names within double underscores for itself; MuJoCo's
// outermost body is "world" (sdformat.org, "Name and frame semantics"; MuJoCo XML reference).
std::string robot_name(std::string_view name) {
  std::string taken(name);
  for (std::size_t at = 0; (at = taken.find("::", at)) != std::string::npos;)
    taken.replace(at, 2, 1, '_');
  const bool is_reserved =
      taken.empty() || taken == "world" || (taken.starts_with("__") && taken.ends_with("__"));
  return is_reserved ? taken + "_body" : taken;
}

}  // namespace plimsoll
