#include <doctest/doctest.h>

#include <cmath>

#include "cull/triangle_box.h"
#include "cull/triangle_prism.h"
#include "support/approx.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

std::array<Vec3, 3> random_corners(Random& random, int kind) {
  const Vec3 a = test::random_vector(random), b = test::random_vector(random);
  switch (kind) {
    case 0:
      return {a, b, test::random_vector(random)};
    case 1:
      return {a, a, a};
    case 2:
      return {a, b, a};
    case 3:
      return {a, b, a + random.unit() * (b - a)};  // a segment, up to rounding
    case 4:
      return {a, a + 1e-200 * b, a - 1e-170 * b};  // whose squares underflow
    case 5: {  // segments of which rounding leaves a height along themselves
      const Vec3 p = (4 * a).array().round(), q = (4 * b).array().round();
      return {p / 3, q / 3, random.below(2) == 0 ? Vec3(q / 3) : Vec3((p + q) / 6)};
    }
    default:
      return {a, b, a + random.unit() * (b - a) + 1e-9 * test::random_vector(random)};
  }
}

// A convex body contains another if it reaches at least as far in all directions; the sum of a
// triangle with a ball of radius r reaches r farther than the triangle.
TEST_CASE("the box around a triangle encloses the triangle and a ball at each point of it") {
  Random random(1);
  for (int i = 0; i < 6000; ++i) {
    CAPTURE(i);
    const std::array<Vec3, 3> corners = random_corners(random, i % 7);
    const double radius = std::pow(10.0, random.uniform(-4, 0));
    const std::array<Vec3, 8> box = corners_of(box_around(corners), radius);
    for (int k = 0; k < 20; ++k) {
      const Vec3 n = test::random_vector(random).normalized();
      double of_box = -1e9, of_triangle = -1e9;
      for (const Vec3& p : box) of_box = std::max(of_box, n.dot(p));
      for (const Vec3& p : corners) of_triangle = std::max(of_triangle, n.dot(p));
      // Axes are at right angles, and sides rounded, to 1e-14 of what is no longer than 4.
      REQUIRE(of_box >= of_triangle + radius - 4e-14);
    }
  }
}

TEST_CASE("one side of the rectangle is the longest edge, and its area twice the triangle's") {
  Random random(2);
  for (int i = 0; i < 1000; ++i) {
    const std::array<Vec3, 3> corners = random_corners(random, 0);
    double longest = 0;
    for (std::size_t k = 0; k < 3; ++k)
      longest = std::max(longest, (corners[(k + 1) % 3] - corners[k]).norm());
    const double area = (corners[1] - corners[0]).cross(corners[2] - corners[0]).norm() / 2;
    const TriangleBox box = box_around(corners);
    // Rounded some ten times, each by 2^-53 of sizes up to 4.
    CHECK(std::fabs(2 * box.half[0] - longest) < 1e-14);
    CHECK(std::fabs(4 * box.half[0] * box.half[1] - 2 * area) < 1e-13);
    CHECK(box.half[2] < 1e-14);
  }
}

TEST_CASE("faces of a box are counter-clockwise seen from outside, and close") {
  Random random(3);
  const TriangleBox box = box_around(random_corners(random, 0));
  const std::array<Vec3, 8> corners = corners_of(box, 0.1);
  double volume = 0;
  for (const Triangle& face : kBoxTriangles) {
    const Vec3 &p = corners[face[0]], &q = corners[face[1]], &r = corners[face[2]];
    CHECK((q - p).cross(r - p).dot(p - box.center) > 0);
    volume += (p - box.center).dot((q - p).cross(r - p)) / 6;
  }
  const Vec3 sides = 2 * (box.half + Vec3::Constant(0.1));
  CHECK(volume == test::approx(sides.prod()));
}

// As above, with the sum of a box and a ball.
TEST_CASE("the prism around a triangle encloses the triangle and what it is fattened by") {
  Random random(4);
  for (int i = 0; i < 6000; ++i) {
    CAPTURE(i);
    const std::array<Vec3, 3> corners = random_corners(random, i % 7);
    Fattening by;
    by.half = std::pow(10.0, random.uniform(-4, 0)) * Vec3(1, 1, 1);
    by.half[static_cast<int>(random.below(3))] *= random.unit();
    if (random.below(2) == 0) by.radius = std::pow(10.0, random.uniform(-4, 0));
    const std::array<Vec3, 12> prism = prism_around(corners, by);
    // A point of the sum is farthest along n where its corner, the box's and the ball's are.
    for (int k = 0; k < 20; ++k) {
      const Vec3 n = test::random_vector(random).normalized();
      double of_prism = -1e9, of_triangle = -1e9;
      for (const Vec3& p : prism) of_prism = std::max(of_prism, n.dot(p));
      for (const Vec3& p : corners) of_triangle = std::max(of_triangle, n.dot(p));
      // Directions of sides are off by 2^-52 over the angle between them, which is no less than
      // 1e-6 where the triangle is not taken for a rectangle.
      REQUIRE(of_prism >= of_triangle + by.along(n) - 1e-9 * by.along(n) - 4e-14);
    }
  }
}

