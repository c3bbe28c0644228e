// Results of calls that have to succeed in a benchmark.
#pragma once

#include <errno.h>
#include <plimsoll/result.h>

#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <utility>

namespace plimsoll::bench {

/// The value, or the end of the program, which says what failed.
template <class T>
T got(Result<T> result, const char* what) {
  if (!result) {
    std::fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what,
                 result.error().message.c_str());
    std::exit(1);
  }
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

}  // namespace plimsoll::bench
