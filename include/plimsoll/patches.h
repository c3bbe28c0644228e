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

namespace [[gnu::visibility("default")]] plimsoll {

inline constexpr int kMaxPatchDegree = 25;
inline constexpr std::size_t kMaxPatchTriangles = 20'000'000;
/// Coordinates are at most this in size, weights at most this and at least its inverse: fifth
/// powers, of which second moments are made, stay in the range of doubles.
inline constexpr double kMaxPatchNumber = 0x1p200;

using WeightedPoint = Vec4;

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

/// Checks what the functions below take for granted: degrees from 1 to kMaxPatchDegree, as many
/// points as they ask for, coordinates and weights within kMaxPatchNumber.
/// Errors: `InvalidArgument`, naming the first patch and point at fault.
[[nodiscard]] Result<void> check_patches(const PatchSurface& surface);

struct SurfacePoint {
  Vec3 position;
  Vec3 du;  ///< dS/du
  Vec3 dv;  ///< dS/dv
};

/// The point of `patch` at (u, v), both from 0 to 1. NaN for degrees out of range and for another
/// number of points than they ask for.
[[nodiscard]] SurfacePoint evaluate(const BezierPatch& patch, double u, double v);

/// The box of the control points. It contains the surface, and is larger where the points are off
/// it.
[[nodiscard]] Box3 bounding_box(const PatchSurface& surface);

/// The same surface as Bezier patches, by knot insertion [PieglTiller1997, sec. 5.3]; they are in
/// the order of the knots, v fastest. Knots may be clamped at the ends or not; the surface is where
/// all degree + 1 functions are at work, from knot `degree` to the last but `degree`. Neighbors
/// have the points of their common edge to the last bit.
/// Errors: `InvalidArgument`, naming the knot or point at fault: as check_patches; knots that
/// descend, are not finite, or repeat within the surface so often that it comes apart.
[[nodiscard]] Result<PatchSurface> to_bezier(const NurbsSurface& surface);

/// Reads a .bpt file [Holmes2003]: the number of patches, then for each its degrees in u and v and
/// its points, u fastest, x y z each; # starts a comment. What the format leaves open is which side
/// is outside; here it is that of dS/du x dS/dv, as it is in the published teapot.bpt.
/// Errors: `Unreadable`, `Malformed`, `NoSolid`, `ResourceLimit`; `where` names the line.
[[nodiscard]] Result<PatchSurface> read_bpt(const std::filesystem::path& path);
[[nodiscard]] Result<PatchSurface> read_bpt(std::span<const std::byte> data,
                                            const std::string& name);

/// Triangles no farther from the surface than `flatness` [m]; patches that share a boundary curve
/// (the same points and weights, in one or the other direction) share its vertices to the last bit,
/// so that the mesh of a closed surface is closed. Edges that are one point give no triangles.
/// Welded. Method: uniform steps from bounds on the second derivatives; docs/theory/patches.md.
/// Errors: as check_patches; `InvalidArgument` unless flatness > 0; `ResourceLimit`, naming a
/// flatness that would do, beyond kMaxPatchTriangles.
[[nodiscard]] Result<TriangleMesh> tessellate(const PatchSurface& surface, double flatness);

/// Every patch in segments x segments quadrilaterals of two triangles each, closed and welded as
/// above. Errors: as check_patches; `InvalidArgument` unless segments >= 1; `ResourceLimit`.
[[nodiscard]] Result<TriangleMesh> tessellate_uniform(const PatchSurface& surface, int segments);

/// The 32 bicubic patches of M. Newell's teapot of 1975 as F. Crow published them [Crow1987], in
/// their units: z up, spout toward +x, handle toward -x, standing on z = 0, 3.15 high. Rim, body
/// and bottom are patches 0 to 15, handle 16 to 19, spout 20 to 23, lid 24 to 31. All are turned
/// outward; the published ones face inward when read with their second index as v.
///
/// These are three surfaces, and they are open:
///   - the gap between the rim (radius 1.4) and the lid (radius 1.3), both at z = 2.4;
///   - the two ends of the handle, inside the body;
///   - the foot of the spout, inside the body in the plane x = 1.7, and its tip at z = 2.4.
[[nodiscard]] PatchSurface teapot();

/// The teapot and 12 patches that close it: a flat ring over the gap (32 to 35), and on each end of
/// handle (36 to 39) and spout (40 to 43) a flat fan about the middle of its symmetry axis.
/// What results is three closed solids that pass through each other: body with lid (volume
/// 25.2511), handle (0.2630) and spout (0.6560), 26.1701 in all. The shares of the handle (0.0080)
/// and of the spout (0.1664) inside the body count twice.
[[nodiscard]] PatchSurface closed_teapot();

/// The closed teapot with every patch in segments x segments quadrilaterals, the ring and the fans
/// one step deep: 64 segments^2 + 8 segments triangles, and five more vertices than half as many
/// (the handle touches the body in one). 5 segments make 1640 triangles and 825 vertices, the
/// nearest to the 1628 and 821 of [Kim2006]. No triangles unless 2 <= segments <= 500.
[[nodiscard]] TriangleMesh make_teapot(int segments);

}  // namespace plimsoll
