#include "answer.h"

#include "interruption.h"

namespace plimsoll::cli {

ExitCode exit_code_of(Status status) {
  return Interruption::asked().value_or(is_sound(status) ? kDone : kUnsound);
}

void check_stdout(const std::optional<std::string>& path, const char* option, bool json) {
  if (json && path == "-")
    throw usage_failure("it takes stdout, and so does --json", std::string(option) + " -");
}

}  // namespace plimsoll::cli
