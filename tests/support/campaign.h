// How many cases a random campaign draws: all of them in the full run, a tenth in the quick one, a
// fiftieth of them under a sanitizer. Those look for other faults than wrong numbers, and take ten
// times as long or more, so that other long tests are shorter there too.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "support/sanitizers.h"

namespace plimsoll::test {

inline bool is_full_run() { return std::getenv("PLIMSOLL_FULL") != nullptr; }

inline constexpr int kQuickShare = kAddressSanitizer || kThreadSanitizer ? 50 : 10;

inline int campaign(int full) { return is_full_run() ? full : std::max(1, full / kQuickShare); }

}  // namespace plimsoll::test
