#include <plimsoll/assert.h>
#include <plimsoll/result.h>

namespace plimsoll {

const char* to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return "invalid_argument";
    case ErrorCode::kUnreadable:
      return "unreadable";
    case ErrorCode::kMalformed:
      return "malformed";
    case ErrorCode::kUnsupported:
      return "unsupported";
    case ErrorCode::kNoSolid:
      return "no_solid";
    case ErrorCode::kNotClosed:
      return "not_closed";
    case ErrorCode::kResourceLimit:
      return "resource_limit";
    case ErrorCode::kUnavailable:
      return "unavailable";
  }
  return "unknown";
}

void value_of_error(const Error& error) {
  const std::string place = error.where.empty() ? "" : " at " + error.where;
  const std::string words = "a value was taken of an error: " + std::string(to_string(error.code)) +
                            place + ": " + error.message;
  assertion_failed({"Result::has_value()", words.c_str(), __FILE__, __LINE__});
}

void error_of_value() {
  assertion_failed({"!Result::has_value()", "an error was taken of a value", __FILE__, __LINE__});
}

}  // namespace plimsoll
