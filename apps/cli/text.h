// Text made safe for where it goes, and numbers for people.
#pragma once

#include <plimsoll/text.h>
#include <plimsoll/types.h>

#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::cli {

using plimsoll::printable;
using plimsoll::valid_utf8;
using plimsoll::xml_attribute;

/// A field of CSV after RFC 4180.
[[nodiscard]] std::string csv_field(std::string_view text);

/// ".png" for "a.b.PNG"; empty where there is none.
[[nodiscard]] std::string extension_of(const std::string& path);

/// The double that the whole of `text` spells in decimal; nothing for anything else, and where the
/// number is too large or too small for a double.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

/// `value` with the digits that an error of `bound` leaves certain, at most nine.
[[nodiscard]] std::string certain_digits(double value, double bound);

/// A component of a direction with six decimals: one that is zero there has no sign.
[[nodiscard]] inline double shown_component(double x) { return x < 5e-7 && x > -5e-7 ? 0 : x; }

/// "1 shell", "2 shells".
[[nodiscard]] std::string counted(std::size_t count, std::string_view singular,
                                  std::string_view plural);

}  // namespace plimsoll::cli
