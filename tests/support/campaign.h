// How many cases a random campaign draws: all of them in the full run, a tenth in the quick one, a
// fiftieth of them under the address sanitizer.
#pragma once

#include <algorithm>
#include <cstdlib>

namespace plimsoll::test {

inline bool is_full_run() { return std::getenv("PLIMSOLL_FULL") != nullptr; }

// The address sanitizer looks for other faults than wrong numbers, and takes ten times as long: a
// long test is a shorter one there.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
inline constexpr bool kSanitized = __has_feature(address_sanitizer);
#else
inline constexpr bool kSanitized = false;
#endif

inline constexpr int kQuickShare = kSanitized ? 50 : 10;

inline int campaign(int full) { return is_full_run() ? full : std::max(1, full / kQuickShare); }

}  // namespace plimsoll::test
