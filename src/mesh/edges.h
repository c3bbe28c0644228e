// Which triangles meet at which edges.
//
// An edge is an unordered pair of vertices, equal by index. A half-edge is an edge as one triangle
// runs along it: number 3 t + k goes from corner k of triangle t to the next. Triangles that name a
// vertex twice have no half-edges.
#pragma once

#include <plimsoll/mesh.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/mean.h"
#include "core/no_index.h"

namespace plimsoll {

constexpr std::uint32_t next_half_edge(std::uint32_t h) { return h % 3 == 2 ? h - 2 : h + 1; }
constexpr std::uint32_t previous_half_edge(std::uint32_t h) { return h % 3 == 0 ? h + 2 : h - 1; }
inline bool has_half_edges(const Triangle& t) {
  return t[0] != t[1] && t[1] != t[2] && t[2] != t[0];
}

struct Edges {
  /// The other half-edge of an edge of exactly two triangles, whichever way it runs; else kNoIndex.
  std::vector<std::uint32_t> twin;

  /// Half-edges of edges of three triangles or more, edge after edge; edge i begins at fan_begin[i]
  /// and ends at fan_begin[i + 1].
  std::vector<std::uint32_t> fans;
  std::vector<std::uint32_t> fan_begin{0};

  // One half-edge for each faulty edge.
  std::vector<std::uint32_t> boundary;      ///< Of one triangle.
  std::vector<std::uint32_t> inconsistent;  ///< Of two that run along it the same way.
  std::vector<std::uint32_t> unbalanced;    ///< Of three or more, not equally often both ways.

  std::vector<std::uint32_t> repeated;  ///< Triangles that name a vertex twice.
  std::size_t vertices = 0;             ///< Named by some triangle that has half-edges.

  [[nodiscard]] std::size_t fan_count() const { return fan_begin.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> fan(std::size_t i) const {
    return std::span(fans).subspan(fan_begin[i], fan_begin[i + 1] - fan_begin[i]);
  }
  /// Every edge is run along equally often in both directions: the triangles bound a solid.
  [[nodiscard]] bool are_balanced() const {
    return boundary.empty() && inconsistent.empty() && unbalanced.empty();
  }
};

/// Precondition: check_mesh. O(triangles + vertices), with no more than a logarithm where many
/// triangles share a vertex.
[[nodiscard]] Edges find_edges(const MeshView& mesh);

/// The corner where a half-edge starts, or ends.
[[nodiscard]] inline std::uint32_t start_of(const MeshView& mesh, std::uint32_t h) {
  return mesh.triangle(h / 3)[h % 3];
}
[[nodiscard]] inline std::uint32_t end_of(const MeshView& mesh, std::uint32_t h) {
  return mesh.triangle(h / 3)[(h % 3 + 1) % 3];
}

/// The centroid of a triangle.
[[nodiscard]] inline Vec3 centroid(const MeshView& mesh, std::uint32_t triangle) {
  const Triangle& v = mesh.triangle(triangle);
  return mean_of(std::array{mesh.vertex(v[0]), mesh.vertex(v[1]), mesh.vertex(v[2])});
}

}  // namespace plimsoll
