// How many threads the library may use. Results never depend on it.
#pragma once

#include <functional>

namespace [[gnu::visibility("default")]] plimsoll {

/// Runs `work` with at most `threads` threads for every library call inside it; 0 means one per
/// core. Calls made outside use oneTBB's current arena, so a program that has its own keeps it.
void with_threads(int threads, const std::function<void()>& work);

/// The number of threads a library call made here may use.
[[nodiscard]] int thread_limit();

}  // namespace plimsoll
