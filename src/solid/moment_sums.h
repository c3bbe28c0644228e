// The ten volume integrals of a solid as sums over its triangles, with rigorous errors.
#pragma once

#include <plimsoll/mass_properties.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "core/ball.h"

namespace plimsoll {

inline constexpr int kSecondRow[6] = {0, 1, 2, 0, 0, 1};  // xx yy zz xy xz yz
inline constexpr int kSecondColumn[6] = {0, 1, 2, 1, 2, 2};

/// Integrals over the solid about the apex: of 1, of x_i and of x_i x_j (xx yy zz xy xz yz).
struct Moments {
  Ball volume;
  Ball first[3];
  Ball second[6];
};

/// Sums the signed tetrahedra between `apex` and the triangles of `mesh` in a shape that depends on
/// nothing but the number of triangles. Where the distances from the apex are far outside 2^-128 to
/// 2^128 a radius may be infinite or NaN.
[[nodiscard]] Moments sum_moments(const MeshView& mesh, const Vec3& apex, Precision precision);

/// Moments about the center of mass rounded to doubles, divided by 2^(3e + w), 2^(4e + w) and
/// 2^(5e + w): e is 0, or the exponent of the radius of gyration where that is outside 2^-128 to
/// 2^128; w is 0, or that of the volume in units of 2^3e where it is below 2^-384, as in a needle.
struct ExactMoments {
  Vec3 center;
  int exponent = 0;
  int weight = 0;
  Moments moments;
  std::size_t triangles = 0;  ///< That did not cancel each other: these were summed, twice.
};
/// By sums of integers of any length, for any finite coordinates, first about `apex` to find the
/// center: radii of 2^-100, relative, and none where a sum is exactly 0. Nothing where the volume
/// is. Some microseconds per triangle.
[[nodiscard]] std::optional<ExactMoments> sum_moments_exactly(const MeshView& mesh,
                                                              const Vec3& apex);

/// Twice the area vectors, N = e x f, of all triangles.
struct AreaSums {
  double doubled_area = 0;  ///< sum |N|
  Vec3 normal_sum = Vec3::Zero();
  std::vector<std::uint32_t> narrow;  ///< Those whose corners may lie on a line; few others.
};
/// Bounds on the coordinates as above.
[[nodiscard]] AreaSums sum_areas(const MeshView& mesh);

}  // namespace plimsoll
