// Text made safe for where it goes: names of files and bodies hold any bytes.
#pragma once

#include <string>
#include <string_view>

namespace [[gnu::visibility("default")]] plimsoll {

/// `bytes` with each byte that is not part of valid UTF-8 replaced by U+FFFD.
[[nodiscard]] std::string valid_utf8(std::string_view bytes);

/// For a terminal: valid UTF-8, control characters as \x1b.
[[nodiscard]] std::string printable(std::string_view text);

/// For an XML attribute in double quotes. What XML 1.0 cannot hold becomes U+FFFD.
[[nodiscard]] std::string xml_attribute(std::string_view text);

/// For the inside of an XML comment, where "--" must not stand.
[[nodiscard]] std::string xml_comment(std::string_view text);

}  // namespace plimsoll
