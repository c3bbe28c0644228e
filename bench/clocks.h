// Timing on two clocks, for work that other threads may do: OpenGL without graphics hardware draws
// on threads of its own. Interleaved and in medians as harness.h.
#pragma once

#include <plimsoll/parallel.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "harness.h"

namespace plimsoll::bench {

/// What a call takes [s].
struct Times {
  double cpu = 0;   ///< Of all threads of the process: other programs do not lengthen it.
  double wall = 0;  ///< What a user waits.
};

inline Times operator-(const Times& a, const Times& b) { return {a.cpu - b.cpu, a.wall - b.wall}; }

inline Times times_now() {
  const auto read = [](clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  };
  return {read(CLOCK_PROCESS_CPUTIME_ID), read(CLOCK_MONOTONIC)};
}

inline Times time_calls(const std::function<void()>& work, int calls) {
  const Times start = times_now();
  for (int i = 0; i < calls; ++i) work();
  const Times taken = times_now() - start;
  return {taken.cpu / calls, taken.wall / calls};
}

/// How long to measure.
struct Patience {
  int rounds = 15;
  int fewest_rounds = 3;
  double batch_seconds = 5e-3;  ///< As many calls in a row as this takes.
  double row_seconds = 0.4;     ///< Rows that take longer over all rounds have fewer rounds.
};

/// Times per call of each piece of work, Plimsoll on one thread.
inline std::vector<Times> time_on_two_clocks(const std::vector<std::function<void()>>& rows,
                                             const Patience& patience) {
  std::vector<Times> medians;
  with_threads(1, [&] {
    std::vector<int> calls, rounds;
    for (const auto& work : rows) {
      double once = time_calls(work, 1).wall;  // warms up
      if (once < patience.row_seconds / 4) once = std::max(time_calls(work, 1).wall, 1e-9);
      calls.push_back(static_cast<int>(std::clamp(patience.batch_seconds / once, 1.0, 1e6)));
      const double fitting = patience.row_seconds / (once * calls.back());
      rounds.push_back(std::clamp(static_cast<int>(std::min(fitting, 1e3)), patience.fewest_rounds,
                                  std::max(patience.rounds, patience.fewest_rounds)));
    }
    std::vector<std::vector<double>> cpu(rows.size()), wall(rows.size());
    for (int round = 0; round < *std::max_element(rounds.begin(), rounds.end()); ++round)
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (round >= rounds[i]) continue;
        const Times taken = time_calls(rows[i], calls[i]);
        cpu[i].push_back(taken.cpu);
        wall[i].push_back(taken.wall);
      }
    for (std::size_t i = 0; i < rows.size(); ++i)
      medians.push_back({median(cpu[i]), median(wall[i])});
  });
  return medians;
}

}  // namespace plimsoll::bench
