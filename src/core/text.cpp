#include <plimsoll/text.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace plimsoll {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// The length of the UTF-8 sequence at the front of `bytes`; 0 where there is none: stray
// continuation, cut short, overlong, surrogate or beyond U+10FFFF (Unicode 15, table 3-7).
std::size_t sequence_length(std::string_view bytes) {
  const auto lead = static_cast<unsigned char>(bytes[0]);
  if (lead < 0x80) return 1;
  const std::size_t length = lead < 0xC2   ? 0
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                             : lead < 0xF5 ? 4
                                           : 0;
  if (length == 0 || bytes.size() < length) return 0;
  const auto second = static_cast<unsigned char>(bytes[1]);
  const unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (second < low || second > high) return 0;
  const bool rest =
      std::all_of(bytes.begin() + 2, bytes.begin() + static_cast<long>(length), is_continuation);
  return rest ? length : 0;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\x7f'; }

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// Without the two characters of valid UTF-8, controls apart, that XML 1.0 (sec. 2.2) does not
// allow.
std::string xml_text(std::string text) {
  return replace_all(replace_all(std::move(text), "\xEF\xBF\xBE", kReplacement), "\xEF\xBF\xBF",
                     kReplacement);
}

}  // namespace

std::string valid_utf8(std::string_view bytes) {
  std::string text;
  while (!bytes.empty()) {
    const std::size_t length = sequence_length(bytes);
    text += length > 0 ? bytes.substr(0, length) : kReplacement;
    bytes.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return text;
}

std::string printable(std::string_view text) {
  std::string safe;
  for (const char c : valid_utf8(text)) {
    if (!is_control(c)) {
      safe += c;
      continue;
    }
    constexpr std::string_view kDigits = "0123456789abcdef";
    safe += {'\\', 'x', kDigits[static_cast<std::size_t>(c) / 16],
             kDigits[static_cast<std::size_t>(c) % 16]};
  }
  return safe;
}

std::string xml_attribute(std::string_view text) {
  std::string escaped;
  for (const char c : xml_text(valid_utf8(text))) {
    if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else if (c == '>')
      escaped += "&gt;";
    else if (c == '"')
      escaped += "&quot;";
    else if (is_control(c))
      escaped += kReplacement;
    else
      escaped += c;
  }
  return escaped;
}

std::string xml_comment(std::string_view text) {
  std::string safe;
  for (const char c : xml_text(printable(text))) {
    if (c == '-' && safe.ends_with('-')) safe += ' ';
    safe += c;
  }
  return safe.ends_with('-') ? safe + ' ' : safe;
}

}  // namespace plimsoll
