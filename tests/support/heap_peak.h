// The most memory that was taken by operator new at any one time. The program that includes
// heap_peak.cpp counts; nothing else may link it.
#pragma once

#include <cstddef>

namespace plimsoll::test {

/// Starts counting anew from what is taken now.
void reset_heap_peak();
/// The highest number of bytes since then, over what was taken then.
[[nodiscard]] std::size_t heap_peak();

}  // namespace plimsoll::test
