// Where an error in a JSON document is, in two parts.
#pragma once

#include <regex>
#include <string>

namespace plimsoll::test {

/// "part.json:3:14: of[1]" as "part.json: of[1]".
inline std::string without_line(const std::string& where) {
  static const std::regex line_and_column("^([^:]*):[0-9]+:[0-9]+");
  return std::regex_replace(where, line_and_column, "$1");
}

}  // namespace plimsoll::test
