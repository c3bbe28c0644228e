// Defects that only few meshes have.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/mesh_health.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/random.h"
#include "mesh/edges.h"
#include "mesh/shells.h"
#include "support/checked.h"

namespace plimsoll {
namespace {

// Corners at t D, D of small whole numbers and t with bits far apart: their differences are no
// doubles, and yet the three are on one line.
TEST_CASE("corners on one line are found where their differences are rounded") {
  Random random(101);
  for (int i = 0; i < 200; ++i) {
    const Vec3 direction(1 + static_cast<double>(random.below(7)),
                         1 + static_cast<double>(random.below(7)),
                         1 + static_cast<double>(random.below(7)));
    TriangleMesh mesh;
    for (const int exponent : {0, 20, 40})
      mesh.vertices.push_back(
          std::ldexp(1 + static_cast<double>(random.below(1u << 30)) * 0x1p-40, exponent) *
          direction);
    mesh.triangles.assign(40, {0, 1, 2});  // more than are summed one by one
    CHECK(examine(test::checked(mesh)).zero_area_triangles == 40);
    mesh.vertices[2][2] = std::nextafter(mesh.vertices[2][2], 0);
    CHECK(examine(test::checked(mesh)).zero_area_triangles == 0);
  }
}

/// Boxes of edge 1, each with its first corner at the origin or beyond.
TriangleMesh two_boxes(const Vec3& second) {
  TriangleMesh mesh = make_box({1, 1, 1});
  const TriangleMesh other = mesh;
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (const Vec3& v : other.vertices) mesh.vertices.push_back(v + second);
  for (const Triangle& t : other.triangles)
    mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  return weld(test::checked(mesh));
}

TEST_CASE("a vertex that joins two bodies is shown at the first triangle that names it") {
  const TriangleMesh mesh = two_boxes({1, 1, 1});
  const MeshHealth health = examine(test::checked(mesh));
  REQUIRE(health.nonmanifold_vertices == 1);
  for (const Defect& defect : health.defects) {
    if (defect.kind != DefectKind::kNonmanifoldVertex) continue;
    CHECK(defect.at == Vec3(0.5, 0.5, 0.5));
    std::uint32_t first = 0;
    const auto names = [&](const Triangle& t) {
      return mesh.vertices[t[0]] == defect.at || mesh.vertices[t[1]] == defect.at ||
             mesh.vertices[t[2]] == defect.at;
    };
    while (!names(mesh.triangles[first])) ++first;
    CHECK(defect.triangle == first);
  }
}

// Two boxes share an edge, where four triangles meet: edges are sorted then, and a turned triangle
// has to be found all the same.
TEST_CASE("a turned face is found beside an edge of four triangles") {
  TriangleMesh mesh = two_boxes({1, 1, 0});
  CHECK(find_edges(MeshView(mesh)).fan_count() == 1);
  CHECK(find_edges(MeshView(mesh)).are_balanced());
  std::size_t inconsistent = 0;
  for (Triangle& t : mesh.triangles) {
    std::swap(t[1], t[2]);
    const Edges edges = find_edges(MeshView(mesh));
    inconsistent = std::max(inconsistent, edges.inconsistent.size());
    CHECK(edges.inconsistent.size() + edges.unbalanced.size() == 3);
    std::swap(t[1], t[2]);
  }
  CHECK(inconsistent == 3);
}

/// Triangles between few vertices, so that they share edges by the dozen, and some repeat.
TriangleMesh crowded(Random& random) {
  TriangleMesh mesh;
  const std::uint64_t vertices = 3 + random.below(5), triangles = 1 + random.below(24);
  mesh.vertices.assign(vertices, Vec3::Zero());
  for (std::uint64_t t = 0; t < triangles; ++t) {
    Triangle corners;
    for (std::uint32_t& v : corners) v = static_cast<std::uint32_t>(random.below(vertices));
    mesh.triangles.push_back(corners);
  }
  return mesh;
}

TEST_CASE("the edges of crowded meshes are those of a count by pairs of vertices") {
  Random random(102);
  for (int i = 0; i < 5000; ++i) {
    const TriangleMesh mesh = crowded(random);
    const Edges edges = find_edges(MeshView(mesh));
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> by_ends;
    for (std::uint32_t h = 0; h < 3 * mesh.triangles.size(); ++h) {
      if (!has_half_edges(mesh.triangles[h / 3])) continue;
      const std::uint32_t a = start_of(MeshView(mesh), h), b = end_of(MeshView(mesh), h);
      by_ends[{std::min(a, b), std::max(a, b)}].push_back(h);
    }
    std::vector<std::vector<std::uint32_t>> fans;
    std::size_t boundary = 0;
    for (const auto& [ends, half_edges] : by_ends) {
      if (half_edges.size() == 1) ++boundary;
      if (half_edges.size() > 2) fans.push_back(half_edges);
      for (const std::uint32_t h : half_edges) {
        const bool is_pair = half_edges.size() == 2;
        REQUIRE(edges.twin[h] == (is_pair ? half_edges[h == half_edges[0] ? 1 : 0] : kNoIndex));
      }
    }
    REQUIRE(edges.boundary.size() == boundary);
    REQUIRE(edges.fan_count() == fans.size());
    for (std::size_t k = 0; k < fans.size(); ++k)
      REQUIRE(std::equal(fans[k].begin(), fans[k].end(), edges.fan(k).begin(), edges.fan(k).end()));
  }
}

TEST_CASE(
    "triangles with the corners of an earlier one are found, whatever else is at their edges") {
  Random random(103);
  for (int i = 0; i < 5000; ++i) {
    const TriangleMesh mesh = crowded(random);
    const Edges edges = find_edges(MeshView(mesh));
    std::set<Triangle> seen;
    std::vector<std::uint32_t> repeats;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
      Triangle corners = mesh.triangles[t];
      if (!has_half_edges(corners)) continue;
      std::sort(corners.begin(), corners.end());
      if (!seen.insert(corners).second) repeats.push_back(t);
    }
    REQUIRE(find_duplicates(MeshView(mesh), edges) == repeats);
  }
}

struct ExpectedDefect {
  DefectKind kind;
  std::uint32_t triangle;
  Vec3 at;
};

/// Some defects of each kind that a surface has without meeting itself. Of pieces of one kind the
/// later one names the lower vertices, so that edges sorted by vertex are not in order.
struct DefectiveMesh {
  DefectiveMesh() {
    // No three points of this curve are on a line, and pieces are apart along x.
    for (int i = 0; i < 52; ++i) mesh.vertices.emplace_back(i, i * i, i * i * i);
    for (int i = 33; i < 39; ++i) mesh.vertices[static_cast<std::size_t>(i)] = Vec3(i, 0, 0);
    mesh.triangles = {
        {20, 21, 22}, {20, 21, 23}, {20, 21, 24}, {0, 1, 2},
        {0, 1, 3},    {0, 1, 4},                                 // three an edge
        {14, 15, 16}, {14, 15, 17}, {10, 11, 12}, {10, 11, 13},  // turned against each other
        {30, 31, 32}, {32, 31, 30}, {27, 28, 29}, {29, 28, 27},  // twice
        {36, 37, 38}, {33, 34, 35},                              // without area
        {41, 41, 42}, {39, 39, 40},                              // no triangles
        {47, 48, 49}, {47, 50, 51}};                             // joined at a vertex
    for (std::uint32_t t = 0; t < 10; ++t)
      for (const std::size_t k : {1, 2}) add_edge(DefectKind::kBoundaryEdge, t, k);
    for (const std::uint32_t t : {14U, 15U, 18U, 19U})
      for (const std::size_t k : {0, 1, 2}) add_edge(DefectKind::kBoundaryEdge, t, k);
    for (const std::uint32_t t : {0U, 3U, 6U, 8U}) add_edge(DefectKind::kUnbalancedEdge, t, 0);
    for (const std::uint32_t t : {11U, 13U}) add_triangle(DefectKind::kDuplicateTriangle, t);
    for (const std::uint32_t t : {14U, 15U}) add_triangle(DefectKind::kZeroArea, t);
    for (const std::uint32_t t : {16U, 17U}) add_triangle(DefectKind::kRepeatedIndex, t);
    for (const std::uint32_t t : {0U, 3U}) add_edge(DefectKind::kNonmanifoldEdge, t, 0);
    expected.push_back({DefectKind::kNonmanifoldVertex, 18, mesh.vertices[47]});
  }

