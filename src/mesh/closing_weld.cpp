// Which tolerance of welding closes a mesh: bisection over the rims alone, which are few, and then
// the mesh itself.
#include "mesh/closing_weld.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/random.h"
#include "mesh/rim_edges.h"
#include "mesh/trusted_mesh.h"

namespace plimsoll {
namespace {

/// The edges as triangles without area, so that they can be welded.
TriangleMesh as_mesh(const MeshView& mesh, const std::vector<RimEdge>& edges) {
  TriangleMesh thin;
  for (const RimEdge& edge : edges) {
    const auto first = static_cast<std::uint32_t>(thin.vertices.size());
    thin.vertices.push_back(mesh.vertex(edge.from));
    thin.vertices.push_back(mesh.vertex(edge.to));
    thin.triangles.push_back({first, first + 1, first + 1});
  }
  return thin;
}

/// Whether each edge is run along equally often both ways once its ends are welded.
bool cancel(const TriangleMesh& edges, double tolerance) {
  const TriangleMesh welded = weld(trusted(edges), tolerance)->mesh;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ways;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> back;
  for (const Triangle& edge : welded.triangles) {
    if (edge[0] == edge[1]) continue;
    ways.emplace_back(edge[0], edge[1]);
    back.emplace_back(edge[1], edge[0]);
  }
  std::sort(ways.begin(), ways.end());
  std::sort(back.begin(), back.end());
  return ways == back;
}

}  // namespace

std::optional<ClosingWeld> closing_weld(const MeshView& mesh, std::span<const double> tolerances) {
  const Edges edges = find_edges(mesh);
  if (edges.boundary.empty() || !edges.inconsistent.empty()) return std::nullopt;
  const TriangleMesh rims = as_mesh(mesh, rim_edges(mesh, edges));
  const auto* const first =
      std::partition_point(tolerances.data(), tolerances.data() + tolerances.size(),
                           [&](double tolerance) { return !cancel(rims, tolerance); });
  // Vertices within the surface may be near those of the rims, and draw them elsewhere.
  constexpr std::ptrdiff_t kMaxTries = 4;
  const std::ptrdiff_t left = tolerances.data() + tolerances.size() - first;
  for (const double tolerance :
       std::span(first, static_cast<std::size_t>(std::min(left, kMaxTries)))) {
    Welding welding = *weld(trusted(mesh), tolerance);
    if (find_edges(welding.mesh).are_balanced()) return ClosingWeld{tolerance, std::move(welding)};
  }
  return std::nullopt;
}

// Edges run along both ways cancel from a sum of random numbers, one for each edge.
bool is_surely_open(const MeshView& mesh) {
  std::uint64_t sum = 0;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    const Triangle corners = mesh.triangle(t);
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint64_t a = corners[k], b = corners[(k + 1) % 3];
      if (a == b) continue;
      const std::uint64_t number = Random(std::min(a, b) << 32 | std::max(a, b)).next();
      sum += a < b ? number : -number;
    }
  }
  return sum != 0;
}

}  // namespace plimsoll
