// How spheres are grouped below the nodes of a hierarchy, wherever they are.
#pragma once

#include <plimsoll/sphere_packing.h>
#include <plimsoll/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "spheres/sphere_hierarchy.h"

namespace plimsoll {

class SphereGroups {
 public:
  /// Precondition: as make_sphere_hierarchy has of the layout.
  explicit SphereGroups(const HierarchyLayout& layout);

  /// Radii of spheres about the centers, no larger than the depths, of which no two overlap but for
  /// a touch: distances are rounded down. First each in turn is as large as those before it leave
  /// room, but no larger than its first radius; then each in turn grows as far as all others leave
  /// room. 0 where there is none. A walk down boxes around the centers of each node, less the
  /// largest radius there: O(log n) a sphere as a rule.
  [[nodiscard]] std::vector<double> radii_in_turn(std::span<const Vec3> centers,
                                                  std::span<const double> depths,
                                                  std::span<const double> first_radii) const;

  /// The layout of the spheres whose radius is above 0, numbered anew in their order: nodes that
  /// have one child left are left out, and centers are those of the smallest balls around what is
  /// below. O(n log n), in parallel. Precondition: a sphere has a radius above 0.
  [[nodiscard]] HierarchyLayout layout_of_present(std::span<const PlacedSphere> spheres) const;

  /// What they take [bytes].
  [[nodiscard]] std::size_t memory() const {
    return nodes_.size() * sizeof(Node) + 2 * order_.size() * sizeof(std::uint32_t);
  }

 private:
  struct Node {
    std::uint32_t first = 0;     ///< Of the children, which stand in a row; a leaf's sphere.
    std::uint32_t children = 0;  ///< 0: a leaf.
    std::uint32_t parent = 0;
    std::uint32_t begin = 0, end = 0;  ///< Its spheres among `order_`.
  };

  std::size_t branching_;
  std::vector<Node> nodes_;            // the root first, then level by level
  std::vector<std::uint32_t> leaves_;  // of each sphere
  std::vector<std::uint32_t> order_;   // spheres, those of each node in a row
};

}  // namespace plimsoll
