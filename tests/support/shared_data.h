// The folder of real meshes and exact values that lies beside the source tree. Where it is absent
// the tests that need it skip and say so; CI sets PLIMSOLL_REQUIRE_DATA and then they fail.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

namespace plimsoll::test {

inline std::filesystem::path shared_data() {
  const char* given = std::getenv("PLIMSOLL_SHARED_DATA");
  return given != nullptr ? given : PLIMSOLL_SHARED_DATA;
}

/// Whether the folder is there; says so where it is not, and fails where it is required.
inline bool has_shared_data() {
  if (std::filesystem::exists(shared_data() / "README.md")) return true;
  MESSAGE("skipped: no data folder at ", shared_data().string());
  if (std::getenv("PLIMSOLL_REQUIRE_DATA") != nullptr) FAIL("PLIMSOLL_REQUIRE_DATA is set");
  return false;
}

}  // namespace plimsoll::test
