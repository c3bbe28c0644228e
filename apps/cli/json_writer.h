// Writes JSON text: numbers with the fewest digits that bring the same double back, null for what
// is not a number, strings as valid UTF-8 whatever the bytes.
#pragma once

#include <plimsoll/types.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::cli {

class JsonWriter {
 public:
  enum class Layout { kInline, kLines };  ///< Members on one line, or on one line each.

  JsonWriter() = default;
  /// With `one_line` everything is on one line.
  explicit JsonWriter(bool one_line) : one_line_(one_line) {}

  void begin_object(Layout layout = Layout::kInline) { open("{", '}', layout); }
  void end_object() { close(); }
  void begin_array(Layout layout = Layout::kInline) { open("[", ']', layout); }
  void end_array() { close(); }

  void key(std::string_view name);
  void value(double number);
  void value(std::uint64_t number);
  void value(bool truth);
  void value(std::string_view string);
  void value(const char* string) { value(std::string_view(string)); }
  void value(const std::string& string) { value(std::string_view(string)); }
  void value(const std::optional<double>& number) {
    if (!number) return null();
    value(*number);
  }
  void value(const Vec3& vector);
  void value(const Mat3& matrix);  ///< Rows first; null if any entry is not finite.
  void null();

  template <class T>
  void member(std::string_view name, const T& content) {
    key(name);
    value(content);
  }
  void null_member(std::string_view name) {
    key(name);
    null();
  }
  template <class Range>
  void array_member(std::string_view name, const Range& range) {
    key(name);
    write_array(range);
  }
  /// A matrix of any size, rows first; null for each entry that is not finite.
  template <class Matrix>
  void rows_member(std::string_view name, const Matrix& matrix) {
    key(name);
    begin_array();
    for (const auto& row : matrix.rowwise()) write_array(row);
    end_array();
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  struct Level {
    char closing;
    Layout layout;
    bool empty;
  };
  template <class Range>
  void write_array(const Range& range) {
    begin_array();
    for (const auto& content : range) value(content);
    end_array();
  }
  void open(std::string_view bracket, char closing, Layout layout);
  void close();
  void separate();
  void new_line();
  void write_string(std::string_view string);

  std::string text_;
  std::vector<Level> levels_;
  bool after_key_ = false;
  bool one_line_ = false;
};

/// An object, whose members `write` writes, and a newline: a member on each line, or all on one.
template <class Content>
[[nodiscard]] std::string json_object(const Content& write, bool one_line = false) {
  JsonWriter out(one_line);
  out.begin_object(JsonWriter::Layout::kLines);
  write(out);
  out.end_object();
  return out.text() + "\n";
}

}  // namespace plimsoll::cli
