// What [Govindaraju2004, sec. 4.1 and 6] names in place of boxes around fattened triangles, to be
// measured against them. All enclose the Minkowski sum of a triangle with FAR's ball.
#pragma once

#include <cstddef>
#include <span>

#include "gl/visibility.h"

namespace plimsoll::bench {

/// Triangular prisms, with corners cut off where they are sharp. 20 faces.
void add_prisms(std::span<const std::array<Vec3, 3>> part, const ViewVolume& volume,
                SolidMesh& solids);

/// Bounded exact offsets: along each edge a box around the cylinder with balls at its ends, and the
/// triangle moved by the radius to both sides. 38 faces.
void add_edge_boxes(std::span<const std::array<Vec3, 3>> part, const ViewVolume& volume,
                    SolidMesh& solids);

/// The same, where the box of an edge that triangles of a part share is drawn once. It is square
/// across the edge, so that it is one for both.
void add_shared_edge_boxes(std::span<const std::array<Vec3, 3>> part, const ViewVolume& volume,
                           SolidMesh& solids);

/// Icosahedra around balls around triangles. 20 faces.
void add_balls(std::span<const std::array<Vec3, 3>> part, const ViewVolume& volume,
               SolidMesh& solids);

/// Boxes with sides along x, y and z. 12 faces.
void add_axis_boxes(std::span<const std::array<Vec3, 3>> part, const ViewVolume& volume,
                    SolidMesh& solids);

/// Exact offsets, by a fragment program: of each pixel's center that a box has a fragment for, the
/// nearest and the farthest point of the sum in that column, or none. A Renderer of
/// colliding_set.h.
class ExactOffsets : public GlVisibility {
 public:
  [[nodiscard]] static Result<VisibilityImage> create_image();

  ExactOffsets(const VisibilityImage& image, int pixels, double fattening);

  void load(const CullScene& scene, std::span<const CullPart> parts, const ViewVolume& volume,
            CullLevel level);

 private:
  int pixels_;
  gl::Buffer corners_;
  gl::Texture texture_;
};

}  // namespace plimsoll::bench
