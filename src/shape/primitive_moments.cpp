#include "shape/primitive_moments.h"

#include <plimsoll/elementary.h>

#include <algorithm>
#include <array>
#include <boost/math/special_functions/ellint_rd.hpp>
#include <boost/math/special_functions/ellint_rf.hpp>
#include <numbers>

#include "core/overloaded.h"
#include "shape/similarity_parts.h"

namespace plimsoll {
namespace {

using std::numbers::pi;

/// Of a solid symmetric about its origin, `means` the mean squares of x, y, z.
VolumeMoments symmetric(double volume, const Vec3& means) {
  return {volume, Vec3::Zero(), Mat3((volume * means).asDiagonal())};
}

}  // namespace

VolumeMoments own_moments(const BoxSolid& box) {
  return symmetric(box.size.prod(), box.size.cwiseAbs2() / 12);
}

VolumeMoments own_moments(const Ellipsoid& e) {
  return symmetric(4 * pi / 3 * e.radii.prod(), e.radii.cwiseAbs2() / 5);
}

VolumeMoments own_moments(const Sphere& sphere) {
  return own_moments(Ellipsoid{Vec3::Constant(sphere.radius)});
}

// Pappus; the mean of rho^2 over a turned disk is R^2 + 3/4 r^2.
VolumeMoments own_moments(const Torus& t) {
  const double square = t.minor * t.minor;
  const double across = (t.major * t.major + 0.75 * square) / 2;
  return symmetric(2 * pi * pi * t.major * square, {across, across, square / 4});
}

VolumeMoments own_moments(const Cylinder& c) {
  const double across = c.radius * c.radius / 4;
  return symmetric(pi * c.radius * c.radius * c.height, {across, across, c.height * c.height / 12});
}

// A cylinder and two half balls, whose centroids lie 3/8 r beyond its ends.
VolumeMoments own_moments(const Capsule& c) {
  const double r = c.radius, h = c.height;
  const double across = r * r / 5;
  return own_moments(Cylinder{r, h}) +
         symmetric(4 * pi / 3 * r * r * r, {across, across, across + h * h / 4 + 0.375 * h * r});
}

VolumeMoments own_moments(const Cone& c) {
  const double across = 0.15 * c.radius * c.radius;
  VolumeMoments m = symmetric(pi / 3 * c.radius * c.radius * c.height,
                              {across, across, c.height * c.height / 10});
  m.first.z() = m.volume * c.height / 4;
  return m;
}

// ---- areas

namespace {

/// S = 4 pi R_G(a^2 b^2, a^2 c^2, b^2 c^2) [DLMF, sec. 19.33], and with z the middle argument,
/// so that all terms are positive,
///   2 R_G = z R_F - (x - z) (y - z) R_D / 3 + sqrt(x y / z) [DLMF, sec. 19.21].
double ellipsoid_area(const Vec3& radii) {
  using namespace boost::math::policies;
  // Whatever happens is a number: the library does not throw.
  constexpr policy<domain_error<ignore_error>, pole_error<ignore_error>,
                   overflow_error<ignore_error>, evaluation_error<ignore_error>,
                   rounding_error<ignore_error>, promote_double<false>>
      kQuiet;
  const double size = radii.maxCoeff();
  const Vec3 r = radii / size;
  std::array<double, 3> products{r.x() * r.y(), r.x() * r.z(), r.y() * r.z()};
  std::sort(products.begin(), products.end());
  const double x = products[0] * products[0], z = products[1] * products[1],
               y = products[2] * products[2];
  const double doubled = z * boost::math::ellint_rf(x, y, z, kQuiet) +
                         (z - x) * (y - z) * boost::math::ellint_rd(x, y, z, kQuiet) / 3 +
                         products[0] * products[2] / products[1];
  return 2 * pi * doubled * size * size;
}

}  // namespace

double own_area(const BoxSolid& box) {
  const Vec3& s = box.size;
  return 2 * (s.x() * s.y() + s.y() * s.z() + s.z() * s.x());
}
double own_area(const Sphere& s) { return 4 * pi * s.radius * s.radius; }
double own_area(const Ellipsoid& e) { return ellipsoid_area(e.radii); }
double own_area(const Torus& t) { return 4 * pi * pi * t.major * t.minor; }
double own_area(const Cylinder& c) { return 2 * pi * c.radius * (c.radius + c.height); }
double own_area(const Capsule& c) { return 2 * pi * c.radius * (2 * c.radius + c.height); }
double own_area(const Cone& c) {
  return pi * c.radius * (c.radius + elementary::hypot(c.radius, c.height));
}

namespace {

template <class Solid>
concept Primitive = requires(const Solid& solid) { own_moments(solid); };

}  // namespace

std::optional<VolumeMoments> exact_moments(const Shape& shape) {
  return std::visit(
      Overloaded{[&](const Primitive auto& solid) -> std::optional<VolumeMoments> {
                   return transformed(own_moments(solid), shape.pose);
                 },
                 [](const auto&) -> std::optional<VolumeMoments> { return std::nullopt; }},
      shape.solid);
}

std::optional<double> exact_area(const Shape& shape) {
  const double scale = SimilarityParts(shape.pose).scale;
  return std::visit(Overloaded{[&](const Primitive auto& solid) -> std::optional<double> {
                                 return scale * scale * own_area(solid);
                               },
                               [](const auto&) -> std::optional<double> { return std::nullopt; }},
                    shape.solid);
}

}  // namespace plimsoll
