// Posed primitives drawn from a seed, and which points are inside, told by their definition.
#pragma once

#include <plimsoll/shape.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>

#include "core/random.h"

namespace plimsoll::test {

inline Expression formula(const std::string& text) {
  const Result<Expression> parsed = Expression::parse(text);
  return parsed ? *parsed : *Expression::parse("0/0");  // inside nowhere: the test then fails
}

inline Vec3 random_point(Random& random, double size = 1) {
  return size * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
}

inline Vec3 random_direction(Random& random) {
  Vec3 direction = random_point(random);
  while (!(direction.norm() > 0.1)) direction = random_point(random);
  return direction.normalized();
}

/// Turned by a random angle, or by a multiple of 90 degrees; scaled; moved by up to two lengths.
inline Similarity random_pose(Random& random) {
  Similarity pose = Similarity::Identity();
  const double right_angle = std::acos(0.0);
  const bool oblique = random.below(3) != 0;
  const Vec3 axis = oblique ? Vec3(random_point(random).normalized())
                            : Vec3(Vec3::Unit(static_cast<int>(random.below(3))));
  const double angle =
      oblique ? random.uniform(-3, 3) : right_angle * static_cast<double>(random.below(4));
  pose.linear() = random.uniform(0.5, 2) * Eigen::AngleAxisd(angle, axis).toRotationMatrix();
  pose.translation() = random_point(random, 2);
  return pose;
}

constexpr int kPrimitiveKinds = 7;
inline Shape random_primitive(Random& random, int kind) {
  const auto size = [&] { return random.uniform(0.3, 1.5); };
  const Similarity pose = random_pose(random);
  switch (kind) {
    case 0:
      return {BoxSolid{{size(), size(), size()}}, pose};
    case 1:
      return {Sphere{size()}, pose};
    case 2:
      return {Ellipsoid{{size(), size(), size()}}, pose};
    case 3: {
      const double major = size();
      return {Torus{major, major * (random.below(8) == 0 ? 1 : random.uniform(0.02, 1))}, pose};
    }
    case 4:
      return {Cylinder{size(), size()}, pose};
    case 5:
      return {Capsule{size(), size()}, pose};
    default:
      return {Cone{size(), size()}, pose};
  }
}

// How far outside a point is, at most: negative inside, and on the surface 0. In the solid's frame.
inline double outside(const BoxSolid& box, const Vec3& p) {
  return (p.cwiseAbs() - box.size / 2).maxCoeff();
}
inline double outside(const Sphere& sphere, const Vec3& p) { return p.norm() - sphere.radius; }
inline double outside(const Ellipsoid& e, const Vec3& p) {
  return (p.cwiseQuotient(e.radii).norm() - 1) * e.radii.minCoeff();
}
inline double outside(const Torus& t, const Vec3& p) {
  return std::hypot(std::hypot(p.x(), p.y()) - t.major, p.z()) - t.minor;
}
inline double outside(const Cylinder& c, const Vec3& p) {
  return std::max(std::hypot(p.x(), p.y()) - c.radius, std::abs(p.z()) - c.height / 2);
}
inline double outside(const Capsule& c, const Vec3& p) {
  const double z = std::clamp(p.z(), -c.height / 2, c.height / 2);
  return (p - Vec3(0, 0, z)).norm() - c.radius;
}
inline double outside(const Cone& c, const Vec3& p) {
  const double slant = std::hypot(c.radius, c.height);
  const double side = (std::hypot(p.x(), p.y()) * c.height - c.radius * (c.height - p.z())) / slant;
  return std::max(side, -p.z());
}
template <class Other>
double outside(const Other&, const Vec3&) {
  return 1;
}

/// The same for the posed shape, in its own units.
inline double outside(const Shape& shape, const Vec3& p_world) {
  const Vec3 p = shape.pose.linear().inverse() * (p_world - shape.pose.translation());
  return std::visit([&](const auto& solid) { return outside(solid, p); }, shape.solid);
}

/// The primitive as a formula of the same sign, in bounds with room around it.
inline Shape as_formula(const Shape& shape) {
  const auto text = [](double x) {
    std::string digits(32, '\0');
    digits.resize(static_cast<std::size_t>(std::snprintf(digits.data(), 32, "%.17g", x)));
    return digits;
  };
  std::string f;
  if (const auto* box = std::get_if<BoxSolid>(&shape.solid))
    f = "max(abs(x)-" + text(box->size.x() / 2) + ",abs(y)-" + text(box->size.y() / 2) +
        ",abs(z)-" + text(box->size.z() / 2) + ")";
  if (const auto* sphere = std::get_if<Sphere>(&shape.solid))
    f = "x^2+y^2+z^2-" + text(sphere->radius) + "^2";
  if (const auto* e = std::get_if<Ellipsoid>(&shape.solid))
    f = "(x/" + text(e->radii.x()) + ")^2+(y/" + text(e->radii.y()) + ")^2+(z/" +
        text(e->radii.z()) + ")^2-1";
  if (const auto* t = std::get_if<Torus>(&shape.solid))
    f = "(sqrt(x^2+y^2)-" + text(t->major) + ")^2+z^2-" + text(t->minor) + "^2";
  if (const auto* c = std::get_if<Cylinder>(&shape.solid))
    f = "max(sqrt(x^2+y^2)-" + text(c->radius) + ",abs(z)-" + text(c->height / 2) + ")";
  if (const auto* c = std::get_if<Capsule>(&shape.solid))
    f = "x^2+y^2+max(0,abs(z)-" + text(c->height / 2) + ")^2-" + text(c->radius) + "^2";
  if (const auto* c = std::get_if<Cone>(&shape.solid))
    f = "max(-z,sqrt(x^2+y^2)-" + text(c->radius) + "*(1-z/" + text(c->height) + "))";
  const Vec3 room = Vec3::Constant(3.1);
  return {ImplicitSolid{formula(f), Box3(-room, room)}, shape.pose};
}

}  // namespace plimsoll::test
