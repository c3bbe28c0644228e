#include "text.h"

#include <plimsoll/elementary.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>

namespace plimsoll::cli {

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

std::string extension_of(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

std::optional<double> parse_number(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

std::string certain_digits(double value, double bound) {
  if (!std::isfinite(value)) return "unknown";
  if (std::isinf(bound)) bound = 0;
  if (std::abs(value) <= bound || value == 0) return "0";
  constexpr int kMaxDigits = 9;
  // The bound is at most half a unit of the last digit, and so is rounding to it.
  const double first = std::floor(elementary::log10(std::abs(value)));
  const double digits =
      bound > 0 ? first + 1 - std::ceil(elementary::log10(2 * bound)) : kMaxDigits;
  return fmt::format("{:.{}g}", value,
                     static_cast<int>(std::clamp(digits, 1.0, double{kMaxDigits})));
}

std::string counted(std::size_t count, std::string_view singular, std::string_view plural) {
  return fmt::format("{} {}", count, count == 1 ? singular : plural);
}

}  // namespace plimsoll::cli
