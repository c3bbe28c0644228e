// Why a command ends without an answer, and the exit codes of the program.
#pragma once

#include <plimsoll/result.h>

#include <string>

namespace plimsoll::cli {

class JsonWriter;

enum ExitCode : int {
  kDone = 0,
  kInternalError = 1,
  kUsage = 2,
  kRejected = 3,    ///< Input unreadable or refused, or not available in this version.
  kUnsound = 4,     ///< Answered, but the input is no solid or the accuracy was not reached.
  kSomeFailed = 5,  ///< A batch is done, and some of its items have no answer.
  kResourceLimit = 6,
  kInterrupted = 130,  ///< By SIGINT.
  kTerminated = 143,   ///< By SIGTERM.
};

/// Thrown inside the program, caught in main().
struct Failure {
  ExitCode exit_code = kInternalError;
  std::string code;     ///< For programs: "usage", "malformed", ...
  std::string message;  ///< For people.
  std::string where;    ///< File, line or option; may be empty.
};

[[nodiscard]] Failure usage_failure(std::string message, std::string where = {});
/// `what`: "shapes are". Exit code 3.
[[nodiscard]] Failure unavailable(std::string_view what);
[[nodiscard]] Failure failure_of(const Error& error);

/// The failure that is the exception being handled. Only in a catch block.
[[nodiscard]] Failure current_failure();

/// The member "error".
void write_error(JsonWriter& out, const Failure& failure);

/// One line for stderr, and with `json` the error object for stdout.
void report_failure(const Failure& failure, const std::string& command, bool json);

}  // namespace plimsoll::cli
