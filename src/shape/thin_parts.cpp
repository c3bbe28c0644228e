// The width of a convex body K in direction d is h(d) + h(-d), h(d) = max { d . p : p in K } its
// support function. Of a torus the tube's is taken.
#include "shape/thin_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "shape/overloaded.h"
#include "shape/primitive_moments.h"

namespace plimsoll {
namespace {

// h(d) + h(-d) in the frame of the primitive; nothing for what is no primitive.
std::optional<double> width_of(const Shape& shape, const Vec3& d) {
  const double across = std::hypot(d.x(), d.y());
  const double along = std::abs(d.z());
  using Width = std::optional<double>;
  return std::visit(
      Overloaded{
          [&](const BoxSolid& s) -> Width { return d.cwiseAbs().dot(s.size); },
          [&](const Sphere& s) -> Width { return 2 * s.radius * d.norm(); },
          [&](const Ellipsoid& s) -> Width { return 2 * d.cwiseProduct(s.radii).norm(); },
          [&](const Torus& s) -> Width { return 2 * s.minor * d.norm(); },
          [&](const Cylinder& s) -> Width { return 2 * s.radius * across + s.height * along; },
          [&](const Capsule& s) -> Width { return 2 * s.radius * d.norm() + s.height * along; },
          [&](const Cone& s) -> Width {
            // The base's support on either side, and the apex where it reaches farther.
            const double base = s.radius * across;
            return std::max(base, d.z() * s.height) + std::max(base, -d.z() * s.height);
          },
          [](const auto&) -> Width { return std::nullopt; },
      },
      shape.solid);
}

double thin_volume_of(const Shape& shape, const Eigen::Affine3d& outer, int axis, double width) {
  const Eigen::Affine3d pose = outer * shape.pose;
  if (const auto* boolean = std::get_if<Boolean>(&shape.solid)) {
    double sum = 0;
    for (const Shape& part : boolean->of) sum += thin_volume_of(part, pose, axis, width);
    return sum;
  }
  constexpr int kDirections = 64;
  double narrowest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kDirections; ++i) {
    const double angle = std::numbers::pi * i / kDirections;
    Vec3 d = Vec3::Zero();
    d[(axis + 1) % 3] = std::cos(angle);
    d[(axis + 2) % 3] = std::sin(angle);
    const std::optional<double> found = width_of(shape, pose.linear().transpose() * d);
    if (!found) return 0;
    narrowest = std::min(narrowest, *found);
  }
  if (narrowest >= width) return 0;
  Shape posed = shape;
  posed.pose = pose;
  return exact_moments(posed)->volume;
}

}  // namespace

double thin_volume(const Shape& shape, int axis, double width) {
  return thin_volume_of(shape, Eigen::Affine3d::Identity(), axis, width);
}

}  // namespace plimsoll