  void add_edge(DefectKind kind, std::uint32_t t, std::size_t k) {
    const Vec3 &a = corner(t, k), &b = corner(t, (k + 1) % 3);
    expected.push_back({kind, t, (a + b) / 2});
  }
  void add_triangle(DefectKind kind, std::uint32_t t) {
    expected.push_back({kind, t, (corner(t, 0) + corner(t, 1) + corner(t, 2)) / 3});
  }
  [[nodiscard]] const Vec3& corner(std::uint32_t t, std::size_t k) const {
    return mesh.vertices[mesh.triangles[t][k]];
  }

  TriangleMesh mesh;
  std::vector<ExpectedDefect> expected;
};

TEST_CASE("defects of each kind are listed by triangle, with their place, up to any limit") {
  const DefectiveMesh defective;
  for (std::size_t limit = 0; limit <= defective.expected.size() + 1; ++limit) {
    CAPTURE(limit);
    HealthOptions options;
    options.max_defects = limit;
    const MeshHealth health = examine(test::checked(defective.mesh), options);
    REQUIRE(health.defects.size() == std::min(limit, defective.expected.size()));
    for (std::size_t i = 0; i < health.defects.size(); ++i) {
      CAPTURE(i);
      const Defect& defect = health.defects[i];
      const ExpectedDefect& expected = defective.expected[i];
      CHECK(defect.kind == expected.kind);
      CHECK(defect.triangle == expected.triangle);
      // Thirds and their sums are rounded five times by 2^-53 of the largest.
      CHECK((defect.at - expected.at).norm() <= 1e-15 * expected.at.norm());
    }
    // The limit is for the list alone.
    CHECK(health.boundary_edges == 32);
    CHECK(health.inconsistent_edges == 2);
    CHECK(health.unbalanced_edges == 32 + 2 + 2);
    CHECK(health.nonmanifold_edges == 2);
    CHECK(health.nonmanifold_vertices == 1);
    CHECK(health.duplicate_triangles == 2);
    CHECK(health.zero_area_triangles == 2);
    CHECK(health.repeated_index_triangles == 2);
  }
}

}  // namespace
}  // namespace plimsoll
