// The pairs of bodies that distance is measured on, and how they lie and move.
#pragma once

#include <plimsoll/distance.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "scenarios.h"

namespace plimsoll::bench {

struct TwoMeshes {
  TriangleMesh a, b;
};

struct DistanceScene {
  std::string name;
  std::function<Result<TwoMeshes>()> make;
  bool is_aside = false;  ///< Kept out of all tuning, and reported last.
};

/// Two bunnies of one scan at 5,000, 75,408 and 700,000 triangles, two rippled torus knots; aside
/// two armadillos and two bumpy spheres.
[[nodiscard]] std::vector<DistanceScene> distance_scenes(const std::filesystem::path& cache);

/// Turned about a point, which is moved.
[[nodiscard]] Similarity pose_about(const Vec3& center, const Mat3& turn, const Vec3& at);

struct PosedPair {
  Similarity world_from_a = Similarity::Identity(), world_from_b = Similarity::Identity();
};

/// Poses in their order; the time of the first is not counted.
struct Poses {
  std::vector<PosedPair> uncounted, counted;
};

/// What poses are made for.
struct TwoTrees {
  DistanceTree a, b;
  double size;  ///< The longest side of a's box.
};

/// How far and how apart: in sizes.
struct Motion {
  double gap;
  double step;  ///< From one pose to the next; they turn by 5 times as many radians.
};

/// Bodies turned at random and `gap` sizes apart, to a thousandth of it: 16 to a block, after four
/// that are not counted.
[[nodiscard]] std::vector<Poses> cold_poses(const TwoTrees& trees, double gap, int blocks,
                                            std::uint64_t seed);

/// One body turns and moves around the other, which it nears by no more than a step at once and is
/// never much nearer to than `gap`: 96 poses to a block, after eight that are not counted. Each
/// block begins elsewhere.
[[nodiscard]] std::vector<Poses> moving_poses(const TwoTrees& trees, const Motion& motion,
                                              int blocks, std::uint64_t seed);

}  // namespace plimsoll::bench
