// Numbers in messages.
#pragma once

#include <array>
#include <charconv>
#include <cstdio>
#include <string>

namespace plimsoll {

/// The fewest digits that bring the same double back.
[[nodiscard]] inline std::string to_text(double value) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

/// Four digits, for numbers that are only looked at.
[[nodiscard]] inline std::string digits(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", number);
  return text;
}

}  // namespace plimsoll
