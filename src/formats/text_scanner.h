// Walks through a text file by tokens and lines, for the readers of STL, OBJ, PLY and OFF.
//
// Lines end with \n, \r\n or \r, also in one text; blanks are space, \t, \v and \f. Line numbers
// are counted only when an error or a warning asks for one.
#pragma once

#include "formats/readers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace plimsoll {

/// The text of `input` without a UTF-8 byte order mark. Errors: `Unsupported` for UTF-16 and
/// UTF-32.
[[nodiscard]] Result<std::string_view> text_of(const ReaderInput& input);

/// `text` in quotes, fit for a message: cut at 40 bytes, what is not printable as \xNN.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// Appends the digits at `p` to `value`, which wraps beyond 19 digits. Returns their end.
[[nodiscard]] inline const char* parse_digits(const char* p, const char* end,
                                              std::uint64_t& value) {
  // Eight characters in one word, the first in the lowest byte.
  constexpr std::array<std::uint64_t, 9> kPowers{1,       10,        100,        1'000,      10'000,
                                                 100'000, 1'000'000, 10'000'000, 100'000'000};
  while (std::endian::native == std::endian::little && end - p >= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, p, 8);
    word ^= 0x3030303030303030u;  // digits become 0 to 9, all else 10 or more
    const std::uint64_t others = (word | (word + 0x7676767676767676u)) & 0x8080808080808080u;
    const int digits = others == 0 ? 8 : std::countr_zero(others) / 8;
    if (digits == 0) return p;
    word <<= 64 - 8 * digits;  // leading zeros
    word = (10 * word + (word >> 8)) & 0x00FF00FF00FF00FFu;
    word = (100 * word + (word >> 16)) & 0x0000FFFF0000FFFFu;
    word = (10'000 * word + (word >> 32)) & 0x00000000FFFFFFFFu;
    value = value * kPowers[static_cast<std::size_t>(digits)] + word;
    p += digits;
    if (digits < 8) return p;
  }
  for (; p != end && *p >= '0' && *p <= '9'; ++p)
    value = 10 * value + static_cast<std::uint64_t>(*p - '0');
  return p;
}

/// Reads the decimal number at `p`: [+-] digits [. digits] [e [+-] digits], with a digit before or
/// after the point. `value` becomes the nearest double, 0 where that is the nearest.
/// Returns the end of the number; nullptr if there is none or it is beyond the range of a double.
[[nodiscard]] const char* parse_double(const char* p, const char* end, double& value);

/// With how many digits the coordinates of a file are written.
class DecimalDigits {
 public:
  /// `mantissa`: the number that all digits make without the point: 1050 for 1.050e-3.
  void note(std::uint64_t mantissa, bool is_whole) {
    longest_ = std::max(longest_, mantissa);
    are_whole_ = are_whole_ && is_whole;
  }
  /// One unit of the last of them in a number of the size of `largest`; 0 where all numbers are
  /// whole ones without a point or exponent, which nothing has rounded.
  [[nodiscard]] double unit_at(double largest) const;

 private:
  std::uint64_t longest_ = 0;  // the mantissa of the most digits
  bool are_whole_ = true;
};

/// The same; notes the digits.
[[nodiscard]] const char* parse_double(const char* p, const char* end, double& value,
                                       DecimalDigits& noted);

class TextScanner {
 public:
  struct Dialect {
    bool hash_comments = false;           ///< # and what follows on the line is a comment.
    bool backslash_continuation = false;  ///< \ at the end of a line joins the next one.
  };

  /// `text` must be part of the data of `input`, from some line's start.
  TextScanner(const ReaderInput& input, std::string_view text, Dialect dialect);

  /// Skips blanks within the line.
  void skip_blanks() {
    do {
      while (p_ != end_ && class_of(*p_) == kBlank) ++p_;
    } while (p_ != end_ && class_of(*p_) == kBackslash && skip_continuation());
  }
  /// Skips blanks, comments and line ends; false at the end of the text.
  bool skip_to_token() {
    skip_blanks();
    while (p_ != end_ && (class_of(*p_) & kEndOfLine) != 0) {
      next_line();
      skip_blanks();
    }
    return p_ != end_;
  }
  /// Goes to the start of the next line.
  void next_line() {
    if (p_ != end_ && class_of(*p_) == kLineEnd)
      p_ = after_line_end(p_);
    else
      skip_rest_of_line();
  }
  [[nodiscard]] bool at_end() const { return p_ == end_; }
  /// At the end of the line, or at a comment.
  [[nodiscard]] bool at_line_end() const { return p_ == end_ || (class_of(*p_) & kEndOfLine) != 0; }
  /// Whether `q` is where a token ends.
  [[nodiscard]] bool is_delimiter(const char* q) const { return q == end_ || class_of(*q) != 0; }

  /// The token here, without moving; empty at the end of the line.
  [[nodiscard]] std::string_view token() const {
    const char* q = p_;
    while (!is_delimiter(q)) ++q;
    return {p_, static_cast<std::size_t>(q - p_)};
  }
  void skip_token() {
    while (!is_delimiter(p_)) ++p_;
  }
  /// Moves past the token here if it is `lower_case`, in any case.
  bool skip_word(std::string_view lower_case);

  /// Reads the number here; false, without moving, if there is none or it is out of range.
  bool read_double(double& value) {
    const char* q = parse_double(p_, end_, value, digits_);
    if (q == nullptr || !is_delimiter(q)) return false;
    p_ = q;
    return true;
  }
  /// Reads the whole number here, of up to 18 digits; false, without moving, if there is none.
  bool read_count(std::uint64_t& value) {
    // One digit, the usual count of corners, is worth a shorter way.
    if (p_ != end_ && is_digit(*p_) && is_delimiter(p_ + 1)) {
      value = static_cast<std::uint64_t>(*p_++ - '0');
      return true;
    }
    std::uint64_t sum = 0;
    const char* q = parse_digits(p_, end_, sum);
    if (q == p_ || q - p_ > 18 || !is_delimiter(q)) return false;
    p_ = q;
    value = sum;
    return true;
  }

  /// The digits of all that read_double has read.
  [[nodiscard]] const DecimalDigits& digits() const { return digits_; }

  /// Where the scanner stands, and the end of the text; for readers with tokens of their own.
  [[nodiscard]] const char* position() const { return p_; }
  [[nodiscard]] const char* end() const { return end_; }
  void set_position(const char* p) {
    if (p < p_) newline_ = p;
    p_ = p;
  }
  [[nodiscard]] std::size_t remaining_bytes() const { return static_cast<std::size_t>(end_ - p_); }

  /// What stands here, for a message: the token in quotes, "the end of the line" or "of the file".
  [[nodiscard]] std::string found() const;
  [[nodiscard]] std::size_t line_of(const char* at) const;
  /// `Malformed` at this line: "found ..., expected <expected>".
  [[nodiscard]] Error unexpected(const std::string& expected) const;
  /// The same where read_double failed; tells a number beyond the range of a double.
  [[nodiscard]] Error unexpected_number(const std::string& expected) const;
  /// `Malformed` at the line of `at`.
  [[nodiscard]] Error malformed(const std::string& message, const char* at) const;

  [[nodiscard]] static bool is_digit(char c) { return c >= '0' && c <= '9'; }

 private:
  enum : std::uint8_t { kBlank = 1, kLineEnd = 2, kComment = 4, kEndOfLine = 6, kBackslash = 8 };

  [[nodiscard]] std::uint8_t class_of(char c) const {
    return classes_[static_cast<unsigned char>(c)];
  }
  bool skip_continuation();
  void skip_rest_of_line();
  /// The end of the line at or after `p`: \n, \r or the end of the text.
  [[nodiscard]] const char* line_end(const char* p);
  /// The start of the line after the end at `p`.
  [[nodiscard]] const char* after_line_end(const char* p) const {
    if (p == end_) return p;
    return p + (*p == '\r' && p + 1 != end_ && p[1] == '\n' ? 2 : 1);
  }

  const char* p_;
  const char* end_;
  DecimalDigits digits_;
  const char* newline_;  // the first \n from p_ on, once it was looked for
  std::array<std::uint8_t, 256> classes_{};
  const char* file_begin_;
  std::string_view name_;
};

/// "part.obj:12"
[[nodiscard]] std::string at_line(std::string_view name, std::size_t line);
/// "part.stl: byte 684"
[[nodiscard]] std::string at_byte(std::string_view name, std::size_t byte);

}  // namespace plimsoll
