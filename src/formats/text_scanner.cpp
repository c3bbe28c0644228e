#include "formats/text_scanner.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <system_error>

namespace plimsoll {
namespace {

bool is_digit(char c) { return TextScanner::is_digit(c); }

// Powers of ten that a double holds exactly.
constexpr std::array<double, 23> kPowersOfTen{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                              1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                              1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr int kMaxExactPower = 22;
constexpr std::uint64_t kMaxExactInteger = std::uint64_t{1} << 53;
constexpr std::ptrdiff_t kMaxDigits = 19;  // 10^19 < 2^64

/// Whether the number with the digits [p, end) times 10^exponent, which has passed one end of the
/// range of a double, has passed the lower one.
bool is_below_one(const char* p, const char* end, std::int64_t exponent) {
  const char* point = std::find(p, end, '.');
  const char* first = std::find_if(p, end, [](char c) { return c >= '1' && c <= '9'; });
  if (first == end) return true;
  const std::int64_t integer_digits = first < point ? point - first : point - first + 1;
  return integer_digits + exponent <= 0;
}

}  // namespace

// A mantissa of up to 53 bits times or over a power of ten up to 10^22 is one operation on two
// doubles without error, so correctly rounded [Clinger1990]; all else goes to std::from_chars.
const char* parse_double(const char* p, const char* end, double& value, DecimalDigits& noted) {
  bool negative = false;
  if (p != end && (*p == '-' || *p == '+')) negative = *p++ == '-';
  const char* number = p;
  std::uint64_t mantissa = 0;
  p = parse_digits(p, end, mantissa);
  std::ptrdiff_t digits = p - number;
  std::int64_t exponent = 0;
  if (p != end && *p == '.') {
    const char* fraction = ++p;
    p = parse_digits(p, end, mantissa);
    exponent = fraction - p;
    digits += p - fraction;
  }
  if (digits == 0) return nullptr;
  const char* digits_end = p;
  std::int64_t stated = 0;
  if (p != end && (*p == 'e' || *p == 'E')) {
    ++p;
    bool below = false;
    if (p != end && (*p == '-' || *p == '+')) below = *p++ == '-';
    if (p == end || !is_digit(*p)) return nullptr;
    constexpr std::int64_t kEnough = 1'000'000'000'000;  // beyond any count of digits in a file
    for (; p != end && is_digit(*p); ++p)
      if (stated < kEnough) stated = 10 * stated + (*p - '0');
    if (below) stated = -stated;
  }
  exponent += stated;
  const bool is_whole = p == number + digits;
  noted.note(digits > kMaxDigits ? std::numeric_limits<std::uint64_t>::max() : mantissa, is_whole);
  if (digits > kMaxDigits || mantissa > kMaxExactInteger || exponent > kMaxExactPower ||
      exponent < -kMaxExactPower) {
    const std::errc failure = std::from_chars(number, p, value).ec;
    if (failure != std::errc{}) {
      if (!is_below_one(number, digits_end, stated)) return nullptr;
      value = 0;
    }
    if (negative) value = -value;
    return p;
  }
  const auto exact = static_cast<double>(mantissa);
  const double magnitude = exponent < 0 ? exact / kPowersOfTen[static_cast<std::size_t>(-exponent)]
                                        : exact * kPowersOfTen[static_cast<std::size_t>(exponent)];
  value = negative ? -magnitude : magnitude;
  return p;
}

const char* parse_double(const char* p, const char* end, double& value) {
  DecimalDigits digits;
  return parse_double(p, end, value, digits);
}

// A number of the size 10^k with n digits is rounded to 10^(k + 1 - n).
double DecimalDigits::unit_at(double largest) const {
  if (longest_ == 0 || are_whole_ || !(largest > 0) || !std::isfinite(largest)) return 0;
  int digits = 0;
  for (std::uint64_t m = longest_; m != 0; m /= 10) ++digits;
  std::array<char, 32> text{};
  const auto size =
      std::to_chars(text.data(), text.data() + text.size(), largest, std::chars_format::scientific);
  const char* e = std::find(text.data(), size.ptr, 'e') + 1;
  int exponent = 0;
  std::from_chars(e + (*e == '+' ? 1 : 0), size.ptr, exponent);
  const std::string unit = "1e" + std::to_string(exponent + 1 - digits);
  double value = 0;  // stays where the unit is below all doubles
  std::from_chars(unit.data(), unit.data() + unit.size(), value);
  return value;
}

Result<std::string_view> text_of(const ReaderInput& input) {
  const std::string_view text(reinterpret_cast<const char*>(input.data.data()), input.data.size());
  if (text.starts_with("\xEF\xBB\xBF")) return text.substr(3);
  const bool marked = text.starts_with("\xFE\xFF") || text.starts_with("\xFF\xFE");
  const auto half = [&](std::size_t i) { return text[i] == 0 && text[i + 2] == 0; };
  const bool unmarked = text.size() >= 4 && (half(0) != half(1));
  if (marked || unmarked)
    return Error{ErrorCode::kUnsupported,
                 "found UTF-16 or UTF-32 text, expected ASCII or UTF-8: convert it first",
                 at_byte(input.name, 0)};
  return text;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kMaxShown = 40;
  std::string result = "\"";
  for (const char c : text.substr(0, kMaxShown)) {
    if (c >= ' ' && c <= '~') {
      result += c;
    } else {
      std::array<char, 8> hex{};
      std::snprintf(hex.data(), hex.size(), "\\x%02X", static_cast<unsigned char>(c));
      result += hex.data();
    }
  }
  return result + (text.size() > kMaxShown ? "...\"" : "\"");
}

std::string at_line(std::string_view name, std::size_t line) {
  return std::string(name) + ':' + std::to_string(line);
}

std::string at_byte(std::string_view name, std::size_t byte) {
  return std::string(name) + ": byte " + std::to_string(byte);
}

TextScanner::TextScanner(const ReaderInput& input, std::string_view text, Dialect dialect)
    : p_(text.data()),
      end_(text.data() + text.size()),
      newline_(text.data()),
      file_begin_(reinterpret_cast<const char*>(input.data.data())),
      name_(input.name) {
  for (const char c : {' ', '\t', '\v', '\f'}) classes_[static_cast<unsigned char>(c)] = kBlank;
  for (const char c : {'\r', '\n'}) classes_[static_cast<unsigned char>(c)] = kLineEnd;
  if (dialect.hash_comments) classes_['#'] = kComment;
  if (dialect.backslash_continuation) classes_['\\'] = kBackslash;
}

bool TextScanner::skip_continuation() {
  const char* q = p_ + 1;
  while (q != end_ && class_of(*q) == kBlank) ++q;
  if (q != end_ && class_of(*q) != kLineEnd) return false;
  p_ = after_line_end(q);
  return true;
}

// Each \n is looked for once, and each \r only before it: both are found in time that is linear in
// the text, however rare one of them is.
const char* TextScanner::line_end(const char* p) {
  const auto find = [](const char* from, const char* to, char c) {
    const void* found = std::memchr(from, c, static_cast<std::size_t>(to - from));
    return found == nullptr ? to : static_cast<const char*>(found);
  };
  if (newline_ < p || (newline_ != end_ && *newline_ != '\n')) newline_ = find(p, end_, '\n');
  return find(p, newline_, '\r');
}

void TextScanner::skip_rest_of_line() {
  while (p_ != end_) {
    const char* start = p_;
    const char* stop = line_end(p_);
    p_ = after_line_end(stop);
    if (stop == end_ || classes_['\\'] != kBackslash) return;
    // A line that ends with a backslash goes on, but a comment does not.
    while (stop != start && class_of(stop[-1]) == kBlank) --stop;
    const bool continued =
        stop != start && stop[-1] == '\\' &&
        std::find_if(start, stop, [this](char c) { return class_of(c) == kComment; }) == stop;
    if (!continued) return;
  }
}

bool TextScanner::skip_word(std::string_view lower_case) {
  const std::size_t length = lower_case.size();
  if (remaining_bytes() < length || !is_delimiter(p_ + length)) return false;
  for (std::size_t i = 0; i < length; ++i) {
    const char c = p_[i];
    if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) != lower_case[i])
      return false;
  }
  p_ += length;
  return true;
}

