// How the time of queries grows on bodies that CAD, games and damaged files are full of, and on
// scans beside them: one thread. Prints a CSV to stdout; README.md tells how to read it.
//
//   cliffs [--only QUERY] [--rounds N]
#include <plimsoll/parallel.h>
#include <plimsoll/version.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "cliff_rows.h"
#include "harness.h"
#include "options.h"
#include "process_memory.h"

namespace plimsoll::bench {
namespace {

/// One of a row's two bodies at one size.
struct Measured {
  double triangles = 0, found = 0;
  double seconds = 0;    ///< Of one question.
  double prepared = 0;   ///< How long mesh and trees took, once [s].
  double megabytes = 0;  ///< At the peak of the first question, beyond what was there before.
};

struct Prepared {
  CliffJob job;
  Measured measured;
};

Prepared prepare(CliffJob (*make)(std::uint32_t), std::uint32_t size) {
  const double start = seconds_now(1);
  Prepared prepared{make(size), {}};
  Measured& measured = prepared.measured;
  measured.prepared = seconds_now(1) - start;
  measured.triangles = static_cast<double>(prepared.job.triangles);
  forget_peak();
  const double before = memory("VmRSS:"), asked = seconds_now(1);
  measured.found = static_cast<double>(prepared.job.ask());
  measured.seconds = seconds_now(1) - asked;
  measured.megabytes = memory("VmHWM:") - before;
  return prepared;
}

/// A body and the scan beside it, in turns.
struct Pair {
  Measured hard, scan;
};

Pair measure(const CliffRow& row, std::uint32_t size, int rounds) {
  Prepared hard = prepare(row.make, size), scan = prepare(row.make_scan, size);
  constexpr double kLong = 1;  // a second, after which a first call is not much slower than others
  if (hard.measured.seconds < kLong) {
    const auto work = [](const CliffJob& job) { return [&job] { (void)job.ask(); }; };
    const std::vector<double> seconds =
        time_interleaved({{"hard", 1, 0, work(hard.job)}, {"scan", 1, 0, work(scan.job)}}, rounds);
    hard.measured.seconds = seconds[0];
    scan.measured.seconds = seconds[1];
  }
  hard.measured.seconds /= static_cast<double>(hard.job.questions);
  scan.measured.seconds /= static_cast<double>(scan.job.questions);
  return {hard.measured, scan.measured};
}

/// Each in a process of its own, so that no question finds memory that another left.
std::optional<Pair> measure_alone(const CliffRow& row, std::uint32_t size, int rounds) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    Pair pair;
    with_threads(1, [&] { pair = measure(row, size, rounds); });
    const bool is_written = write(ends[1], &pair, sizeof(pair)) == sizeof(pair);
    _exit(is_written ? 0 : 1);
  }
  close(ends[1]);
  Pair pair;
  const bool is_read = child > 0 && read(ends[0], &pair, sizeof(pair)) == sizeof(pair);
  close(ends[0]);
  int status = 1;
  if (child > 0) waitpid(child, &status, 0);
  if (!is_read || status != 0) return {};
  return pair;
}

/// What a time is compared by.
double items(const CliffRow& row, const Measured& measured) {
  if (row.item == CliffItem::kQuestion) return 1;
  return measured.found + (row.item == CliffItem::kTriangle ? measured.triangles : 0);
}
double growth(const Measured& small, const Measured& large) {
  return std::log(large.seconds / small.seconds) /
         std::log((large.triangles + large.found) / (small.triangles + small.found));
}

Result<void> measure_row(const CliffRow& row, int rounds) {
  std::optional<Pair> small;
  for (const std::uint32_t size : row.sizes) {
    const std::optional<Pair> pair = measure_alone(row, size, rounds);
    if (!pair) return Error{ErrorCode::kResourceLimit, "a query failed", row.name};
    const auto& [hard, scan] = *pair;
    std::printf("%s,\"%s\",%.0f,%.0f,%.4g,%.3g,%.3g,\"%s\",%.0f,%.0f,%.4g,%.3g,%.3g,%.3g",
                row.query, row.name, hard.triangles, hard.found, 1e6 * hard.seconds,
                1e6 * hard.prepared, hard.megabytes, row.scan, scan.triangles, scan.found,
                1e6 * scan.seconds, 1e6 * scan.prepared, scan.megabytes,
                hard.seconds / items(row, hard) / (scan.seconds / items(row, scan)));
    if (small)
      std::printf(",%.2f,%.2f\n", growth(small->hard, hard), growth(small->scan, scan));
    else
      std::puts(",,");
    std::fflush(stdout);
    small = pair;
  }
  return {};
}

Result<void> run(const Options& options) {
  std::puts(
      "query,body,triangles,found,us,prepared_us,peak_mb,scan,scan_triangles,scan_found,scan_us,"
      "scan_prepared_us,scan_peak_mb,ratio,growth,scan_growth");
  for (const CliffRow& row : cliff_rows())
    if (options.only.empty() || options.only == row.query)
      if (const Result<void> done = measure_row(row, options.rounds); !done) return done;
  return {};
}

}  // namespace
}  // namespace plimsoll::bench

int main(int argc, char** argv) {
  using namespace plimsoll::bench;
  const std::optional<Options> options = options_of(argc, argv, 3);
  if (!options) return 2;
  std::fprintf(stderr, "plimsoll %s, %s\n", plimsoll::version().c_str(),
               plimsoll::simd_level().c_str());
  print_load();
  return exit_code(run(*options));
}
