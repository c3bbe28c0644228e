#include "pairs/triangle_pair.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/predicates.h"
#include "core/random.h"
#include "support/campaign.h"
#include "support/exact_meeting.h"

namespace plimsoll {
namespace {

// --- an oracle in fractions

using test::ExactPoint;
using test::Rational;

bool is_between(const ExactPoint& p, const ExactPoint& a, const ExactPoint& b) {
  if (a == b) return p == a;
  const ExactPoint along = b - a, from = p - a;
  return cross(along, from) == ExactPoint{0, 0, 0} && dot(along, from) >= 0 &&
         dot(along, from) <= dot(along, along);
}

std::vector<ExactPoint> shared_vertices(const Corners& t, const Corners& u) {
  std::vector<ExactPoint> shared;
  for (std::size_t i = 0; i < 3; ++i)
    if (std::find(u.index.begin(), u.index.end(), t.index[i]) != u.index.end())
      shared.push_back(test::exact(t.point[i]));
  return shared;
}

bool meet_elsewhere(const Corners& t, const Corners& u) {
  const std::vector<ExactPoint> part = test::common_part(t.point, u.point);
  const std::vector<ExactPoint> shared = shared_vertices(t, u);
  return std::any_of(part.begin(), part.end(), [&](const ExactPoint& p) {
    if (shared.empty() || shared.size() == 3) return true;
    return !is_between(p, shared.front(), shared.back());
  });
}

// Whether an edge of t passes through the open interior of u from side to side.
bool an_edge_crosses(const Corners& t, const Corners& u) {
  const std::array<ExactPoint, 3> v{test::exact(u.point[0]), test::exact(u.point[1]),
                                    test::exact(u.point[2])};
  const ExactPoint normal = cross(v[1] - v[0], v[2] - v[0]);
  for (std::size_t i = 0; i < 3; ++i) {
    const ExactPoint p = test::exact(t.point[i]), q = test::exact(t.point[(i + 1) % 3]);
    const Rational hp = dot(normal, p - v[0]), hq = dot(normal, q - v[0]);
    if (hp * hq >= 0) continue;
    const ExactPoint at = test::mix(p, q, hp / (hp - hq));
    bool inside = true;
    for (std::size_t k = 0; k < 3; ++k)
      inside = inside && dot(cross(normal, v[(k + 1) % 3] - v[k]), at - v[k]) > 0;
    if (inside) return true;
  }
  return false;
}

Meeting expected_meeting(const Corners& t, const Corners& u) {
  if (!meet_elsewhere(t, u)) return Meeting::kApart;
  return an_edge_crosses(t, u) || an_edge_crosses(u, t) ? Meeting::kCrosses : Meeting::kTouch;
}

// --- cases ---

bool has_area(const Corners& t) { return !are_collinear(t.point[0], t.point[1], t.point[2]); }

// Triangles of a mesh whose vertices are few and lie on a small lattice, so that they share corners
// and meet in every degenerate way.
std::pair<Corners, Corners> lattice_pair(Random& random, int size, double scale) {
  std::array<Vec3, 6> vertices;
  for (Vec3& v : vertices)
    for (int k = 0; k < 3; ++k) v[k] = scale * static_cast<double>(random.below(size + 1));
  if (random.below(3) == 0)  // in one plane
    for (Vec3& v : vertices) v.z() = scale * (v.x() / scale - v.y() / scale);
  std::pair<Corners, Corners> pair;
  for (Corners* t : {&pair.first, &pair.second}) {
    const std::uint32_t shared = static_cast<std::uint32_t>(random.below(4));
    for (std::uint32_t i = 0; i < 3; ++i) t->index[i] = t == &pair.first || i < shared ? i : i + 3;
    std::rotate(t->index.begin(), t->index.begin() + random.below(3), t->index.end());
    if (random.below(2) == 0) std::swap(t->index[0], t->index[1]);
    for (std::size_t i = 0; i < 3; ++i) t->point[i] = vertices[t->index[i]];
  }
  return pair;
}

// No two vertices of different index in one place, as in a welded mesh.
bool is_welded(const Corners& t, const Corners& u) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      if (t.index[i] != u.index[j] && t.point[i] == u.point[j]) return false;
  return true;
}

Corners triangle(const Vec3& a, const Vec3& b, const Vec3& c, Triangle index) {
  return {{a, b, c}, index};
}

TEST_CASE("triangles that touch in a point meet, and a step apart they do not") {
  const Corners floor = triangle(Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, 4, 0), {0, 1, 2});
  const auto standing = [](double x, double z) {
    return triangle(Vec3(x, 1, z), Vec3(x, 2, z + 1), Vec3(x, 0, z + 1), {3, 4, 5});
  };
  CHECK(meeting_within_mesh(floor, standing(1, 0)) == Meeting::kTouch);
  CHECK(meeting_within_mesh(floor, standing(1, 0x1p-1074)) == Meeting::kApart);
  CHECK(meeting_within_mesh(floor, standing(1, -0.5)) == Meeting::kCrosses);
  CHECK(meeting_within_mesh(floor, standing(3, 0)) == Meeting::kTouch);  // on the border
  CHECK(meeting_within_mesh(floor, standing(std::nextafter(3, 4), 0)) == Meeting::kApart);
}

