#include "formats/json_place.h"

#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <vector>

#include "formats/text_scanner.h"

namespace plimsoll {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Goes through a text value by value; depth costs memory, but no stack.
class JsonWalk {
 public:
  JsonWalk(std::string_view text, std::string_view wanted) : text_(text), wanted_(wanted) {}

  /// The first fault. It ends early where the wanted value is found.
  std::optional<JsonFault> run() {
    begin_value();
    while (!levels_.empty() && !is_done()) next_item();
    if (!is_done()) skip_blanks();
    if (!is_done() && at_ < text_.size()) fail("the end of the text");
    return fault_;
  }

  /// Of the wanted value, or of the innermost seen around it.
  [[nodiscard]] std::size_t nearest() const { return nearest_; }

 private:
  struct Level {
    bool is_object;
    std::size_t path_length;
    std::size_t count = 0;
  };

  [[nodiscard]] bool is_done() const { return fault_.has_value() || is_found_; }
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void fail(const char* expected) { fault_ = JsonFault{at_, expected}; }
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }

  void next_item() {
    Level& level = levels_.back();
    path_.resize(level.path_length);
    skip_blanks();
    if (take(level.is_object ? '}' : ']')) return levels_.pop_back();
    if (level.count > 0 && !take(','))
      return fail(level.is_object ? "a comma or a closing brace" : "a comma or a closing bracket");
    if (level.is_object)
      read_key();
    else
      path_ += '[' + std::to_string(level.count) + ']';
    ++level.count;
    if (!is_done()) begin_value();
  }

  void read_key() {
    skip_blanks();
    if (peek() != '"') return fail("a key in quotes");
    const std::size_t start = at_ + 1;
    read_string();
    if (is_done()) return;
    if (!path_.empty()) path_ += '.';
    path_ += text_.substr(start, at_ - 1 - start);
    skip_blanks();
    if (!take(':')) fail("a colon");
  }

  void begin_value() {
    skip_blanks();
    note_place();
    const char c = peek();
    if (c == '{' || c == '[') {
      levels_.push_back({c == '{', path_.size()});
      ++at_;
    } else if (c == '"') {
      read_string();
    } else if (c == '-' || is_digit(c)) {
      read_number();
    } else {
      read_word();
    }
  }

  void note_place() {
    if (!wanted_.starts_with(path_)) return;
    const std::string_view rest = wanted_.substr(path_.size());
    is_found_ = rest.empty() && !wanted_.empty();
    if (rest.empty() || path_.empty() || rest[0] == '.' || rest[0] == '[') nearest_ = at_;
  }

  void read_word() {
    for (const std::string_view word : {"true", "false", "null"})
      if (text_.substr(at_).starts_with(word)) {
        at_ += word.size();
        return;
      }
    fail("a value");
  }

  void read_string() {
    ++at_;
    while (at_ < text_.size() && text_[at_] != '"') {
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c < 0x20) return fail("a quote: a string ends in its line, without control characters");
      if (c == '\\')
        read_escape();
      else if (c >= 0x80)
        read_character(c);
      else
        ++at_;
      if (is_done()) return;
    }
    if (!take('"')) fail("a closing quote");
  }

  void read_escape() {
    const char c = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    const std::string_view hex = text_.substr(std::min(at_ + 2, text_.size()), 4);
    const bool is_hex = hex.size() == 4 &&
                        hex.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
    if (c == 'u' ? !is_hex
                 : c == '\0' || std::string_view("\"\\/bfnrt").find(c) == std::string::npos)
      return fail("an escape: one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
    at_ += c == 'u' ? 6 : 2;
  }

  void read_character(unsigned char lead) {
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    const std::string_view bytes = text_.substr(at_, length);
    if (bytes.size() < length || !simdjson::validate_utf8(bytes.data(), bytes.size()))
      return fail("UTF-8");
    at_ += length;
  }

  void read_number() {
    const std::size_t start = at_;
    const bool is_whole = read_digits_of_number();
    if (is_done()) return;
    const char* begin = text_.data() + start;
    const char* end = text_.data() + at_;
    double number = 0;
    std::int64_t negative = 0;
    std::uint64_t positive = 0;
    const bool fits = !is_whole || std::from_chars(begin, end, negative).ec == std::errc() ||
                      std::from_chars(begin, end, positive).ec == std::errc();
    if (fits && parse_double(begin, end, number) == end) return;
    at_ = start;
    fail(fits ? "a number within the range of a double"
              : "a whole number below 2^64, or one with a decimal point");
  }

  /// Whether it has neither a fraction nor an exponent.
  bool read_digits_of_number() {
    take('-');
    const bool starts_with_zero = peek() == '0';
    const std::size_t start = at_;
    read_digits();
    if (starts_with_zero && at_ > start + 1) {
      at_ = start + 1;
      fail("no digit after a leading 0");
    }
    bool is_whole = true;
    if (!is_done() && take('.')) {
      is_whole = false;
      read_digits();
    }
    if (!is_done() && (take('e') || take('E'))) {
      is_whole = false;
      if (!take('+')) take('-');
      read_digits();
    }
    return is_whole;
  }

  void read_digits() {
    if (!is_digit(peek())) return fail("a digit");
    while (is_digit(peek())) ++at_;
  }

  std::string_view text_, wanted_;
  std::size_t at_ = 0, nearest_ = 0;
  std::string path_;  // of the value at hand
  std::vector<Level> levels_;
  std::optional<JsonFault> fault_;
  bool is_found_ = false;
};

}  // namespace

std::optional<JsonFault> json_fault(std::string_view text) { return JsonWalk(text, {}).run(); }

std::size_t json_offset(std::string_view text, std::string_view path) {
  JsonWalk walk(text, path);
  (void)walk.run();
  return walk.nearest();
}

std::string line_and_column(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  const std::string_view own = before.substr(before.rfind('\n') + 1);
  const auto is_start = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  const auto column = std::count_if(own.begin(), own.end(), is_start);
  return std::to_string(line + 1) + ':' + std::to_string(column + 1);
}

}  // namespace plimsoll
