#include "shape/primitive_moments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "shape/overloaded.h"
#include "shape/similarity_parts.h"

namespace plimsoll {
namespace {

using std::numbers::pi;

/// Of a solid symmetric about its origin, `means` the mean squares of x, y, z.
VolumeMoments symmetric(double volume, const Vec3& means) {
  return {volume, Vec3::Zero(), Mat3((volume * means).asDiagonal())};
}

VolumeMoments moments_of(const BoxSolid& box) {
  return symmetric(box.size.prod(), box.size.cwiseAbs2() / 12);
}

VolumeMoments moments_of(const Ellipsoid& e) {
  return symmetric(4 * pi / 3 * e.radii.prod(), e.radii.cwiseAbs2() / 5);
}

VolumeMoments moments_of(const Sphere& sphere) {
  return moments_of(Ellipsoid{Vec3::Constant(sphere.radius)});
}

// Pappus; the mean of rho^2 over a turned disk is R^2 + 3/4 r^2.
VolumeMoments moments_of(const Torus& t) {
  const double square = t.minor * t.minor;
  const double across = (t.major * t.major + 0.75 * square) / 2;
  return symmetric(2 * pi * pi * t.major * square, {across, across, square / 4});
}

VolumeMoments moments_of(const Cylinder& c) {
  const double across = c.radius * c.radius / 4;
  return symmetric(pi * c.radius * c.radius * c.height, {across, across, c.height * c.height / 12});
}

// A cylinder and two half balls, whose centroids lie 3/8 r beyond its ends.
VolumeMoments moments_of(const Capsule& c) {
  const double r = c.radius, h = c.height;
  const double across = r * r / 5;
  return moments_of(Cylinder{r, h}) +
         symmetric(4 * pi / 3 * r * r * r, {across, across, across + h * h / 4 + 0.375 * h * r});
}

VolumeMoments moments_of(const Cone& c) {
  const double across = 0.15 * c.radius * c.radius;
  VolumeMoments m = symmetric(pi / 3 * c.radius * c.radius * c.height,
                              {across, across, c.height * c.height / 10});
  m.first.z() = m.volume * c.height / 4;
  return m;
}

// ---- areas

/// Carlson's symmetric integral of the first kind, by duplication until the fifth-order series is
/// exact to rounding [Carlson1995, sec. 2]. At most one argument is 0.
double carlson_rf(double x, double y, double z) {
  const double a0 = (x + y + z) / 3;
  const double bound = std::pow(3e-17, -1.0 / 6) *
                       std::max({std::fabs(a0 - x), std::fabs(a0 - y), std::fabs(a0 - z)});
  const double x0 = a0 - x, y0 = a0 - y;
  double a = a0, quarter = 1;
  while (quarter * bound > a) {
    const double u = std::sqrt(x), v = std::sqrt(y), w = std::sqrt(z);
    const double lambda = u * v + u * w + v * w;
    x = (x + lambda) / 4;
    y = (y + lambda) / 4;
    z = (z + lambda) / 4;
    a = (a + lambda) / 4;
    quarter /= 4;
  }
  const double dx = quarter * x0 / a, dy = quarter * y0 / a, dz = -dx - dy;
  const double e2 = dx * dy - dz * dz, e3 = dx * dy * dz;
  return (1 - e2 / 10 + e3 / 14 + e2 * e2 / 24 - 3 * e2 * e3 / 44) / std::sqrt(a);
}

/// The one of the second kind [Carlson1995, sec. 2].
double carlson_rd(double x, double y, double z) {
  const double a0 = (x + y + 3 * z) / 5;
  const double bound = std::pow(2.5e-18, -1.0 / 6) *
                       std::max({std::fabs(a0 - x), std::fabs(a0 - y), std::fabs(a0 - z)});
  const double x0 = a0 - x, y0 = a0 - y;
  double a = a0, quarter = 1, sum = 0;
  while (quarter * bound > a) {
    const double u = std::sqrt(x), v = std::sqrt(y), w = std::sqrt(z);
    const double lambda = u * v + u * w + v * w;
    sum += quarter / (w * (z + lambda));
    x = (x + lambda) / 4;
    y = (y + lambda) / 4;
    z = (z + lambda) / 4;
    a = (a + lambda) / 4;
    quarter /= 4;
  }
  const double dx = quarter * x0 / a, dy = quarter * y0 / a, dz = -(dx + dy) / 3;
  const double xy = dx * dy, zz = dz * dz;
  const double e2 = xy - 6 * zz, e3 = (3 * xy - 8 * zz) * dz, e4 = 3 * (xy - zz) * zz,
               e5 = xy * zz * dz;
  const double series =
      1 - 3 * e2 / 14 + e3 / 6 + 9 * e2 * e2 / 88 - 3 * e4 / 22 - 9 * e2 * e3 / 52 + 3 * e5 / 26;
  return quarter * series / (a * std::sqrt(a)) + 3 * sum;
}

/// S = 4 pi R_G(a^2 b^2, a^2 c^2, b^2 c^2) [DLMF, sec. 19.33], and with z the middle argument,
/// so that all terms are positive,
///   2 R_G = z R_F - (x - z) (y - z) R_D / 3 + sqrt(x y / z) [DLMF, sec. 19.21].
double ellipsoid_area(const Vec3& radii) {
  const double size = radii.maxCoeff();
  const Vec3 r = radii / size;
  std::array<double, 3> products{r.x() * r.y(), r.x() * r.z(), r.y() * r.z()};
  std::sort(products.begin(), products.end());
  const double x = products[0] * products[0], z = products[1] * products[1],
               y = products[2] * products[2];
  const double doubled = z * carlson_rf(x, y, z) + (z - x) * (y - z) * carlson_rd(x, y, z) / 3 +
                         products[0] * products[2] / products[1];
  return 2 * pi * doubled * size * size;
}

double area_of(const BoxSolid& box) {
  const Vec3& s = box.size;
  return 2 * (s.x() * s.y() + s.y() * s.z() + s.z() * s.x());
}
double area_of(const Sphere& s) { return 4 * pi * s.radius * s.radius; }
double area_of(const Ellipsoid& e) { return ellipsoid_area(e.radii); }
double area_of(const Torus& t) { return 4 * pi * pi * t.major * t.minor; }
double area_of(const Cylinder& c) { return 2 * pi * c.radius * (c.radius + c.height); }
double area_of(const Capsule& c) { return 2 * pi * c.radius * (2 * c.radius + c.height); }
double area_of(const Cone& c) {
  return pi * c.radius * (c.radius + std::hypot(c.radius, c.height));
}

template <class Solid>
concept Primitive = requires(const Solid& solid) { moments_of(solid); };

}  // namespace

std::optional<VolumeMoments> exact_moments(const Shape& shape) {
  return std::visit(
      Overloaded{[&](const Primitive auto& solid) -> std::optional<VolumeMoments> {
                   return transformed(moments_of(solid), shape.pose);
                 },
                 [](const auto&) -> std::optional<VolumeMoments> { return std::nullopt; }},
      shape.solid);
}

std::optional<double> exact_area(const Shape& shape) {
  const double scale = SimilarityParts(shape.pose).scale;
  return std::visit(Overloaded{[&](const Primitive auto& solid) -> std::optional<double> {
                                 return scale * scale * area_of(solid);
                               },
                               [](const auto&) -> std::optional<double> { return std::nullopt; }},
                    shape.solid);
}

}  // namespace plimsoll
