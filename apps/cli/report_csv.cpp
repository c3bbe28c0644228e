#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "failure.h"
#include "reports.h"
#include "text.h"

namespace plimsoll::cli {
namespace {

constexpr std::string_view kColumns =
    ",status,density,volume,mass,surface_area,center_x,center_y,center_z,"
    "ixx,iyy,izz,ixy,ixz,iyz,volume_error,center_error,inertia_error,"
    "error_is";
// So many follow the status.
constexpr std::size_t kNumbers = 17;

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
  return line + fmt::format(",{},{},{},{}", known ? number(error.volume) : "",
                            placed ? number(error.center_of_mass) : "",
                            known && i.allFinite() ? number(error.inertia) : "",
                            estimated ? "estimate"
                            : known   ? "bound"
                                      : "");
}

}  // namespace

std::string csv_report(const MassReport& report) {
  std::string text = fmt::format("part{}\n", kColumns);
  for (const PartReport& part : report.parts)
    text += row(part.name, part.status, part.mass, part.error, part.estimated,
                part.health.surface_area) +
            "\n";
  return text +
         row("total", report.status, report.mass, report.error, report.estimated,
             report.health.surface_area) +
         "\n";
}

std::string csv_heading_of_each() { return fmt::format("file{},error_code,error\n", kColumns); }

std::string csv_row_of(const MassReport& report) {
  return row(report.parts.front().name, report.status, report.mass, report.error, report.estimated,
             report.health.surface_area) +
         ",,\n";
}

std::string csv_row_of(const std::string& name, const Failure& failure) {
  return fmt::format("{},{},{},{}\n", csv_field(name), std::string(kNumbers, ','),
                     csv_field(failure.code),
                     csv_field(failure.where.empty() || failure.where == name
                                   ? failure.message
                                   : failure.where + ": " + failure.message));
}

}  // namespace plimsoll::cli
