// Numbers in messages.
#pragma once

#include <cstdio>
#include <string>

namespace plimsoll {

[[nodiscard]] inline std::string digits(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", number);
  return text;
}

}  // namespace plimsoll
