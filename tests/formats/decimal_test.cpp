#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>

#include "core/random.h"
#include "formats/text_scanner.h"
#include "support/campaign.h"

namespace plimsoll {
namespace {

std::optional<double> read(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  return parse_double(text.data(), end, value) == end ? std::optional(value) : std::nullopt;
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

TEST_CASE("every way of writing a decimal number that people use is read") {
  CHECK(read("1") == 1.0);
  CHECK(read("+1") == 1.0);
  CHECK(read("5.") == 5.0);
  CHECK(read(".5") == 0.5);
  CHECK(read("-.5E+3") == -500.0);
  CHECK(read("1e2") == 100.0);
  CHECK(read("00012") == 12.0);
  CHECK(same_bits(*read("-0"), -0.0));
  CHECK(same_bits(*read("-0.0e-5"), -0.0));
  CHECK(read("1.34230289E-014") == 1.34230289e-14);
}

TEST_CASE("what is not wholly a decimal number is none") {
  for (const char* text :
       {"",    "+",   "-",     ".",     "-.",     "e5",     ".e5",  "1e",       "1e+",
        "1e-", "+-1", "--1",   "nan",   "NaN",    "inf",    "-inf", "infinity", "0x10",
        "1,5", "1d5", "1_000", "1.2.3", "3.1+e2", "1.#IND", " 1",   "1 "}) {
    CAPTURE(text);
    CHECK_FALSE(read(text));
  }
}

TEST_CASE("numbers beyond the range of a double are refused, those below it become zero") {
  CHECK(read("1.7976931348623157e308") == std::numeric_limits<double>::max());
  for (const char* text :
       {"1.7976931348623159e308", "1e309", "-1e309", "1e99999999999999999999999"})
    CHECK_FALSE(read(text));
  CHECK_FALSE(read("1" + std::string(400, '0')));
  CHECK_FALSE(read("1" + std::string(400, '0') + ".0"));
  CHECK_FALSE(read("." + std::string(400, '0') + "1e999"));
  CHECK(same_bits(*read("1e-400"), 0.0));
  CHECK(same_bits(*read("-1e-400"), -0.0));
  CHECK(same_bits(*read("2e-324"), 0.0));
  CHECK(read("3e-324") == std::numeric_limits<double>::denorm_min());
  CHECK(same_bits(*read("1e-99999999999999999999999"), 0.0));
  CHECK(same_bits(*read("." + std::string(400, '0') + "1"), 0.0));
  CHECK(same_bits(*read("0e99999999999999999999999"), 0.0));
  CHECK(same_bits(*read(std::string(40, '0') + ".e-9999999999999"), 0.0));
  // 2^64 wraps the integer in which digits are gathered back to 0.
  CHECK(read("18446744073709551616") == 18446744073709551616.0);
  CHECK(read("1" + std::string(400, '0') + "e-400") == 1.0);
  CHECK(read("." + std::string(400, '0') + "1e401") == 1.0);
}

// strtod of glibc rounds correctly; the locale of a test program is "C".
TEST_CASE("a decimal number becomes the nearest double, whatever its length and exponent") {
  Random random(7);
  const int cases = test::campaign(2'000'000);
  for (int i = 0; i < cases; ++i) {
    std::string text = random.below(2) == 0 ? "-" : "";
    const auto integer_digits = random.below(12);
    const auto fraction_digits = random.below(12) + (integer_digits == 0 ? 1 : 0);
    for (std::uint64_t d = 0; d < integer_digits; ++d)
      text += static_cast<char>('0' + random.below(10));
    if (fraction_digits > 0) text += '.';
    for (std::uint64_t d = 0; d < fraction_digits; ++d)
      text += static_cast<char>('0' + random.below(10));
    if (random.below(2) == 0) {
      text += 'e';
      text += std::to_string(static_cast<int>(random.below(600)) - 300);
    }
    const auto value = read(text);
    const double nearest = std::strtod(text.c_str(), nullptr);
    REQUIRE_MESSAGE(value.has_value() == std::isfinite(nearest), text);
    if (value) REQUIRE_MESSAGE(same_bits(*value, nearest), text);
  }
}

TEST_CASE("the shortest decimals of a double bring the same double back") {
  Random random(8);
  const int cases = test::campaign(2'000'000);
  for (int i = 0; i < cases; ++i) {
    const auto value = std::bit_cast<double>(random.next());
    if (!std::isfinite(value)) continue;
    std::array<char, 32> digits{};
    const char* end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    double back = 0;
    REQUIRE(parse_double(digits.data(), end, back) == end);
    REQUIRE(same_bits(back, value));
  }
}

// Digits are taken eight at a time, and one at a time within eight bytes of the end.
TEST_CASE("digits are read alike in the middle and at the end of a text") {
  for (std::size_t length = 0; length <= 19; ++length) {
    const std::string digits = std::string("9876543210123456789").substr(0, length);
    const std::uint64_t value = length == 0 ? 0 : std::strtoull(digits.c_str(), nullptr, 10);
    for (const char* tail :
         {"", " ", "/", ":", ".25", "a and more", "\xFF\x80\x80\x80\x80\x80\x80\x80"}) {
      const std::string text = digits + tail;
      std::uint64_t sum = 0;
      const char* end = parse_digits(text.data(), text.data() + text.size(), sum);
      CHECK(static_cast<std::size_t>(end - text.data()) == length);
      CHECK(sum == value);
    }
  }
}

}  // namespace
}  // namespace plimsoll
