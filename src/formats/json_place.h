// Places in the text of a JSON document, for messages. The parser keeps none: the text is walked
// once more when something is wrong.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace plimsoll {

/// Where a text stops being JSON [RFC 8259].
struct JsonFault {
  std::size_t offset = 0;
  std::string expected;  ///< "a comma or a closing brace"
};

/// Nothing for a text that is JSON. Numbers beyond the range of a double are faults, and so are
/// whole numbers beyond 64 bits. O(text).
[[nodiscard]] std::optional<JsonFault> json_fault(std::string_view text);

/// The offset of the first value at `path`, written as JsonValue::path() does, or else of the
/// innermost value around it. Precondition: the text is JSON. O(text).
[[nodiscard]] std::size_t json_offset(std::string_view text, std::string_view path);

/// "3:14", line and column, both from 1. Columns count characters of UTF-8; a line ends with \n.
[[nodiscard]] std::string line_and_column(std::string_view text, std::size_t offset);

}  // namespace plimsoll
