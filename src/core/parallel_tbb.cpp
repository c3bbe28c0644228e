#include "core/parallel.h"

#include <plimsoll/parallel.h>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>

namespace plimsoll {

void for_each_range(std::size_t count, const std::function<void(std::size_t, std::size_t)>& work) {
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, count, 1),
      [&](const tbb::blocked_range<std::size_t>& range) { work(range.begin(), range.end()); });
}

void with_threads(int threads, const std::function<void()>& work) {
  // More than oneTBB has would be granted in name only, with a warning on stderr.
  const auto most = static_cast<int>(
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
  tbb::task_arena arena(threads > 0 ? std::min(threads, most) : tbb::task_arena::automatic);
  arena.execute(work);
}

int thread_limit() { return tbb::this_task_arena::max_concurrency(); }

}  // namespace plimsoll
