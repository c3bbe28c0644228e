#include <plimsoll/mesh.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "mesh/posed_vertex.h"
#include "mesh/trusted_mesh.h"

namespace plimsoll {
namespace {

/// An index below a limit of at most 2^31 has its highest bit clear, and index - limit has it set.
/// No other index has both.
template <class Index>
bool are_below(const Index* indices, std::size_t count, std::size_t limit) {
  const auto end = static_cast<std::uint32_t>(limit);
  std::uint32_t common = 0xffffffff;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t index = indices[i];
    common &= (index - end) & ~index;
  }
  return common >> 31U != 0;
}

template <class Scalar>
bool are_finite(const Scalar* coordinates, const MeshView& mesh) {
  Scalar nothing[3] = {};  // 0 times what is not finite is NaN
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v)
    for (std::size_t i = 0; i < 3; ++i) nothing[i] += 0 * coordinates[v * mesh.stride() + i];
  return nothing[0] + nothing[1] + nothing[2] == 0;
}

/// Whether all indices name vertices and all coordinates are finite, those too that no triangle
/// names: in the order of memory. What is not is looked at triangle by triangle.
bool is_plainly_sound(const MeshView& mesh) {
  const std::size_t corners = 3 * mesh.triangle_count();
  const bool named = mesh.indices() != nullptr
                         ? are_below(mesh.indices(), corners, mesh.vertex_count())
                     : mesh.short_indices() != nullptr
                         ? are_below(mesh.short_indices(), corners, mesh.vertex_count())
                         : corners <= mesh.vertex_count();
  if (!named) return false;
  return mesh.doubles() != nullptr ? are_finite(mesh.doubles(), mesh)
                                   : mesh.floats() == nullptr || are_finite(mesh.floats(), mesh);
}

/// How many vertices there are, `stride` coordinates apart, of which the last needs but three.
std::size_t count_vertices(std::size_t coordinates, std::size_t stride) {
  return stride < 3 ? 0 : coordinates / stride + (coordinates % stride >= 3 ? 1 : 0);
}

}  // namespace

MeshView::MeshView(const TriangleMesh& mesh) {
  set_coordinates(std::span(mesh.vertices), 3);
  set_indices(std::span(mesh.triangles));
}

void MeshView::set_coordinates(std::span<const double> coordinates, std::size_t stride) {
  doubles_ = coordinates.data();
  stride_ = stride;
  vertex_count_ = count_vertices(coordinates.size(), stride);
  coordinate_count_ = coordinates.size();
}

void MeshView::set_coordinates(std::span<const float> coordinates, std::size_t stride) {
  floats_ = coordinates.data();
  stride_ = stride;
  vertex_count_ = count_vertices(coordinates.size(), stride);
  coordinate_count_ = coordinates.size();
}

void MeshView::set_coordinates(std::span<const Vec3> vertices, std::size_t stride) {
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  const double* first = vertices.empty() ? nullptr : vertices.front().data();
  set_coordinates(std::span(first, 3 * vertices.size()), stride);
}

void MeshView::set_indices(std::span<const std::uint32_t> indices) {
  indices_ = indices.data();
  triangle_count_ = indices.size() / 3;
  index_count_ = indices.size();
}

void MeshView::set_indices(std::span<const std::uint16_t> indices) {
  short_indices_ = indices.data();
  triangle_count_ = indices.size() / 3;
  index_count_ = indices.size();
}

void MeshView::set_indices(std::span<const Triangle> triangles) {
  static_assert(sizeof(Triangle) == 3 * sizeof(std::uint32_t));
  const std::uint32_t* first = triangles.empty() ? nullptr : triangles.front().data();
  set_indices(std::span(first, 3 * triangles.size()));
}

MeshView MeshView::with_triangles(std::span<const std::uint32_t> indices) const {
  MeshView view = *this;
  view.short_indices_ = nullptr;
  view.set_indices(indices);
  return view;
}

