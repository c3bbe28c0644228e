// How long a thread has computed.
#pragma once

#include <time.h>

#include "support/sanitizers.h"

namespace plimsoll::test {

// The sanitizers make everything slower, recursion many times; so do builds with assertions.
#if defined(PLIMSOLL_ENABLE_ASSERTS)
inline constexpr bool kTimed = false;
#else
inline constexpr bool kTimed = !kAddressSanitizer && !kThreadSanitizer;
#endif

inline double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace plimsoll::test
