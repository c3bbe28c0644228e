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

/// The files, the density, and what the status says against the numbers.
std::vector<std::string> provenance(const MassReport& report) {
  std::vector<std::string> comments{fmt::format("plimsoll {}, from {}, {} kg/m^3", version(),
                                                file_list(report), report.mass.density)};
  if (!is_sound(report.status))
    comments.push_back(fmt::format("DO NOT TRUST THESE NUMBERS: status {}, {}",
                                   to_string(report.status), in_words(report.status)));
  return comments;
}

}  // namespace

std::string robot_document(const MassReport& report, RobotFormat format) {
  const Result<std::string> document =
      plimsoll::robot_document({body_name(report), report.mass, provenance(report)}, format);
  if (document) return *document;
  const std::string written = fmt::format("no {} written: ", plimsoll::to_string(format));
  const Error& error = document.error();
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
