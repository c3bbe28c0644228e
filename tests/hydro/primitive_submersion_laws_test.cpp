// Primitives under water in random poses: against a slow way to the same integrals, and laws.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/gauss_rules.h"
#include "hydro/primitive_submersion.h"
#include "hydro/submersion_oracle.h"
#include "shape/primitive_moments.h"
#include "shape/random_shape.h"
#include "support/campaign.h"

namespace plimsoll {
namespace {

using std::numbers::pi;

Submersion found(const Shape& shape, const WaterPlane& water) {
  return primitive_submersion(shape, water).value();
}

Vec3 times(double weight, const Vec3& center) {
  return weight > 0 ? Vec3(weight * center) : Vec3::Zero();
}

Mat3 second_of(const WaterSection& section) {
  return section.axes.transpose() * section.second_moments * section.axes;
}

void check_near(double value, double expected, double tolerance) {
  CAPTURE(value);
  CAPTURE(expected);
  CHECK(std::abs(value - expected) <= tolerance);
}

// ---- random poses

/// Of sizes within a factor `aspect`.
Shape primitive(Random& random, int kind, double aspect) {
  const auto size = [&] { return std::pow(aspect, random.uniform(-0.5, 0.5)); };
  switch (kind) {
    case 0:
      return {BoxSolid{{size(), size(), size()}}};
    case 1:
      return {Sphere{size()}};
    case 2:
      return {Ellipsoid{{size(), size(), size()}}};
    case 3: {
      const double major = size();
      return {Torus{major, major * std::pow(aspect, -random.unit())}};
    }
    case 4:
      return {Cylinder{size(), size()}};
    case 5:
      return {Capsule{size(), size()}};
    default:
      return {Cone{size(), size()}};
  }
}

double sign(Random& random) { return random.below(2) == 0 ? -1 : 1; }

/// A direction, by half of the draws off an axis or off the equator by 1e-16 to 1, or not at all.
Vec3 direction(Random& random) {
  if (random.below(2) == 0) return test::random_point(random).normalized();
  const double lean = random.below(3) == 0 ? 0 : std::pow(10, random.uniform(-16, 0));
  const double angle = random.below(3) == 0 ? 0 : random.uniform(-pi, pi);
  const Vec3 level(std::cos(angle), std::sin(angle), 0);
  return (random.below(2) == 0 ? Vec3(lean * level + sign(random) * Vec3::UnitZ())
                               : Vec3(level + sign(random) * lean * Vec3::UnitZ()))
      .normalized();
}

/// Anywhere, or near or exactly through the center, a corner or a point of the rim, or, of a torus,
/// touching it from within.
WaterPlane water_of(Random& random, const Shape& shape) {
  const Vec3 n = direction(random);
  const Box3 box = bounding_box(shape);
  const Vec3 half = box.sizes() / 2;
  const double tiny =
      random.below(2) == 0 ? 0 : sign(random) * std::pow(10, random.uniform(-16, -1));
  const double near = tiny * box.diagonal().norm();
  Vec3 rim = sign(random) * half.x() * Vec3(n.x(), n.y(), 0).stableNormalized();
  rim.z() = sign(random) * half.z();
  if (const auto* torus = std::get_if<Torus>(&shape.solid)) {
    if (random.below(3) == 0)
      return {n, near + std::hypot(n.x(), n.y()) * torus->major - torus->minor};
    rim *= (torus->major + sign(random) * torus->minor) / half.x();
    rim.z() = 0;
  }
  if (std::holds_alternative<BoxSolid>(shape.solid))
    rim = half.cwiseProduct(Vec3(sign(random), sign(random), sign(random)));
  switch (random.below(4)) {
    case 0:
      return {n, n.dot(box.center()) + near};
    case 1:
      return {n, n.dot(box.center() + rim) + near};
    default:
      return {n, n.dot(box.center()) + random.uniform(-1, 1) * half.dot(n.cwiseAbs())};
  }
}

/// Volume and area, their first moments, wetted area, second moments in parts of the whole's.
using Parts = std::array<double, 6>;

struct Whole {
  double volume, area, size;
  explicit Whole(const Shape& shape)
      : volume(exact_moments(shape)->volume),
        area(*exact_area(shape)),
        size(bounding_box(shape).diagonal().norm()) {}
};

Parts difference(const test::TrueSubmersion& a, const test::TrueSubmersion& b, const Whole& whole) {
  const auto part = [](test::Real value, double of) { return static_cast<double>(value) / of; };
  return {part(std::abs(a.volume - b.volume), whole.volume),
          part((a.first - b.first).norm(), whole.volume * whole.size),
          part(std::abs(a.wetted_area - b.wetted_area), whole.area),
          part(std::abs(a.section_area - b.section_area), whole.area),
          part((a.section_first - b.section_first).norm(), whole.area * whole.size),
          part((a.section_second - b.section_second).norm(), whole.area * whole.size * whole.size)};
}

test::TrueSubmersion as_sums(const Submersion& s) {
  const WaterSection& w = s.waterplane;
  return {s.volume,
          s.wetted_area,
          w.area,
          times(s.volume, s.center_of_buoyancy).cast<test::Real>(),
          times(w.area, w.center).cast<test::Real>(),
          second_of(w).cast<test::Real>()};
}

// Half of the 1e-12 of the whole that submersion.h promises; the oracle has the other half. Where
// more is found, the plane touches the solid along a line, or nearly: then the values change by
// more than that if the plane moves by 4e-16 of the size, the rounding of its distance from a
// point, and twice that change is allowed.
constexpr double kPromised = 5e-13;

void check_against_oracle(const Shape& shape, const WaterPlane& water) {
  const Whole whole(shape);
  const Submersion s = found(shape, water);
  const test::TrueSubmersion expected = test::truth(shape, water);
  Parts error = difference(as_sums(s), expected, whole);
  CHECK(std::abs(s.volume - static_cast<double>(expected.volume)) <= s.volume_error);
  if (*std::max_element(error.begin(), error.end()) > kPromised) {
    const double rounding = 4e-16 * whole.size;
    const Parts moved =
        difference(test::truth(shape, {water.normal, water.offset - rounding}),
                   test::truth(shape, {water.normal, water.offset + rounding}), whole);
    for (std::size_t i = 0; i < error.size(); ++i) error[i] -= 2 * moved[i];
  }
  for (const double e : error) CHECK(e <= kPromised);
}

TEST_CASE("slices and chords have the integrals of the surface, in any pose") {
  for (int kind = 0; kind < test::kPrimitiveKinds; ++kind) {
    CAPTURE(kind);
    Random random(static_cast<std::uint64_t>(kind));
    const int count = test::campaign(kind == 2 ? 100 : 400);  // its rings are slow
    for (int i = 0; i < count; ++i) {
      CAPTURE(i);
      const Shape shape = primitive(random, kind, kind == 2 ? 4 : random.below(2) == 0 ? 4 : 1000);
      check_against_oracle(shape, water_of(random, shape));
    }
  }
}

// ---- where closed forms change

/// On both sides of a switch, and in full runs next to it.
std::vector<double> sides() {
  if (test::is_full_run()) return {-1e-2, -1e-9, 1e-9, 1e-2};
  if (test::kAddressSanitizer) return {1e-9};
  return {-1e-9, 1e-9};
}
/// All of them, or the first and the last: the oracle is slow.
std::vector<double> some_of(const std::vector<double>& all) {
  if (test::is_full_run()) return all;
  return {all.front(), all.back()};
}

/// Where `f`, which rises from `low` to `high`, is 0.
template <class Function>
double root(const Function& f, double low, double high) {
  for (int i = 0; i < 200; ++i) (f((low + high) / 2) < 0 ? low : high) = (low + high) / 2;
  return low;
}

void check_both_ways(const Shape& shape, const WaterPlane& water) {
  check_against_oracle(shape, water);
  if (!test::is_full_run()) return;
  check_against_oracle(shape, {-water.normal, -water.offset});
  check_against_oracle(
      shape,
      {Vec3(0.6, 0.8, 0) * water.normal.x() + Vec3::UnitZ() * water.normal.z(), water.offset});
}

// A rim that is hardly wet, and a plane that all but holds the axis: wet_cylinder.cpp.
TEST_CASE("cylinders and capsules have no seams between their forms") {
  for (const double side : sides()) {
    for (const double s : some_of({0.2, 0.7, 0.95})) {
      const double c = std::sqrt((1 - s) * (1 + s)), depth = 0.15 * (1 + side);
      CAPTURE(side);
      CAPTURE(s);
      for (const double half : some_of({0.01, 1.0, 30.0})) {
        const WaterPlane water{{s, 0, c}, s * (depth - 1) - c * half};
        check_both_ways({Cylinder{1, 2 * half}}, water);
        check_both_ways({Capsule{1, 2 * half}}, water);
      }
      for (const double near : {0.1, 0.006})
        for (const double offset : {-0.02, -0.15, -0.5 * s}) {
          const double height = 2 * near * (1 + side) * (s + offset) / c;
          check_both_ways({Cylinder{1, height}}, {{s, 0, c}, offset});
          check_both_ways({Capsule{1, height}}, {{s, 0, c}, offset});
        }
    }
    for (const double half : some_of({0.03, 1.0, 30.0}))
      for (const double s : {0.985, 0.9999, 1.0}) {
        const double c = std::sqrt((1 - s) * (1 + s));
        check_both_ways({Capsule{1, 2 * half}}, {{s, 0, c}, -1 + 0.02 * (1 + side) - c * half});
      }
  }
}

// Sections that turn from an ellipse over a parabola to a hyperbola, through the base and above it,
// and parts too small for a difference: wet_cone.cpp.
TEST_CASE("cones have no seams between their forms") {
  for (const double side : sides()) {
    CAPTURE(side);
    for (const double height : some_of({0.05, 1.0, 20.0})) {
      CAPTURE(height);
      const Shape shape{Cone{1, height}};
      for (const double ratio :
           some_of({1.0, 0.5, 0.9, 1.1, 3.0})) {  // of the slopes of plane and side
        CAPTURE(ratio);
        const double c = 1 / std::hypot(1, ratio * height), s = ratio * height * c;
        const double rise = c * height;
        for (const double e : {-0.15, 0.15}) {
          const double sum = (rise - s) + e * (1 + side) * s;
          const double offset = s * (e * (1 + side) * rise - (rise - s)) / sum;
          if (std::abs(offset) < s && offset < rise) check_both_ways(shape, {{s, 0, c}, offset});
        }
        const auto wet = [&](double d) {
          return s * (1 - d / s) * (1 + d / s) - 4e-3 * (1 + side) * (rise - d);
        };
        check_both_ways(shape, {{s, 0, c}, root(wet, -s, -0.5 * s)});
        // Of ellipses so near the tip the oracle misses all.
        for (const double tip : {1e-14, 1e-9, 1e-4})
          if (ratio >= 1) check_both_ways(shape, {{s, 0, c}, rise - tip});
      }
      for (const double s : {0.0, 1e-9, 1e-4}) {
        const double c = std::sqrt((1 - s) * (1 + s)), rise = c * height;
        const double thin = 1 - std::cbrt(1 - 4e-3 * (1 + side));
        check_both_ways(shape, {{s, 0, c}, thin * rise});
      }
    }
  }
}

// ---- where little is wet

// The whole less what is dry would be good to 1e-16 of the whole. What is wet is integrated
// instead: to 1e-12 of itself, and to what changes if the plane moves by 4e-16 of the size, its
// rounding.
void check_little(const Submersion& little, double expected) {
  constexpr double kSize = 3;
  check_near(little.volume, expected, 1e-12 * expected + 4e-16 * kSize * little.waterplane.area);
}

TEST_CASE("what little is wet has digits of its own") {
  for (const double depth : {1e-3, 1e-5, 1e-7}) {
    CAPTURE(depth);
    const Submersion cone = found({Cone{1, 1}}, {Vec3::UnitZ(), depth});
    const double sum = 1 - depth + depth * depth / 3;
    check_little(cone, pi * depth * sum);
    // Volume and moment are good to 1e-12 of themselves, the height of the plane to 1e-16.
    const double height = depth * (0.5 - 2 * depth / 3 + depth * depth / 4) / sum;
    check_near(cone.center_of_buoyancy.z(), height, 2e-12 * height + 1e-16);
    // Lying on its side, a capsule has a ball's cap and the segment of a circle along its height.
    const Submersion capsule = found({Capsule{1, 2}}, {Vec3::UnitX(), -1 + depth});
    const long double wet = 1 + static_cast<long double>(-1 + depth);
    const long double half = std::acos(1 - wet), sine = std::sqrt(wet * (2 - wet));
    check_little(capsule, static_cast<double>(2 * (half - (1 - wet) * sine) +
                                              pi * wet * wet * (3 - wet) / 3));
  }
}

// A cut through the base leaves a corner of it wet. The oracle is good to 1e-17 of the whole.
TEST_CASE("a wet corner of a cone's base has digits of its own") {
  const Shape shape{Cone{1, 1}};
  for (const double depth : {0.02, 0.002}) {
    CAPTURE(depth);
    const WaterPlane water{{0.6, 0, 0.8}, -0.6 + depth};
    check_little(found(shape, water), static_cast<double>(test::truth(shape, water).volume));
  }
}

// ---- laws

// Two sums that each are good to that, or to the rounding of the plane; where wet and dry parts are
// computed as one and its complement the sum is exact.
TEST_CASE("the parts on both sides make the whole") {
  Random random(11);
  for (int i = 0; i < test::campaign(20000); ++i) {
    const Shape shape = primitive(random, i % test::kPrimitiveKinds, 1000);
    const WaterPlane water = water_of(random, shape);
    CAPTURE(i);
    const Whole whole(shape);
    const Submersion wet = found(shape, water), dry = found(shape, {-water.normal, -water.offset});
    check_near(wet.volume + dry.volume, whole.volume, kPromised * whole.volume);
    const Vec3 first =
        times(wet.volume, wet.center_of_buoyancy) + times(dry.volume, dry.center_of_buoyancy);
    CHECK((first - exact_moments(shape)->first).norm() <= kPromised * whole.volume * whole.size);
    // Faces in the plane are wet for both.
    const double both = std::abs(wet.waterplane.area - dry.waterplane.area);
    check_near(wet.wetted_area + dry.wetted_area, whole.area + both, kPromised * whole.area);
    if (both > 2 * kPromised * whole.area) continue;
    CHECK((second_of(wet.waterplane) - second_of(dry.waterplane)).norm() <=
          kPromised * whole.area * whole.size * whole.size);
  }
}

// A power of two scales every rounding with it.
TEST_CASE("a body a million times larger or smaller is wet in the same places") {
  Random random(12);
  for (int i = 0; i < test::campaign(2000); ++i) {
    CAPTURE(i);
    const int kind = i % test::kPrimitiveKinds;
    const std::uint64_t seed = random.next();
    Random a(seed), b(seed);
    const Shape shape = primitive(a, kind, 4);
    const WaterPlane water = water_of(a, shape);
    const double k = i % 2 == 0 ? 0x1p-20 : 0x1p20;
    const Shape scaled = std::visit(
        [&](auto solid) -> Shape {
          if constexpr (requires { solid.size; }) solid.size *= k;
          if constexpr (requires { solid.radii; }) solid.radii *= k;
          if constexpr (requires { solid.radius; }) solid.radius *= k;
          if constexpr (requires { solid.height; }) solid.height *= k;
          if constexpr (requires { solid.major; }) solid.major *= k, solid.minor *= k;
          return {solid};
        },
        shape.solid);
    const Submersion one = found(shape, water),
                     other = found(scaled, {water.normal, k * water.offset});
    CHECK(other.volume == k * k * k * one.volume);
    CHECK(other.wetted_area == k * k * one.wetted_area);
    CHECK(other.waterplane.area == k * k * one.waterplane.area);
    CHECK(other.waterplane.second_moments == k * k * k * k * one.waterplane.second_moments);
  }
}

// Where no corner or rim passes the plane, the area is smooth in its offset: 20 points are exact.
TEST_CASE("the volume grows by the area of the waterplane") {
  const GaussRule rule = gauss_legendre(20);
  const Vec3 n = Vec3(1, 2, 3).normalized();
  for (const Shape& shape :
       {Shape{BoxSolid{}}, Shape{Sphere{1}}, Shape{Ellipsoid{{3, 2, 1}}}, Shape{Torus{1, 0.4}},
        Shape{Cylinder{1, 1}}, Shape{Capsule{1, 1}}, Shape{Cone{1, 1}}}) {
    double sum = 0;
    for (std::size_t i = 0; i < rule.nodes.size(); ++i)
      sum += 0.1 * rule.weights[i] * found(shape, {n, 0.05 + 0.1 * rule.nodes[i]}).waterplane.area;
    check_near(found(shape, {n, 0.15}).volume - found(shape, {n, 0.05}).volume, sum, 1e-14);
  }
}

// To 2^-52 of the angle, which moves points by as much of the size.
TEST_CASE("a solid of revolution does not know which way the plane leans") {
  Random random(13);
  for (int i = 0; i < test::campaign(2000); ++i) {
    CAPTURE(i);
    const Shape shape = primitive(random, 3 + i % 4, 4);
    const WaterPlane water = water_of(random, shape);
    const Mat3 turn = Eigen::AngleAxisd(random.uniform(-pi, pi), Vec3::UnitZ()).toRotationMatrix();
    const Whole whole(shape);
    const Submersion a = found(shape, water), b = found(shape, {turn * water.normal, water.offset});
    check_near(b.volume, a.volume, 1e-12 * whole.volume);
    const Vec3 moved = turn * times(a.volume, a.center_of_buoyancy);
    CHECK((times(b.volume, b.center_of_buoyancy) - moved).norm() <=
          1e-12 * whole.volume * whole.size);
  }
}

TEST_CASE("a capsule without a straight part is the ball, its middle in the water as well") {
  for (const double offset : {-0.5, -1e-300, -0.0, 0.0, 1e-300, 0.5})
    for (const Vec3& normal :
         {Vec3(0, 0, 1), Vec3(0, 0, -1), Vec3(1e-200, 0, 1), Vec3(0.6, 0, 0.8)}) {
      const Submersion capsule = found({Capsule{1, 0}}, {normal, offset});
      const Submersion ball = found({Sphere{1}}, {normal, offset});
      CHECK(std::abs(capsule.volume - ball.volume) <= capsule.volume_error + ball.volume_error);
      CHECK(std::abs(capsule.wetted_area - ball.wetted_area) <= 1e-12);
    }
}

}  // namespace
}  // namespace plimsoll
