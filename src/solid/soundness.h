// Whether the surface of a solid counts every part of space once.
#pragma once

#include <plimsoll/mesh_health.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "solid/rim_caps.h"

namespace plimsoll {

struct SoundnessInput {
  const MeshView& mesh;
  /// The shell of each triangle: triangles joined over shared edges; UINT32_MAX for those left out,
  /// which name a vertex twice.
  std::span<const std::uint32_t> shell_of_triangle;
  std::size_t shell_count;
  /// The patch of each triangle: triangles joined over edges of exactly two, so that shells fall
  /// into patches along non-manifold edges; UINT32_MAX likewise.
  std::span<const std::uint32_t> patch_of_triangle;
  std::size_t patch_count;
  const RimCaps* caps = nullptr;  ///< Of the mesh, where edges do not balance.
  std::uint64_t max_looks = HealthOptions().max_looks;
};

struct Soundness {
  bool crossing = false;   ///< Two patches pass through or lie upon each other, or one does itself.
  bool undecided = false;  ///< `crossing` is only feared: too many meetings or pieces to follow.
  bool nested = false;     ///< A shell lies within another that is turned the same way.
  bool opposed = false;    ///< Shells beside each other are turned opposite ways.
  std::optional<std::size_t> self_intersecting_pairs;  ///< See intersecting_pairs.
  bool has_more_pairs = false;                         ///< Counting stopped there.
  std::uint64_t looks = 0;      ///< Taken at cells and triangles to tell entangled ones.
  std::vector<Defect> defects;  ///< At most max_defects: inward, then nested shells, then pairs.
};

/// Decides whether the winding number of a closed surface is 0 or 1 everywhere off the surface, or
/// 0 or -1 everywhere (then it is inverted): all three flags are clear if and only if it is.
/// Patches that merely touch, in vertices, edges or faces turned against each other, are sound.
///
/// All is exact for the given vertices, with two provisos. Different patches are always compared;
/// whether one patch passes through itself is looked at, and pairs are counted, only with
/// `count_self_intersections`: without it a patch is taken to be free of that. And a triangle that
/// others come to from both sides, cutting it into more than 8192 parts, is not examined to the
/// end, nor are all such triangles where that takes more than `max_looks`, nor a mesh with more
/// than 300,000 and 32 times as many pairs as triangles, or whose pairs take the work of more than
/// `max_looks` to find, where counting stops: these are reported as crossing, and `undecided` where
/// none of the pairs seen crosses. `nested` and `opposed` do not
/// depend on whether pairs are counted.
///
/// In a mesh with a crossing, `nested` is judged over shells that have no meeting, `opposed` over
/// shells that touch none.
///
/// A mesh that is not closed has the winding numbers that it has with caps over its rims, but only
/// outside the hulls of the rims, where they do not depend on the caps (rim_caps.h). There it is
/// judged in the same way, and a flag is set only for what the mesh has whatever closes it; a part
/// that is in such a hull entirely is not judged. Of up to 64 triangles of each part, spread over
/// it, one is looked for that is not. `undecided` is a mesh of which the first 32,768 triangles
/// that are tried are all in such hulls; and, as above, one of more than 300,000 pairs, or 10,000
/// where all that are tried are in such hulls, and one for each triangle. Pairs, and with them
/// crossings of a patch with itself, are those of its own triangles. Precondition: check_mesh.
/// Cost: nothing for a single patch that is not to be compared with itself; O(n) where the boxes of
/// shells are disjoint; else O(n log n), and one ray for each region between meetings: to the
/// nearest sheet where the surface is sound. Where it is not, rays go through all sheets, though of
/// shells that space is counted twice in only until `max_defects` nested ones are found; whether a
/// patch winds twice around its own inside, a crossing, is then not asked of the others.
[[nodiscard]] Soundness assess_soundness(const SoundnessInput& input, bool count_self_intersections,
                                         std::size_t max_defects);

}  // namespace plimsoll
