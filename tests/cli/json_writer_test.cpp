#include "cli/json_writer.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <vector>

#include "core/random.h"
#include "support/campaign.h"

namespace plimsoll::cli {
namespace {

template <class T>
std::string json_of(const T& content) {
  JsonWriter out;
  out.value(content);
  return out.text();
}

TEST_CASE("a number written comes back with the same bits") {
  Random random(1);
  const int count = test::campaign(100000);
  for (int i = 0; i < count; ++i) {
    const auto number = std::bit_cast<double>(random.next());
    if (!std::isfinite(number)) continue;
    const double back = std::strtod(json_of(number).c_str(), nullptr);
    CHECK(std::bit_cast<std::uint64_t>(back) == std::bit_cast<std::uint64_t>(number));
  }
  CHECK(json_of(0.1) == "0.1");
  CHECK(json_of(-0.0) == "0");
  CHECK(json_of(5e-324) == "5e-324");
}

TEST_CASE("what is no number is null") {
  CHECK(json_of(std::numeric_limits<double>::quiet_NaN()) == "null");
  CHECK(json_of(-std::numeric_limits<double>::infinity()) == "null");
  CHECK(json_of(Vec3(1, std::nan(""), 2)) == "null");
  CHECK(json_of(Vec3(1, 2.5, -3)) == "[1, 2.5, -3]");
}

TEST_CASE("a number that is not known is null") {
  CHECK(json_of(std::optional<double>()) == "null");
  CHECK(json_of(std::optional(2.5)) == "2.5");
}

TEST_CASE("matrices are written by rows, without the entries that are no numbers") {
  Eigen::Matrix<double, 2, 3> matrix;
  matrix << 1, 2, 3, 4, std::nan(""), 6;
  const auto write = [&](JsonWriter& out) { out.rows_member("m", matrix); };
  CHECK(json_object(write, true) == "{\"m\": [[1, 2, 3], [4, null, 6]]}\n");
}

TEST_CASE("an object is a line, or has a line for each member") {
  const auto write = [](JsonWriter& out) {
    out.array_member("a", std::vector{1.5, -0.0});
    out.array_member("b", std::vector<double>());
  };
  CHECK(json_object(write, true) == "{\"a\": [1.5, 0], \"b\": []}\n");
  CHECK(json_object(write) == "{\n \"a\": [1.5, 0],\n \"b\": []\n}\n");
}

TEST_CASE("strings are valid JSON whatever their bytes") {
  CHECK(json_of("plain \xC3\xBC \xF0\x9F\x9A\xA2") == "\"plain \xC3\xBC \xF0\x9F\x9A\xA2\"");
  CHECK(json_of("a\"b\\c\n\x1b") == "\"a\\\"b\\\\c\\u000a\\u001b\"");
  const std::string bad = "\xEF\xBF\xBD";  // U+FFFD
  CHECK(json_of("\xFF") == '"' + bad + '"');
  CHECK(json_of("\xC0\xAF") == '"' + bad + bad + '"');            // overlong
  CHECK(json_of("\xED\xA0\x80") == '"' + bad + bad + bad + '"');  // a surrogate
  CHECK(json_of("x\xE2\x82") == "\"x" + bad + bad + '"');         // cut short
}

TEST_CASE("members are separated at every depth") {
  JsonWriter out;
  out.begin_object(JsonWriter::Layout::kLines);
  out.member("a", true);
  out.key("b");
  out.begin_array();
  out.value(std::uint64_t{1});
  out.null();
  out.begin_object();
  out.end_object();
  out.end_array();
  out.key("c");
  out.begin_array(JsonWriter::Layout::kLines);
  out.end_array();
  out.end_object();
  CHECK(out.text() == "{\n \"a\": true,\n \"b\": [1, null, {}],\n \"c\": []\n}");
}

}  // namespace
}  // namespace plimsoll::cli
