// The tree over the spheres of a packing [Weller2009, sec. 3.2].
#pragma once

#include <plimsoll/sphere_packing.h>
#include <plimsoll/sphere_tree.h>
#include <plimsoll/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "spheres/sphere_shares.h"

namespace plimsoll {

/// A node, or a leaf, which is one sphere. All balls of a node are about its center.
struct SphereNode {
  Vec3 center = Vec3::Zero();
  double radius = 0;            ///< The ball encloses the primary spheres of all leaves below.
  double secondary_radius = 0;  ///< Encloses their secondary spheres.
  double reach = 0;             ///< Encloses the parts of the solid that they stand for.
  double volume = 0;            ///< Of the primary spheres below.
  double secondary_volume = 0;  ///< Of the secondary spheres below.
  double uncovered = 0;         ///< Of the parts below, what no primary sphere covers: upper bound.
  Vec3 volume_center = Vec3::Zero();     ///< Centroid of the primary spheres below.
  Vec3 secondary_center = Vec3::Zero();  ///< Centroid of the secondary spheres below.
  NormalCone cone;                       ///< Contains the cones below.
  std::uint32_t first = 0;     ///< Of the children, which stand in a row; a leaf's sphere.
  std::uint32_t children = 0;  ///< 0: a leaf.
};

struct SphereHierarchy {
  std::size_t branching = 4;
  /// The root first, then level by level; the children of a node stand before those of the next
  /// one. Not empty.
  std::vector<SphereNode> nodes;
};

[[nodiscard]] const SphereHierarchy& hierarchy_of(const SphereTree& tree);

/// No leaf is deeper; the root has depth 0.
inline constexpr std::size_t kMaxSphereDepth = 128;

/// Top-down: batch neural gas with magnification control makes `branching` clusters of the spheres
/// of a node. Balls about a node's center are rounded up by less than 2^-49 of themselves, the
/// angle of its cone by 2^-49. Without shares the radii are the primary ones and the cones hold all
/// directions. Precondition: at least one sphere; branching from 2 to 16.
[[nodiscard]] SphereHierarchy make_sphere_hierarchy(std::span<const PlacedSphere> spheres,
                                                    std::span<const SphereShare> shares,
                                                    SecondaryRadii radii, std::size_t branching);

/// The part of a hierarchy that takes long to find: the rest follows from it and the spheres.
struct HierarchyLayout {
  std::size_t branching = 4;
  std::vector<std::uint8_t>
      children;  ///< Counts for all nodes, in the order of the nodes; 0: leaf.
  std::vector<std::uint32_t> spheres;  ///< Of the leaves, in their order.
  std::vector<Vec3> centers;           ///< Of all other nodes, in their order [m].
};

[[nodiscard]] HierarchyLayout layout_of(const SphereHierarchy& hierarchy);

/// The hierarchy that has this layout: to the last bit the one whose layout it is. O(depth n).
/// Preconditions: each node but the root is the child of one before it, none deeper than
/// kMaxSphereDepth; each sphere has one leaf; no center's coordinate is above twice the largest of
/// the spheres' lengths.
[[nodiscard]] SphereHierarchy make_sphere_hierarchy(std::span<const PlacedSphere> spheres,
                                                    std::span<const SphereShare> shares,
                                                    SecondaryRadii radii,
                                                    const HierarchyLayout& layout);

/// Sets both centroids of all nodes from the centers and volumes of the leaves.
void set_volume_centers(SphereHierarchy& hierarchy);

}  // namespace plimsoll