TEST_CASE(
    "faces of a prism are counter-clockwise seen from outside, and it is tighter than the box") {
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    CAPTURE(i);
    const std::array<Vec3, 3> corners = random_corners(random, 0);
    Fattening by;
    by.radius = std::pow(10.0, random.uniform(-3, -1));
    const std::array<Vec3, 12> prism = prism_around(corners, by);
    const TriangleBox box = box_around(corners);
    double volume = 0;
    for (const Triangle& face : kPrismTriangles) {
      const Vec3 &p = prism[face[0]], &q = prism[face[1]], &r = prism[face[2]];
      CHECK((q - p).cross(r - p).dot(p - (corners[0] + corners[1] + corners[2]) / 3) > -1e-15);
      volume += (p - box.center).dot((q - p).cross(r - p)) / 6;
    }
    const Vec3 sides = 2 * (box.half + Vec3::Constant(by.radius));
    CHECK(volume < sides.prod());
    const double area = (corners[1] - corners[0]).cross(corners[2] - corners[0]).norm() / 2;
    CHECK(volume > 2 * by.radius * area);
  }
}

// OpenGL cuts off what is outside of the volume in view. Sub-pixels as coarse as they may be.
TEST_CASE("the volume in view holds boxes and prisms with room to spare, for any distance") {
  Random random(7);
  for (int i = 0; i < 20000; ++i) {
    CAPTURE(i);
    const std::array<Vec3, 3> corners = random_corners(random, i % 7);
    const TriangleBox box = box_around(corners);
    const double reach = (box.center.cwiseAbs() + box.reach()).maxCoeff();
    const double within = random.below(3) == 0 ? 0 : reach * std::pow(10.0, random.uniform(-3, 1));
    const int pixels = 16 << random.below(11);
    const double fattening = std::array{1.0, 1.25, 3.0}[random.below(3)];
    const ViewVolume volume = view_volume(Vec3::Zero(), reach, within, pixels, fattening);
    const double inside = volume.half_side - 0.4 * volume.pixel();
    const double length = 2 * box.half.norm() / volume.pixel();
    const double room = fattening * box_slope_room(length) * volume.pixel();
    for (const Vec3& p : corners_of(box, volume.radius + room))
      REQUIRE(p.cwiseAbs().maxCoeff() <= inside);
    const int axis = static_cast<int>(random.below(3));
    for (const Vec3& p : prism_around(corners, view_fattening(volume, axis, fattening, 4, length)))
      REQUIRE(p.cwiseAbs().maxCoeff() <= inside);
  }
}

// Thin faces lose their slopes (slope_room()). Two lines that are cut off from a corner meet its
// sides at 45 degrees or more, so that the faces there are at least 0.7 times as thick as long.
TEST_CASE("no face of a prism is thinner than two thirds of the least that it is fattened by") {
  Random random(6);
  for (int i = 0; i < 20000; ++i) {
    CAPTURE(i);
    std::array<Vec3, 3> corners = random_corners(random, i % 7);
    // Seen along an axis, and nearly.
    if (random.below(3) == 0)
      for (Vec3& p : corners) p[static_cast<int>(random.below(3))] *= 1e-3;
    Fattening by;
    by.half = std::pow(10.0, random.uniform(-4, 0)) * Vec3(1, 1, 1);
    by.half[static_cast<int>(random.below(3))] *= std::pow(10.0, random.uniform(-2, 1));
    const std::array<Vec3, 12> prism = prism_around(corners, by);
    for (const Triangle& face : kPrismTriangles) {
      const Vec3 &p = prism[face[0]], &q = prism[face[1]], &r = prism[face[2]];
      if (p == q || q == r || r == p) continue;  // none
      const double longest = std::max({(q - p).norm(), (r - q).norm(), (p - r).norm()});
      REQUIRE((q - p).cross(r - p).norm() >= by.least() * longest * 2 / 3);
    }
  }
}

}  // namespace
}  // namespace plimsoll
