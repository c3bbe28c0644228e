#include "json_writer.h"

#include <fmt/format.h>

#include <cmath>

#include "text.h"

namespace plimsoll::cli {

void JsonWriter::open(std::string_view bracket, char closing, Layout layout) {
  separate();
  text_ += bracket;
  levels_.push_back({closing, one_line_ ? Layout::kInline : layout, true});
}

void JsonWriter::close() {
  const Level level = levels_.back();
  levels_.pop_back();
  if (level.layout == Layout::kLines && !level.empty) new_line();
  text_ += level.closing;
}

// What stands before a key or an array's element.
void JsonWriter::separate() {
  if (after_key_ || levels_.empty()) {
    after_key_ = false;
    return;
  }
  Level& level = levels_.back();
  if (!level.empty) text_ += level.layout == Layout::kLines ? "," : ", ";
  if (level.layout == Layout::kLines) new_line();
  level.empty = false;
}

void JsonWriter::new_line() {
  text_ += '\n';
  text_.append(levels_.size(), ' ');
}

void JsonWriter::key(std::string_view name) {
  separate();
  write_string(name);
  text_ += ": ";
  after_key_ = true;
}

void JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  separate();
  text_ += fmt::format("{}", number == 0 ? 0 : number);  // a sign of zero says nothing
}

void JsonWriter::value(std::uint64_t number) {
  separate();
  text_ += fmt::format("{}", number);
}

void JsonWriter::value(bool truth) {
  separate();
  text_ += truth ? "true" : "false";
}

void JsonWriter::value(std::string_view string) {
  separate();
  write_string(string);
}

void JsonWriter::value(const Vec3& vector) {
  if (!vector.allFinite()) return null();
  begin_array();
  for (const double number : vector) value(number);
  end_array();
}

void JsonWriter::value(const Mat3& matrix) {
  if (!matrix.allFinite()) return null();
  begin_array();
  for (int row = 0; row < 3; ++row) value(Vec3(matrix.row(row)));
  end_array();
}

void JsonWriter::null() {
  separate();
  text_ += "null";
}

void JsonWriter::write_string(std::string_view string) {
  text_ += '"';
  for (const char c : valid_utf8(string)) {
    if (c == '"' || c == '\\')
      text_ += {'\\', c};
    else if (static_cast<unsigned char>(c) < 0x20)
      text_ += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      text_ += c;
  }
  text_ += '"';
}

}  // namespace plimsoll::cli
