// Triangles with normals for the light: smooth where the surface is, sharp along its edges.
#pragma once

#include <plimsoll/mesh.h>

#include <cstdint>
#include <vector>

namespace plimsoll::viewer {

/// For OpenGL: x y z and the normal's x y z for each corner.
struct SolidMesh {
  std::vector<float> corners;
  std::vector<std::uint32_t> indices;
};

/// The normal of a corner is the mean of those of the triangles at its vertex, by area, that are
/// within 40 degrees of its own.
[[nodiscard]] SolidMesh with_normals(const TriangleMesh& mesh);

}  // namespace plimsoll::viewer
