// Tables of numbers: CSV with one header, all columns finite numbers.
#pragma once

#include <plimsoll/result.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/number_text.h"
#include "formats/text_scanner.h"

namespace plimsoll {

class CsvRows {
 public:
  /// `name` stands for the text in messages. Both must outlive this.
  CsvRows(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  /// The next line that is not blank, without its end; nothing at the end of the text.
  [[nodiscard]] std::optional<std::string_view> next() {
    while (at_ < text_.size()) {
      const std::size_t end = std::min(text_.find_first_of("\r\n", at_), text_.size());
      const std::string_view line = text_.substr(at_, end - at_);
      at_ = end + (text_.substr(end).starts_with("\r\n") ? 2 : 1);
      ++line_;
      if (line.find_first_not_of(" \t") != std::string_view::npos) return line;
    }
    return std::nullopt;
  }

  /// The error of the line that next() gave last.
  [[nodiscard]] Error malformed(std::string_view found, const std::string& expected) const {
    const std::string what = found.empty() ? "nothing" : in_quotes(found);
    return {ErrorCode::kMalformed, "found " + what + ", expected " + expected,
            at_line(name_, std::max<std::size_t>(line_, 1))};
  }

  /// The numbers of a line; nothing where they are others, or not as many.
  template <std::size_t kCount>
  [[nodiscard]] static std::optional<std::array<double, kCount>> numbers(std::string_view line) {
    std::array<double, kCount> row;
    const char *p = line.data(), *end = p + line.size();
    const auto skip_blanks = [&] {
      while (p != end && (*p == ' ' || *p == '\t')) ++p;
    };
    for (std::size_t i = 0; i < kCount; ++i) {
      if (i > 0 && (p == end || *p++ != ',')) return std::nullopt;
      skip_blanks();
      p = parse_double(p, end, row[i]);
      if (p == nullptr) return std::nullopt;
      skip_blanks();
    }
    return p == end ? std::optional(row) : std::nullopt;
  }

 private:
  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0, line_ = 0;
};

}  // namespace plimsoll