std::string TextScanner::found() const {
  if (p_ == end_) return "the end of the file";
  if (at_line_end()) return "the end of the line";
  const std::string_view here = token();
  return in_quotes(here.empty() ? std::string_view(p_, 1) : here);  // a backslash inside the line
}

std::size_t TextScanner::line_of(const char* at) const {
  std::size_t line = 1;
  for (const char* p = file_begin_; p < at; ++p)
    if (*p == '\n' || (*p == '\r' && (p + 1 == end_ || p[1] != '\n'))) ++line;
  return line;
}

Error TextScanner::unexpected(const std::string& expected) const {
  const std::string_view here = token();
  const bool has_comma = here.find(',') != std::string_view::npos &&
                         here.find_first_not_of("0123456789,.+-eE") == std::string_view::npos;
  return malformed("found " + found() + ", expected " + expected +
                       (has_comma ? "; numbers are written with a point and without commas" : ""),
                   p_);
}

Error TextScanner::unexpected_number(const std::string& expected) const {
  const std::string_view here = token();
  const char* begin = here.data() + (here.starts_with('+') ? 1 : 0);
  double value = 0;
  const auto [last, failure] = std::from_chars(begin, here.data() + here.size(), value);
  if (failure == std::errc::result_out_of_range && last == here.data() + here.size())
    return malformed("found " + found() + " for " + expected + ", beyond the range of a double",
                     p_);
  return unexpected("a number: " + expected);
}

Error TextScanner::malformed(const std::string& message, const char* at) const {
  return {ErrorCode::kMalformed, message, at_line(name_, line_of(at))};
}

}  // namespace plimsoll
