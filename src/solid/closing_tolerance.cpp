// Which tolerance of welding closes a mesh: bisection over the rims alone, which are few, and then
// the mesh itself.
#include <plimsoll/rims.h>

#include <cmath>
#include <string>
#include <utility>

#include "mesh/trusted_mesh.h"
#include "solid/rim_edges.h"

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

Result<std::optional<double>> closing_tolerance(const CheckedMesh& checked,
                                                std::span<const double> tolerances) {
  for (std::size_t i = 0; i < tolerances.size(); ++i)
    if (!(tolerances[i] >= (i == 0 ? 0 : tolerances[i - 1]) && std::isfinite(tolerances[i])))
      return Error{ErrorCode::kInvalidArgument,
                   "found " + std::to_string(tolerances[i]) +
                       ", expected finite tolerances that ascend from 0 on",
                   "tolerances[" + std::to_string(i) + "]"};
  const MeshView& mesh = checked.view();
  const Edges edges = find_edges(mesh);
  if (edges.boundary.empty() || !edges.inconsistent.empty()) return std::optional<double>();
  const TriangleMesh rims = as_mesh(mesh, rim_edges(mesh, edges));
  const auto* const first =
      std::partition_point(tolerances.data(), tolerances.data() + tolerances.size(),
                           [&](double tolerance) { return !cancel(rims, tolerance); });
  // Vertices within the surface may be near those of the rims, and draw them elsewhere.
  constexpr std::ptrdiff_t kMaxTries = 4;
  const std::ptrdiff_t left = tolerances.data() + tolerances.size() - first;
  for (const double tolerance :
       std::span(first, static_cast<std::size_t>(std::min(left, kMaxTries)))) {
    const TriangleMesh welded = weld(checked, tolerance)->mesh;
    if (find_edges(welded).are_balanced()) return std::optional(tolerance);
  }
  return std::optional<double>();
}

}  // namespace plimsoll
