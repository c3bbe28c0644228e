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

// The switches that scripts/mutants puts into a copy of the sources take time of their own.
#if __has_include(<mutant.h>)
inline constexpr double kSlowdown = 2;
#else
inline constexpr double kSlowdown = 1;
#endif

inline double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace plimsoll::test
