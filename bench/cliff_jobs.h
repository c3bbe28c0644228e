// Questions about bodies that are there, with the trees that they need.
#pragma once

#include <plimsoll/mesh_tree.h>
#include <plimsoll/solid_tree.h>

#include <cstddef>
#include <cstdint>
#include <functional>

#include "support/hard_scenes.h"

namespace plimsoll::bench {

struct CliffJob {
  std::size_t triangles = 0;
  /// Asks, and returns how many pairs, poses or other things were found that were asked for.
  std::function<std::size_t()> ask;
  /// How many questions that are, each of which takes its time.
  std::size_t questions = 1;
};

[[nodiscard]] CliffJob distance(const test::TwoBodies& two);
[[nodiscard]] CliffJob near_pairs(const test::TwoBodies& two, double distance);
[[nodiscard]] CliffJob pairs(const test::TwoBodies& two, TreeQuality quality = TreeQuality::kTight);
/// Volume, force and curve; found are its segments.
[[nodiscard]] CliffJob overlap(const test::TwoBodies& two);
[[nodiscard]] CliffJob self_pairs(TriangleMesh mesh, TreeQuality quality = TreeQuality::kTight);
[[nodiscard]] CliffJob health(TriangleMesh mesh, bool with_pairs = false);
[[nodiscard]] CliffJob mass(TriangleMesh mesh);

enum class ProbeQuestion {
  kNearest,
  kWinding,
  kRay,
  kRayInFace,     ///< In the plane z = 0.5, which a box has a face in.
  kRayAlongEdge,  ///< From beyond the tip of a cone of radius 1 and height 2 down an edge of it.
};
/// Of 64 points about a body and directions, at random.
[[nodiscard]] CliffJob probed(TriangleMesh mesh, ProbeQuestion question,
                              TreeQuality quality = TreeQuality::kTight);

[[nodiscard]] CliffJob under_water(TriangleMesh mesh, const WaterPlane& water);
/// By a SubmersionTracker: of water about z = 0, which moves by 0.001 from question to question.
[[nodiscard]] CliffJob tracked(TriangleMesh mesh);
/// At half of the water's density.
[[nodiscard]] CliffJob equilibria(TriangleMesh mesh);

/// Which of n x n bodies touch, each in the place of a rod (test::place_of_rod).
[[nodiscard]] CliffJob many_bodies(TriangleMesh mesh, std::uint32_t n, double step);
/// Pairs that touch, or closer than `within`, found by FAR on the processor.
[[nodiscard]] CliffJob scanline(const test::TwoBodies& two, double within);

}  // namespace plimsoll::bench
