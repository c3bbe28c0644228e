// Text made safe for where it goes: terminals, XML, CSV; and numbers for people.
#pragma once

#include <plimsoll/types.h>

#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::cli {

/// `bytes` with each byte that is not part of valid UTF-8 replaced by U+FFFD.
[[nodiscard]] std::string valid_utf8(std::string_view bytes);

/// For a terminal: valid UTF-8, control characters as \x1b.
[[nodiscard]] std::string printable(std::string_view text);

/// For an XML attribute in double quotes. What XML 1.0 cannot hold becomes U+FFFD.
[[nodiscard]] std::string xml_attribute(std::string_view text);

/// For the inside of an XML comment, where "--" must not stand.
[[nodiscard]] std::string xml_comment(std::string_view text);

/// A field of CSV after RFC 4180.
[[nodiscard]] std::string csv_field(std::string_view text);

/// The double that the whole of `text` spells in decimal; nothing for anything else, and where the
/// number is too large or too small for a double.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

/// `value` with the digits that an error of `bound` leaves certain, at most nine.
[[nodiscard]] std::string certain_digits(double value, double bound);

/// "1 shell", "2 shells".
[[nodiscard]] std::string counted(std::size_t count, std::string_view singular,
                                  std::string_view plural);

}  // namespace plimsoll::cli
