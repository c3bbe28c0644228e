#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "reports.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

constexpr std::string_view kHeader =
    "part,status,density,volume,mass,surface_area,center_x,center_y,center_z,"
    "ixx,iyy,izz,ixy,ixz,iyz,volume_error,center_error,inertia_error,"
    "error_is\n";

// Empty for what is not known, as spreadsheets and data frames have it.
std::string number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

std::string row(std::string_view name, Status status, const MassProperties& mass,
                const MassError& error, bool estimated, double area) {
  const bool known = estimated || has_bound(status);
  const Mat3& i = mass.inertia;
  const bool placed = known && mass.center_of_mass.allFinite();
  std::string line = csv_field(name) + "," + to_string(status);
  for (const double value : {mass.density, mass.volume, mass.mass, area, mass.center_of_mass.x(),
                             mass.center_of_mass.y(), mass.center_of_mass.z(), i(0, 0), i(1, 1),
                             i(2, 2), i(0, 1), i(0, 2), i(1, 2)})
    line += fmt::format(",{}", number(value));
  return line + fmt::format(",{},{},{},{}\n", known ? number(error.volume) : "",
                            placed ? number(error.center_of_mass) : "",
                            known && i.allFinite() ? number(error.inertia) : "",
                            estimated ? "estimate"
                            : known   ? "bound"
                                      : "");
}

}  // namespace

std::string csv_report(const MassReport& report) {
  std::string text(kHeader);
  for (const PartReport& part : report.parts)
    text += row(part.name, part.status, part.mass, part.error, part.estimated,
                part.health.surface_area);
  return text + row("total", report.status, report.mass, report.error, report.estimated,
                    report.health.surface_area);
}

}  // namespace plimsoll::cli
