// Files of so many bytes that what a reader takes of memory shows.
#pragma once

#include <cstddef>
#include <string>

#include "support/campaign.h"

namespace plimsoll::test {

inline constexpr std::size_t kBytes = kAddressSanitizer ? 1'000'000 : 4'000'000;

inline std::string repeat(const std::string& piece, std::size_t bytes = kBytes) {
  std::string text;
  text.reserve(bytes + piece.size());
  while (text.size() < bytes) text += piece;
  return text;
}

}  // namespace plimsoll::test
