// How far the convex hulls of two posed solids reach into each other along a direction.
#pragma once

#include <plimsoll/solid_tree.h>

#include <vector>

namespace plimsoll {

class HullExtents {
 public:
  /// Poses all vertices. O(n).
  HullExtents(const SolidTree& a, const Similarity& world_from_a, const SolidTree& b,
              const Similarity& world_from_b);

  /// How far A has to go along a unit vector until a plane square to it parts the hulls [m]. O(n).
  [[nodiscard]] double depth(const Vec3& direction) const {
    return difference(direction).dot(direction);
  }
  /// From A's vertex that is last to leave to B's that holds it.
  [[nodiscard]] Vec3 difference(const Vec3& direction) const;

 private:
  std::vector<Vec3> a_, b_;
};

}  // namespace plimsoll
