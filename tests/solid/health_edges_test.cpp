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
      if (!edges.has_half_edges(mesh.triangles[h / 3])) continue;
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
      if (!edges.has_half_edges(corners)) continue;
      std::sort(corners.begin(), corners.end());
      if (!seen.insert(corners).second) repeats.push_back(t);
    }
    REQUIRE(find_duplicates(MeshView(mesh), edges) == repeats);
  }
}

}  // namespace
}  // namespace plimsoll
