// Defects that only few meshes have.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/mesh_health.h>

#include <cmath>

#include "core/random.h"
#include "mesh/edges.h"

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
    CHECK(examine(MeshView(mesh)).zero_area_triangles == 40);
    mesh.vertices[2][2] = std::nextafter(mesh.vertices[2][2], 0);
    CHECK(examine(MeshView(mesh)).zero_area_triangles == 0);
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
  return weld(mesh);
}

TEST_CASE("a vertex that joins two bodies is shown at the first triangle that names it") {
  const TriangleMesh mesh = two_boxes({1, 1, 1});
  const MeshHealth health = examine(MeshView(mesh));
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

}  // namespace
}  // namespace plimsoll
