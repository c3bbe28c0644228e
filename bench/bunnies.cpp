#include "bunnies.h"

#include <plimsoll/mesh_io.h>

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "cgal_meshes.h"
#include "checked.h"

namespace plimsoll::bench {
namespace {

/// Four triangles in place of each, on the same surface.
TriangleMesh split(TriangleMesh mesh) {
  std::unordered_map<std::uint64_t, std::uint32_t> middles;
  middles.reserve(mesh.triangles.size() * 3 / 2);
  const auto middle = [&](std::uint32_t a, std::uint32_t b) {
    const auto next = static_cast<std::uint32_t>(mesh.vertices.size());
    const std::uint64_t edge = std::uint64_t{std::min(a, b)} << 32 | std::max(a, b);
    const auto [found, is_new] = middles.try_emplace(edge, next);
    if (is_new) mesh.vertices.push_back((mesh.vertices[a] + mesh.vertices[b]) / 2);
    return found->second;
  };
  std::vector<Triangle> triangles;
  triangles.reserve(4 * mesh.triangles.size());
  for (const auto& [a, b, c] : mesh.triangles) {
    const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
    triangles.insert(triangles.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
  }
  mesh.triangles = std::move(triangles);
  return mesh;
}

}  // namespace

Result<TriangleMesh> read_scan(const std::filesystem::path& cache) {
  Result<MeshFile> file = read_mesh(cache / "cgal" / "bunny00.off");
  if (!file) return file.error();
  return weld(checked(file->mesh));
}

Scenario bunny(std::string name, const std::filesystem::path& cache, std::size_t triangles,
               int splits) {
  return {std::move(name), [=]() -> Result<TriangleMesh> {
            const Result<TriangleMesh> scan = read_scan(cache);
            if (!scan) return scan.error();
            TriangleMesh mesh = simplify(*scan, triangles);
            for (int i = 0; i < splits; ++i) mesh = split(std::move(mesh));
            return mesh;
          }};
}

}  // namespace plimsoll::bench
