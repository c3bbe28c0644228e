// SIGINT and SIGTERM as a wish to stop, for commands that keep what they have done so far.
#pragma once

#include <optional>

#include "failure.h"

namespace plimsoll::cli {

/// While it lives the first of these signals is only noted; a second ends the program as without
/// it. One at a time.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// The exit code of the signal that came; nothing where none has.
  [[nodiscard]] static std::optional<ExitCode> asked();
};

/// Sets what ends the program on a signal: drafts of files are removed, and the exit code is 130 or
/// 143. For main().
void set_signals();

}  // namespace plimsoll::cli
