// How commands end: a report on stdout, and an exit code that says whether it can be trusted.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "failure.h"
#include "file_writer.h"
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

/// Prints `text`, and `write()` writes the files that go with it. A text for people comes first, so
/// that it is there where a file cannot be written; JSON last, for then its one object is the
/// error.
template <class Write>
void print_and_write(bool is_json, std::string_view text, const Write& write) {
  if (is_json) write();
  print_output(text);
  if (!is_json) write();
}

/// An answer as above, and the files that go with it.
template <class Report, class Write>
ExitCode answer_and_write(const Report& report, Status status, bool json, const Write& write) {
  print_and_write(json, json ? json_report(report) : text_report(report), write);
  return exit_code_of(status);
}

/// The same beside `data`, which a file takes, or stdout where its name is "-": then the report
/// goes to stderr, in words. Throws Failure.
template <class Report, class Write>
ExitCode answer_and_write(const Report& report, Status status, bool json, std::string_view data,
                          const std::string& path, const Write& write) {
  if (path != "-")
    return answer_and_write(report, status, json, [&] {
      write_file(data, path);
      write();
    });
  print_output(data);
  std::fputs(text_report(report).c_str(), stderr);
  write();
  return exit_code_of(status);
}

}  // namespace plimsoll::cli
