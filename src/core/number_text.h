// Numbers in messages.
#pragma once

#include <array>
#include <charconv>
#include <string>

namespace plimsoll {

/// The fewest digits that bring the same double back.
[[nodiscard]] inline std::string to_text(double value) {
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

}  // namespace plimsoll
