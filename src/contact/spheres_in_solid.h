// The inner spheres of one body in a solid that has none, but its surface.
#pragma once

#include <plimsoll/contact.h>
#include <plimsoll/solid_tree.h>
#include <plimsoll/sphere_tree.h>

#include <cstdint>
#include <vector>

namespace plimsoll {

/// What spheres and a solid have in common.
struct SpheresInSolid {
  /// Of each sphere that reaches into the solid, one; `way` pushes the spheres out.
  std::vector<ContactPoint> points;
  double area = 0;          ///< Of all [m^2].
  double volume = 0;        ///< Of the spheres, in the solid [m^3].
  bool is_complete = true;  ///< All spheres were reached in time.
};

/// Asks one question after the other, and keeps its memory. One thread at a time.
class SpheresInSolidSearch {
 public:
  /// Of a sphere of radius r whose center is s from the surface, below 0 inside, the part V(s)
  /// counts that a plane at that distance cuts off. It is pushed by that along the way from or to
  /// the nearest point: minus the gradient of U(s), where U' = -V, so that no work is done around
  /// closed paths. The deepest come first. Where `max_time` [s] ends before all, nodes of the tree
  /// that lie inside push as one, and what lies across the surface and was not reached does not
  /// push: the push is then too weak. Distances are right to rounding; inside and outside are
  /// decided exactly (winding numbers) where the nearest point is none of a face. Precondition:
  /// check_pose (shape.h) accepts the poses; the solid has triangles, and is closed. O(spheres near
  /// the surface and inside, times log of the triangles).
  [[nodiscard]] SpheresInSolid find(const SphereTree& spheres, const Similarity& world_from_spheres,
                                    const SolidTree& solid, const Similarity& world_from_solid,
                                    double max_time);

 private:
  struct Open {
    std::uint32_t node;
    bool is_whole;    // in the solid
    double distance;  // of its center from the surface, below 0 inside
    double nearest;   // that less its radius
    Vec3 at, way;     // the nearest point, and the way out
  };
  std::vector<Open> open_;
};

}  // namespace plimsoll