TEST_CASE("neighbors in a surface do not meet, folded onto each other they do") {
  const Vec3 a(0, 0, 0), b(2, 0, 0), c(0, 2, 0);
  const Corners t = triangle(a, b, c, {0, 1, 2});
  CHECK(meeting_within_mesh(t, triangle(b, a, Vec3(0, -2, 0), {1, 0, 3})) == Meeting::kApart);
  CHECK(meeting_within_mesh(t, triangle(b, a, Vec3(1, 1, 1), {1, 0, 3})) == Meeting::kApart);
  CHECK(meeting_within_mesh(t, triangle(b, a, Vec3(1, 1, 0), {1, 0, 3})) == Meeting::kTouch);
  CHECK(meeting_within_mesh(t, triangle(b, a, Vec3(5, 9, 0), {1, 0, 3})) == Meeting::kTouch);
  CHECK(meeting_within_mesh(t, triangle(b, a, c, {1, 0, 2})) == Meeting::kTouch);
  CHECK(meeting_within_mesh(t, triangle(a, Vec3(-1, 0, 0), Vec3(0, -1, 0), {0, 3, 4})) ==
        Meeting::kApart);
  CHECK(meeting_within_mesh(t, triangle(a, Vec3(1, 1, 0), Vec3(0, -1, 0), {0, 3, 4})) ==
        Meeting::kTouch);
  CHECK(meeting_within_mesh(t, triangle(a, Vec3(1, 1, 1), Vec3(1, 1, -1), {0, 3, 4})) ==
        Meeting::kTouch);
  CHECK(meeting_within_mesh(t, triangle(a, Vec3(1, 0.5, 1), Vec3(1, 0.5, -1), {0, 3, 4})) ==
        Meeting::kCrosses);
}

// --- of two meshes

using Points = std::array<Vec3, 3>;

// As seen from both, with all ways to number the corners.
Meeting meeting_of_two(const Points& t, const Points& u) {
  const Meeting meeting = meeting_of(t, u);
  Points turned = u;
  for (int turn = 0; turn < 6; ++turn) {
    if (turn == 3) std::swap(turned[0], turned[1]);
    std::rotate(turned.begin(), turned.begin() + 1, turned.end());
    REQUIRE(meeting_of(t, turned) == meeting);
    REQUIRE(meeting_of(turned, t) == meeting);
  }
  return meeting;
}

