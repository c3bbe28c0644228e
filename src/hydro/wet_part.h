// What a plane cuts off a primitive: one function for each, in the file of its family.
#pragma once

#include <plimsoll/shape.h>
#include <plimsoll/submersion.h>

#include <algorithm>
#include <array>

namespace plimsoll {

/// What the plane cuts off: `first` is the integral of p over the wet part.
struct WetPart {
  double volume = 0, area = 0;
  Vec3 first = Vec3::Zero();
  WaterSection section;
};

/// Two unit axes square to `n` and to each other.
inline Mat23 axes_across(const Vec3& n) {
  const Vec3 u = n.unitOrthogonal();
  Mat23 axes;
  axes << u.transpose(), n.cross(u).transpose();
  return axes;
}

/// Sets the center and shifts the moments to it: `first` and `second` are the integrals of q and
/// q q^T, q = axes (p - origin).
inline void finish(WaterSection& section, const Vec3& origin, const Vec2& first,
                   const Mat2& second) {
  if (!(section.area > 0)) {
    section = {};
    return;
  }
  const Vec2 center = first / section.area;
  section.center = origin + section.axes.transpose() * center;
  section.second_moments = second - center * first.transpose();
  section.second_moments.diagonal() = section.second_moments.diagonal().cwiseMax(0);
}

/// A flat figure's area, and moments about a point of it: along an axis that it is the same on both
/// sides of, the first and the second, and the second across.
struct StripMoments {
  double area, first, second, across;
};

/// The same for such a figure; axes[0] is the one that it is symmetric about.
inline void set_strip(WaterSection& section, const Vec3& origin, const std::array<Vec3, 2>& axes,
                      const StripMoments& of) {
  if (!(of.area > 0)) return;
  const double center = of.first / of.area;
  section.area = of.area;
  section.center = origin + center * axes[0];
  section.second_moments(0, 0) = std::max(of.second - center * of.first, 0.0);
  section.second_moments(1, 1) = std::max(of.across, 0.0);
  section.axes << axes[0].transpose(), axes[1].transpose();
}

/// The box of a solid about its own origin.
inline Box3 own_box(const Sphere& s) {
  return {Vec3::Constant(-s.radius), Vec3::Constant(s.radius)};
}
inline Box3 own_box(const Ellipsoid& e) { return {-e.radii, e.radii}; }
inline Box3 own_box(const Torus& t) {
  const Vec3 half(t.major + t.minor, t.major + t.minor, t.minor);
  return {-half, half};
}
inline Box3 own_box(const Cylinder& c) {
  const Vec3 half(c.radius, c.radius, c.height / 2);
  return {-half, half};
}
inline Box3 own_box(const Capsule& c) {
  const Vec3 half(c.radius, c.radius, c.height / 2 + c.radius);
  return {-half, half};
}
inline Box3 own_box(const Cone& c) {
  return {Vec3(-c.radius, -c.radius, 0), Vec3(c.radius, c.radius, c.height)};
}

/// The wet part of a solid about its own origin, which the plane cuts. Without `areas` those and
/// the section may be left out. Precondition: water.normal has unit length.
[[nodiscard]] WetPart wet_part(const Sphere& sphere, const WaterPlane& water, bool areas);
[[nodiscard]] WetPart wet_part(const Cylinder& cylinder, const WaterPlane& water, bool areas);
[[nodiscard]] WetPart wet_part(const Capsule& capsule, const WaterPlane& water, bool areas);
[[nodiscard]] WetPart wet_part(const Cone& cone, const WaterPlane& water, bool areas);
[[nodiscard]] WetPart wet_part(const Torus& torus, const WaterPlane& water, bool areas);

/// An area of an ellipsoid takes a quadrature, some hundred times as long as all else: it is found
/// where it is asked for.
[[nodiscard]] WetPart wet_part(const Ellipsoid& ellipsoid, const WaterPlane& water,
                               const SubmersionParts& parts);
template <class Solid>
[[nodiscard]] WetPart wet_part(const Solid& solid, const WaterPlane& water,
                               const SubmersionParts& parts) {
  return wet_part(solid, water, parts.wetted_area || parts.waterplane);
}

/// The same by quadrature, for the planes whose closed form cancels.
[[nodiscard]] WetPart integrated_part(const Capsule& capsule, const WaterPlane& water, bool areas);
[[nodiscard]] WetPart integrated_part(const Cone& cone, const WaterPlane& water, bool areas);

}  // namespace plimsoll
