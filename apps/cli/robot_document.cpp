#include <fmt/format.h>
#include <plimsoll/version.h>

#include <filesystem>

#include "diagnosis.h"
#include "failure.h"
#include "reports.h"

namespace plimsoll::cli {
namespace {

std::string file_list(const MassReport& report) {
  std::string list;
  for (const PartReport& part : report.parts)
    list += fmt::format("{}{}", list.empty() ? "" : ", ",
                        part.name == "-" ? "standard input" : part.name);
  return list;
}

/// From the file's: "bunny" for "meshes/bunny.obj".
std::string body_name(const MassReport& report) {
  if (report.is_assembly()) return "assembly";
  const std::string& name = report.parts.front().name;
  return name == "-" ? "body" : std::filesystem::path(name).stem().string();
}

/// What the status says against the numbers.
std::string warning(const MassReport& report) {
  return fmt::format("DO NOT TRUST THESE NUMBERS: status {}, {}", to_string(report.status),
                     in_words(report.status));
}

/// With the files, the density and the warning at its head.
Result<std::string> document(const MassReport& report, RobotFormat format) {
  std::vector<std::string> comments{fmt::format("plimsoll {}, from {}, {} kg/m^3", version(),
                                                file_list(report), report.mass.density)};
  if (!is_sound(report.status)) comments.push_back(warning(report));
  return robot_document({body_name(report), report.mass, comments}, format);
}

Result<std::string> element(const MassReport& report, RobotFormat format) {
  Result<std::string> inertial = inertial_element(report.mass, format);
  if (inertial && !is_sound(report.status))
    *inertial = fmt::format("<!-- {} -->\n{}", warning(report), *inertial);
  return inertial;
}

constexpr std::string_view kInertial = "-inertial";

}  // namespace

std::optional<RobotOutput> robot_output(std::string_view format) {
  const bool only_inertial = format.ends_with(kInertial);
  if (only_inertial) format.remove_suffix(kInertial.size());
  if (format == "urdf") return RobotOutput{RobotFormat::kUrdf, only_inertial};
  if (format == "sdf") return RobotOutput{RobotFormat::kSdf, only_inertial};
  if (format == "mjcf") return RobotOutput{RobotFormat::kMjcf, only_inertial};
  return {};
}

std::string robot_text(const MassReport& report, const RobotOutput& output) {
  const Result<std::string> text =
      output.only_inertial ? element(report, output.format) : document(report, output.format);
  if (text) return text->ends_with('\n') ? *text : *text + '\n';
  const std::string written = fmt::format("no {} written: ", to_string(output.format));
  const Error& error = text.error();
  if (error.code == ErrorCode::kUnsupported)
    throw Failure{kRejected, "unsupported", written + error.message, {}};
  const std::string code = is_sound(report.status) ? "tolerance" : to_string(report.status);
  throw Failure{
      kUnsound, code,
      fmt::format("{}{} (status {}: {}); without --format the text says what to do", written,
                  error.message, to_string(report.status), in_words(report.status)),
      file_list(report)};
}

}  // namespace plimsoll::cli
