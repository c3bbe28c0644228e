// How long a thread has computed.
#pragma once

#include <time.h>

namespace plimsoll::test {

// The sanitizers make everything slower, recursion many times; so do builds with assertions.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    defined(PLIMSOLL_ENABLE_ASSERTS)
inline constexpr bool kTimed = false;
#elif defined(__has_feature)
inline constexpr bool kTimed =
    !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer);
#else
inline constexpr bool kTimed = true;
#endif

inline double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace plimsoll::test
