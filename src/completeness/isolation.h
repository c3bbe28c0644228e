// How far around a pose the curvature of its energy is known, and so how far from a pose at rest
// there is no other.
//
// Up-vectors near n are taken as n + y, y square to n. With phi(y) the energy continued as a
// function homogeneous of degree 1, and q = G - B, a pose is at rest where
//
//   F(y) = q_t - (q . n) y = 0,   q_t = grad phi the part of q square to n.
//
// The Hessian of phi is C(y) / V, C the second moments about its center of the waterplane's image
// on the plane at n along n: the water moves by dl - dy . s over the point s of that image. Hence
//
//   F(0) = grad E,   DF(y) = (1 + y y^T) C(y) / V - (q . n) 1,   DF(0) = H.
//
// The images at 0 and y differ by what the surface between the two planes covers, seen along n.
// With S_k the integral of d^k over that image, d the distance from the center at 0, and A the
// area,
//
//   |C(y) - C(0)| <= S_2 A / (A - S_0),   |center(y) - center(0)| <= S_1 / (A - S_0),
//
// since second moments are least about the center, moving it costs |first moment|^2 / area, and
// S_1^2
// <= S_0 S_2. The planes lie within |y| (d + b) of the first as long as no center is farther from
// the first than b: true while S_1 / (A - S_0) < b over that layer, for the level moves
// continuously.
//
// Long bodies are stiff one way and tender the other. So y = S z with S = diag(s_1, s_2) along the
// heel axes, and S F(S z) takes the place of F: its Jacobian at 0 is S H S, and S C S is the second
// moment in coordinates S s. Both moments of the waterplane are made alike, the smaller one kept.
#pragma once

#include <plimsoll/floating.h>

#include <limits>

namespace plimsoll {

/// Coordinates z of the up-vectors about a floating state's: y = S z in its heel axes.
class LevelChart {
 public:
  explicit LevelChart(const FloatingState& at);

  /// z of an up-vector less than a quarter turn away.
  [[nodiscard]] Vec2 at(const Vec3& up) const { return from_up_ * up / up_.dot(up); }
  /// S times the arm at 0, and the eigenvalues of S H S.
  [[nodiscard]] Vec2 arm() const { return arm_; }
  [[nodiscard]] Vec2 curvature() const { return curvature_; }
  /// S s of a point s = p - q of the water.
  [[nodiscard]] const Mat23& axes() const { return axes_; }
  /// The largest eigenvalue of S C(0) S / V.
  [[nodiscard]] double largest() const { return largest_; }

 private:
  Vec3 up_;
  Mat23 axes_, from_up_;
  Vec2 arm_, curvature_;
  double largest_ = 0;
};

/// A bound of |S (DF(S z) - H) S| over all |z| <= slope; infinity where none is known or it exceeds
/// `enough`.
[[nodiscard]] double curvature_change(const FloatingBody& body, const FloatingState& at,
                                      const LevelChart& chart, double slope,
                                      double enough = std::numeric_limits<double>::infinity());

/// The directions |z| <= slope about a pose at rest, in which it is the only one.
struct IsolatedPose {
  Vec3 up;
  LevelChart chart;
  double slope = 0;  ///< 0 where none was found.

  [[nodiscard]] bool holds(const Vec3& direction) const {
    return direction.dot(up) > 0 && chart.at(direction).norm() <= slope;
  }
};

/// What is isolated about a pose at rest: as far as found, curvature_change() stays below the
/// smaller |eigenvalue| of S H S, so that F takes no value twice; and the arm that is left over is
/// so small that one is at rest there.
[[nodiscard]] IsolatedPose isolated_pose(const FloatingBody& body, const FloatingState& at);

/// The state at `up` as nearly as proofs ask for: some questions fewer than float_upright. Adds to
/// `cost` (HeaveState), if it is there.
[[nodiscard]] FloatingState probe_state(const FloatingBody& body, const Vec3& up, double level,
                                        std::size_t* cost = nullptr);

/// How far rounding may move the center of buoyancy of what is under water [m]. A bound, some
/// thousand times what is found.
[[nodiscard]] double center_error(const FloatingBody& body, const FloatingState& at);

/// How far energy and arm of a state may be off [m]: the same, and what is missing under water.
[[nodiscard]] double state_error(const FloatingBody& body, const FloatingState& at);

}  // namespace plimsoll
