// Timing side by side. All rows of a scenario are timed once per round, in turn, so that a slow
// spell of the machine falls on all of them alike; a row's figure is its median over the rounds.
#pragma once

#include <hwy/targets.h>
#include <plimsoll/parallel.h>
#include <plimsoll/result.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "options.h"

namespace plimsoll::bench {

struct Row {
  std::string system;
  int threads = 1;
  std::size_t ours = 0;  ///< The row that ratio_to_ours divides by.
  std::function<void()> work;
  std::int64_t instruction_set =
      0;  ///< The only one that Plimsoll may use; 0: the widest there is.
};

/// One thread is timed by its own CPU time, which other programs do not lengthen. Several are timed
/// by the clock on the wall: the CPU time of a process adds up its threads and would hide the gain.
inline double seconds_now(int threads) {
  timespec now{};
  clock_gettime(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Restricts a row's work to its instruction set. The first call after a change asks the processor
/// what it has, which is not to be timed.
class InstructionSet {
 public:
  explicit InstructionSet(const Row& row) : row_(row) { set(row.instruction_set); }
  ~InstructionSet() { set(0); }
  InstructionSet(const InstructionSet&) = delete;
  InstructionSet& operator=(const InstructionSet&) = delete;

 private:
  void set(std::int64_t only) const {
    if (row_.instruction_set == 0) return;
    hwy::SetSupportedTargetsForTest(only);
    row_.work();
  }

  const Row& row_;
};

/// Seconds that one call takes, from a batch of them.
inline double time_batch(const Row& row, int calls) {
  const InstructionSet only(row);
  double seconds = 0;
  with_threads(row.threads, [&] {
    const double start = seconds_now(row.threads);
    for (int i = 0; i < calls; ++i) row.work();
    seconds = seconds_now(row.threads) - start;
  });
  return seconds / calls;
}

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The value below which that part of them lies.
inline double quantile(std::vector<double> values, double part) {
  const auto place = std::llround(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<std::size_t>(place)];
}

/// Calls that fill a batch of `seconds`, which is long against the clock's step and the first,
/// cold call. The first call here warms up.
inline int calls_per_batch(const Row& row, double seconds) {
  time_batch(row, 1);
  const double once = std::max(time_batch(row, 1), 1e-9);
  return static_cast<int>(std::clamp(std::ceil(seconds / once), 1.0, 1e6));
}

/// Seconds per call of each row.
inline std::vector<double> time_interleaved(const std::vector<Row>& rows, int rounds,
                                            double batch_seconds = 5e-3) {
  std::vector<int> calls;
  for (const Row& row : rows) calls.push_back(calls_per_batch(row, batch_seconds));
  std::vector<std::vector<double>> samples(rows.size());
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < rows.size(); ++i)
      samples[i].push_back(time_batch(rows[i], calls[i]));
  std::vector<double> medians;
  for (const auto& of_row : samples) medians.push_back(median(of_row));
  return medians;
}

inline void print_header() {
  std::puts("scenario,triangles,system,threads,ns_per_triangle,ratio_to_ours");
}

inline void print_rows(const std::string& scenario, std::size_t triangles,
                       const std::vector<Row>& rows, const std::vector<double>& seconds) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::printf("%s,%zu,%s,%d,%.4g,%.4g\n", scenario.c_str(), triangles, rows[i].system.c_str(),
                rows[i].threads, 1e9 * seconds[i] / static_cast<double>(triangles),
                seconds[i] / seconds[rows[i].ours]);
  std::fflush(stdout);
}

/// Tells on stderr how busy the machine is: figures taken beside other work are not worth keeping.
inline void print_load() {
  double load[1] = {0};
  if (getloadavg(load, 1) == 1) std::fprintf(stderr, "load average %.2f\n", load[0]);
}

/// What a benchmark's main returns, after it has said how it ended.
inline int exit_code(const Result<void>& done) {
  if (!done) {
    std::fprintf(stderr, "%s: %s\n", done.error().where.c_str(), done.error().message.c_str());
    return 1;
  }
  print_load();
  return 0;
}

/// The main of a benchmark that does run(options).
template <class Run>
int run_with_options(int argc, char** argv, const Run& run) {
  const std::optional<Options> options = options_of(argc, argv);
  return options ? exit_code(run(*options)) : 2;
}

}  // namespace plimsoll::bench
