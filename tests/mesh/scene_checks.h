// Checks of what reading a glTF or 3MF gave, where part of the place and of the message is enough.
#pragma once

#include <doctest/doctest.h>
#include <plimsoll/mesh_io.h>

#include <string>
#include <string_view>

namespace plimsoll::test {

/// Checks that `result` is an error of this code whose place and message hold these words.
inline void check_error(const Result<MeshFile>& result, ErrorCode code, std::string_view where,
                        std::string_view message) {
  REQUIRE_FALSE(result.has_value());
  const Error& error = result.error();
  CAPTURE(error.where);
  CAPTURE(error.message);
  CHECK(std::string(to_string(error.code)) == to_string(code));
  CHECK(error.where.find(where) != std::string::npos);
  CHECK(error.message.find(message) != std::string::npos);
}

/// Whether one of the warnings of `file` holds these words.
inline bool warns(const MeshFile& file, std::string_view words) {
  for (const std::string& warning : file.warnings)
    if (warning.find(words) != std::string::npos) return true;
  return false;
}

}  // namespace plimsoll::test
