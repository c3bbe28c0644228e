// Loops over independent pieces of work. Results are kept apart by index and combined by the caller
// in order, so that they do not depend on the number of threads.
#pragma once

#include <cstddef>
#include <functional>

namespace plimsoll {

/// Calls work(begin, end) for ranges that together cover 0..count once each, in any order, by the
/// threads that with_threads() allows.
void for_each_range(std::size_t count, const std::function<void(std::size_t, std::size_t)>& work);

/// Calls body(i) once for each i < count: in order where there are fewer than `worthwhile`, too few
/// to pay for waking other threads, else in parallel and in any order.
template <class Body>
void parallel_for_each_index(std::size_t count, std::size_t worthwhile, const Body& body) {
  const auto work = [&body](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) body(i);
  };
  if (count < worthwhile) {
    work(0, count);
  } else {
    for_each_range(count, work);
  }
}

/// The same for pieces of which two are worth another thread.
template <class Body>
void parallel_for_each_index(std::size_t count, const Body& body) {
  parallel_for_each_index(count, std::size_t{2}, body);
}

}  // namespace plimsoll
