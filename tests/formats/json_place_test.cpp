// Line and column of what is wrong in a document: against the parser, and by hand.
#include "formats/json_place.h"

#include <doctest/doctest.h>
#include <plimsoll/shape_io.h>
#include <simdjson.h>

#include <string>

#include "core/random.h"

namespace plimsoll {
namespace {

bool is_json(const std::string& text) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  return parser.parse(text).get(root) == simdjson::SUCCESS;
}

std::string place_of(const std::string& text, const std::string& path) {
  return line_and_column(text, json_offset(text, path));
}

Error refusal(const std::string& text) {
  const Result<ShapeFile> shape =
      read_shape(std::as_bytes(std::span(text.data(), text.size())), "part.json", {});
  REQUIRE_FALSE(shape);
  return shape.error();
}

}  // namespace

TEST_CASE("a fault is where the text stops being JSON") {
  const auto check = [](const char* text, const char* place, const char* expected) {
    CAPTURE(text);
    const std::optional<JsonFault> fault = json_fault(text);
    REQUIRE(fault);
    CHECK(line_and_column(text, fault->offset) == place);
    CHECK(fault->expected == expected);
  };
  check("", "1:1", "a value");
  check("{\n \"a\": 1,\n}", "3:1", "a key in quotes");
  check("{\n \"a\": 1\n \"b\": 2}", "3:2", "a comma or a closing brace");
  check("[1, 2", "1:6", "a comma or a closing bracket");
  check("{\"a\" 1}", "1:6", "a colon");
  check("[1,\n  nil]", "2:3", "a value");
  check("[01]", "1:3", "no digit after a leading 0");
  check("[1.]", "1:4", "a digit");
  check("[1, 1e999]", "1:5", "a number within the range of a double");
  check("[36893488147419103232]", "1:2", "a whole number below 2^64, or one with a decimal point");
  check("[\"\\x\"]", "1:3", "an escape: one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
  check("[\"a\n\"]", "1:4", "a quote: a string ends in its line, without control characters");
  check("[\"a", "1:4", "a closing quote");
  check("[\"\xff\"]", "1:3", "UTF-8");
  check("{} {}", "1:4", "the end of the text");
}

TEST_CASE("columns count characters, not bytes") {
  const std::string text = "{\"\xC3\xA4\xE6\xB0\xB4\": nil}";  // two letters of two and three bytes
  CHECK(line_and_column(text, json_fault(text)->offset) == "1:8");
}

// The parser is the judge: of documents with a few bytes changed, the walk refuses the same ones.
TEST_CASE("the walk takes what the parser takes, and nothing else") {
  const std::string sound =
      R"({"a": [1, -2.5e-3, 0, 0.0, 1E+2, true, false, null, {}, []], "b\n\u00e4": {"c": "x/\\"},)"
      " \t\r\n \"\xC3\xA4\": \"\xE6\xB0\xB4\", \"n\": [[[-0]], {\"k\": [18446744073709551615]}]}";
  REQUIRE(is_json(sound));
  CHECK_FALSE(json_fault(sound));
  const std::string letters = "{}[],:\"\\0123456789eE+-. \n\ttrufalsn\x01\x7f\xC3\xA4\xff";
  Random random(17);
  int refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text = sound;
    for (std::uint64_t change = 1 + random.below(2); change > 0; --change) {
      const std::size_t at = random.below(text.size());
      const char letter = letters[random.below(letters.size())];
      switch (random.below(3)) {
        case 0:
          text[at] = letter;
          break;
        case 1:
          text.insert(at, 1, letter);
          break;
        default:
          text.erase(at, 1 + random.below(3));
      }
    }
    CAPTURE(text);
    REQUIRE(json_fault(text).has_value() == !is_json(text));
    refused += json_fault(text) ? 1 : 0;
  }
  CHECK(refused > 5'000);
  CHECK(refused < 19'000);
}

TEST_CASE("a value is found by its path, or the innermost one around it") {
  const std::string text =
      "{\n  \"a\": [10,\n    {\"b\": \"}]\\\"\", \"c\": [1, 2]}],\n  \"ab\": 3\n}";
  CHECK(place_of(text, "") == "1:1");
  CHECK(place_of(text, "a") == "2:8");
  CHECK(place_of(text, "a[0]") == "2:9");
  CHECK(place_of(text, "a[1]") == "3:5");
  CHECK(place_of(text, "a[1].c[1]") == "3:28");
  CHECK(place_of(text, "ab") == "4:9");
  CHECK(place_of(text, "a[1].c[7]") == "3:24");
  CHECK(place_of(text, "a[1].missing.too") == "3:5");
  CHECK(place_of(text, "nowhere") == "1:1");
}

TEST_CASE("errors of shapes and poses tell line and column") {
  CHECK(refusal("{\"shape\": \"sphere\",\n \"radius\": -1}").where == "part.json:2:12: radius");
  CHECK(refusal("{\"shape\": \"box\",\n \"size\": [1, 2,\n \"3\"]}").where ==
        "part.json:3:2: size[2]");
  CHECK(refusal("{\"shape\": \"sphere\",\n \"radus\": 1}").where == "part.json:2:11");
  CHECK(refusal("{\"shape\": \"sphere\",\n}").where == "part.json:2:1");
  CHECK(refusal("{\"shape\": \"sphere\",\n}").message ==
        "found no JSON: found \"}\", expected a key in quotes");
  CHECK(refusal("\xEF\xBB\xBF[").where == "part.json:1:2");
  const std::string pose = "[1,0,0,0,\n 0,1,0,0,\n 0,0,1,0,\n 0,0,0,x]";
  const auto read = read_pose(std::as_bytes(std::span(pose.data(), pose.size())), "pose.json");
  REQUIRE_FALSE(read);
  CHECK(read.error().where == "pose.json:4:8");
}

}  // namespace plimsoll
