// Loops over independent pieces of work on oneTBB. Results are kept apart by index and combined by
// the caller in order, so that they do not depend on the number of threads.
#pragma once

#include "core/thread_order.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <cstddef>

namespace plimsoll {

/// Calls body(i) once for each i < count: in order where there are fewer than `worthwhile`, too few
/// to pay for waking other threads, else in parallel and in any order.
template <class Body>
void parallel_for_each_index(std::size_t count, std::size_t worthwhile, const Body& body) {
  if (count < worthwhile) {
    for (std::size_t i = 0; i < count; ++i) body(i);
    return;
  }
  ThreadOrder before, after;
  before.release();
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, 1),
                    [&](const tbb::blocked_range<std::size_t>& range) {
                      before.acquire();
                      for (std::size_t i = range.begin(); i != range.end(); ++i) body(i);
                      after.release();
                    });
  after.acquire();
}

/// The same for pieces of which two are worth another thread.
template <class Body>
void parallel_for_each_index(std::size_t count, const Body& body) {
  parallel_for_each_index(count, std::size_t{2}, body);
}

}  // namespace plimsoll
