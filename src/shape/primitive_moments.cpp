#include "shape/primitive_moments.h"

#include <plimsoll/elementary.h>

#include <algorithm>
#include <array>
#include <boost/math/special_functions/ellint_rd.hpp>
#include <boost/math/special_functions/ellint_rf.hpp>
#include <cmath>
#include <numbers>

#include "core/overloaded.h"
#include "shape/similarity_parts.h"

namespace plimsoll {
namespace {

using std::numbers::pi;

/// A number whose exponent has no end: products of lengths neither over- nor underflow.
class Wide {
 public:
  explicit Wide(double x, int exponent = 0) {
    fraction_ = std::frexp(x, &exponent_);
    exponent_ += exponent;
  }
  [[nodiscard]] WideVolume volume() const { return {fraction_, exponent_}; }

  friend Wide operator*(const Wide& a, const Wide& b) {
    return Wide(a.fraction_ * b.fraction_, a.exponent_ + b.exponent_);
  }
  friend Wide operator+(const Wide& a, const Wide& b) {
    if (a.exponent_ < b.exponent_) return b + a;
    return Wide(a.fraction_ + std::ldexp(b.fraction_, b.exponent_ - a.exponent_), a.exponent_);
  }

 private:
  double fraction_;
  int exponent_ = 0;
};

/// Volumes in numbers N: double or Wide, to the same bits.
template <class N>
N volume_of(const BoxSolid& box) {
  return N(box.size.x()) * N(box.size.y()) * N(box.size.z());
}
template <class N>
N volume_of(const Ellipsoid& e) {
  return N(4 * pi / 3) * volume_of<N>(BoxSolid{e.radii});
}
template <class N>
N volume_of(const Sphere& sphere) {
  return volume_of<N>(Ellipsoid{Vec3::Constant(sphere.radius)});
}
// Pappus.
template <class N>
N volume_of(const Torus& t) {
  return N(2 * pi * pi) * N(t.major) * (N(t.minor) * N(t.minor));
}
template <class N>
N volume_of(const Cylinder& c) {
  return N(pi) * N(c.radius) * N(c.radius) * N(c.height);
}
template <class N>
N volume_of(const Capsule& c) {
  const N r(c.radius);
  return volume_of<N>(Cylinder{c.radius, c.height}) + N(4 * pi / 3) * r * r * r;
}
template <class N>
N volume_of(const Cone& c) {
  return N(pi / 3) * N(c.radius) * N(c.radius) * N(c.height);
}

/// Of a solid symmetric about its origin, `means` the mean squares of x, y, z.
VolumeMoments symmetric(const Vec3& means) { return {1, Vec3::Zero(), Mat3(means.asDiagonal())}; }

VolumeMoments unit_moments_of(const BoxSolid& box) { return symmetric(box.size.cwiseAbs2() / 12); }

VolumeMoments unit_moments_of(const Ellipsoid& e) { return symmetric(e.radii.cwiseAbs2() / 5); }

VolumeMoments unit_moments_of(const Sphere& sphere) {
  return unit_moments_of(Ellipsoid{Vec3::Constant(sphere.radius)});
}

// The mean of rho^2 over a turned disk is R^2 + 3/4 r^2.
VolumeMoments unit_moments_of(const Torus& t) {
  const double square = t.minor * t.minor;
  const double across = (t.major * t.major + 0.75 * square) / 2;
  return symmetric({across, across, square / 4});
}

VolumeMoments unit_moments_of(const Cylinder& c) {
  const double across = c.radius * c.radius / 4;
  return symmetric({across, across, c.height * c.height / 12});
}

// A cylinder and two half balls, whose centroids lie 3/8 r beyond its ends: h and 4/3 r are in the
// ratio of their volumes.
VolumeMoments unit_moments_of(const Capsule& c) {
  const double r = c.radius, h = c.height, of_balls = 4 * r / 3;
  const double across = r * r / 5;
  return h / (h + of_balls) * unit_moments_of(Cylinder{r, h}) +
         of_balls / (h + of_balls) *
             symmetric({across, across, across + h * h / 4 + 0.375 * h * r});
}

VolumeMoments unit_moments_of(const Cone& c) {
  const double across = 0.15 * c.radius * c.radius;
  VolumeMoments m = symmetric({across, across, c.height * c.height / 10});
  m.first.z() = c.height / 4;
  return m;
}

template <class Solid>
concept Primitive = requires(const Solid& solid) { unit_moments_of(solid); };

template <Primitive Solid>
VolumeMoments moments_of(const Solid& solid) {
  return volume_of<double>(solid) * unit_moments_of(solid);
}

}  // namespace

VolumeMoments own_moments(const BoxSolid& box) { return moments_of(box); }
VolumeMoments own_moments(const Sphere& sphere) { return moments_of(sphere); }
VolumeMoments own_moments(const Ellipsoid& ellipsoid) { return moments_of(ellipsoid); }
VolumeMoments own_moments(const Torus& torus) { return moments_of(torus); }
VolumeMoments own_moments(const Cylinder& cylinder) { return moments_of(cylinder); }
VolumeMoments own_moments(const Capsule& capsule) { return moments_of(capsule); }
VolumeMoments own_moments(const Cone& cone) { return moments_of(cone); }

WideVolume own_volume(const Shape& shape) {
  return std::visit(
      Overloaded{[](const Primitive auto& solid) { return volume_of<Wide>(solid).volume(); },
                 [](const auto&) { return WideVolume(); }},
      shape.solid);
}

VolumeMoments unit_moments(const Shape& shape) {
  return std::visit(Overloaded{[](const Primitive auto& solid) { return unit_moments_of(solid); },
                               [](const auto&) { return VolumeMoments(); }},
                    shape.solid);
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
