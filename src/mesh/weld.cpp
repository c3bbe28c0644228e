// Vertices of equal coordinates made one, by a table of open addressing.
#include <plimsoll/mesh.h>

#include <algorithm>

#include "mesh/point_table.h"
#include "mesh/trusted_mesh.h"

namespace plimsoll {
namespace {

/// Triangles are taken in blocks: the hashes of a block first, so that their slots are on the way
/// while the others are computed.
constexpr std::size_t kBlockCorners = 192;

}  // namespace

TriangleMesh weld(const MeshView& mesh) {
  TriangleMesh welded;
  const std::size_t corner_count = 3 * mesh.triangle_count();
  welded.triangles.resize(mesh.triangle_count());
  // A closed mesh has half as many vertices as triangles.
  const std::size_t expected =
      mesh.is_packed() ? mesh.triangle_count() / 2 : std::min(mesh.vertex_count(), corner_count);
  welded.vertices.reserve(expected);
  PointTable table(welded.vertices, expected);

  std::vector<std::uint32_t> number_of(mesh.is_packed() ? 0 : mesh.vertex_count(), kNoPoint);
  std::array<std::uint32_t, kBlockCorners> hashes;
  std::uint32_t* corners = welded.triangles.empty() ? nullptr : welded.triangles.front().data();
  const std::uint32_t* indices = mesh.indices();
  for (std::size_t first = 0; first < corner_count; first += kBlockCorners) {
    const std::size_t count = std::min(kBlockCorners, corner_count - first);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t vertex = indices == nullptr ? first + i : indices[first + i];
      if (indices != nullptr && number_of[vertex] != kNoPoint) continue;
      hashes[i] = hash_of(mesh.vertex(vertex));
      table.prefetch(hashes[i]);
    }
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t vertex = indices == nullptr ? first + i : indices[first + i];
      if (indices == nullptr) {
        corners[first + i] = table.find_or_add(mesh.vertex(vertex), hashes[i]);
        continue;
      }
      std::uint32_t& number = number_of[vertex];
      if (number == kNoPoint) number = table.find_or_add(mesh.vertex(vertex), hashes[i]);
      corners[first + i] = number;
    }
  }
  return welded;
}

TriangleMesh weld(const CheckedMesh& mesh) { return weld(mesh.view()); }

}  // namespace plimsoll
