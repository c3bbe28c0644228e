// What overlaps ask of a body, and what of it a deformed body takes over.
#include "tree/spanning_moments.h"

#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/parallel.h>
#include <plimsoll/solid_tree.h>

#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "core/random.h"
#include "hydro/moment_tree.h"
#include "support/checked.h"
#include "support/mesh_parts.h"

namespace plimsoll {
namespace {

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

bool are_same(const SpanningMoments& a, const SpanningMoments& b) {
  return a.same == b.same && same_bits(a.edges, b.edges) && same_bits(a.range, b.range) &&
         a.triangles == b.triangles && a.first_triangle == b.first_triangle &&
         same_bits(a.below, b.below) && same_bits(a.components, b.components) &&
         same_bits(a.inward, b.inward) && same_bits(a.inward_of_leaf, b.inward_of_leaf) &&
         a.open_edge == b.open_edge;
}

std::vector<TriangleMesh> meshes() {
  TriangleMesh two = make_torus(1, 0.4, 90, 60), open = make_icosphere(1, 4);
  two = test::joined(two, make_bumpy_sphere(0.3, 0.2, 20, 31));
  open.triangles.pop_back();
  return {make_box({1, 2, 3}), make_torus(1, 0.4, 90, 60), two, open};
}

TriangleMesh stirred(TriangleMesh mesh, Random& random) {
  for (Vec3& v : mesh.vertices)
    for (int i = 0; i < 3; ++i) v[i] += 0.01 * random.uniform(-1, 1);
  return mesh;
}

TEST_CASE("a deformed body takes over how its triangles are joined: no bit is another") {
  Random random(3);
  for (const TriangleMesh& mesh : meshes()) {
    SolidTree solid(test::checked(mesh));
    SpanningMoments before = spanning_moments(triangles_of(solid));
    for (int i = 0; i < 3; ++i) {
      REQUIRE(solid.refit(test::checked(stirred(mesh, random))));
      const SpanningMoments fresh = spanning_moments(triangles_of(solid));
      CHECK_FALSE(same_bits(fresh.below, before.below));
      CHECK_FALSE(same_bits(fresh.inward, before.inward));
      SpanningMoments after = spanning_moments(triangles_of(solid), &before);
      CHECK(are_same(after, fresh));
      before = std::move(after);
    }
  }
}

TEST_CASE(
    "where vertices of a deformed body become equal, or part, its triangles are joined anew") {
  // Two tetrahedra that share one corner by its place alone.
  const TriangleMesh corner{
      {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)},
      {Triangle{0, 2, 1}, Triangle{0, 1, 3}, Triangle{1, 2, 3}, Triangle{0, 3, 2}}};
  TriangleMesh other = corner;
  for (Vec3& v : other.vertices) v = Vec3(-v.x(), -v.y(), v.z());
  other.vertices[3] = Vec3(0, 0, -1);
  for (Triangle& t : other.triangles) std::swap(t[1], t[2]);
  const TriangleMesh together = test::joined(corner, other);
  other.vertices[0] = Vec3(0, 0, -0.25);
  const TriangleMesh apart = test::joined(corner, other);
  for (const auto& [from, to] : {std::pair(apart, together), std::pair(together, apart)}) {
    SolidTree solid(test::checked(from));
    const SpanningMoments before = spanning_moments(triangles_of(solid));
    REQUIRE(solid.refit(test::checked(to)));
    const SpanningMoments after = spanning_moments(triangles_of(solid), &before);
    CHECK(after.same != before.same);
    CHECK(are_same(after, spanning_moments(triangles_of(solid))));
  }
}

TEST_CASE("sums on the spanning tree are the same for any number of threads") {
  for (const TriangleMesh& mesh : meshes()) {
    const SolidTree solid(test::checked(mesh));
    SpanningMoments one, four;
    with_threads(1, [&] { one = spanning_moments(triangles_of(solid)); });
    with_threads(4, [&] { four = spanning_moments(triangles_of(solid)); });
    CHECK(are_same(one, four));
  }
}

}  // namespace
}  // namespace plimsoll
