// How many cases a random campaign draws: all of them in the full run, a tenth in the quick one, a
// fiftieth of them under the address sanitizer, which looks for other faults than wrong numbers.
#pragma once

#include <algorithm>
#include <cstdlib>

namespace plimsoll::test {

inline bool is_full_run() { return std::getenv("PLIMSOLL_FULL") != nullptr; }

#if defined(__SANITIZE_ADDRESS__)
inline constexpr int kQuickShare = 50;
#elif defined(__clang__)
#if __has_feature(address_sanitizer)
inline constexpr int kQuickShare = 50;
#else
inline constexpr int kQuickShare = 10;
#endif
#else
inline constexpr int kQuickShare = 10;
#endif

inline int campaign(int full) { return is_full_run() ? full : std::max(1, full / kQuickShare); }

}  // namespace plimsoll::test
