// Curves of poses at rest, along which the energy does not change, and the index of the gradient
// round a pose or a curve.
#pragma once

#include <plimsoll/floating.h>

#include <vector>

namespace plimsoll {

/// Up-vectors along a curve of poses at rest.
struct NeutralCurve {
  std::vector<Vec3> points;  ///< Of a closed one, the first is not repeated.
  bool is_closed = false;
  Vec3 axis = Vec3::Zero();  ///< Unit axis of a closed one that is a circle.
};

/// The curve through a pose at rest whose metacentric height about the k-th heel axis is zero, in
/// steps of `step` [rad] or, of small circles and of arcs of few steps, less. One point where it is
/// at rest alone. Ends are found to 1e-5 rad where the height grows as the square of the way beyond
/// them, as where the waterline reaches another corner.
[[nodiscard]] NeutralCurve neutral_curve(const FloatingBody& body, const FloatingState& at, int k,
                                         double step = 0.02);

/// Where, along the valley through a pose at rest, its smaller |metacentric height| is least, as
/// long as it is at rest to 1e-10 of the body's size and, but for rounding, no less nearly. Where
/// the height vanishes towards a pose, an arm that is small comes long before it.
[[nodiscard]] FloatingState flattest_nearby(const FloatingBody& body, const FloatingState& at);

[[nodiscard]] double angle_between(const Vec3& a, const Vec3& b);

/// The angle between `up` and the nearest point of the curve.
[[nodiscard]] double distance_to(const NeutralCurve& curve, const Vec3& up);
/// Whether that is at most `angle`; of a single point far away it takes no arctangent.
[[nodiscard]] bool is_within(const NeutralCurve& curve, double angle, const Vec3& up);

/// The degree of the gradient of the energy on the loop at `angle` around an open curve or a single
/// point: the sum of the indices of what is at rest inside [Milnor1965, sec. 6].
[[nodiscard]] int index_around(const FloatingBody& body, const NeutralCurve& curve, double level,
                               double angle);

}  // namespace plimsoll
