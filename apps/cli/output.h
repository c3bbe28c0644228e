// The program's two streams: answers on stdout, everything said about them on stderr.
#pragma once

#include <string>
#include <string_view>

namespace plimsoll::cli {

/// Writes `text` to stdout at once. Throws Failure if it cannot be written, except where the reader
/// has gone away (a closed pipe): that one had what it wanted, and the answer is false.
bool print_output(std::string_view text);

/// Writes one line to stderr.
void print_message(std::string_view line);

/// Whether stdout takes colors: a terminal, and NO_COLOR is not set (https://no-color.org).
[[nodiscard]] bool color_wanted();

}  // namespace plimsoll::cli
