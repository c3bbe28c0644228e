#include "core/thread_order.h"

#include <plimsoll/parallel.h>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>

namespace plimsoll {

void with_threads(int threads, const std::function<void()>& work) {
  // More than oneTBB has would be granted in name only, with a warning on stderr.
  const auto most = static_cast<int>(
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
  tbb::task_arena arena(threads > 0 ? std::min(threads, most) : tbb::task_arena::automatic);
  ThreadOrder before, after;
  before.release();
  arena.execute([&] {
    before.acquire();
    work();
    after.release();
  });
  after.acquire();
}

int thread_limit() { return tbb::this_task_arena::max_concurrency(); }

}  // namespace plimsoll
