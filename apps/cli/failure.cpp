#include "failure.h"

#include <fmt/format.h>

#include "json_writer.h"
#include "output.h"
#include "text.h"

namespace plimsoll::cli {

Failure usage_failure(std::string message, std::string where) {
  return {kUsage, "usage", std::move(message), std::move(where)};
}

Failure unavailable(std::string_view what) {
  return {kRejected,
          to_string(ErrorCode::kUnavailable),
          fmt::format("{} not available in this version", what),
          {}};
}

Failure failure_of(const Error& error) {
  const ExitCode exit_code = error.code == ErrorCode::kResourceLimit ? kResourceLimit : kRejected;
  return {exit_code, to_string(error.code), error.message, error.where};
}

void report_failure(const Failure& failure, const std::string& command, bool json) {
  const std::string where = failure.where.empty() ? "" : printable(failure.where) + ": ";
  const std::string hint =
      failure.exit_code == kUsage ? fmt::format(" (see {} --help)", command) : "";
  print_message(fmt::format("{}: {}{}{}", command, where, printable(failure.message), hint));
  if (!json) return;
  JsonWriter out;
  out.begin_object();
  out.key("error");
  out.begin_object();
  out.member("code", failure.code);
  out.member("message", failure.message);
  out.member("where", failure.where);
  out.end_object();
  out.end_object();
  print_output(out.text() + "\n");
}

}  // namespace plimsoll::cli
