// Which of many balls is nearest to a point.
#pragma once

#include <plimsoll/sphere_packing.h>
#include <plimsoll/types.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/no_index.h"
#include "tree/float_boxes.h"

namespace plimsoll {

/// A ball, and how far a point is from its surface: below 0 within.
struct NearestBall {
  double distance = 0;
  std::uint32_t ball = kNoIndex;  ///< kNoIndex: none within the limit.
  [[nodiscard]] bool found() const { return ball != kNoIndex; }
};

/// A wide tree over balls along the Morton curve of their centers. No box is larger than `reach`.
class BallTree {
 public:
  static constexpr std::size_t kLeaf = 8;
  struct alignas(64) Leaf {
    double center[3][kLeaf], radius[kLeaf];
    std::uint32_t number[kLeaf];
  };

  BallTree() = default;
  /// O(n log n). The balls must outlive the tree. No coordinate of a center exceeds `reach`.
  BallTree(std::span<const PlacedSphere> balls, double reach);

  /// The ball with the least |point - c| - r where that is below `limit`, and any ball that the
  /// point lies in where there is one. |point - c| is rounded down by at most 2^-50 of the
  /// coordinates.
  [[nodiscard]] NearestBall nearest(const Vec3& point, double limit) const;

  /// All balls whose surface is no farther from the point than `distance`; where there are more
  /// than `most`, some of them, more than `most`.
  [[nodiscard]] std::vector<NearestBall> near(
      const Vec3& point, double distance,
      std::size_t most = std::numeric_limits<std::size_t>::max()) const;

  [[nodiscard]] const PlacedSphere& ball(std::uint32_t number) const { return balls_[number]; }

  [[nodiscard]] std::size_t levels() const { return first_.size(); }
  [[nodiscard]] std::size_t width(std::size_t level) const {
    return level == levels()
               ? leaves_.size()
               : (level + 1 < levels() ? first_[level + 1] : boxes_.size()) - first_[level];
  }
  [[nodiscard]] const FloatBoxes<8>& boxes(std::size_t level, std::size_t number) const {
    return boxes_[first_[level] + number];
  }
  [[nodiscard]] const Leaf& leaf(std::size_t number) const { return leaves_[number]; }
  [[nodiscard]] double reach() const { return reach_; }

 private:
  std::span<const PlacedSphere> balls_;
  std::vector<std::size_t> first_;  // of each level, the root's first
  std::vector<FloatBoxes<8>> boxes_;
  std::vector<Leaf> leaves_;  // balls that are not there are far away
  double reach_ = 0;
};

}  // namespace plimsoll
