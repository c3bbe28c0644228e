// One search for a pose at rest, from a direction to a critical point of a chosen kind.
#pragma once

#include <plimsoll/equilibrium.h>

#include <optional>

namespace plimsoll {

/// The signs that the eigenvalues of the Hessian are given, the lower one's first: 1 goes down
/// along its direction, -1 up.
struct SearchSigns {
  double signs[2];
};
inline constexpr SearchSigns kDown{{1, 1}};
inline constexpr SearchSigns kUp{{-1, -1}};
inline constexpr SearchSigns kToSaddle{{-1, 1}};

/// Direction k of n that are spread evenly over the sphere: golden-angle spiral.
[[nodiscard]] Vec3 spread_direction(int k, int n);

/// Where Newton's method with these signs ends from `up`, its righting arm at most `tolerance`
/// times the cube root of the volume; nothing where it does not within a thousand steps. `level` is
/// a first guess.
[[nodiscard]] std::optional<FloatingState> search_rest(const FloatingBody& body,
                                                       const SearchSigns& signs, double tolerance,
                                                       const Vec3& up,
                                                       std::optional<double> level = std::nullopt);

}  // namespace plimsoll
