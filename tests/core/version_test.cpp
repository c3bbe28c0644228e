// What a build tells of itself.
#include <doctest/doctest.h>
#include <plimsoll/version.h>

#include <algorithm>
#include <regex>
#include <set>

namespace plimsoll {

TEST_CASE("the version is three numbers") {
  CHECK(std::regex_match(version(), std::regex("[0-9]+\\.[0-9]+\\.[0-9]+")));
}

TEST_CASE("the instruction sets are named once each, widest first, and the first is used") {
  const std::vector<std::string> levels = simd_levels();
  REQUIRE(!levels.empty());
  CHECK(levels.front() == simd_level());
  CHECK(std::set<std::string>(levels.begin(), levels.end()).size() == levels.size());
  for (const std::string& level : levels) CHECK(!level.empty());
  // Of two sets of one family, the wider stands before the narrower.
  const auto place = [&](const char* name) {
    return std::find(levels.begin(), levels.end(), name);
  };
  if (place("AVX3") != levels.end()) CHECK(place("AVX3") < place("AVX2"));
  if (place("AVX2") != levels.end() && place("SSE2") != levels.end())
    CHECK(place("AVX2") < place("SSE2"));
}

}  // namespace plimsoll
