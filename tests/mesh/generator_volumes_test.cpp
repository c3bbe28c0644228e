// Generated meshes against closed forms: those of the polyhedron itself where it has one, and those
// of the smooth solid at the rate at which the tessellation comes near it.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "support/approx.h"
#include "support/surface_check.h"

namespace plimsoll {
namespace {

using std::numbers::pi;

// Of some thousand vertices, each rounded in its last place, and nothing cancels.
constexpr double kRounding = 4e-15;

double relative_error(double found, double expected) { return std::abs(found / expected - 1); }

// The area of the regular polygon with `corners` on the unit circle.
double polygon_area(int corners) { return corners / 2.0 * std::sin(2 * pi / corners); }

struct ProfilePoint {
  double radius, z;
};

// A profile turned about z in regular polygons: every slice between two profile points is a
// frustum, also a sphere's, whose four-cornered facets are flat.
double revolved_volume(const std::vector<ProfilePoint>& profile, int slices) {
  double sum = 0;
  for (std::size_t i = 1; i < profile.size(); ++i) {
    const double a = profile[i - 1].radius, b = profile[i].radius;
    sum += (profile[i].z - profile[i - 1].z) * (a * a + a * b + b * b) / 3;
  }
  return polygon_area(slices) * sum;
}

std::vector<ProfilePoint> half_circle(int rings, double radius) {
  std::vector<ProfilePoint> profile;
  for (int i = 0; i <= rings; ++i)
    profile.push_back({radius * std::sin(pi * i / rings), -radius * std::cos(pi * i / rings)});
  return profile;
}

TEST_CASE("flat-sided shapes have the volume of their polyhedron to rounding") {
  CHECK(test::volume(make_box({2, 3, 5})) == 30);
  for (const int slices : {3, 4, 17, 100}) {
    CAPTURE(slices);
    const double area = polygon_area(slices);
    CHECK(relative_error(test::volume(make_cylinder(2, 3, slices)), area * 4 * 3) < kRounding);
    CHECK(relative_error(test::volume(make_cone(2, 3, slices)), area * 4 * 3 / 3) < kRounding);
    const double sphere = revolved_volume(half_circle(12, 1), slices);
    CHECK(relative_error(test::volume(make_sphere(1.5, 12, slices)), sphere * 3.375) < kRounding);
    CHECK(relative_error(test::volume(make_ellipsoid({3, 2, 1}, 12, slices)), sphere * 6) <
          kRounding);
    const double capsule = revolved_volume(half_circle(12, 2), slices) + area * 4 * 3;
    CHECK(relative_error(test::volume(make_capsule(2, 3, 12, slices)), capsule) < kRounding);
  }
}

// A ring of the torus sweeps from one half-plane to the next along chords. A point of it at
// distance rho from the axis sweeps rho sin(2 pi / rings) per unit of its area, and the ring's
// centroid lies at the major radius.
TEST_CASE("a torus has the volume of its polyhedron to rounding") {
  for (const int rings : {3, 8, 50}) {
    for (const int slices : {3, 7, 30}) {
      const double expected =
          rings * std::sin(2 * pi / rings) * 3 * polygon_area(slices) * 0.8 * 0.8;
      CHECK(relative_error(test::volume(make_torus(3, 0.8, rings, slices)), expected) < kRounding);
    }
  }
}

// Each leg is a prism cut off by planes through its axis' ends: its ring's area times its length.
TEST_CASE("a bent tube has the volume of its ring times the length of its path") {
  const std::vector<Vec3> path{{0, 0, 0}, {1, 0, 0}, {1, 2, 0}, {1, 2, 1.5}, {-1, 3, 2}};
  double length = 0;
  for (std::size_t i = 1; i < path.size(); ++i) length += (path[i] - path[i - 1]).norm();
  for (const int slices : {3, 6, 25}) {
    const double expected = length * polygon_area(slices) * 0.2 * 0.2;
    CHECK(relative_error(test::volume(make_tube(path, 0.2, slices)), expected) < kRounding);
  }
}

// Mitred prisms have flat sides: the first ring's corners are carried along the legs, so all edges
// of one leg are parallel to it.
TEST_CASE("the edges of a tube's leg run along the leg") {
  const std::vector<Vec3> path{{0, 0, 0}, {1, 0, 0}, {1, 2, 0}, {1, 2, 1.5}, {-1, 3, 2}};
  const std::size_t slices = 5;
  const TriangleMesh tube = make_tube(path, 0.2, static_cast<int>(slices));
  for (std::size_t i = 1; i < path.size(); ++i) {
    const Vec3 leg = path[i] - path[i - 1];
    for (std::size_t j = 0; j < slices; ++j) {
      const Vec3 edge = tube.vertices[i * slices + j] - tube.vertices[(i - 1) * slices + j];
      CHECK(edge.cross(leg).norm() < 1e-14 * leg.squaredNorm());
      CHECK(edge.dot(leg) > 0);
    }
  }
}

// An arc of angle x is above its chord by x^2 / 12 of the radius on average. Over the polygons of
// `slices` corners that takes (2 pi / slices)^2 / 6 of each section's area, and over the `rings`
// arcs of angle pi / rings three times their share of the volume:
//
//   V = 4/3 pi r^3 (1 - pi^2 / (4 rings^2) - 2 pi^2 / (3 slices^2)) + fourth order,
//
// whose largest coefficient is that of 1 / (rings slices)^2: the product of the two, 16.
TEST_CASE("a sphere of rings and slices misses the ball by its leading error term") {
  for (const int rings : {16, 48, 160}) {
    for (const int slices : {24, 64, 200}) {
      CAPTURE(rings);
      CAPTURE(slices);
      const double by_ring = 1.0 / (rings * rings), by_slice = 1.0 / (slices * slices);
      const double share = test::volume(make_sphere(1, rings, slices)) / (4 * pi / 3);
      const double expected = 1 - pi * pi / 4 * by_ring - 2 * pi * pi / 3 * by_slice;
      CHECK(std::abs(share - expected) < 16 * (by_ring + by_slice) * (by_ring + by_slice));
    }
  }
}

// Between a flat triangle with edges a, b, c and the sphere of radius r through its corners the
// mean gap is (a^2 + b^2 + c^2) / (24 r), to leading order; the next is its square over r.
TEST_CASE("an icosphere misses the ball by the gaps over its triangles") {
  const double radius = 2;
  for (int levels = 2; levels <= 5; ++levels) {
    CAPTURE(levels);
    const TriangleMesh mesh = make_icosphere(radius, levels);
    double gaps = 0, longest = 0;
    for (const Triangle& t : mesh.triangles) {
      const Vec3 a = mesh.vertices[t[1]] - mesh.vertices[t[0]];
      const Vec3 b = mesh.vertices[t[2]] - mesh.vertices[t[0]];
      const double squares = a.squaredNorm() + b.squaredNorm() + (b - a).squaredNorm();
      gaps += a.cross(b).norm() / 2 * squares / (24 * radius);
      longest = std::max(longest, squares / (radius * radius));
    }
    const double missing = 4 * pi / 3 * radius * radius * radius - test::volume(mesh);
    CHECK(relative_error(missing, gaps) < longest / 10);
  }
}

// Pappus: rings at right angles to the center line and centered on it sweep the integral of their
// area along it, pi int r(t)^2 |c'(t)| dt, which the trapezoid rule gives to rounding for a period.
double knot_volume(const KnotShape& k) {
  const int samples = 4096;
  double sum = 0;
  for (int i = 0; i < samples; ++i) {
    const double t = 2 * pi * i / samples;
    const double speed = std::hypot(k.p * (k.major + k.minor * std::cos(k.q * t)), k.q * k.minor);
    const double radius = k.tube * (1 + k.ripple_depth * std::cos(k.ripples * t));
    sum += pi * radius * radius * speed;
  }
  return sum * 2 * pi / samples;
}

TEST_CASE("a torus knot comes near the tube along its curve with the square of the step") {
  for (const KnotShape& shape :
       {KnotShape{}, KnotShape{.ripples = 12, .ripple_depth = 0.3},
        KnotShape{.p = 3, .q = -2, .major = 2, .minor = 0.7, .tube = 0.1}}) {
    const double expected = knot_volume(shape);
    double before = 0;
    for (const int slices : {16, 32, 64}) {
      const double error = expected - test::volume(make_torus_knot(shape, 16 * slices, slices));
      // The polygons' fourth order, pi^2 / (5 slices^2) of the second, takes 24 / slices^2 off 4.
      if (before != 0) CHECK(std::abs(before / error - 4) < 32.0 / (slices * slices));
      before = error;
    }
    CHECK(std::abs(before) < 0.004 * expected);  // 2 pi^2 / 3 / 64^2 = 0.0016 from the polygons
  }
}

TEST_CASE("a bumpy sphere comes near its smooth solid with the square of the step") {
  std::vector<double> volumes;
  for (const int rings : {50, 100, 200, 400})
    volumes.push_back(test::volume(make_bumpy_sphere(1, 0.4, rings, 2 * rings)));
  for (std::size_t i = 2; i < volumes.size(); ++i) {
    const double ratio = (volumes[i - 1] - volumes[i - 2]) / (volumes[i] - volumes[i - 1]);
    CHECK(std::abs(ratio - 4) < 0.05);  // waves of degree 8, about 12 steps each at the coarsest
  }
  CHECK(test::volume(make_bumpy_sphere(1, 0.4, 50, 100)) !=
        test::approx(test::volume(make_sphere(1, 50, 100))).epsilon(1e-4));
}

}  // namespace
}  // namespace plimsoll
