// Tells the thread sanitizer what oneTBB guarantees: work starts after what came before the call
// and ends before what comes after it. The library as distributed is not instrumented, so the
// sanitizer cannot see this by itself. Two pieces of the same loop stay unordered: races between
// them show.
#pragma once

#if defined(__SANITIZE_THREAD__)
#define PLIMSOLL_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define PLIMSOLL_THREAD_SANITIZER 1
#endif
#endif
#if defined(PLIMSOLL_THREAD_SANITIZER)
#include <sanitizer/tsan_interface.h>
#endif

namespace plimsoll {

/// What a thread did before release() has happened for every thread that calls acquire() later.
/// Nothing in other builds.
class ThreadOrder {
 public:
#if defined(PLIMSOLL_THREAD_SANITIZER)
  void release() { __tsan_release(this); }
  void acquire() { __tsan_acquire(this); }
#else
  void release() {}
  void acquire() {}
#endif
};

}  // namespace plimsoll
