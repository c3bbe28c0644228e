#include "image/checked_box.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace plimsoll {
namespace {

constexpr std::size_t kMaxTriangles = (std::size_t{1} << 32) / 3;
constexpr std::size_t kMaxVertices = std::size_t{1} << 31;

}  // namespace

Result<Box3> checked_box(const MeshView& mesh) {
  const std::size_t vertices = mesh.vertex_count();
  const std::size_t corners = 3 * mesh.triangle_count();
  bool sound = mesh.triangle_count() <= kMaxTriangles && vertices <= kMaxVertices;
  std::vector<std::uint8_t> named(vertices, mesh.is_packed() ? 1 : 0);
  if (sound && !mesh.is_packed()) {
    const std::uint32_t* indices = mesh.indices();
    for (std::size_t i = 0; i < corners && sound; ++i) {
      sound = indices[i] < vertices;
      if (sound) named[indices[i]] = 1;
    }
  }
  Box3 box;
  for (std::size_t v = 0; v < vertices && sound; ++v) {
    if (named[v] == 0) continue;
    const Vec3 p = mesh.vertex(v);
    sound = p.allFinite();
    box.extend(p);
  }
  if (sound) return box;
  const Result<void> reason = check_mesh(mesh);  // which triangle or vertex it is
  PLIMSOLL_ASSERT(!reason, "both find the same faults");
  return reason.error();
}

}  // namespace plimsoll
