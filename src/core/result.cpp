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

}  // namespace plimsoll
