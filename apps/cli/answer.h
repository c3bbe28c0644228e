// How commands end: a report on stdout, and an exit code that says whether it can be trusted.
#pragma once

#include <string>

#include "failure.h"
#include "json_writer.h"
#include "mass_report.h"
#include "output.h"

namespace plimsoll::cli {

/// The exit code of an answer of `status`: kDone, or kUnsound where it is not to be trusted; that
/// of the signal where one has cut the answer short.
[[nodiscard]] ExitCode exit_code_of(Status status);

/// One JSON object with the members that write_members(JsonWriter&, report) writes.
template <class Report>
[[nodiscard]] std::string json_report(const Report& report) {
  return json_object([&](JsonWriter& out) { write_members(out, report); });
}

/// Prints `report`, as JSON or as text_report(report) says it. Throws Failure where stdout cannot
/// be written.
template <class Report>
ExitCode answer(const Report& report, Status status, bool json) {
  print_output(json ? json_report(report) : text_report(report));
  return exit_code_of(status);
}

}  // namespace plimsoll::cli
