// What is asked of a floating body, counted: the same on any machine, and for any number of
// threads.
#pragma once

#include <plimsoll/floating.h>

#include <atomic>
#include <cstdint>

namespace plimsoll {

/// Questions and the triangles that were looked at for them. Several threads add.
class WaterWork {
 public:
  void add_submersion(std::uint64_t triangles) {
    questions_.fetch_add(1, std::memory_order_relaxed);
    clipped_.fetch_add(triangles, std::memory_order_relaxed);
  }
  void add_surface(std::uint64_t triangles) {
    questions_.fetch_add(1, std::memory_order_relaxed);
    passed_.fetch_add(triangles, std::memory_order_relaxed);
  }

  [[nodiscard]] std::uint64_t questions() const { return questions_; }
  [[nodiscard]] std::uint64_t clipped() const { return clipped_; }  ///< Triangles.
  [[nodiscard]] std::uint64_t passed() const { return passed_; }    ///< Triangles.

  /// What it took, in microseconds of a core of 3 GHz: 1.1 to 1.5 times what was measured, on a
  /// faster one, for scans, cylinders and cones of 1,000 to 80,000 triangles.
  [[nodiscard]] double microseconds() const {
    return 0.5 * static_cast<double>(questions_) + 0.009 * static_cast<double>(clipped_) +
           0.05 * static_cast<double>(passed_);
  }

 private:
  std::atomic<std::uint64_t> questions_{0}, clipped_{0}, passed_{0};
};

/// The body, with the same answers, which adds to `work` what it is asked. Solids that are not
/// trees count their questions alone. `work` has to outlive it.
[[nodiscard]] FloatingBody counted(const FloatingBody& body, WaterWork& work);

/// SolidTree::submersion and surface_between; adds the triangles that were looked at.
[[nodiscard]] Submersion counted_submersion(const SolidTree& tree, const WaterPlane& water,
                                            const SubmersionParts& parts, std::uint64_t& triangles);
[[nodiscard]] ProjectedSurface counted_surface(const SolidTree& body, const WaterPlane& water,
                                               const LeaningPlanes& planes, double enough,
                                               std::uint64_t& triangles);

}  // namespace plimsoll
