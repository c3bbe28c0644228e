// The folder of real meshes and exact values that lies beside the source tree. Where it is absent
// the tests that need it skip and say so; CI sets PLIMSOLL_REQUIRE_DATA and then they fail. The
// environment variable PLIMSOLL_SHARED_DATA names another folder, or hides it where it is empty.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#ifndef PLIMSOLL_SHARED_DATA
#error "this test reads the data folder: plimsoll_test() in its CMakeLists.txt needs the word DATA"
#endif

namespace plimsoll::test {

/// The folder; empty where it is hidden.
inline std::filesystem::path shared_data() {
  const char* given = std::getenv("PLIMSOLL_SHARED_DATA");
  return given != nullptr ? given : PLIMSOLL_SHARED_DATA;
}

/// Whether the folder is there; says so where it is not, and fails where it is required.
inline bool has_shared_data() {
  const std::filesystem::path folder = shared_data();
  if (!folder.empty() && std::filesystem::exists(folder / "README.md")) return true;
  MESSAGE("skipped: ",
          folder.empty() ? "the data folder is hidden" : "no data folder at " + folder.string());
  if (std::getenv("PLIMSOLL_REQUIRE_DATA") != nullptr) FAIL("PLIMSOLL_REQUIRE_DATA is set");
  return false;
}

}  // namespace plimsoll::test
