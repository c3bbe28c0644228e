// Distances of points, against those that come with bounds.
#include "contact/surface_depth.h"

#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/surface_queries.h>

#include <cmath>

#include "support/campaign.h"
#include "support/checked.h"
#include "support/instruction_sets.h"
#include "support/random_mesh.h"
#include "tree/triangle_tree.h"

namespace plimsoll {
namespace {

// In the frame of the tree, coordinates are of the order of the body's reach, and a few dozen
// roundings of them add up.
void check(const TriangleMesh& mesh, const Similarity& pose, double size, Random& random,
           int points) {
  const MeshTree tree(test::checked(mesh));
  Result<SurfaceProbe> probe = SurfaceProbe::of(tree, pose);
  REQUIRE(probe);
  SurfaceDepth depth({&triangles_of(tree), pose}, 1);
  for (int i = 0; i < points; ++i) {
    const Vec3 x = pose * Vec3(1.5 * size * test::random_vector(random));
    const Result<NearestOnSurface> nearest = probe->nearest(x);
    REQUIRE(nearest);
    const double scale = pose.linear().col(0).norm(), off = 0x1p-44 * scale * size;
    CHECK(depth.at(x) >= nearest->lower - off);
    CHECK(depth.at(x) <= nearest->upper + off);
  }
}

TEST_CASE("distances lie within the bounds of the nearest point's, in any pose and of any size") {
  Random random(4);
  for (int i = 0; i < test::campaign(100); ++i) {
    const Similarity pose = test::random_similarity(random, 2, std::exp2(random.uniform(-9, 9)));
    check(test::random_shape(random), pose, 1, random, 40);
  }
  check(make_bumpy_sphere(1, 0.3, 60, 81), Similarity::Identity(), 1, random, 400);
  for (const double size : {1e-150, 1e-30, 1e30, 1e150})
    check(make_torus(size, 0.4 * size, 12, 9), Similarity::Identity(), size, random, 100);
}

TEST_CASE("slivers of any thinness are as far as they are") {
  Random random(6);
  check(make_cylinder(1, 100, 3000), Similarity::Identity(), 30, random, 200);
  for (const double thin : {1e-3, 1e-7, 1e-9, 1e-10, 1e-12, 1e-15, 1e-18}) {
    const Mat3 turn = test::random_turn(random);
    TriangleMesh mesh{{turn * Vec3(0, 0, 0), turn * Vec3(1, thin, 0), turn * Vec3(0.4, -thin, 0)},
                      {Triangle{0, 1, 2}}};
    check(mesh, Similarity::Identity(), 1, random, 400);
  }
}

TEST_CASE("triangles without area are segments and points") {
  Random random(5);
  TriangleMesh mesh{{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0.25, 0, 0), Vec3(0, 0, 1)},
                    {Triangle{0, 1, 2}, Triangle{3, 3, 3}}};
  check(mesh, Similarity::Identity(), 1, random, 400);
}

// Vectors of two numbers take a leaf of four triangles in two steps, wider ones in one.
TEST_CASE("distances are right by every instruction set") {
  const TriangleMesh mesh = make_bumpy_sphere(1, 0.3, 20, 27);
  test::for_each_instruction_set([&] {
    Random random(7);
    check(mesh, Similarity::Identity(), 1, random, 100);
  });
}

}  // namespace
}  // namespace plimsoll
