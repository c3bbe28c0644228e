#include "answer.h"

#include "interruption.h"

namespace plimsoll::cli {

ExitCode exit_code_of(Status status) {
  return Interruption::asked().value_or(is_sound(status) ? kDone : kUnsound);
}

}  // namespace plimsoll::cli
