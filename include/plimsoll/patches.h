// Solids bounded by free-form patches: Bezier and NURBS surfaces.
// Points are (x, y, z, weight), x y z Cartesian, weight positive; all weights equal: polynomial.
#pragma once

#include <plimsoll/mesh.h>
#include <plimsoll/result.h>
#include <plimsoll/types.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace plimsoll {

using WeightedPoint = Eigen::Vector4d;

/// A tensor-product patch. Its normal is dS/du x dS/dv.
struct BezierPatch {
  int degree_u = 3;
  int degree_v = 3;
  std::vector<WeightedPoint> points;  ///< (degree_u + 1) x (degree_v + 1), v fastest.
};

/// The boundary of a solid, normals outward.
struct PatchSurface {
  std::vector<BezierPatch> patches;
};

struct NurbsSurface {
  int degree_u = 3;
  int degree_v = 3;
  std::vector<double> knots_u;        ///< Ascending, rows + degree_u + 1 of them.
  std::vector<double> knots_v;        ///< Ascending, columns + degree_v + 1 of them.
  std::vector<WeightedPoint> points;  ///< rows x columns, v fastest.
};

/// The same surface as Bezier patches, by knot insertion [Piegl & Tiller, ch. 5.3].
[[nodiscard]] Result<PatchSurface> to_bezier(const NurbsSurface& surface);

/// Reads a .bpt file: the number of patches, then for each its two degrees and its points, v
/// fastest.
[[nodiscard]] Result<PatchSurface> read_bpt(const std::filesystem::path& path);
[[nodiscard]] Result<PatchSurface> read_bpt(std::span<const std::byte> data,
                                            const std::string& name);

/// Triangles no farther from the surface than `flatness` [m]; patches that share a boundary curve
/// share its vertices to the last bit.
[[nodiscard]] Result<TriangleMesh> tessellate(const PatchSurface& surface, double flatness);

}  // namespace plimsoll