Result<void> check_mesh(const MeshView& mesh) {
  if (mesh.stride() < 3)
    return Error{ErrorCode::kInvalidArgument,
                 "found vertices " + std::to_string(mesh.stride()) +
                     " coordinates apart, expected at least 3",
                 {}};
  const std::size_t in_last = mesh.coordinate_count_ % mesh.stride();
  if (in_last != 0 && in_last < 3)
    return Error{ErrorCode::kInvalidArgument,
                 "found " + std::to_string(mesh.coordinate_count_) + " coordinates, " +
                     std::to_string(in_last) + " in the last vertex; expected 3",
                 {}};
  if (mesh.index_count_ % 3 != 0)
    return Error{
        ErrorCode::kInvalidArgument,
        "found " + std::to_string(mesh.index_count_) + " indices, expected three for each triangle",
        {}};
  if (mesh.is_packed() && mesh.index_count_ == 0 && mesh.triangle_count() > 0 &&
      mesh.vertex_count() % 3 != 0)
    return Error{ErrorCode::kInvalidArgument,
                 "found " + std::to_string(mesh.vertex_count()) +
                     " vertices of packed triangles, expected three for each triangle",
                 {}};
  if (mesh.triangle_count() > std::numeric_limits<std::uint32_t>::max() / 3)
    return Error{ErrorCode::kResourceLimit,
                 "found " + std::to_string(mesh.triangle_count()) +
                     " triangles; 32-bit indices allow at most 1431655765",
                 {}};
  if (mesh.vertex_count() > std::numeric_limits<std::uint32_t>::max() / 2)
    return Error{ErrorCode::kResourceLimit,
                 "found " + std::to_string(mesh.vertex_count()) +
                     " vertices; at most 2147483647 are supported",
                 {}};
  if (is_plainly_sound(mesh)) return {};
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    for (const std::uint32_t v : mesh.triangle(t)) {
      if (v >= mesh.vertex_count())
        return Error{ErrorCode::kInvalidArgument,
                     "found vertex index " + std::to_string(v) + ", expected one below " +
                         std::to_string(mesh.vertex_count()) + ", the number of vertices",
                     "triangle " + std::to_string(t)};
      if (!mesh.vertex(v).allFinite())
        return Error{ErrorCode::kInvalidArgument,
                     "vertex " + std::to_string(v) + " has a coordinate that is not finite",
                     "triangle " + std::to_string(t)};
    }
  }
  return {};
}

Result<CheckedMesh> CheckedMesh::borrow(const MeshView& mesh) {
  if (Result<void> checked = check_mesh(mesh); !checked) return checked.error();
  CheckedMesh result;
  result.view_ = mesh;
  if (mesh.short_indices() != nullptr) {
    const auto wide = std::make_shared<std::vector<std::uint32_t>>(
        mesh.short_indices(), mesh.short_indices() + 3 * mesh.triangle_count());
    result.view_ = mesh.with_triangles(*wide);
    result.owned_ = wide;
  }
  return result;
}

Result<CheckedMesh> CheckedMesh::from_triangles(TriangleMesh mesh) {
  const auto owned = std::make_shared<const TriangleMesh>(std::move(mesh));
  Result<CheckedMesh> checked = borrow(*owned);
  if (checked) checked->owned_ = owned;
  return checked;
}

CheckedMesh trusted(const MeshView& mesh) {
  PLIMSOLL_ASSERT(check_mesh(mesh).has_value(), "a mesh that passes check_mesh");
  CheckedMesh result;
  result.view_ = mesh;
  return result;
}

// Marks the vertices that are named first, and then reads each of them once, in order.
Box3 bounding_box(const MeshView& mesh) {
  const std::size_t corners = 3 * mesh.triangle_count();
  Box3 box;
  if (mesh.is_packed() || corners < mesh.vertex_count()) {
    for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
      for (const std::uint32_t v : mesh.triangle(t)) box.extend(mesh.vertex(v));
    return box;
  }
  std::vector<std::uint8_t> is_named(mesh.vertex_count());
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
    for (const std::uint32_t v : mesh.triangle(t)) is_named[v] = 1;
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v)
    if (is_named[v] != 0) box.extend(mesh.vertex(v));
  return box;
}

CheckedMesh trusted(TriangleMesh&& mesh) {
  const auto owned = std::make_shared<const TriangleMesh>(std::move(mesh));
  CheckedMesh result = trusted(*owned);
  result.owned_ = owned;
  return result;
}

TriangleMesh posed(TriangleMesh mesh, const Similarity& pose) {
  for (Vec3& v : mesh.vertices) v = posed_vertex(v, pose);
  return mesh;
}

Box3 bounding_box(const CheckedMesh& mesh) { return bounding_box(mesh.view()); }

}  // namespace plimsoll
