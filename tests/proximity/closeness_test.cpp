#include "proximity/closeness.h"

#include <doctest/doctest.h>
#include <plimsoll/distance.h>
#include <plimsoll/mesh.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/random.h"
#include "exact_distance.h"
#include "pairs/triangle_pair.h"
#include "support/campaign.h"
#include "support/checked.h"
#include "triangle_corners.h"

namespace plimsoll {
namespace {

using test::Rational;
using Corners3 = std::array<Vec3, 3>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Of either sign, or 0, the exponent anywhere between two.
double far_number(Random& random, double low, double high) {
  if (random.below(8) == 0) return 0;
  return (random.below(2) == 0 ? -1 : 1) * std::exp2(random.uniform(low, high));
}

/// Corners of which each coordinate has a size of its own.
Corners3 far_triangle(Random& random, double low, double high) {
  Corners3 t;
  for (Vec3& p : t)
    for (double& x : p) x = far_number(random, low, high);
  return t;
}

/// Corners at small whole numbers, so that much is parallel or square.
Corners3 grid_triangle(Random& random) {
  Corners3 t;
  for (Vec3& p : t)
    for (double& x : p) x = static_cast<double>(random.below(4));
  return t;
}

/// One of all forms: of usual sizes, with corners or edges in common with itself, flat.
Corners3 any_triangle(Random& random, std::uint64_t kind) {
  Corners3 t = kind == 0   ? grid_triangle(random)
               : kind == 1 ? far_triangle(random, -60, 0)
               : kind == 2 ? far_triangle(random, -2, 0)
                           : far_triangle(random, -30, 0);
  if (kind == 3)
    for (Vec3& p : t) p.z() *= 0x1p-90;
  if (random.below(10) == 0) t[2] = t[random.below(2)];
  return t;
}

bool holds(double distance, const Corners3& t, const Corners3& u) {
  const TripleCorners<double> a = test::triple(t), b = test::triple(u);
  Closeness closeness(distance, kInfinity);
  return closeness.holds(a, b, nearest_points(a, b).squared);
}

/// At the distance to the last digits, and at others.
void check_about(const Corners3& t, const Corners3& u) {
  const Rational squared = test::exact_squared_distance(test::triple(t), test::triple(u));
  const double about = std::sqrt(static_cast<double>(squared));
  for (const double distance :
       {about, std::nextafter(about, kInfinity), std::nextafter(about, 0.0), about * (1 + 0x1p-40),
        about * (1 - 0x1p-40), 1e-3 * about, 1e3 * about}) {
    if (!(distance > 0 && distance < 1e300)) continue;
    CAPTURE(distance);
    const bool is_closer = squared < Rational(distance) * Rational(distance);
    CHECK(holds(distance, t, u) == is_closer);
    CHECK(holds(distance, u, t) == is_closer);
  }
}

TEST_CASE("triangles are closer than a distance where rational numbers say so") {
  Random random(1);
  int apart = 0;
  for (int i = 0; i < test::campaign(3000); ++i) {
    CAPTURE(i);
    const std::uint64_t kind = random.below(4);
    const Corners3 t = any_triangle(random, kind), u = any_triangle(random, kind);
    if (meeting_of(t, u) != Meeting::kApart) continue;
    ++apart;
    check_about(t, u);
  }
  CHECK(apart > test::campaign(3000) / 3);
}

// Each kind of features is the nearest in turn. Coordinates and distances are whole numbers, so
// that the ties are exact.
TEST_CASE("a pair at just the distance is not closer, whichever features are the nearest") {
  const Corners3 floor{Vec3(0, 0, 0), Vec3(8, 0, 0), Vec3(0, 8, 0)};
  const auto up_from = [](const Vec3& p) {
    return Corners3{p, Vec3(p + Vec3(-1, -2, 6)), Vec3(p + Vec3(2, -1, 7))};
  };
  const auto check_tie = [](double distance, const Corners3& t, const Corners3& u) {
    for (const int exponent : {0, -300, 300}) {
      const double scale = std::ldexp(1.0, exponent);
      const Corners3 a{scale * t[0], scale * t[1], scale * t[2]};
      const Corners3 b{scale * u[0], scale * u[1], scale * u[2]};
      CAPTURE(exponent);
      for (const auto& [p, q] : {std::pair{a, b}, std::pair{b, a}}) {
        CHECK_FALSE(holds(scale * distance, p, q));
        CHECK(holds(std::nextafter(scale * distance, kInfinity), p, q));
      }
    }
  };
  check_tie(2, floor, up_from({2, 3, 2}));                                           // the face
  check_tie(5, floor, Corners3{Vec3(4, -3, 4), Vec3(4, -9, 9), Vec3(5, -9, 9)});     // an edge
  check_tie(3, floor, Corners3{Vec3(-1, -2, 2), Vec3(-9, -9, 3), Vec3(-9, -8, 3)});  // a corner
  check_tie(2, floor, Corners3{Vec3(3, -9, 2), Vec3(3, 9, 2), Vec3(9, 0, 9)});     // edges, a face
  check_tie(3, floor, Corners3{Vec3(4, -3, -6), Vec3(4, -3, 6), Vec3(9, -9, 0)});  // two edges
  check_tie(3, floor, Corners3{Vec3(-2, -3, -6), Vec3(10, -3, 6), Vec3(9, -9, 0)});  // aslant
}

// Of coordinates 10^600 apart, squares leave the range of doubles.
TEST_CASE("nothing over- or underflows, wherever exponents lie") {
  Random random(2);
  int apart = 0;
  for (int i = 0; i < test::campaign(100); ++i) {
    CAPTURE(i);
    const Corners3 t = far_triangle(random, -1060, 900), u = far_triangle(random, -1060, 900);
    if (meeting_of(t, u) != Meeting::kApart) continue;
    ++apart;
    const Rational squared = test::exact_squared_distance(test::triple(t), test::triple(u));
    for (int k = 0; k < 3; ++k) {
      const double distance = std::exp2(random.uniform(-1000, 900));
      CAPTURE(distance);
      CHECK(holds(distance, t, u) == (squared < Rational(distance) * Rational(distance)));
    }
  }
  CHECK(apart > 0);
}

TEST_CASE("work is counted, and ends") {
  const Corners3 floor{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  const Corners3 lid{Vec3(0.25, 0.25, 3), Vec3(1, 0.25, 3), Vec3(0.25, 1, 3)};
  const TripleCorners<double> a = test::triple(floor), b = test::triple(lid);
  const double squared = nearest_points(a, b).squared;
  // What doubles answer is no work.
  Closeness easy(2, 0);
  for (int i = 0; i < 100; ++i) CHECK_FALSE(easy.holds(a, b, squared));
  CHECK_FALSE(easy.is_exhausted());
  // A tie takes some microseconds.
  Closeness tie(3, 1000);
  int asked = 0;
  while (!tie.is_exhausted() && asked < 1000) {
    CHECK_FALSE(tie.holds(a, b, squared));
    ++asked;
  }
  CHECK(asked > 10);
  CHECK(asked < 200);
  CHECK(Closeness::too_much_work().code == ErrorCode::kResourceLimit);
  CHECK(Closeness::max_work_of(1000000) > 10 * Closeness::max_work_of(1000));
}

/// A soup whose corners have sizes that lie far apart.
TriangleMesh far_soup(Random& random, std::size_t triangles, double low, double high) {
  TriangleMesh mesh;
  for (std::uint32_t t = 0; t < triangles; ++t) {
    const Corners3 corners = far_triangle(random, low, high);
    mesh.vertices.insert(mesh.vertices.end(), corners.begin(), corners.end());
    mesh.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  return mesh;
}

TEST_CASE("pairs of a soup of far exponents are those that rational numbers find") {
  Random random(3);
  const TriangleMesh soup = far_soup(random, test::kAddressSanitizer ? 10 : 24, 0, 120);
  constexpr double kDistance = 1000;
  std::vector<TrianglePair> expected;
  for (std::uint32_t t = 0; t < soup.triangles.size(); ++t)
    for (std::uint32_t u = t + 1; u < soup.triangles.size(); ++u) {
      const Corners3 a = test::corners_of(soup, t), b = test::corners_of(soup, u);
      if (meeting_of(a, b) != Meeting::kApart ||
          test::exact_squared_distance(test::triple(a), test::triple(b)) <
              Rational(kDistance) * Rational(kDistance))
        expected.push_back({t, u});
    }
  NearPairSearch search;
  const auto pairs = search.self_pairs(DistanceTree(MeshTree(test::checked(soup))), kDistance);
  REQUIRE(pairs);
  CHECK(std::vector<TrianglePair>(pairs->begin(), pairs->end()) == expected);
}

// Some seconds: of the full run.
TEST_CASE("a search that takes too long ends with an error") {
  if (!test::is_full_run()) return;
  Random random(4);
  const DistanceTree soup(MeshTree(test::checked(far_soup(random, 2000, 0, 900))));
  NearPairSearch search;
  const auto pairs = search.self_pairs(soup, 1e-200);
  REQUIRE(!pairs);
  CHECK(pairs.error().code == ErrorCode::kResourceLimit);
}

}  // namespace
}  // namespace plimsoll
