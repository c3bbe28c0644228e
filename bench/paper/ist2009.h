// The parts of the repetition of [Weller2009, sec. 6]. Each prints a CSV to stdout; README.md tells
// how to read them.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "options.h"
#include "paper/sphere_bodies.h"

namespace plimsoll::bench {

/// Figures 7 and 8: distance, its time and its error, by the number of spheres.
Result<void> print_distances(const Options& options);

/// Figure 6: force and torque along a path.
Result<void> print_path(const Options& options);
/// Work round closed loops, and how far the forces of two bodies are from opposite.
Result<void> print_loops(const Options& options);

/// Mean and largest of what is added.
class MeanAndWorst {
 public:
  void add(double value) {
    sum_ += value;
    worst_ = std::fmax(worst_, value);
    ++count_;
  }
  [[nodiscard]] double mean() const { return sum_ / static_cast<double>(count_); }
  [[nodiscard]] double worst() const { return worst_; }

 private:
  double sum_ = 0, worst_ = 0;
  std::size_t count_ = 0;
};

/// Whether a body is asked for.
inline bool is_wanted(const Options& options, const Scenario& body) {
  return options.only.empty() || options.only == body.name;
}

}  // namespace plimsoll::bench
