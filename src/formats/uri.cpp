#include "formats/uri.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <system_error>

#include "formats/text_scanner.h"

namespace plimsoll {
namespace {

constexpr std::uint8_t kNoDigit = 255;

constexpr std::array<std::uint8_t, 256> kBase64Digits = [] {
  std::array<std::uint8_t, 256> digits{};
  digits.fill(kNoDigit);
  std::uint8_t value = 0;
  for (const char c :
       std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                        "+/"))
    digits[static_cast<unsigned char>(c)] = value++;
  return digits;
}();

// Four digits of 6 bits are three bytes; the last group may be shorter, with or without its =.
std::string decode_base64(std::string_view text, std::vector<std::byte>& bytes) {
  for (int padding = 0; padding < 2 && text.ends_with('='); ++padding) text.remove_suffix(1);
  if (text.size() % 4 == 1) return "found base64 that ends within a byte, expected whole bytes";
  bytes.resize(text.size() / 4 * 3 + (text.size() % 4 == 0 ? 0 : text.size() % 4 - 1));
  std::size_t filled = 0;
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::uint8_t digit = kBase64Digits[static_cast<unsigned char>(text[i])];
    if (digit == kNoDigit)
      return "found the character " + in_quotes(text.substr(i, 1)) + " at byte " +
             std::to_string(i) + " of the base64 text, expected A-Z a-z 0-9 + /";
    bits = bits << 6 | digit;
    const std::size_t place = i % 4;
    if (place != 0) bytes[filled++] = static_cast<std::byte>(bits >> (6 - 2 * place) & 0xFF);
  }
  return {};
}

bool starts_with_ignoring_case(std::string_view text, std::string_view lower) {
  if (text.size() < lower.size()) return false;
  return std::equal(lower.begin(), lower.end(), text.begin(), [](char a, char b) {
    return a == (b >= 'A' && b <= 'Z' ? static_cast<char>(b - 'A' + 'a') : b);
  });
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Why a decoded URI may not be followed; empty if it may.
std::string refusal_of(std::string_view path) {
  if (path.empty()) return "found an empty URI";
  const std::size_t colon = path.find(':');
  if (colon != std::string_view::npos && path.find('/') > colon)
    return "found a URI with the scheme " + in_quotes(path.substr(0, colon));
  if (path.front() == '/') return "found an absolute path";
  if (path.find('\\') != std::string_view::npos) return "found a backslash in a URI";
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t end = std::min(path.find('/', start), path.size());
    if (path.substr(start, end - start) == "..") return "found a path that climbs out with \"..\"";
    start = end + 1;
  }
  return {};
}

bool lies_in(const std::filesystem::path& file, const std::filesystem::path& directory) {
  const auto [rest, unused] =
      std::mismatch(directory.begin(), directory.end(), file.begin(), file.end());
  return rest == directory.end();
}

}  // namespace

bool is_data_uri(std::string_view uri) { return starts_with_ignoring_case(uri, "data:"); }

std::string decode_data_uri(std::string_view uri, std::vector<std::byte>& bytes) {
  const std::size_t comma = uri.find(',');
  if (comma == std::string_view::npos) return "found a data URI without a comma";
  const std::string_view header = uri.substr(0, comma);
  constexpr std::string_view kEncoding = ";base64";
  if (header.size() < kEncoding.size() ||
      !starts_with_ignoring_case(header.substr(header.size() - kEncoding.size()), kEncoding))
    return "found the data URI " + in_quotes(header) + ", expected one in base64";
  return decode_base64(uri.substr(comma + 1), bytes);
}

std::string decode_percent(std::string_view uri, std::string& fault) {
  std::string path;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] != '%') {
      path += uri[i];
      continue;
    }
    const int high = i + 2 < uri.size() ? hex_digit(uri[i + 1]) : -1;
    const int low = i + 2 < uri.size() ? hex_digit(uri[i + 2]) : -1;
    if (high < 0 || low < 0) {
      fault = "found " + in_quotes(uri.substr(i, 3)) + " in a URI, expected % and two hex digits";
      return {};
    }
    path += static_cast<char>(high << 4 | low);
    i += 2;
  }
  if (path.find('\0') != std::string::npos) fault = "found a zero byte in a URI";
  return path;
}

Result<std::filesystem::path> resolve_uri(std::string_view uri,
                                          const std::filesystem::path& directory) {
  std::string fault;
  const std::string relative = decode_percent(uri, fault);
  if (!fault.empty()) return Error{ErrorCode::kMalformed, fault, {}};
  if (const std::string refusal = refusal_of(relative); !refusal.empty())
    return Error{ErrorCode::kUnsupported,
                 refusal + ": " + in_quotes(relative) + "; expected a file beside the document",
                 {}};
  if (directory.empty())
    return Error{ErrorCode::kUnsupported,
                 "the buffer is in the file " + in_quotes(relative) +
                     ", and without a directory no file is looked for",
                 {}};
  std::error_code failure;
  const std::filesystem::path root = std::filesystem::canonical(directory, failure);
  const Error missing{ErrorCode::kUnreadable,
                      "the file " + in_quotes(relative) + " of the buffer cannot be found",
                      {}};
  if (failure) return missing;
  std::filesystem::path file = std::filesystem::canonical(root / relative, failure);
  if (failure) return missing;
  if (!lies_in(file, root))
    return Error{ErrorCode::kUnsupported,
                 "found a link that leads out of the directory: " + in_quotes(relative),
                 {}};
  if (!std::filesystem::is_regular_file(file, failure))
    return Error{ErrorCode::kUnreadable, in_quotes(relative) + " is not a regular file", {}};
  return file;
}

}  // namespace plimsoll
