// A mesh on graphics hardware: its vertices in float32, its triangles, and drawing any range of
// them.
#pragma once

#include <epoxy/gl.h>
#include <plimsoll/mesh.h>

#include <cstddef>
#include <span>
#include <vector>

#include "gl/objects.h"

namespace plimsoll::gl {

/// The triangles first, first + 1, ..., first + count - 1 of a mesh.
struct TriangleRange {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// A context is current in every call. Positions are attribute 0 of a vertex shader
/// (`layout(location = 0) in vec3`). Drawing sets neither program nor uniforms nor viewport: the
/// caller does, so that one mesh serves any program.
class MeshBuffer {
 public:
  MeshBuffer() = default;

  /// Copies the triangles of `mesh`, and `vertices` in place of its own: 3 x vertex count, in the
  /// coordinates that the caller's programs expect. Precondition: check_mesh.
  MeshBuffer(const MeshView& mesh, std::span<const float> vertices);

  /// Replaces all vertices, as when the body has moved. The triangles stay.
  void set_vertices(std::span<const float> vertices);

  [[nodiscard]] std::size_t triangle_count() const { return triangle_count_; }
  [[nodiscard]] std::size_t vertex_count() const { return vertex_count_; }

  /// Draws all triangles, or those of `range`, which must exist.
  void draw() const { draw({0, triangle_count_}); }
  void draw(TriangleRange range) const;

  /// Draws every vertex once, in order, as a point.
  void draw_points() const;

 private:
  VertexArray array_;
  Buffer vertices_;
  Buffer indices_;
  std::size_t vertex_count_ = 0;
  std::size_t triangle_count_ = 0;
  bool is_indexed_ = false;
};

/// The vertices of `mesh` as MeshBuffer takes them, each mapped from Vec3 to Vec3 by `map` in
/// double before it is rounded.
template <class Map>
[[nodiscard]] std::vector<float> float_vertices(const MeshView& mesh, const Map& map) {
  std::vector<float> vertices;
  vertices.reserve(3 * mesh.vertex_count());
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    const Vec3 p = map(mesh.vertex(v));
    for (int k = 0; k < 3; ++k) vertices.push_back(static_cast<float>(p[k]));
  }
  return vertices;
}

}  // namespace plimsoll::gl
