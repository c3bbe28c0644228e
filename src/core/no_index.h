// What stands where a number of an element is absent.
#pragma once

#include <cstdint>

namespace plimsoll {

inline constexpr std::uint32_t kNoIndex = 0xFFFFFFFF;

}  // namespace plimsoll
