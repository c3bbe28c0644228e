// The pairs of bodies whose overlaps are measured, and how they lie and move.
#pragma once

#include <plimsoll/mesh.h>
#include <plimsoll/overlap.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "distance_scenes.h"

namespace plimsoll::bench {

struct OverlapScene {
  std::string name;
  std::function<Result<TwoMeshes>()> make;
  bool is_medium = false;  ///< One of the three bodies of some 70,000 triangles.
  bool is_aside = false;   ///< Kept out of all tuning, and reported last.
};

/// A bunny, an armadillo and a rippled torus knot, each twice, at three sizes; last a dragon and a
/// dinosaur, which are kept out of all tuning. The longest side of each body is 1 m, but for the
/// dinosaur's, which is half of that.
[[nodiscard]] std::vector<OverlapScene> overlap_scenes(const std::filesystem::path& cache);

/// Two boxes, and two hulls of 64 points each.
[[nodiscard]] std::vector<OverlapScene> small_overlap_scenes();

/// What poses are made for.
struct TwoSolids {
  explicit TwoSolids(const TwoMeshes& meshes);

  SolidTree a, b;
  Vec3 center_a, center_b;    ///< Of mass.
  double smaller_volume = 0;  ///< [m^3]
  double reach = 0;           ///< Bodies with their centers that far apart share nothing [m].
};

/// A stands askew. B is turned about its center of mass, by an angle at random about an axis at
/// random, and moved in a direction at random until `share` of the smaller volume is common to
/// both, to a hundredth of that. Where that much is not shared with the centers together, which
/// two knots seldom do, the angle is halved until it is. Errors: `InvalidArgument` where that does
/// not help; those of OverlapSearch.
[[nodiscard]] Result<std::vector<PosedPair>> sharing_poses(const TwoSolids& solids, double share,
                                                           std::size_t count, std::uint64_t seed);

/// What B does a thousand times a second from such a pose on: it moves by 0.3 mm, square to the
/// way that leads apart, and turns by 1 mrad.
[[nodiscard]] Result<std::vector<PosedPair>> sharing_path(const TwoSolids& solids, double share,
                                                          std::size_t count, std::uint64_t seed);

}  // namespace plimsoll::bench
