// How many cases a random campaign draws: all of them in the full run, a tenth in the quick one.
#pragma once

#include <algorithm>
#include <cstdlib>

namespace plimsoll::test {

inline bool is_full_run() { return std::getenv("PLIMSOLL_FULL") != nullptr; }

inline int campaign(int full) { return is_full_run() ? full : std::max(1, full / 10); }

}  // namespace plimsoll::test
