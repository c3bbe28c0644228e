#include "proximity/triangle_distance.h"

#include <doctest/doctest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <vector>

#include "core/random.h"
#include "exact_distance.h"
#include "support/campaign.h"

namespace plimsoll {
namespace {

using Wide = boost::multiprecision::cpp_bin_float_100;
using Corners3 = TripleCorners<double>;

// ---- cases

double sign(Random& random) { return random.below(2) == 0 ? -1 : 1; }
Triple<double> point(Random& random, double size) {
  return {size * random.uniform(-1, 1), size * random.uniform(-1, 1), size * random.uniform(-1, 1)};
}

/// Of usual forms, slivers, all but parallel edges, points, lines, and of whole numbers.
Corners3 triangle(Random& random) {
  const double size = std::pow(10, random.uniform(-2, 0));
  Corners3 t{point(random, 1), {}, {}};
  for (std::size_t k = 1; k < 3; ++k) {
    const Triple<double> off = point(random, size);
    for (std::size_t i = 0; i < 3; ++i) t[k][i] = t[0][i] + off[i];
  }
  switch (random.below(6)) {
    case 0: {  // a corner next to an edge
      const double at = random.uniform(-0.2, 1.2), near = std::pow(10, random.uniform(-17, -1));
      for (std::size_t i = 0; i < 3; ++i)
        t[2][i] = t[0][i] + at * (t[1][i] - t[0][i]) + near * random.uniform(-1, 1);
      break;
    }
    case 1:
      t[2] = t[random.below(2)];
      if (random.below(2) == 0) t[1] = t[0];
      break;
    case 2:
      for (Triple<double>& c : t)
        for (double& x : c) x = std::round(4 * x);
      break;
    default:
      break;
  }
  return t;
}

/// The other one, or one whose edge is all but parallel to it, or in its plane, or near it.
Corners3 other_triangle(Random& random, const Corners3& a) {
  Corners3 b = triangle(random);
  const double near = random.below(3) == 0 ? 0 : std::pow(10, random.uniform(-17, -1));
  switch (random.below(4)) {
    case 0:
      for (std::size_t i = 0; i < 3; ++i)
        b[1][i] = b[0][i] + (a[1][i] - a[0][i]) + near * random.uniform(-1, 1);
      break;
    case 1:
      for (Triple<double>& c : b) c[2] = a[0][2] + near * sign(random);
      break;
    default:
      break;
  }
  return b;
}

// The definition of M: no estimate.
double largest_distance(const Corners3& a, const Corners3& b) {
  double largest = 0;
  std::vector<Triple<double>> all(a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  for (const Triple<double>& x : all)
    for (const Triple<double>& y : all)
      largest = std::max(largest, std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]));
  return largest;
}

TEST_CASE(
    "the distance of two triangles is that of rational numbers, to the rounding that is said") {
  Random random(1);
  int apart = 0;
  for (int i = 0; i < test::campaign(20000); ++i) {
    CAPTURE(i);
    const Corners3 a = triangle(random), b = other_triangle(random, a);
    const double size = largest_distance(a, b);
    const NearestPoints<double> found = nearest_points(a, b);
    for (const Triple<double>& weights : {found.on_a, found.on_b}) {
      CHECK(*std::min_element(weights.begin(), weights.end()) >= 0);
      CHECK(std::abs(weights[0] + weights[1] + weights[2] - 1) <= 0x1p-51);
    }
    const Wide squared(test::exact_squared_distance(a, b));
    // Points of the triangles, up to rounding, are no nearer.
    REQUIRE(Wide(found.squared) >= squared - Wide(kSquareRounding * size * size));
    REQUIRE(Wide(found.squared) <= squared + Wide(kSquareRounding * size * size));
    CHECK(squared_size(a, b) >= size * size * (1 - 1e-15));
    // The oracle is no more than that for triangles that pass through each other.
    if (squared < Wide(1e-24)) continue;
    const MeasuredDistance exactly = measured(a, b, found);
    const Wide distance = sqrt(squared);
    REQUIRE(Wide(exactly.lower) <= distance);
    REQUIRE(Wide(exactly.upper) >= distance);
    // A face between nearest edges would pass through the other triangle.
    if (exactly.upper - exactly.lower <= 0x1p-43 * size) {
      CHECK(std::abs(static_cast<double>(Wide(exactly.distance) - distance)) <= 0x1p-43 * size);
      ++apart;
    }
  }
  CHECK(apart > test::campaign(20000) / 2);
}

// Rounding moves the nearest points of such edges along them by up to the whole of their lengths.
TEST_CASE("bounds hold for edges that are all but parallel and near each other") {
  Random random(2);
  for (int i = 0; i < test::campaign(5000); ++i) {
    CAPTURE(i);
    const Triple<double> p = point(random, 1), along = point(random, 1), up = point(random, 1);
    const double near = std::pow(10, random.uniform(-7, -4));
    const Triple<double> lean = point(random, std::pow(10, random.uniform(-10, -5)));
    Corners3 a, b;
    for (std::size_t k = 0; k < 3; ++k) {
      a[0][k] = p[k], a[1][k] = p[k] + along[k], a[2][k] = p[k] - up[k];
      b[0][k] = p[k] + near * up[k] - lean[k], b[1][k] = a[1][k] + near * up[k] + lean[k];
      b[2][k] = p[k] + up[k];
    }
    const Wide distance = sqrt(Wide(test::exact_squared_distance(a, b)));
    if (distance == 0) continue;
    const MeasuredDistance found = measured(a, b, nearest_points(a, b));
    REQUIRE(Wide(found.lower) <= distance);
    REQUIRE(Wide(found.upper) >= distance);
  }
}

// Squares underflow below 2^-537: of edges, of normals, of the distance itself. One triangle lies
// beyond the other along an axis, so that they are apart. In every fifth case all axes are so thin
// that the distance's square underflows.
TEST_CASE("bounds hold for triangles and distances whose squares underflow") {
  Random random(4);
  constexpr int kThin[] = {0, -225, -300, -449, -480, -530, -536, -540, -800, -1016};
  for (int i = 0; i < test::campaign(3000); ++i) {
    CAPTURE(i);
    Corners3 a = triangle(random), b = other_triangle(random, a);
    const std::size_t beyond = random.below(3);
    for (std::size_t k = 0; k < 3; ++k) b[k][beyond] += 17;  // none is beyond 8
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double thin = std::ldexp(1, i % 5 == 0 ? -800 : kThin[random.below(std::size(kThin))]);
      for (std::size_t k = 0; k < 3; ++k) a[k][axis] *= thin, b[k][axis] *= thin;
    }
    const NearestPoints<double> nearest = nearest_points(a, b);
    const Wide distance = sqrt(Wide(test::exact_squared_distance(a, b)));
    REQUIRE(distance > 0);
    for (const MeasuredDistance& found : {measured_in_doubles(a, b, nearest),
                                          measured_in_113_bits(a, b), measured(a, b, nearest)}) {
      REQUIRE(Wide(found.lower) <= distance);
      REQUIRE(Wide(found.upper) >= distance);
      REQUIRE(found.lower <= found.distance);
      REQUIRE(found.distance <= found.upper);
    }
  }
}

