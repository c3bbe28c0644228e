// Convex hulls of small boxes, for what boxes along the axes do not tell apart.
//
// The boxes of long, slanted or nested triangles overlap by thousands while their corners lie in a
// few places: eight small boxes around these have a hull that is nearly that of the triangles. Two
// hulls are apart if a plane parts them. It is looked for by the way from one to the other, which
// gets shorter in each step [Gilbert1988]; what is found is then checked with all rounding counted.
#pragma once

#include <plimsoll/types.h>

#include <cstddef>
#include <span>

namespace plimsoll {

/// The hull of kBoxes boxes, some of them perhaps equal: box i is { c_i + sum l_j a_j, |l_j| <=
/// h_ij }, the axes a_j being those along which what is inside reaches farthest. So flat parts have
/// flat hulls.
struct CornerHull {
  static constexpr std::size_t kBoxes = 8;

  alignas(64) double center[3][kBoxes];  ///< Coordinate k of c_i at [k][i].
  double half[3][kBoxes];                ///< h_ij at [j][i].
  double axis[3][3];                     ///< Coordinate k of a_j at [j][k].
  double middle[3];                      ///< About the mean of the c_i.
  double reach;                          ///< No coordinate of the hull is farther from 0.

  /// Around points, at least one and at most kMostPoints. Each is put to the nearest of eight that
  /// lie far apart. What rounding moves, here and where hulls are put together, less than 2^-49 of
  /// the reach, is left to HullSeparation.
  [[nodiscard]] static CornerHull around(std::span<const Vec3> points);
  static constexpr std::size_t kMostPoints = 64;
  /// Around hulls, at least one and at most eight.
  [[nodiscard]] static CornerHull around(std::span<const CornerHull> hulls);

  [[nodiscard]] Vec3 center_of(std::size_t box) const {
    return {center[0][box], center[1][box], center[2][box]};
  }

  /// Where the pose takes it.
  [[nodiscard]] CornerHull posed(const Similarity& pose) const;
};

/// How far a hull reaches along a direction, and the first of its boxes that does; of hulls that
/// are not finite, any box, or none: kBoxes and more.
struct HullReach {
  double most;
  std::size_t box;
};
/// That of a along `d`, and that of b along -d.
struct HullReaches {
  HullReach a, b;

  /// How far the planes square to the direction that touch the hulls are apart, times its length.
  [[nodiscard]] double gap() const { return -b.most - a.most; }
};
/// corner_hull_kernel.cpp.
[[nodiscard]] HullReaches reaches_of(const CornerHull& a, const CornerHull& b, const Vec3& d);

/// Looks for planes that part hulls. One for a thread: it begins with the last plane it found,
/// which often parts the next two as well.
class HullSeparation {
 public:
  /// True only if no point of one is in the other, though both be moved by 2^-47 of their reach.
  /// Where they are apart by more than 2^-26 of it, nearly always true, and mostly for less.
  [[nodiscard]] bool are_apart(const CornerHull& a, const CornerHull& b);

 private:
  Vec3 last_ = Vec3::Zero();
};

}  // namespace plimsoll