TEST_CASE("triangles of two meshes touch in every way, and cross") {
  const Points t{Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, 4, 0)};
  const auto meets = [&t](const Vec3& a, const Vec3& b, const Vec3& c) {
    return meeting_of_two(t, {a, b, c});
  };
  // Corner on corner, on an edge, on the face.
  CHECK(meets({0, 0, 0}, {-1, 0, 1}, {0, -1, 1}) == Meeting::kTouch);
  CHECK(meets({2, 0, 0}, {2, -1, 1}, {3, -1, 1}) == Meeting::kTouch);
  CHECK(meets({1, 1, 0}, {1, 2, 1}, {2, 1, 1}) == Meeting::kTouch);
  // Edge on edge: across, along a part, all of it.
  CHECK(meets({2, 1, 1}, {2, -1, -1}, {2, -3, 1}) == Meeting::kTouch);
  CHECK(meets({1, 0, 0}, {6, 0, 0}, {2, 0, 3}) == Meeting::kTouch);
  CHECK(meets({0, 0, 0}, {4, 0, 0}, {0, 0, 4}) == Meeting::kTouch);
  // Edge in the face, from border to border, and beyond it.
  CHECK(meets({1, 1, 0}, {2, 1, 0}, {1, 1, 1}) == Meeting::kTouch);
  CHECK(meets({-1, 1, 0}, {9, 1, 0}, {1, 1, 1}) == Meeting::kTouch);
  // Face on face: within, overlapping, equal, edge to edge, corner to corner.
  CHECK(meets({1, 1, 0}, {2, 1, 0}, {1, 2, 0}) == Meeting::kTouch);
  CHECK(meets({-1, -1, 0}, {9, -1, 0}, {-1, 9, 0}) == Meeting::kTouch);
  CHECK(meets({1, 1, 0}, {9, 1, 0}, {1, 9, 0}) == Meeting::kTouch);
  CHECK(meets({0, 0, 0}, {4, 0, 0}, {0, 4, 0}) == Meeting::kTouch);
  CHECK(meets({0, 0, 0}, {4, 0, 0}, {0, -4, 0}) == Meeting::kTouch);
  CHECK(meets({0, 0, 0}, {-4, 0, 0}, {0, -4, 0}) == Meeting::kTouch);
  // Through the face, through a corner and the face, and through an edge from outside.
  CHECK(meets({1, 1, -1}, {1, 1, 1}, {9, 9, 1}) == Meeting::kCrosses);
  CHECK(meets({0, 0, -1}, {2, 2, 1}, {2, 2, -1}) == Meeting::kCrosses);
  CHECK(meets({1, -1, -1}, {1, 2, 1}, {2, 2, 1}) == Meeting::kCrosses);
  // Beside it: in the plane, in a parallel one, and with an edge that passes its border.
  CHECK(meets({3, 3, 0}, {9, 3, 0}, {3, 9, 0}) == Meeting::kApart);
  CHECK(meets({1, 1, 0x1p-1074}, {2, 1, 1}, {1, 2, 1}) == Meeting::kApart);
  CHECK(meets({3, 3, -1}, {3, 3, 1}, {9, 9, 1}) == Meeting::kApart);
  CHECK(meets({-1, 0, -1}, {-1, 0, 1}, {-3, 0, 1}) == Meeting::kApart);
}

TEST_CASE("corners of two meshes that have one number have nothing to do with each other") {
  const Corners t = triangle(Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, 4, 0), {0, 1, 2});
  const Corners crossing = triangle(Vec3(1, 1, -1), Vec3(1, 1, 1), Vec3(9, 9, 1), {0, 1, 2});
  const Corners far = triangle(Vec3(9, 9, 9), Vec3(8, 9, 9), Vec3(9, 8, 9), {2, 1, 0});
  CHECK(meeting_of(t.point, crossing.point) == Meeting::kCrosses);
  CHECK(meeting_of(t.point, far.point) == Meeting::kApart);
}

TEST_CASE("triangles of two meshes on a lattice meet as their common part in fractions says") {
  Random random(3);
  std::array<int, 3> seen{};
  for (int i = 0; i < test::campaign(100000); ++i) {
    const auto [t, u] = lattice_pair(random, 2 + i % 3, i % 7 == 0 ? 0x1p-350 : 1.0);
    if (!has_area(t) || !has_area(u)) continue;
    const bool meet = !test::common_part(t.point, u.point).empty();
    const bool cross = an_edge_crosses(t, u) || an_edge_crosses(u, t);
    const Meeting expected = !meet ? Meeting::kApart : cross ? Meeting::kCrosses : Meeting::kTouch;
    ++seen[static_cast<std::size_t>(expected)];
    REQUIRE(meeting_of(t.point, u.point) == expected);
    REQUIRE(meeting_of(u.point, t.point) == expected);
  }
  for (const int times : seen) CHECK(times > test::campaign(100000) / 50);
}

// Of sets of points: their hulls have no point in common if and only if n . (p - q) > 0 for some n
// and all p of the one and q of the other. Such an n is looked for by Fourier-Motzkin elimination:
// a variable goes where rows with a positive coefficient are added to rows with a negative one.
// None exists where "0 > 0" is left. In whole numbers, of coordinates up to 100 without overflow.
bool hulls_meet(const Points& t, const Points& u) {
  using Row = std::array<std::int64_t, 3>;
  std::vector<Row> rows;
  for (const Vec3& p : t)
    for (const Vec3& q : u) {
      const Eigen::Matrix<std::int64_t, 3, 1> d = (p - q).cast<std::int64_t>();
      rows.push_back({d[0], d[1], d[2]});
    }
  for (std::size_t k = 0; k < 3; ++k) {
    std::vector<Row> left;
    for (const Row& r : rows) {
      if (r[k] == 0) left.push_back(r);
      for (const Row& s : rows)
        if (r[k] > 0 && s[k] < 0) {
          Row sum;
          for (std::size_t i = 0; i < 3; ++i) sum[i] = r[k] * s[i] - s[k] * r[i];
          left.push_back(sum);
        }
    }
    rows = left;
  }
  return !rows.empty();
}

