// The rims at which an open surface ends, and what volume it would have if they were closed.
// [m] stands for the unit of the mesh.
#pragma once

#include <plimsoll/mesh.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] plimsoll {

/// A loop of edges at which the surface ends. No vertex occurs in it twice: where rims touch or
/// branch, they are split there into such loops.
///
/// Two caps close it. One is the fan of triangles from `center`. The other is flat: the loop
/// projected to the plane through `center` that fits its edges best (least squares over their
/// length), and the wall between the loop and its projection.
struct Rim {
  std::uint32_t triangle = 0;  ///< The first that ends here.
  /// Two or more: the edges run from each to the next, and back, as the triangles beside them do.
  std::vector<std::uint32_t> vertices;
  double length = 0;            ///< [m]
  double area = 0;              ///< The length of the loop's area vector [m^2].
  Vec3 center = Vec3::Zero();   ///< The centroid of the loop as a wire.
  double fan_cap_volume = 0;    ///< What each cap adds to the sum over the triangles, about the
  double plane_cap_volume = 0;  ///< point that mass_properties takes as apex [m^3].
};

struct Rims {
  std::vector<Rim> rims;       ///< The longest first, then by `triangle`.
  double fan_volume = 0;       ///< The signed volume of the mesh with every rim closed by a fan,
  double plane_volume = 0;     ///< or flat; it does not depend on any point of reference [m^3].
  double cap_differences = 0;  ///< The sum over the rims of what their two caps differ by [m^3].
};

/// Finds the rims of `mesh`, whose corners count as equal by index (weld first): the edges that are
/// run along more often in one direction than in the other. None if it is closed. Nothing where an
/// edge of two triangles is run along by both the same way: then caps alone do not close the mesh.
///
/// How far the two volumes are apart tells how much depends on the shape of the missing surface.
/// It is no bound: a missing dome may hold more than any cap. O(n log n).
[[nodiscard]] std::optional<Rims> find_rims(const CheckedMesh& mesh);

/// The least of `tolerances`, which ascend, for which weld(mesh, tolerance) is closed, of a mesh
/// that is open because vertices of its seams differ a little. They are bisected by the rims alone;
/// the least that closes these, and up to three after it, are tried on the mesh. Nothing where none
/// of them closes it, where it is closed, and where find_rims has nothing. Errors:
/// `InvalidArgument` unless the tolerances are finite, not below 0, and ascend.
/// O(n + m log m log k) for m edges at rims and k tolerances.
[[nodiscard]] Result<std::optional<double>> closing_tolerance(const CheckedMesh& mesh,
                                                              std::span<const double> tolerances);

}  // namespace plimsoll
