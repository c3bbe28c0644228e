// Meshes that CGAL makes for benchmarks.
#pragma once

#include <plimsoll/mesh.h>

#include <cstddef>
#include <span>

namespace plimsoll::bench {

/// Turned outward.
[[nodiscard]] TriangleMesh convex_hull(std::span<const Vec3> points);

/// `triangles` or a few fewer in place of those of `mesh`, by collapsing edges. A manifold stays
/// one, which by clustering (decimate.h) it does not, and which other libraries ask for.
/// Precondition: a closed manifold.
[[nodiscard]] TriangleMesh simplify(const TriangleMesh& mesh, std::size_t triangles);

}  // namespace plimsoll::bench
