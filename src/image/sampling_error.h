// How far a sum over the rows of a lattice may be from the integral that it stands for.
//
// A quantity f(y) of the section at y (its area, its moments) is sampled at the rows' centers. With
// F its Fourier transform, the sum differs from the integral by what the samples cannot tell from
// the mean (Poisson's summation formula):
//
//   h sum f(y_j) - int f dy  =  2 Re sum_{k >= 1} F(k / h) exp(...)
//
// With y counted from the middle of the lattice the exponential is +-1, so that only the even part
// of f matters, the real part of F. It counts three times as much here as the odd one, not alone:
// bodies that seem symmetric are so only as far as their triangles are.
//
// F beyond 1 / 2h is not seen, but it goes on as it began: where f has a jump in its p-th
// derivative |F| falls as nu^-(p+1). So |F| is measured in the last three octaves below 1 / 2h, and
// extrapolated to 1 / h with the slower of the two slopes there, of which a part is taken off for
// what aliasing adds. That needs no knowledge of the surface, is not deceived by two lattices that
// agree by accident, and follows the order of the body at hand: 1 for a wall, 2 for an edge or a
// silhouette of a smooth body, 3 and more for a polyhedron that stands askew.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "image/ten_moments.h"

namespace plimsoll {

/// How fast |F| is taken to fall beyond 1 / 2h.
enum class Falloff {
  kMeasured,    ///< As below, between nu^-1 and nu^-2: sections that are themselves exact.
  kSilhouette,  ///< nu^-1.5, that of a silhouette sampled in both directions, whose pixels are
                ///< noise.
};

/// |F| at 1 / h, extrapolated, for each of the ten moments; `step` is h. It is the scale of the
/// error, some times larger in the worst of 100 cases.
[[nodiscard]] TenMoments spectrum_at_lattice(std::span<const TenMoments> rows, double step,
                                             Falloff falloff);
/// The same of one quantity.
[[nodiscard]] double spectrum_at_lattice(std::span<const std::array<double, 1>> rows, double step,
                                         Falloff falloff);

/// The rows next to which the section jumps, because a wall ends there, and their neighbours: 1 for
/// each. At most about a quarter of them.
[[nodiscard]] std::vector<std::uint8_t> jumping_rows(std::span<const TenMoments> rows);

/// `rows` with its jumps at the rows marked in `exact` taken out: what is left was sampled.
[[nodiscard]] std::vector<TenMoments> without_jumps(std::span<const TenMoments> rows,
                                                    std::span<const std::uint8_t> exact);

}  // namespace plimsoll
