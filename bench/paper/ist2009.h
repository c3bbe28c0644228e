// The parts of the repetition of [Weller2009, sec. 6]. Each prints a CSV to stdout; README.md tells
// how to read them.
#pragma once

#include <plimsoll/overlap.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "checked.h"
#include "harness.h"
#include "options.h"
#include "paper/sphere_bodies.h"
#include "spheres/sphere_overlap.h"

namespace plimsoll::bench {

/// Figures 7 and 8: distance, its time and its error, by the number of spheres.
Result<void> print_distances(const Options& options);

/// Figure 6: force and torque along a path.
Result<void> print_path(const Options& options);
/// Work round closed loops, and how far the forces of two bodies are from opposite.
Result<void> print_loops(const Options& options);

/// Figure 9: volume, its time and its error, by the number of spheres; the exact query beside them.
Result<void> print_volumes(const Options& options);
/// Figure 10: error by the number of pairs that are opened.
Result<void> print_tests(const Options& options);
/// Error by time, of spheres and of the exact query's estimates.
Result<void> print_budgets(const Options& options);
/// Hundreds of contacts at once.
Result<void> print_contacts(const Options& options);
/// Poses and exact volumes of a body, ours and CGAL's, for other libraries.
Result<void> print_booleans(const Options& options);

inline constexpr std::uint64_t kPoseSeed = 2;

inline volatile double sink;  // what is computed must look used

/// CPU seconds of a call, the median of the rounds.
inline double seconds_of(const std::function<void()>& work, int rounds) {
  return time_interleaved({{"", 1, 0, work}}, rounds, 0).front();
}

/// A body and its twin: what they share, exact but for rounding.
class ExactTwins {
 public:
  explicit ExactTwins(const TriangleMesh& mesh) : solid_(MeshTree(checked(mesh))) {}

  [[nodiscard]] Result<Overlap> overlap(const Similarity& pose) {
    return search_.overlap(solid_, Similarity::Identity(), solid_, pose);
  }
  [[nodiscard]] Result<OverlapEstimate> estimate(const Similarity& pose, double max_time) {
    return search_.estimate(solid_, Similarity::Identity(), solid_, pose, {.max_time = max_time});
  }

 private:
  SolidTree solid_;
  OverlapSearch search_;
};

/// Poses, and the volume that is shared there.
struct Truth {
  std::vector<OverlapPose> poses;
  std::vector<double> volumes;
};

[[nodiscard]] Result<Truth> truth_of(const PackedSolid& body, const PackedTrees& trees,
                                     const std::vector<double>& shares, int each);

/// The volume by each kind of sphere, by the published walk and by what users ask.
struct VolumeSystem {
  const char* name;
  std::function<double(const Similarity&)> volume;
};

[[nodiscard]] std::vector<VolumeSystem> volume_systems(const PackedTrees& trees, SphereWalk& walk,
                                                       SphereSearch& search);

/// One of volume_bodies().
[[nodiscard]] Result<Scenario> volume_body(const std::string& name);

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
