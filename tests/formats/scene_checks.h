// Checks of what reading a glTF or 3MF gave, where part of the place and of the message is enough.
#pragma once

#include <doctest/doctest.h>
#include <plimsoll/mesh_io.h>

#include <algorithm>
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

/// Whether a notice of `file` has this code and holds these words.
inline bool has_notice(const MeshFile& file, std::string_view code, std::string_view words) {
  return std::any_of(file.notices.begin(), file.notices.end(), [&](const Notice& notice) {
    return notice.code == code && notice.message.find(words) != std::string::npos;
  });
}

}  // namespace plimsoll::test
