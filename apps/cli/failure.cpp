#include "failure.h"

#include <fmt/format.h>

#include <exception>
#include <new>
#include <stdexcept>

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

Failure current_failure() {
  try {
    throw;
  } catch (const Failure& thrown) {
    return thrown;
  } catch (const std::bad_alloc&) {
    return failure_of({ErrorCode::kResourceLimit, "there is not enough memory", {}});
  } catch (const std::runtime_error& error) {
    // Neither this program nor the library throws one: the system refused threads or the like.
    return failure_of({ErrorCode::kResourceLimit, error.what(), {}});
  } catch (const std::exception& error) {
    return {kInternalError, "internal", error.what(), {}};
  }
}

void write_error(JsonWriter& out, const Failure& failure) {
  out.key("error");
  out.begin_object();
  out.member("code", failure.code);
  out.member("message", failure.message);
  out.member("where", failure.where);
  out.end_object();
}

void report_failure(const Failure& failure, const std::string& command, bool json) {
  const std::string where = failure.where.empty() ? "" : printable(failure.where) + ": ";
  const std::string hint =
      failure.exit_code == kUsage ? fmt::format(" (see {} --help)", command) : "";
  print_message(fmt::format("{}: {}{}{}", command, where, printable(failure.message), hint));
  if (!json) return;
  print_output(json_object([&](JsonWriter& out) { write_error(out, failure); }, true));
}

}  // namespace plimsoll::cli
