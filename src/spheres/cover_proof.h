// Proofs that balls contain a surface, and a solid.
#pragma once

#include <plimsoll/types.h>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "spheres/growing_ball.h"
#include "spheres/unit_solid.h"

namespace plimsoll {

/// At which excess growing balls contain a surface.
struct SurfaceCover {
  /// They do here, and do not below 0.999 of it; infinite where they never do.
  double excess = 0;
  /// Of each ball: with these they do too. None is larger than at that excess; 0: not needed.
  std::vector<double> radii;
  /// Points that are covered beyond the excess asked about, some of them from all over the surface.
  std::vector<Vec3> beyond;
};

/// Cuts each triangle until every piece lies in one ball, which holds where its three corners do.
/// Radii are rounded up. Nothing where that takes more than `max_pieces`. In parallel; the same for
/// any number of threads.
[[nodiscard]] std::optional<SurfaceCover> cover_surface(const UnitSolid& solid,
                                                        std::span<const GrowingBall> balls,
                                                        double excess_asked,
                                                        std::size_t max_pieces);

/// At which excess growing balls contain a solid.
struct SolidCover {
  double excess = 0;
  /// Points that are covered beyond the excess asked about, some of them from all over the solid.
  std::vector<Vec3> beyond;
};

/// Halves cubes about the solid until each lies in one ball, or outside. The balls are to contain
/// the surface at the excess `known`. What is found is an upper bound, by `tolerance` at most above
/// the larger of that and the least excess at which the solid is covered. Nothing where that takes
/// more than about `max_cubes`. In parallel; the same for any number of threads.
[[nodiscard]] std::optional<SolidCover> cover_solid(const UnitSolid& solid,
                                                    std::span<const GrowingBall> balls,
                                                    double known, double tolerance,
                                                    double excess_asked, std::size_t max_cubes);

}  // namespace plimsoll