// Two in three without area, as often as not in one plane.
Points any_triangle(Random& random, int size) {
  Points t;
  for (Vec3& p : t)
    for (double& x : p) x = static_cast<double>(random.below(size + 1));
  switch (random.below(6)) {
    case 0:
      t[1] = t[0];
      break;
    case 1:
      t[1] = t[2] = t[0];
      break;
    case 2:
      t[2] = 2 * t[1] - t[0];
      break;
    case 3:
      t[2] = t[1] + 2 * (t[1] - t[0]);
      break;
    default:
      break;
  }
  return t;
}

TEST_CASE("triangles, segments and points of two meshes meet where no plane is between them") {
  Random random(5);
  const auto kind = [](const Points& t) {
    if (!are_collinear(t[0], t[1], t[2])) return 2U;
    return t[0] == t[1] && t[0] == t[2] ? 0U : 1U;
  };
  std::array<std::array<std::array<int, 2>, 3>, 3> seen{};
  const int rounds = test::campaign(200000);
  for (int i = 0; i < rounds; ++i) {
    Points t = any_triangle(random, 1 + i % 4), u = any_triangle(random, 1 + i % 4);
    if (i % 3 == 0)  // in a slanted plane
      for (Points* each : {&t, &u})
        for (Vec3& p : *each) p.z() = p.x() + 2 * p.y();
    const bool meet = hulls_meet(t, u);
    ++seen[kind(t)][kind(u)][meet ? 1 : 0];
    // Powers of two change no sign; the shift by far is exact and leaves the filters undecided.
    const double scale = i % 5 == 0 ? 0x1p-350 : i % 5 == 1 ? 0x1p200 : 1;
    const Vec3 shift = i % 5 == 2 ? Vec3(0x1p45, -0x1p40, 3) : Vec3(0, 0, 0);
    for (Points* each : {&t, &u})
      for (Vec3& p : *each) p = scale * p + shift;
    REQUIRE((meeting_of(t, u) != Meeting::kApart) == meet);
    REQUIRE((meeting_of(u, t) != Meeting::kApart) == meet);
    if (i % 16 == 0) REQUIRE((meeting_of_two(t, u) != Meeting::kApart) == meet);
  }
  for (const auto& with : seen)
    for (const auto& [apart, met] : with) {
      CHECK(apart > rounds / 500);
      CHECK(met > rounds / 2000);
    }
}

TEST_CASE("triangles that cross each other's planes meet where no plane is between them") {
  Random random(6);
  std::array<int, 2> seen{};
  const int rounds = test::campaign(100000);
  for (int i = 0; i < rounds; ++i) {
    const Points t = any_triangle(random, 3 + i % 5), u = any_triangle(random, 3 + i % 5);
    const auto t_sides = sides_of_corners({u, {}}, {t, {}});
    const auto u_sides = sides_of_corners({t, {}}, {u, {}});
    unsigned t_above = 0, u_above = 0;
    bool has_zero = false;
    for (std::size_t k = 0; k < 3; ++k) {
      has_zero = has_zero || t_sides[k] == 0 || u_sides[k] == 0;
      if (t_sides[k] > 0) t_above |= 1U << k;
      if (u_sides[k] > 0) u_above |= 1U << k;
    }
    if (has_zero || t_above % 7 == 0 || u_above % 7 == 0) continue;
    const bool meet = hulls_meet(t, u);
    ++seen[meet ? 1 : 0];
    REQUIRE(crossed_planes_meet(t, t_above, u, u_above) == meet);
    REQUIRE(crossed_planes_meet(u, u_above, t, t_above) == meet);
  }
  CHECK(seen[0] > rounds / 100);
  CHECK(seen[1] > rounds / 100);
}

