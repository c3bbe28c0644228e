#include <plimsoll/mesh.h>

#include <cmath>
#include <limits>
#include <string>

namespace plimsoll {

MeshView::MeshView(const TriangleMesh& mesh)
    : doubles_(mesh.vertices.empty() ? nullptr : mesh.vertices.front().data()),
      indices_(mesh.triangles.empty() ? nullptr : mesh.triangles.front().data()),
      vertex_count_(mesh.vertices.size()),
      triangle_count_(mesh.triangles.size()) {
  static_assert(sizeof(Vec3) == 3 * sizeof(double) && sizeof(Triangle) == 12);
}

MeshView::MeshView(std::span<const double> coordinates, std::span<const std::uint32_t> indices,
                   std::size_t stride)
    : doubles_(coordinates.data()),
      indices_(indices.data()),
      stride_(stride),
      vertex_count_((coordinates.size() + stride - 3) / stride),
      triangle_count_(indices.size() / 3) {
  PLIMSOLL_ASSERT(stride >= 3, "consecutive vertices overlap");
}

MeshView::MeshView(std::span<const float> coordinates, std::span<const std::uint32_t> indices,
                   std::size_t stride)
    : floats_(coordinates.data()),
      indices_(indices.data()),
      stride_(stride),
      vertex_count_((coordinates.size() + stride - 3) / stride),
      triangle_count_(indices.size() / 3) {
  PLIMSOLL_ASSERT(stride >= 3, "consecutive vertices overlap");
}

MeshView MeshView::packed(std::span<const double> coordinates) {
  MeshView view;
  view.doubles_ = coordinates.data();
  view.vertex_count_ = coordinates.size() / 3;
  view.triangle_count_ = coordinates.size() / 9;
  return view;
}

MeshView MeshView::packed(std::span<const float> coordinates) {
  MeshView view;
  view.floats_ = coordinates.data();
  view.vertex_count_ = coordinates.size() / 3;
  view.triangle_count_ = coordinates.size() / 9;
  return view;
}

MeshView MeshView::with_triangles(std::span<const std::uint32_t> indices) const {
  MeshView view = *this;
  view.indices_ = indices.data();
  view.triangle_count_ = indices.size() / 3;
  return view;
}

Result<void> check_mesh(const MeshView& mesh) {
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

Box3 bounding_box(const MeshView& mesh) {
  Box3 box;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
    for (const std::uint32_t v : mesh.triangle(t)) box.extend(mesh.vertex(v));
  return box;
}

}  // namespace plimsoll
