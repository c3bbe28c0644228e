// Walks down a tree to the leaves near a point, or on a ray, eight boxes in float at once.
//
// Points are relative to the center of the tree's frame, in its units. Nothing that a box in
// doubles would let through is missed: boxes are larger by what floats round.
#pragma once

#include <plimsoll/types.h>

#include <cstdint>

#include "tree/triangle_tree.h"

namespace plimsoll {

/// Takes a leaf, and tells how far away others still matter.
class LeafVisitor {
 public:
  virtual double visit(std::uint32_t leaf) = 0;

 protected:
  ~LeafVisitor() = default;
};

/// Whether coordinates are small enough beside the tree for floats to tell boxes apart.
[[nodiscard]] bool fits_float_walk(const TriangleTree& tree, const Vec3& point);

/// Visits the leaves whose boxes, larger by `room`, are no farther from the point than `farthest`,
/// or what the visitor said last; nearer boxes first. Precondition: fits_float_walk; triangles.
void walk_near(const TriangleTree& tree, const Vec3& point, double room, double farthest,
               LeafVisitor& visitor);

/// The same of a ray along `direction`, of length 1: distances are along it.
void walk_on_ray(const TriangleTree& tree, const Vec3& from, const Vec3& direction, double room,
                 double farthest, LeafVisitor& visitor);

}  // namespace plimsoll
