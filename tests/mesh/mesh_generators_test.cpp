// What every generated mesh is: the counts that were asked for, closed, turned outward, of the
// right genus, equal on every machine.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>

#include <bit>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "support/surface_check.h"

namespace plimsoll {
namespace {

const std::vector<Vec3> kBentPath{{0, 0, 0}, {1, 0, 0}, {1, 2, 0}, {1, 2, 1.5}, {-1, 3, 2}};

struct Shape {
  std::string name;
  TriangleMesh mesh;
  std::size_t vertices, triangles;
  long euler_number;
};

std::vector<Shape> shapes() {
  const KnotShape rippled{.ripples = 12, .ripple_depth = 0.3};
  const KnotShape mirrored{.p = 3, .q = -2, .minor = 0.5, .tube = 0.1};
  return {
      {"box", make_box({1, 2, 3}), 8, 12, 2},
      {"smallest sphere", make_sphere(1, 2, 3), 5, 6, 2},
      {"sphere", make_sphere(2, 9, 16), 130, 256, 2},
      {"icosahedron", make_icosphere(1, 0), 12, 20, 2},
      {"icosphere", make_icosphere(3, 3), 642, 1280, 2},
      {"ellipsoid", make_ellipsoid({3, 2, 1}, 8, 5), 37, 70, 2},
      {"cylinder", make_cylinder(1, 5, 7), 16, 28, 2},
      {"cone", make_cone(1, 5, 7), 9, 14, 2},
      {"capsule", make_capsule(1, 3, 6, 5), 32, 60, 2},
      {"smallest capsule", make_capsule(1, 3, 2, 3), 8, 12, 2},
      {"torus", make_torus(2, 0.5, 11, 6), 66, 132, 0},
      {"knot", make_torus_knot({}, 100, 8), 800, 1600, 0},
      {"rippled knot", make_torus_knot(rippled, 100, 8), 800, 1600, 0},
      {"mirrored knot", make_torus_knot(mirrored, 101, 7), 707, 1414, 0},
      {"straight tube", make_tube(std::span(kBentPath).first(2), 0.1, 5), 12, 20, 2},
      {"bent tube", make_tube(kBentPath, 0.1, 5), 27, 50, 2},
      {"bumpy sphere", make_bumpy_sphere(1, 0.4, 12, 20), 222, 440, 2},
  };
}

TEST_CASE("a generated mesh is closed, faces outward and has the counts that were asked for") {
  for (const Shape& shape : shapes()) {
    CAPTURE(shape.name);
    CHECK(shape.mesh.vertices.size() == shape.vertices);
    CHECK(shape.mesh.triangles.size() == shape.triangles);
    CHECK(check_mesh(shape.mesh).has_value());
    CHECK(test::is_closed_manifold(shape.mesh));
    CHECK(test::euler_number(shape.mesh) == shape.euler_number);
    CHECK(test::volume(shape.mesh) > 0);
    CHECK(test::joined(shape.mesh).vertices.size() == shape.vertices);  // no two in one place
  }
}

TEST_CASE("a torus with doubled seams is closed only once equal points are one") {
  const TriangleMesh seams = make_torus(2, 0.5, 11, 6, true);
  CHECK(seams.vertices.size() == 12 * 7);
  CHECK(seams.triangles.size() == 2 * 11 * 6);
  CHECK_FALSE(test::is_closed_manifold(seams));
  const TriangleMesh joined = test::joined(seams);
  CHECK(test::is_closed_manifold(joined));
  CHECK(joined.vertices.size() == 11 * 6);
  CHECK(test::volume(joined) == test::volume(make_torus(2, 0.5, 11, 6)));
}

// The coordinates are at most 3 roundings of the unit circle, two circles and a scaling deep.
TEST_CASE("the vertices of round shapes lie on their surfaces") {
  for (const Vec3& v : make_sphere(3, 40, 70).vertices) CHECK(std::abs(v.norm() - 3) < 4e-15);
  for (const Vec3& v : make_icosphere(3, 4).vertices) CHECK(std::abs(v.norm() - 3) < 4e-15);
  for (const Vec3& v : make_ellipsoid({3, 2, 1}, 20, 30).vertices)
    CHECK(std::abs(v.cwiseQuotient(Vec3{3, 2, 1}).norm() - 1) < 2e-15);
  for (const Vec3& v : make_torus(3, 1, 40, 30).vertices)
    CHECK(std::abs(std::hypot(std::hypot(v.x(), v.y()) - 3, v.z()) - 1) < 4e-15);
  for (const Vec3& v : make_capsule(1, 4, 20, 30).vertices) {
    const double beyond = std::max(0.0, std::abs(v.z()) - 2);
    const double expected = std::abs(v.z()) == 3 ? 0 : std::sqrt(1 - beyond * beyond);
    CHECK(std::abs(std::hypot(v.x(), v.y()) - expected) < 4e-15);
  }
}

TEST_CASE("rings begin at the azimuth 0 and turn counter-clockwise seen from above") {
  const int slices = 360;
  const TriangleMesh cone = make_cone(1, 1, slices);
  for (int j = 0; j < slices; ++j) {
    const double angle = 2 * std::numbers::pi * j / slices;
    const Vec3 expected{std::cos(angle), std::sin(angle), 0};
    // The angle itself is rounded by up to 2 pi 2^-53 = 7e-16, the point by less.
    CHECK((cone.vertices[static_cast<std::size_t>(j) + 1] - expected).norm() < 1.5e-15);
  }
  CHECK(cone.vertices[1 + 90] == Vec3{0, 1, 0});
  CHECK(cone.vertices[1 + 180] == Vec3{-1, 0, 0});
  CHECK(cone.vertices[1 + 270] == Vec3{0, -1, 0});
}

TEST_CASE("a bumpy sphere keeps to its depth, and its seed alone decides the pattern") {
  const TriangleMesh bumpy = make_bumpy_sphere(2, 0.4, 30, 40, 7);
  double lowest = 9, highest = 0;
  for (const Vec3& v : bumpy.vertices) {
    lowest = std::min(lowest, v.norm());
    highest = std::max(highest, v.norm());
  }
  // A few roundings of lengths from 1 to 3.
  CHECK(lowest >= 2 * 0.6 - 1e-15);
  CHECK(highest <= 2 * 1.4 + 1e-15);
  CHECK(highest - lowest > 0.4);  // waves, not a sphere
  CHECK(make_bumpy_sphere(2, 0.4, 30, 40, 7).vertices == bumpy.vertices);
  CHECK(make_bumpy_sphere(2, 0.4, 30, 40, 8).vertices != bumpy.vertices);
  CHECK(make_bumpy_sphere(2, 0, 30, 40, 8).vertices == make_sphere(2, 30, 40).vertices);
}

// A tube of radius r does not touch itself if its center line's radius of curvature R exceeds r and
// points of it that lie pi R or more apart along the line are more than 2 r apart in space: for
// nearer ones Schur's comparison with the circle gives the chord.
TEST_CASE("the default knot does not touch itself, with ripples of a third either") {
  const std::size_t rings = 1200, slices = 4;
  const TriangleMesh mesh = make_torus_knot({}, static_cast<int>(rings), static_cast<int>(slices));
  std::vector<Vec3> center(rings, Vec3::Zero());
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    center[v / slices] += mesh.vertices[v] / static_cast<double>(slices);

  const double radius = KnotShape{}.tube * (1 + 1.0 / 3);
  double least_curve_radius = 9;
  std::vector<double> along{0};
  for (std::size_t i = 0; i < rings; ++i) {
    const Vec3 a = center[i], b = center[(i + 1) % rings], c = center[(i + 2) % rings];
    const double twice_area = (b - a).cross(c - a).norm();
    const double circumradius = (b - a).norm() * (c - b).norm() * (a - c).norm() / (2 * twice_area);
    least_curve_radius = std::min(least_curve_radius, circumradius);
    along.push_back(along.back() + (b - a).norm());
  }
  CHECK(least_curve_radius > 1.1 * radius);

  double least_distance = 9;
  for (std::size_t i = 0; i < rings; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double apart = along[i] - along[j];
      if (std::min(apart, along.back() - apart) < std::numbers::pi * least_curve_radius) continue;
      least_distance = std::min(least_distance, (center[i] - center[j]).norm());
    }
  }
  CHECK(least_distance > 1.1 * 2 * radius);  // the tenth covers what lies between two samples
}

std::uint64_t hash_of_bits(const TriangleMesh& mesh) {
  std::uint64_t hash = 0xCBF29CE484222325u;  // FNV-1a, a word at a time
  const auto add = [&](std::uint64_t word) { hash = (hash ^ word) * 0x100000001B3u; };
  for (const Vec3& v : mesh.vertices)
    for (const double x : v) add(std::bit_cast<std::uint64_t>(x));
  for (const Triangle& t : mesh.triangles)
    for (const std::uint32_t v : t) add(v);
  return hash;
}

TEST_CASE("generated meshes have the same bits on every machine") {
  CHECK(hash_of_bits(make_sphere(3, 40, 70)) == 1867007368412658547u);
  CHECK(hash_of_bits(make_icosphere(3, 4)) == 13200227393630893081u);
  CHECK(hash_of_bits(make_torus(3, 1, 40, 30)) == 2307666768424106845u);
  CHECK(hash_of_bits(make_torus_knot({.ripples = 12, .ripple_depth = 0.3}, 200, 16)) ==
        14051578454756315368u);
  CHECK(hash_of_bits(make_tube(kBentPath, 0.1, 9)) == 16100063571876253403u);
  CHECK(hash_of_bits(make_bumpy_sphere(1, 0.4, 40, 70)) == 4715631985407736913u);
}

}  // namespace
}  // namespace plimsoll
