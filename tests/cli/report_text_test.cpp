#include "cli/text.h"

#include <doctest/doctest.h>

#include <limits>

namespace plimsoll::cli {
namespace {

TEST_CASE("CSV fields are quoted where they must be") {
  CHECK(csv_field("plain") == "plain");
  CHECK(csv_field("a,b") == "\"a,b\"");
  CHECK(csv_field("say \"x\"") == "\"say \"\"x\"\"\"");
}

TEST_CASE("a number is read whole or not at all") {
  CHECK(parse_number("7800") == 7800);
  CHECK(parse_number("+1e3") == 1000);
  CHECK(parse_number("-2.5") == -2.5);
  for (const char* text : {"", "x", "1x", " 1", "1 ", "+-1", "++1", "0x10", "1e999", "1,5"})
    CHECK_FALSE(parse_number(text));
}

// 1.23456 +- 0.001 has its first three digits certain, as 1.234 and 1.236 differ in the fourth.
TEST_CASE("only certain digits are shown") {
  CHECK(certain_digits(1.23456, 0.005) == "1.23");
  CHECK(certain_digits(1.23456, 0.0051) == "1.2");
  CHECK(certain_digits(9.87, 4.9) == "1e+01");
  CHECK(certain_digits(1.23456789012345, 1e-16) == "1.23456789");
  CHECK(certain_digits(1.5, 0) == "1.5");
  CHECK(certain_digits(-3e-20, 1e-19) == "0");
  CHECK(certain_digits(std::numeric_limits<double>::quiet_NaN(), 0) == "unknown");
}

}  // namespace
}  // namespace plimsoll::cli
