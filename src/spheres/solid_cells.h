// Space cut into cubes of which it is known that all of each is inside a solid, or outside, but for
// small ones about the surface: how far the surface is at least.
#pragma once

#include <plimsoll/types.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace plimsoll {

enum class CellSide : std::uint8_t { kOutside, kInside, kUnknown };

/// A closed cube.
struct SolidCell {
  Vec3 center = Vec3::Zero();
  double half = 0;  ///< Of its edge.
};

/// An octree. Cubes of which nothing is known are halved. Immutable, so that threads may share it.
class SolidCells {
 public:
  /// Cuts `root`, outside of which there is nothing of the solid, `levels` times. `side_of` proves
  /// where all of a cube is, its border included; threads call it side by side. O(cubes that are
  /// cut), in parallel.
  SolidCells(const SolidCell& root, int levels,
             const std::function<CellSide(const SolidCell&)>& side_of);

  /// How far a point is from all that is not known to be inside; 0 where it is not inside itself.
  /// Beyond `limit` it is not looked for, and the result is that.
  [[nodiscard]] double depth(const Vec3& point, double limit) const;
  /// How far a point is from all that is not known to be outside.
  [[nodiscard]] double distance(const Vec3& point, double limit) const;

 private:
  /// A cube that is cut. Its k-th part is on the upper side along axis i where bit i of k is set.
  struct Node {
    std::uint8_t inside = 0, unknown = 0;  // the parts that are
    std::uint32_t first_child = 0;         // of those unknown, in the next level, in their order
  };
  [[nodiscard]] double to_nearest(const Vec3& point, CellSide ignored, double limit) const;
  void visit(std::size_t level, std::uint32_t number, const SolidCell& cell, const Vec3& point,
             CellSide ignored, double& squared) const;

  SolidCell root_;
  CellSide side_;                          // of the root
  std::vector<std::vector<Node>> levels_;  // the parts of the last are not cut
};

}  // namespace plimsoll
