// The bodies that a surface is probed on, and what is asked about them.
#pragma once

#include <plimsoll/surface_queries.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "scenarios.h"

namespace plimsoll::bench {

/// Bunnies of one scan at 5,000, 75,408 and 700,000 triangles; kept aside a rippled torus knot.
[[nodiscard]] std::vector<Scenario> probe_scenes(const std::filesystem::path& cache);

/// A body as it lies in its file, and its tree.
struct ProbedBody {
  explicit ProbedBody(TriangleMesh from);

  TriangleMesh mesh;
  MeshTree tree;
  double size;  ///< The longest side of its box.
};

/// Points in random directions from the middles of random triangles, `sizes` of the body away.
[[nodiscard]] std::vector<Vec3> points_away(const ProbedBody& body, double sizes,
                                            std::size_t count);

/// The nodes of a cubic lattice through the body's box, about `nodes` of them, z running fastest,
/// as `plimsoll probe --grid` asks for them.
[[nodiscard]] std::vector<Vec3> lattice(const ProbedBody& body, double nodes);

/// `runs` runs of nodes that follow each other, evenly spread over the lattice, `count` nodes in
/// all. Requires count <= lattice.size().
[[nodiscard]] std::vector<Vec3> runs_of(const std::vector<Vec3>& lattice, std::size_t runs,
                                        std::size_t count);

/// Rays from a sphere twice as wide as the box, toward random points of the box.
[[nodiscard]] std::vector<Ray> rays_inward(const ProbedBody& body, std::size_t count);

/// Rays from random triangles, their origin lifted by a thousandth of the size, each in a random
/// direction of the side that the triangle faces: what ambient occlusion asks.
[[nodiscard]] std::vector<Ray> rays_outward(const ProbedBody& body, std::size_t count);

}  // namespace plimsoll::bench
