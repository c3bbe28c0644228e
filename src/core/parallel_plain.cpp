// The loops on plain threads, started and joined by each loop, for the thread sanitizer: oneTBB as
// distributed is not instrumented, so the sanitizer takes its synchronization for races.
#include "core/parallel.h"

#include <plimsoll/parallel.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace plimsoll {
namespace {

int machine_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

// The limit of the innermost with_threads() around this thread's work; 0 means one per core.
thread_local int limit = 0;

class Limit {
 public:
  explicit Limit(int threads) : outer_(limit) { limit = threads; }
  ~Limit() { limit = outer_; }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;

 private:
  int outer_;
};

}  // namespace

void for_each_range(std::size_t count, const std::function<void(std::size_t, std::size_t)>& work) {
  const int threads = thread_limit();
  std::atomic<std::size_t> next = 0;
  const auto take_pieces = [&] {
    const Limit inherited(threads);
    for (std::size_t i = next++; i < count; i = next++) work(i, i + 1);
  };
  std::vector<std::jthread> helpers;
  for (std::size_t i = 1; i < std::min<std::size_t>(count, static_cast<std::size_t>(threads)); ++i)
    helpers.emplace_back(take_pieces);
  take_pieces();
}

void with_threads(int threads, const std::function<void()>& work) {
  const Limit inner(threads);
  work();
}

int thread_limit() { return limit > 0 ? limit : machine_threads(); }

}  // namespace plimsoll
