// Triangle meshes: owned, borrowed, checked, and checked to bound a solid.
// Triangles run counter-clockwise seen from outside. Lengths are in the caller's unit.
#pragma once

#include <plimsoll/result.h>
#include <plimsoll/types.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace [[gnu::visibility("default")]] plimsoll {

using Triangle = std::array<std::uint32_t, 3>;

/// A mesh that owns its arrays.
struct TriangleMesh {
  std::vector<Vec3> vertices;
  std::vector<Triangle> triangles;
};

/// Arrays of `T` that outlive the expression that they stand in: a span, or a named array or
/// vector.
template <class Range, class T>
concept ArrayOf = std::ranges::contiguous_range<Range> && std::ranges::sized_range<Range> &&
                  std::ranges::borrowed_range<Range> &&
                  std::same_as<std::remove_cv_t<std::ranges::range_value_t<Range>>, T>;

template <class Range>
concept Coordinates = ArrayOf<Range, double> || ArrayOf<Range, float> || ArrayOf<Range, Vec3>;

template <class Range>
concept Indices =
    ArrayOf<Range, std::uint32_t> || ArrayOf<Range, std::uint16_t> || ArrayOf<Range, Triangle>;

/// A mesh in the caller's arrays, which must outlive it. Either indexed, or packed: then triangle t
/// has the corners 3t, 3t + 1, 3t + 2 and there are no indices. Cheap to copy. Nothing is checked
/// here: CheckedMesh::borrow does that.
class MeshView {
 public:
  MeshView() = default;
  MeshView(const TriangleMesh& mesh);
  MeshView(const TriangleMesh&&) = delete;  // the view would outlive the mesh: give the mesh a name

  /// `vertices`: x y z per vertex, as floats or doubles, consecutive vertices `stride` scalars
  /// apart (3 or more), or as Vec3; `indices`: three per triangle, of 16 or 32 bits, or as
  /// Triangle.
  template <Coordinates Vertices, Indices Triangles>
  MeshView(Vertices&& vertices, Triangles&& indices, std::size_t stride = 3) {
    set_coordinates(std::span(vertices), stride);
    set_indices(std::span(indices));
  }

  /// `vertices`: three vertices per triangle, that is 9 coordinates.
  template <Coordinates Vertices>
  [[nodiscard]] static MeshView packed(Vertices&& vertices) {
    MeshView view;
    view.set_coordinates(std::span(vertices), 3);
    view.triangle_count_ = view.vertex_count_ / 3;
    return view;
  }

  /// The same vertices with other triangles; `indices`: 3 x triangle count.
  [[nodiscard]] MeshView with_triangles(std::span<const std::uint32_t> indices) const;
  MeshView with_triangles(std::vector<std::uint32_t>&&) const = delete;  // as above

  [[nodiscard]] std::size_t vertex_count() const { return vertex_count_; }
  [[nodiscard]] std::size_t triangle_count() const { return triangle_count_; }
  [[nodiscard]] bool is_packed() const { return indices_ == nullptr && short_indices_ == nullptr; }

  [[nodiscard]] Triangle triangle(std::size_t t) const {
    if (indices_ != nullptr) return {indices_[3 * t], indices_[3 * t + 1], indices_[3 * t + 2]};
    if (short_indices_ != nullptr)
      return {short_indices_[3 * t], short_indices_[3 * t + 1], short_indices_[3 * t + 2]};
    const auto first = static_cast<std::uint32_t>(3 * t);
    return {first, first + 1, first + 2};
  }
  [[nodiscard]] Vec3 vertex(std::size_t v) const {
    const std::size_t i = v * stride_;
    if (doubles_ != nullptr) return {doubles_[i], doubles_[i + 1], doubles_[i + 2]};
    return {floats_[i], floats_[i + 1], floats_[i + 2]};
  }

  /// The arrays themselves, for kernels: exactly one of doubles() and floats() is not null where
  /// there is a vertex; indices() is null when packed, and where indices have 16 bits.
  [[nodiscard]] const double* doubles() const { return doubles_; }
  [[nodiscard]] const float* floats() const { return floats_; }
  [[nodiscard]] const std::uint32_t* indices() const { return indices_; }
  [[nodiscard]] const std::uint16_t* short_indices() const { return short_indices_; }
  [[nodiscard]] std::size_t stride() const { return stride_; }

 private:
  friend Result<void> check_mesh(const MeshView& mesh);

