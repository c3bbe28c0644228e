// Polygons become triangles that cover them once: corners - 2, all turned alike, whose areas sum to
// the polygon's.
#include "mesh/polygon.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace plimsoll {
namespace {

using Outline = std::vector<Vec3>;

struct Split {
  TriangleMesh mesh;
  std::string crossing;  // what is said of outlines that cross themselves
};

/// The mesh of one polygon; corner i is vertex i.
Split split(const Outline& outline) {
  Split result;
  result.mesh.vertices = outline;
  Polygons polygons;
  PolygonFan fan(result.mesh.triangles);
  for (std::uint32_t i = 0; i < outline.size(); ++i) fan.add_corner(i);
  fan.note_in(polygons);
  result.crossing = polygons.split_folded(result.mesh);
  return result;
}

Vec3 doubled_area(const TriangleMesh& mesh, const Triangle& t) {
  const Vec3& a = mesh.vertices[t[0]];
  return (mesh.vertices[t[1]] - a).cross(mesh.vertices[t[2]] - a);
}

Vec3 vector_area(const TriangleMesh& mesh) {
  Vec3 sum = Vec3::Zero();
  for (const Triangle& t : mesh.triangles) sum += 0.5 * doubled_area(mesh, t);
  return sum;
}

double area(const TriangleMesh& mesh) {
  double sum = 0;
  for (const Triangle& t : mesh.triangles) sum += 0.5 * doubled_area(mesh, t).norm();
  return sum;
}

bool is_fan(const TriangleMesh& mesh) {
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    if (mesh.triangles[t] != Triangle{0, t + 1, t + 2}) return false;
  return true;
}

/// Whether the triangles are glued along their edges to a disk with the corners around it: each
/// edge of the polygon is run along once, and each other edge once in both directions.
bool is_disk(const TriangleMesh& mesh) {
  const auto n = static_cast<std::uint32_t>(mesh.vertices.size());
  if (mesh.triangles.size() != n - 2) return false;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> runs;
  for (const Triangle& t : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k) ++runs[{t[k], t[(k + 1) % 3]}];
  return std::all_of(runs.begin(), runs.end(), [&](const auto& run) {
    const auto [from, to] = run.first;
    const bool outer = to == (from + 1) % n;
    return run.second == 1 && (outer || runs.contains({to, from}) || from == (to + 1) % n);
  });
}

/// Checks that a plane polygon of this area is covered once, from whichever corner it starts and in
/// both directions. The areas may differ by the rounding of the coordinates, here of a few units,
/// times the length of the outline: `tolerance`.
void check_covered(Outline outline, double expected, double tolerance) {
  for (int direction = 0; direction < 2; ++direction) {
    for (std::size_t start = 0; start < outline.size(); ++start) {
      const Split result = split(outline);
      CAPTURE(start);
      CHECK(result.crossing.empty());
      CHECK(is_disk(result.mesh));
      CHECK(std::fabs(area(result.mesh) - expected) <= tolerance);
      CHECK(std::fabs(vector_area(result.mesh).norm() - expected) <= tolerance);
      std::rotate(outline.begin(), outline.begin() + 1, outline.end());
    }
    std::reverse(outline.begin(), outline.end());
  }
}

/// Folds as the fan from its first corner.
const Outline kL{{2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}, {0, 0, 0}};

// Whole coordinates, and a turn of them by whole numbers: everything is exact.
TEST_CASE("an L is covered once, in any plane") {
  for (int k = 0; k < 3; ++k) {
    Outline turned = kL;
    for (Vec3& p : turned) p = Vec3(p[k], p[(k + 1) % 3], p[(k + 2) % 3]);
    check_covered(turned, 3, 0);
    for (Vec3& p : turned)
      p = Vec3(2 * p.x() - 2 * p.y() + p.z(), 2 * p.x() + p.y() - 2 * p.z(),
               p.x() + 2 * p.y() + 2 * p.z());
    check_covered(turned, 27, 1e-14);  // roots of whole numbers
  }
}

TEST_CASE("a fan that does not fold stays, also of a concave polygon and with corners on a line") {
  Outline rotated = kL;  // all of an L is seen from the corner opposite to the bend, and from there
  for (const bool seen : {false, false, true, false, false, true}) {
    CHECK(is_fan(split(rotated).mesh) == seen);
    std::rotate(rotated.begin(), rotated.begin() + 1, rotated.end());
  }
  const Outline with_middles{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0}, {2, 2, 0}, {0, 2, 0}};
  CHECK(is_fan(split(with_middles).mesh));
  CHECK(is_fan(split({{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}).mesh));
}

TEST_CASE("a dart folds where it starts at a wing, by as little as a unit in the last place") {
  const auto dart = [](double x) { return split({{0, 1, 0}, {x, x, 0}, {1, 0, 0}, {0, 0, 0}}); };
  CHECK(is_fan(dart(0.5).mesh));  // on the line between the wings
  CHECK(is_fan(dart(std::nextafter(0.5, 1)).mesh));
  const TriangleMesh dented = dart(std::nextafter(0.5, 0)).mesh;
  CHECK(dented.triangles == std::vector<Triangle>{{3, 0, 1}, {3, 1, 2}});
}

// The vector area of a saddle is along z, and both halves are turned like it.
TEST_CASE("a polygon that is not plane stays a fan unless that folds") {
  const auto bent = [](double x, double z) {
    return split({{0, 1, 0}, {x, x, z}, {1, 0, 0}, {0, 0, z}});
  };
  CHECK(is_fan(bent(1, 0.5).mesh));
  CHECK(is_fan(bent(0.6, 0.3).mesh));
  CHECK_FALSE(is_fan(bent(0.25, 0.1).mesh));
  CHECK(bent(0.25, 0.1).crossing.empty());
}

TEST_CASE("an outline that crosses itself stays a fan, and is told") {
  const Outline bow{{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}};
  const Split result = split(bow);
  CHECK(is_fan(result.mesh));
  CHECK(
      result.crossing ==
      "1 polygon has an outline that crosses itself: it stays the fan from the first corner, "
      "which covers more than the polygon; the first is face 0, triangles 0 to 1, counted from 0");
  Outline pentagram;
  for (int i = 0; i < 5; ++i)
    pentagram.emplace_back(std::cos(0.8 * std::numbers::pi * i),
                           std::sin(0.8 * std::numbers::pi * i), 0.25);
  CHECK(is_fan(split(pentagram).mesh));
  CHECK_FALSE(split(pentagram).crossing.empty());
}

TEST_CASE("the first polygon that crosses itself is told by its face and triangles") {
  TriangleMesh mesh{.vertices = {{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}}, .triangles = {}};
  Polygons polygons;
  const std::vector<std::vector<std::uint32_t>> faces{{0, 2, 1}, {0, 2, 1, 3}, {0, 2, 1, 3},
                                                      {0, 2, 1}, {0, 1, 2, 3}, {3, 2, 1, 0}};
  for (const auto& face : faces) {
    PolygonFan fan(mesh.triangles);
    for (const std::uint32_t v : face) fan.add_corner(v);
    fan.note_in(polygons);
  }
  const std::string crossing = polygons.split_folded(mesh);
  CHECK(crossing.find("2 polygons have outlines that cross themselves") == 0);
  CHECK(crossing.find("face 4, triangles 6 to 7,") != std::string::npos);
}

// One square hole joined to a corner by a bridge, two joined to the same corner, and one whose
// bridge runs along a side of the other.
TEST_CASE("holes that bridges make part of the outline are left out") {
  const Outline one{{0, 0, 0}, {9, 0, 0}, {9, 9, 0}, {0, 9, 0}, {2, 4, 0},
                    {4, 4, 0}, {4, 2, 0}, {2, 2, 0}, {2, 4, 0}, {0, 9, 0}};
  check_covered(one, 81 - 4, 0);
  Outline two = one;
  const Outline other{{5, 8, 0}, {8, 8, 0}, {8, 5, 0}, {5, 5, 0}, {5, 8, 0}, {0, 9, 0}};
  two.insert(two.begin() + 4, other.begin(), other.end());
  check_covered(two, 81 - 4 - 9, 0);
  Outline chain = one;
  const Outline next{{5, 4, 0}, {6, 4, 0}, {6, 2, 0}, {5, 2, 0}, {5, 4, 0}, {4, 4, 0}};
  chain.insert(chain.begin() + 6, next.begin(), next.end());
  check_covered(chain, 81 - 4 - 2, 0);
  // In the wrong order the two bridges cross.
  Outline crossed = one;
  crossed.insert(crossed.end(), other.begin(), other.end());
  CHECK_FALSE(split(crossed).crossing.empty());
}

TEST_CASE("spikes, repeated corners and polygons without area take nothing away and add nothing") {
  check_covered({{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}}, 3,
                0);
  check_covered(
      {{0, 0, 0}, {2, 0, 0}, {5, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}}, 3,
      0);
  CHECK(split({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}).crossing.empty());
  CHECK(split({{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}).crossing.empty());
  CHECK(split({{0, 0, 0}, {3, 3, 3}, {1, 1, 1}, {2, 2, 2}, {-1, -1, -1}}).crossing.empty());
}

TEST_CASE("a polygon with a coordinate that is not finite stays a fan") {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), HUGE_VAL, -HUGE_VAL}) {
    Outline outline = kL;
    outline[4].x() = bad;
    CHECK(is_fan(split(outline).mesh));
    CHECK(split(outline).crossing.empty());
  }
}

