#include "rigid_body.h"

#include <fmt/format.h>
#include <plimsoll/version.h>

#include <cmath>
#include <filesystem>

#include "diagnosis.h"
#include "failure.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

// SDF keeps "::" for scopes, and "world" and names within double underscores for itself; MuJoCo's
// outermost body is "world" (sdformat.org, "Name and frame semantics"; MuJoCo XML reference).
std::string unreserved(std::string name) {
  for (std::size_t at = 0; (at = name.find("::", at)) != std::string::npos;)
    name.replace(at, 2, 1, '_');
  const bool reserved =
      name.empty() || name == "world" || (name.starts_with("__") && name.ends_with("__"));
  return reserved ? name + "_body" : name;
}

std::string file_list(const MassReport& report) {
  std::string list;
  for (const PartReport& part : report.parts)
    list += fmt::format("{}{}", list.empty() ? "" : ", ",
                        part.name == "-" ? "standard input" : part.name);
  return list;
}

}  // namespace

std::string body_name(const MassReport& report) {
  if (report.is_assembly()) return "assembly";
  const std::string& name = report.parts.front().name;
  return name == "-" ? "body" : unreserved(std::filesystem::path(name).stem().string());
}

std::string provenance(const MassReport& report) {
  const std::string source = fmt::format("plimsoll {}, from {}, {} kg/m^3", version(),
                                         file_list(report), number(report.mass.density));
  const std::string comment = fmt::format("<!-- {} -->", xml_comment(source));
  if (is_sound(report.status)) return comment;
  return fmt::format("{}\n<!-- DO NOT TRUST THESE NUMBERS: status {}, {} -->", comment,
                     to_string(report.status), in_words(report.status));
}

void require_rigid_body(const MassReport& report, const char* format) {
  const MassProperties& mass = report.mass;
  const bool finite =
      std::isfinite(mass.mass) && mass.center_of_mass.allFinite() && mass.inertia.allFinite();
  if (finite && mass.mass > 0 && is_physical(mass.inertia) &&
      principal_axes(mass.inertia).moments.minCoeff() > 0)
    return;
  const std::string why =
      finite ? fmt::format("the sums have mass {} kg and an inertia that no body has", mass.mass)
             : "there is no center of mass and no inertia";
  const std::string code = is_sound(report.status) ? "tolerance" : to_string(report.status);
  throw Failure{
      kUnsound, code,
      fmt::format("no {} written: {} (status {}: {}); without --format the text says what "
                  "to do",
                  format, why, to_string(report.status), in_words(report.status)),
      file_list(report)};
}

std::string numbers(const Vec3& vector) {
  return fmt::format("{} {} {}", number(vector.x()), number(vector.y()), number(vector.z()));
}

std::string number(double value) { return fmt::format("{}", value == 0 ? 0.0 : value); }

}  // namespace plimsoll::cli