// In doubles the edge from (0, 0, 0) to (1, 0, 0) and the segment b are parallel. In truth they
// approach each other, and the end of the segment, over the middle of the edge, is nearest.
TEST_CASE("edges that are parallel but for rounding are nearest at the end where they approach") {
  const double low = 2 - 0x1p-28;
  const Corners3 a{{{0, 0, 0}, {1, 0, 0}, {2, -2, -1}}};
  const Corners3 b{{{-0.75, 2, 2}, {0.25, low, low}, {-0.75, 2, 2}}};
  for (const NearestPoints<double>& found : {nearest_points(a, b), nearest_points(b, a)})
    CHECK(std::abs(found.squared - 2 * low * low) <= kSquareRounding * 25);
}

// An edge in the plane of two axes and one that leans out of it by e, 2^-68 to 2^-40, where it
// passes over it. 113 bits tell where they are nearest to 2^-113, so that the way between these
// points is turned by 2^-113 / e: along it the edges, which are of a length of about 1, are farther
// into each other by as much. Only the normal of both edges tells a small distance. The third
// corners lie below and above.
TEST_CASE("bounds are sharp for edges that pass each other closely, whichever edges these are") {
  Random random(3);
  for (int i = 0; i < test::campaign(450); ++i) {
    CAPTURE(i);
    const auto first_a = static_cast<std::size_t>(i % 3),
               first_b = static_cast<std::size_t>(i / 3 % 3);
    const auto up = static_cast<std::size_t>(i / 9 % 3), x = (up + 1) % 3, y = (up + 2) % 3;
    Corners3 a = {{point(random, 1), point(random, 1), point(random, 1)}}, b = a;
    for (Triple<double>& p : b) p[up] = std::ldexp(random.uniform(0.5, 1), -40 - i % 28);
    // The edges pass over the origin: one from left to right, one from front to back.
    const std::size_t third_a = (first_a + 2) % 3, third_b = (first_b + 2) % 3;
    for (std::size_t k = 0; k < 2; ++k) {
      Triple<double>&p = a[(first_a + k) % 3], &q = b[(first_b + k) % 3];
      p[x] = (k == 0 ? -1 : 1) * random.uniform(0.5, 1), p[y] = random.uniform(-0.2, 0.2);
      q[y] = (k == 0 ? -1 : 1) * random.uniform(0.5, 1), q[x] = random.uniform(-0.2, 0.2);
      p[up] = 0;
    }
    a[third_a][up] = -1;
    b[third_b][up] = 1;
    const NearestPoints<double> nearest = nearest_points(a, b);
    const MeasuredDistance found = measured(a, b, nearest);
    const Wide distance = sqrt(Wide(test::exact_squared_distance(a, b)));
    CHECK(Wide(found.lower) <= distance);
    CHECK(Wide(found.upper) >= distance);
    // What 113 bits round of the size, 2^-97, is below 2^-24 of the distance.
    CHECK(found.upper - found.lower <= 0x1p-24 * static_cast<double>(distance));
    CHECK(is_sharp(found));
    CHECK(found.nearest.on_a[third_a] == 0);
    CHECK(found.nearest.on_b[third_b] == 0);
    // The edges lean by less than 2^-38 against the plane.
    CHECK(std::abs(found.normal[up]) >= 1 - 0x1p-50);
    CHECK(std::abs(found.normal[x]) + std::abs(found.normal[y]) <= 0x1p-36);
  }
}

TEST_CASE("parts of triangles that are nearest are told by their weights") {
  const Corners3 floor{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
  // A corner over the face.
  NearestPoints<double> found =
      nearest_points(floor, {{{0.25, 0.25, 2}, {0.25, 0.25, 3}, {1, 0.25, 3}}});
  CHECK(found.on_a == Triple<double>{0.5, 0.25, 0.25});
  CHECK(found.on_b == Triple<double>{1, 0, 0});
  CHECK(found.squared == 4);
  // An edge over an edge.
  found = nearest_points(floor, {{{0.5, -1, 1}, {0.5, 1, 1}, {0.5, 0, 9}}});
  CHECK(found.squared == 1);
  // Two corners.
  found = nearest_points(floor, {{{-1, -1, 0}, {-2, -1, 0}, {-1, -2, 1}}});
  CHECK(found.on_a == Triple<double>{1, 0, 0});
  CHECK(found.on_b == Triple<double>{1, 0, 0});
  CHECK(found.squared == 2);
}

}  // namespace
}  // namespace plimsoll
