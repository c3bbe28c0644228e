// Columns through meshes: always balanced, and near those of the solid that the mesh stands for.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>

#include "columns/column_checks.h"
#include "shape/random_shape.h"
#include "support/campaign.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

using test::columns_of;
using test::length;
using test::spans_at;

Shape solid(TriangleMesh mesh) {
  return {MeshSolid{std::make_shared<const TriangleMesh>(std::move(mesh))}};
}

TriangleMesh turned_inward(TriangleMesh mesh) {
  for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

TEST_CASE("columns through vertices and edges of a mesh balance") {
  Random random(1);
  for (int i = 0; i < test::campaign(1000); ++i) {
    CAPTURE(i);
    const TriangleMesh mesh = test::random_closed_mesh(random);
    const int axis = static_cast<int>(random.below(3));
    const Columns columns = columns_of(solid(mesh), axis);
    for (int j = 0; j < 20; ++j) {
      const Triangle& t = mesh.triangles[random.below(mesh.triangles.size())];
      const Vec3 middle = (mesh.vertices[t[0]] + mesh.vertices[t[1]]) / 2;
      for (const Vec3& p : {mesh.vertices[t[0]], middle})
        CHECK(test::are_sorted(spans_at(columns, p[(axis + 1) % 3], p[(axis + 2) % 3])));
    }
  }
}

// The rule takes columns a little further in u, then in v: the lower walls are inside.
TEST_CASE("columns through the walls of a box belong to it on its lower sides") {
  const Columns columns = columns_of(solid(make_box({2, 2, 2})));
  CHECK(length(spans_at(columns, -1, 0)) == 2);
  CHECK(length(spans_at(columns, -1, -1)) == 2);
  CHECK(length(spans_at(columns, 0, 0)) == 2);  // on the diagonal of two faces
  CHECK(spans_at(columns, 1, 0).empty());
  CHECK(spans_at(columns, -1, 1).empty());
}

// make_sphere has its vertices on the sphere; chords of 2 pi / 64 stay within 1 - cos(pi / 64),
// 1.2e-3, of it in each of the two directions. A column at most 0.7 from the axis crosses the
// surface at 45 degrees or more, and is met within sqrt(2) times that.
TEST_CASE("a mesh has the spans of its solid to within its chords") {
  const Columns mesh = columns_of(solid(make_sphere(1, 32, 64)));
  const Columns sphere = columns_of({Sphere{1}});
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const double u = random.uniform(-0.49, 0.49), v = random.uniform(-0.49, 0.49);
    const std::vector<Span> found = spans_at(mesh, u, v), round = spans_at(sphere, u, v);
    REQUIRE(found.size() == 1);
    CHECK(std::abs(found[0].enter - round[0].enter) < 2 * 1.2e-3 * std::numbers::sqrt2);
    CHECK(std::abs(found[0].leave - round[0].leave) < 2 * 1.2e-3 * std::numbers::sqrt2);
  }
}

TEST_CASE("a box as a mesh has the spans of the box, posed or not") {
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    CAPTURE(i);
    const Similarity pose = test::random_pose(random);
    Shape mesh = solid(make_box({1, 1.5, 0.7}));
    mesh.pose = pose;
    const Columns columns = columns_of(mesh), box = columns_of({BoxSolid{{1, 1.5, 0.7}}, pose});
    const Box3 bounds = box.bounds();
    const double u = random.uniform(bounds.min().x(), bounds.max().x());
    const double v = random.uniform(bounds.min().y(), bounds.max().y());
    // Near a silhouette of flat faces depths move by the rounding over the sine of their slope.
    CHECK(std::abs(length(spans_at(columns, u, v)) - length(spans_at(box, u, v))) < 1e-11);
  }
}

TEST_CASE("a mesh turned inward is measured as if turned outward") {
  const TriangleMesh torus = make_torus(1, 0.4, 40, 20);
  const Columns outward = columns_of(solid(torus), 0);
  const Columns inward = columns_of(solid(turned_inward(torus)), 0);
  CHECK(length(spans_at(inward, 0.1, 0.05)) == length(spans_at(outward, 0.1, 0.05)));
  CHECK(spans_at(outward, 0.1, 0.05).size() == 2);
}

TEST_CASE("space that a mesh surrounds twice counts once, and its cavities not") {
  TriangleMesh nested = make_box({2, 2, 2});
  const auto add = [&](const TriangleMesh& other) {
    const auto first = static_cast<std::uint32_t>(nested.vertices.size());
    nested.vertices.insert(nested.vertices.end(), other.vertices.begin(), other.vertices.end());
    for (const Triangle& t : other.triangles)
      nested.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  };
  add(make_box({1, 1, 1}));
  CHECK(length(spans_at(columns_of(solid(nested)), 0.1, 0.1)) == 2);
  nested = make_box({2, 2, 2});
  add(turned_inward(make_box({1, 1, 1})));
  CHECK(length(spans_at(columns_of(solid(nested)), 0.1, 0.1)) == 1);
}

TEST_CASE("a column through the hole of an open mesh is called unbalanced") {
  TriangleMesh open = make_box({1, 1, 1});
  std::erase_if(open.triangles, [&](const Triangle& t) {  // the lid
    return open.vertices[t[0]].z() > 0 && open.vertices[t[1]].z() > 0 &&
           open.vertices[t[2]].z() > 0;
  });
  const Columns columns = columns_of(solid(open));
  Columns::Scratch scratch;
  std::vector<Span> spans;
  columns.spans(0.1, 0.2, scratch, spans);
  CHECK(scratch.unbalanced == 1);
  CHECK(spans.empty());
}

TEST_CASE("a smooth part of a mesh is one surface, and flat faces that meet in an edge are not") {
  CHECK(columns_of(solid(make_box({1, 2, 3}))).surface_count() == 6);
  CHECK(columns_of(solid(make_sphere(1, 40, 60))).surface_count() == 1);
  CHECK(columns_of(solid(make_cylinder(1, 1, 60))).surface_count() == 3);
}

// A ball that reaches into one corner of a large rectangle, away from its middle.
TEST_CASE("a rectangle that a mesh fills in part is not called empty") {
  const Columns columns = columns_of(solid(make_sphere(1, 40, 60)));
  Columns::Scratch scratch;
  for (const double u : {-1.0, 1.0})
    for (const double v : {-1.0, 1.0}) {
      const auto [u0, u1] = std::minmax({2 * u, -0.5 * u});
      const auto [v0, v1] = std::minmax({2 * v, -0.5 * v});
      CHECK(spans_at(columns, (u0 + u1) / 2, (v0 + v1) / 2).empty());
      CHECK(!columns.certainly_empty({u0, u1, v0, v1}, scratch));
    }
  CHECK(columns.certainly_empty({0.8, 2, 0.8, 2}, scratch));
  CHECK(columns.certainly_empty({1.5, 2, -2, 2}, scratch));
}

}  // namespace
}  // namespace plimsoll