  void set_coordinates(std::span<const double> coordinates, std::size_t stride);
  void set_coordinates(std::span<const float> coordinates, std::size_t stride);
  void set_coordinates(std::span<const Vec3> vertices, std::size_t stride);
  void set_indices(std::span<const std::uint32_t> indices);
  void set_indices(std::span<const std::uint16_t> indices);
  void set_indices(std::span<const Triangle> triangles);

  const double* doubles_ = nullptr;
  const float* floats_ = nullptr;
  const std::uint32_t* indices_ = nullptr;
  const std::uint16_t* short_indices_ = nullptr;
  std::size_t stride_ = 3;
  std::size_t vertex_count_ = 0;
  std::size_t triangle_count_ = 0;
  std::size_t coordinate_count_ = 0;
  std::size_t index_count_ = 0;
};

/// Checks what every algorithm takes for granted: coordinates come in threes, or as many as the
/// stride says, and indices in threes; each index names a vertex, each coordinate that a triangle
/// names is finite, and there are at most 2^32 / 3 triangles and 2^31 vertices.
/// Errors: `InvalidArgument`, naming the first triangle or vertex at fault; `ResourceLimit`.
[[nodiscard]] Result<void> check_mesh(const MeshView& mesh);

/// A mesh that has passed check_mesh: what the functions of this library take, so that none of them
/// has to check, or can be led out of an array, or into a loop without end, by what a mesh holds.
/// Copies share the arrays.
class CheckedMesh {
 public:
  /// Without triangles.
  CheckedMesh() = default;

  /// Takes the mesh over. Errors: as check_mesh. O(n).
  [[nodiscard]] static Result<CheckedMesh> from_triangles(TriangleMesh mesh);

  /// The same over the caller's arrays, which must outlive the result and not change; indices of 16
  /// bits are copied into wider ones. Errors: as check_mesh. O(n).
  [[nodiscard]] static Result<CheckedMesh> borrow(const MeshView& mesh);

  /// Its indices have 32 bits or there are none.
  [[nodiscard]] const MeshView& view() const { return view_; }

 private:
  friend CheckedMesh trusted(const MeshView& mesh);
  friend CheckedMesh trusted(TriangleMesh&& mesh);

  std::shared_ptr<const void> owned_;  // null when borrowed
  MeshView view_;
};

/// `mesh` with each vertex (x, y, z) moved to m (x, y, z, 1), m the matrix of `pose`, each
/// coordinate computed as ((m0 x + m1 y) + m2 z) + m3 in doubles, not fused: the same bits wherever
/// a pose is applied to a mesh.
[[nodiscard]] TriangleMesh posed(TriangleMesh mesh, const Similarity& pose);

/// The box of the vertices that some triangle names; empty where there is none. O(n).
[[nodiscard]] Box3 bounding_box(const CheckedMesh& mesh);

/// `mesh` with vertices of equal coordinates (-0 equals 0) made one and vertices that no triangle
/// names left out. Triangles keep their number, order and first corner; vertices are ordered by
/// their first use. O(corners).
[[nodiscard]] TriangleMesh weld(const CheckedMesh& mesh);

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
/// Errors: `InvalidArgument` unless `tolerance` is finite and not below 0. O(corners).
[[nodiscard]] Result<Welding> weld(const CheckedMesh& mesh, double tolerance);

/// A mesh checked to be closed and consistently oriented: every edge is run along equally often in
/// both directions, so that its signed volume does not depend on the origin. Corners count as equal
/// by index: weld first where they are not. It is also a CheckedMesh.
class ClosedMesh {
 public:
  /// Takes the mesh over. Errors: `InvalidArgument` as check_mesh; `NotClosed`, naming the first
  /// triangle and edge that have no partner and what is likely wrong; `NoSolid` without triangles.
  [[nodiscard]] static Result<ClosedMesh> from_triangles(TriangleMesh mesh);

  /// The same over the caller's arrays, which must outlive the result and not change.
  [[nodiscard]] static Result<ClosedMesh> borrow(const MeshView& mesh);

  [[nodiscard]] const MeshView& view() const { return mesh_.view(); }
  operator const CheckedMesh&() const { return mesh_; }

 private:
  explicit ClosedMesh(CheckedMesh mesh) : mesh_(std::move(mesh)) {}
  static Result<ClosedMesh> from_checked(Result<CheckedMesh> mesh);

  CheckedMesh mesh_;
};

}  // namespace plimsoll
