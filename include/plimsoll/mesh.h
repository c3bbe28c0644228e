// Triangle meshes: owned, borrowed, and checked to bound a solid.
// Triangles run counter-clockwise seen from outside. Lengths are in the caller's unit.
#pragma once

#include <plimsoll/result.h>
#include <plimsoll/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace plimsoll {

using Triangle = std::array<std::uint32_t, 3>;

/// A mesh that owns its arrays.
struct TriangleMesh {
  std::vector<Vec3> vertices;
  std::vector<Triangle> triangles;
};

/// A mesh in the caller's arrays, which must outlive it. Either indexed, or packed: then triangle t
/// has the corners 3t, 3t + 1, 3t + 2 and there are no indices. Cheap to copy.
class MeshView {
 public:
  MeshView() = default;
  MeshView(const TriangleMesh& mesh);

  /// `coordinates`: x y z per vertex, consecutive vertices `stride` scalars apart (3 or more);
  /// `indices`: 3 x triangle count.
  MeshView(std::span<const double> coordinates, std::span<const std::uint32_t> indices,
           std::size_t stride = 3);
  MeshView(std::span<const float> coordinates, std::span<const std::uint32_t> indices,
           std::size_t stride = 3);

  /// `coordinates`: 9 x triangle count.
  [[nodiscard]] static MeshView packed(std::span<const double> coordinates);
  [[nodiscard]] static MeshView packed(std::span<const float> coordinates);

  /// The same vertices with other triangles; `indices`: 3 x triangle count.
  [[nodiscard]] MeshView with_triangles(std::span<const std::uint32_t> indices) const;

  [[nodiscard]] std::size_t vertex_count() const { return vertex_count_; }
  [[nodiscard]] std::size_t triangle_count() const { return triangle_count_; }
  [[nodiscard]] bool is_packed() const { return indices_ == nullptr; }

  [[nodiscard]] Triangle triangle(std::size_t t) const {
    if (indices_ == nullptr) {
      const auto first = static_cast<std::uint32_t>(3 * t);
      return {first, first + 1, first + 2};
    }
    return {indices_[3 * t], indices_[3 * t + 1], indices_[3 * t + 2]};
  }
  [[nodiscard]] Vec3 vertex(std::size_t v) const {
    const std::size_t i = v * stride_;
    if (doubles_ != nullptr) return {doubles_[i], doubles_[i + 1], doubles_[i + 2]};
    return {floats_[i], floats_[i + 1], floats_[i + 2]};
  }

  /// The arrays themselves, for kernels: exactly one of doubles() and floats() is not null, and
  /// indices() is null when packed.
  [[nodiscard]] const double* doubles() const { return doubles_; }
  [[nodiscard]] const float* floats() const { return floats_; }
  [[nodiscard]] const std::uint32_t* indices() const { return indices_; }
  [[nodiscard]] std::size_t stride() const { return stride_; }

 private:
  const double* doubles_ = nullptr;
  const float* floats_ = nullptr;
  const std::uint32_t* indices_ = nullptr;
  std::size_t stride_ = 3;
  std::size_t vertex_count_ = 0;
  std::size_t triangle_count_ = 0;
};

/// Checks what every algorithm takes for granted: each index names a vertex, each coordinate that a
/// triangle names is finite, and there are at most 2^32 / 3 triangles and 2^31 vertices.
/// Errors: `InvalidArgument`, naming the first triangle or vertex at fault; `ResourceLimit`.
[[nodiscard]] Result<void> check_mesh(const MeshView& mesh);

/// The box of the vertices that some triangle names. Precondition: check_mesh.
[[nodiscard]] Box3 bounding_box(const MeshView& mesh);

/// `mesh` with vertices of equal coordinates (-0 equals 0) made one and vertices that no triangle
/// names left out. Triangles keep their number, order and first corner; vertices are ordered by
/// their first use. Precondition: check_mesh. O(corners).
[[nodiscard]] TriangleMesh weld(const MeshView& mesh);

/// What weld with a tolerance made.
struct Welding {
  TriangleMesh mesh;
  std::size_t merged = 0;     ///< Vertices with coordinates of their own that became another one.
  std::size_t collapsed = 0;  ///< Triangles that name a vertex twice since then.
  double farthest_move = 0;   ///< Of a vertex, below the tolerance.
};

/// The same, and vertices closer than `tolerance` to a kept one made one with it. Vertices are kept
/// in the order of their first use, each unless it is closer than `tolerance` to one kept before;
/// then the others become the nearest that is kept (of equally near ones the first). So kept
/// vertices stay where they are, no two of them are closer than `tolerance`, and no vertex moves
/// that far, however long a chain of near ones is. Triangles that collapse stay in their places.
/// Precondition: check_mesh; `tolerance` is finite and not below 0. O(corners).
[[nodiscard]] Welding weld(const MeshView& mesh, double tolerance);

/// A mesh checked to be closed and consistently oriented: every edge is run along equally often in
/// both directions, so that its signed volume does not depend on the origin. Corners count as equal
/// by index: weld first where they are not.
class ClosedMesh {
 public:
  /// Takes the mesh over. Errors: `InvalidArgument` as check_mesh; `NotClosed`, naming the first
  /// triangle and edge that have no partner and what is likely wrong.
  [[nodiscard]] static Result<ClosedMesh> from_triangles(TriangleMesh mesh);

  /// The same over the caller's arrays, which must outlive the result and not change.
  [[nodiscard]] static Result<ClosedMesh> borrow(const MeshView& mesh);

  [[nodiscard]] const MeshView& view() const { return view_; }

 private:
  ClosedMesh() = default;
  std::shared_ptr<const TriangleMesh>
      owned_;  // null when borrowed; shared so that copies are cheap
  MeshView view_;
};

}  // namespace plimsoll
