// Preconditions. A broken one is a bug in the caller, so it is checked in debug and sanitizer
// builds (PLIMSOLL_ENABLE_ASSERTS) and costs nothing in release; bad data from outside is never
// handled this way but returned as an Error (result.h).
#pragma once

namespace [[gnu::visibility("default")]] plimsoll {

struct AssertionInfo {
  const char* condition;
  const char* message;
  const char* file;
  int line;
};

/// Called when an assertion fails. If it returns, the program aborts.
using AssertionHandler = void (*)(const AssertionInfo&);

/// Replaces the handler, which prints to stderr, and returns the one before; thread-safe.
/// nullptr restores the first.
AssertionHandler set_assertion_handler(AssertionHandler handler);

[[noreturn]] void assertion_failed(const AssertionInfo& info);

}  // namespace plimsoll

#if defined(PLIMSOLL_ENABLE_ASSERTS)
#define PLIMSOLL_ASSERT(condition, message) \
  ((condition) ? (void)0 : ::plimsoll::assertion_failed({#condition, message, __FILE__, __LINE__}))
#else
#define PLIMSOLL_ASSERT(condition, message) ((void)sizeof(condition))
#endif
