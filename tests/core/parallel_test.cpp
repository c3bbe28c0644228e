#include "core/parallel.h"

#include <doctest/doctest.h>
#include <plimsoll/parallel.h>

#include <numeric>
#include <vector>

namespace plimsoll {
namespace {

TEST_CASE("each piece of a loop is done once, by any number of threads") {
  for (const int threads : {1, 2, 4, 8}) {
    CAPTURE(threads);
    std::vector<int> visits(1000);
    with_threads(threads, [&] {
      parallel_for_each_index(visits.size(), [&](std::size_t i) { ++visits[i]; });
    });
    CHECK(visits == std::vector<int>(1000, 1));
  }
}

TEST_CASE("loops of no and of one piece are loops") {
  int calls = 0;
  parallel_for_each_index(0, [&](std::size_t) { ++calls; });
  CHECK(calls == 0);
  parallel_for_each_index(1, [&](std::size_t i) { calls += static_cast<int>(i) + 1; });
  CHECK(calls == 1);
}

// Inner loops write what the outer piece reads after them, and the caller reads what all wrote.
TEST_CASE("a loop inside a loop is over before its piece goes on") {
  std::vector<double> sums(100);
  for (int round = 0; round < 20; ++round) {
    with_threads(8, [&] {
      parallel_for_each_index(sums.size(), [&](std::size_t i) {
        std::vector<double> inner(64);
        parallel_for_each_index(inner.size(),
                                [&](std::size_t j) { inner[j] = static_cast<double>(i + j); });
        sums[i] = std::accumulate(inner.begin(), inner.end(), 0.0);
      });
    });
    for (std::size_t i = 0; i < sums.size(); ++i)
      REQUIRE(sums[i] == 64.0 * static_cast<double>(i) + 63 * 32);
  }
}

TEST_CASE("a limit on threads holds inside the call and not after it") {
  const int before = thread_limit();
  int inside = 0;
  with_threads(3, [&] { inside = thread_limit(); });
  CHECK(inside == 3);
  CHECK(thread_limit() == before);
}

}  // namespace
}  // namespace plimsoll