TEST_CASE("a triangle without area is a segment or a point, and may be anywhere between corners") {
  const Points t{Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, 4, 0)};
  const auto meets = [&t](const Vec3& a, const Vec3& b, const Vec3& c) {
    return meeting_of_two(t, {a, b, c});
  };
  CHECK(meets({1, 1, 0}, {1, 1, 0}, {1, 1, 0}) == Meeting::kTouch);
  CHECK(meets({1, 1, 0x1p-1074}, {1, 1, 0x1p-1074}, {1, 1, 0x1p-1074}) == Meeting::kApart);
  CHECK(meets({1, 1, 0}, {1, 1, 0}, {1, 1, 1}) == Meeting::kTouch);
  // The corner in the middle has no part in it.
  CHECK(meets({1, 1, -1}, {1, 1, 5}, {1, 1, 1}) == Meeting::kCrosses);
  CHECK(meets({1, 1, 1}, {1, 1, 5}, {1, 1, 2}) == Meeting::kApart);
  CHECK(meets({-1, 1, 0}, {9, 1, 0}, {8, 1, 0}) == Meeting::kTouch);
  CHECK(meets({3, 3, 0}, {9, 3, 0}, {4, 3, 0}) == Meeting::kApart);
}

TEST_CASE("triangles on a lattice meet as their common part in fractions says") {
  Random random(1);
  std::array<int, 3> seen{};
  for (int i = 0; i < test::campaign(100000); ++i) {
    const auto [t, u] = lattice_pair(random, 2 + i % 3, i % 7 == 0 ? 0x1p-350 : 1.0);
    if (!has_area(t) || !has_area(u) || !is_welded(t, u)) continue;
    const Meeting expected = expected_meeting(t, u);
    ++seen[static_cast<std::size_t>(expected)];
    REQUIRE(meeting_within_mesh(t, u) == expected);
    REQUIRE(meeting_within_mesh(u, t) == expected);
  }
  for (const int times : seen) CHECK(times > test::campaign(100000) / 50);
}

TEST_CASE("triangles that meet up to rounding meet as their common part in fractions says") {
  Random random(2);
  const auto any = [&] {
    return Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
  };
  for (int i = 0; i < test::campaign(20000); ++i) {
    const Corners t = triangle(any(), any(), any(), {0, 1, 2});
    // A corner on t, on an edge of t or on a corner, as near as doubles come.
    const double s = i % 3 == 0 ? 0 : random.unit() / 2, r = i % 2 == 0 ? 0 : random.unit() / 2;
    const Vec3 near = t.point[0] + s * (t.point[1] - t.point[0]) + r * (t.point[2] - t.point[0]);
    const Corners u = triangle(near, any(), any(), {3, 4, 5});
    REQUIRE(meeting_within_mesh(t, u) == expected_meeting(t, u));
  }
}

TEST_CASE("interiors in one plane overlap where their common part has an area") {
  Random random(3);
  int overlaps = 0;
  for (int i = 0; i < test::campaign(20000); ++i) {
    auto [t, u] = lattice_pair(random, 4, 1);
    for (Corners* each : {&t, &u})
      for (Vec3& p : each->point) p.z() = p.x() - p.y();
    if (!has_area(t) || !has_area(u)) continue;
    const std::vector<ExactPoint> part = test::common_part(t.point, u.point);
    bool has_interior = false;
    for (std::size_t k = 2; k < part.size(); ++k)
      has_interior =
          has_interior || cross(part[k - 1] - part[0], part[k] - part[0]) != ExactPoint{0, 0, 0};
    overlaps += has_interior ? 1 : 0;
    REQUIRE(interiors_overlap_in_plane(t, u) == has_interior);
  }
  CHECK(overlaps > test::campaign(20000) / 20);
}

TEST_CASE("an edge that another triangle meets between its ends is touched") {
  Random random(4);
  for (int i = 0; i < test::campaign(20000); ++i) {
    const auto [t, u] = lattice_pair(random, 3, 1);
    if (!has_area(t) || !has_area(u)) continue;
    const auto sides = sides_of_corners(u, t);
    for (int k = 0; k < 3; ++k) {
      // The common part of the edge and u, by clipping the edge as a flat polygon.
      const Corners edge = triangle(t.point[k], t.point[(k + 1) % 3], t.point[k], {0, 1, 2});
      const std::vector<ExactPoint> part = test::common_part(edge.point, u.point);
      const ExactPoint p = test::exact(edge.point[0]), q = test::exact(edge.point[1]);
      const bool between = std::any_of(part.begin(), part.end(),
                                       [&](const ExactPoint& at) { return at != p && at != q; }) ||
                           (std::find(part.begin(), part.end(), p) != part.end() &&
                            std::find(part.begin(), part.end(), q) != part.end());
      if (between) REQUIRE(edge_is_touched(t, k, u, sides));
      if (part.empty()) REQUIRE_FALSE(edge_is_touched(t, k, u, sides));
    }
  }
}

}  // namespace
}  // namespace plimsoll