TEST_CASE("the size of a polygon does not matter, nor its distance") {
  const TriangleMesh expected = split(kL).mesh;
  for (const double scale : {0x1p-1074, 0x1p-1000, 0x1p-400, 0x1p400, 0x1p1022}) {
    CAPTURE(scale);
    Outline scaled = kL;
    for (Vec3& p : scaled) p *= scale;
    CHECK(split(scaled).mesh.triangles == expected.triangles);
  }
  Outline far = kL;
  for (Vec3& p : far) p += Vec3(0x1p52, -0x1p51, 0x1p52);
  CHECK(split(far).mesh.triangles == expected.triangles);
}

/// Unit squares glued edge to edge, the outline run around the whole without a stop: where squares
/// lie side by side and are not glued, it touches itself along the edge or at the corner. At times
/// a square hangs by a corner, or a spike stands out.
Outline glued_squares(std::mt19937& random, int squares) {
  std::map<std::pair<int, int>, bool> taken{{{0, 0}, true}};
  std::vector<std::pair<int, int>> outline{{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  for (int made = 1; made < squares;) {
    const std::size_t i = random() % outline.size();
    const auto [ax, ay] = outline[i];
    const auto [bx, by] = outline[(i + 1) % outline.size()];
    const int dx = bx - ax, dy = by - ay;
    // The square on the right of the edge from a to b.
    const std::pair<int, int> cell{std::min(ax, bx) + (dy > 0   ? 0
                                                       : dy < 0 ? -1
                                                                : 0),
                                   std::min(ay, by) + (dx > 0 ? -1 : 0)};
    if (taken[cell]) continue;
    taken[cell] = true;
    ++made;
    const std::vector<std::pair<int, int>> sides{{ax + dy, ay - dx}, {bx + dy, by - dx}};
    outline.insert(outline.begin() + static_cast<std::ptrdiff_t>(i) + 1, sides.begin(),
                   sides.end());
  }
  Outline points;
  for (const auto& [x, y] : outline) points.emplace_back(x, y, 0);
  return points;
}

/// Without the corners at which it runs straight on: then corners touch other edges between theirs.
Outline without_straight_corners(const Outline& outline) {
  Outline kept;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Vec3& before = outline[(i + outline.size() - 1) % outline.size()];
    const Vec3& next = outline[(i + 1) % outline.size()];
    if (next - outline[i] != outline[i] - before) kept.push_back(outline[i]);
  }
  return kept;
}

// Whole numbers: areas are exact.
TEST_CASE("outlines whose corners touch their long edges are covered once") {
  std::mt19937 random(8);
  for (int i = 0; i < 2000; ++i) {
    const int squares = 2 + static_cast<int>(random() % 60);
    const Outline outline = without_straight_corners(glued_squares(random, squares));
    CAPTURE(i);
    const Split result = split(outline);
    CHECK(result.crossing.empty());
    CHECK(is_disk(result.mesh));
    CHECK(area(result.mesh) == squares);
  }
}

// Whole numbers: areas are exact.
TEST_CASE("outlines that touch themselves in any way are covered once") {
  std::mt19937 random(7);
  for (int i = 0; i < 3000; ++i) {
    const int squares = 2 + static_cast<int>(random() % 60);
    Outline outline = glued_squares(random, squares);
    if (i % 3 == 0) {  // a spike
      const auto at = static_cast<std::ptrdiff_t>(random() % outline.size());
      const Vec3 foot = outline[static_cast<std::size_t>(at)];
      const Vec3 next = outline[(static_cast<std::size_t>(at) + 1) % outline.size()];
      outline.insert(outline.begin() + at, {foot, foot + 0.5 * (next - foot)});
    }
    CAPTURE(i);
    const Split result = split(outline);
    CHECK(result.crossing.empty());
    CHECK(is_disk(result.mesh));
    CHECK(area(result.mesh) == squares);
  }
}

}  // namespace
}  // namespace plimsoll
