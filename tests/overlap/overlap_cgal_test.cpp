// Overlaps of twenty pairs of meshes in random poses, against exact Booleans of CGAL.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/overlap.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "overlap/overlap_checks.h"
#include "support/campaign.h"
#include "support/cells.h"
#include "support/cgal_overlap.h"
#include "support/convex_bodies.h"
#include "support/hard_bodies.h"
#include "support/shared_meshes.h"

namespace plimsoll {
namespace {

/// Centered, with the longest side of its box 2, turned outward.
TriangleMesh to_size(TriangleMesh mesh) {
  const SolidTree tree = test::solid(mesh);
  for (Vec3& v : mesh.vertices) v = 2 / tree.box().sizes().maxCoeff() * (v - tree.box().center());
  if (tree.signed_volume() < 0)
    for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

struct Pair {
  TriangleMesh a, b;
};

// 500 poses in the full run. Volumes agree to what both say of their errors. The center is the
// first moment over the volume; each term of both counts there with its distance from the origin of
// the sums, which is below 4, and so do their errors.
void check_pair(const Pair& pair, Random& random, OverlapSearch& search) {
  const TriangleMesh mesh_a = to_size(pair.a), mesh_b = to_size(pair.b);
  const SolidTree a = test::solid(mesh_a), b = test::solid(mesh_b);
  const int poses = test::is_full_run() ? 500 : 1;
  int overlapping = 0;
  for (int i = 0; i < poses; ++i) {
    CAPTURE(i);
    const Similarity pose_a = test::random_similarity(random, 0.5),
                     pose_b = test::random_similarity(random, 0.5, random.uniform(0.5, 1));
    const auto found = search.overlap(a, pose_a, b, pose_b);
    REQUIRE(found);
    const auto exact = test::cgal_overlap(posed(mesh_a, pose_a), posed(mesh_b, pose_b));
    REQUIRE(exact);
    const double off = std::fabs(found->volume - exact->volume);
    const double error = found->volume_error + exact->volume_error;
    const double small = std::min(test::posed_volume(a, pose_a), test::posed_volume(b, pose_b));
    CHECK(off <= error);
    CHECK(off <= 1e-11 * small);
    CHECK(found->overlaps == (exact->volume > 0));
    if (!found->center) continue;
    CHECK((*found->center - exact->center).norm() <= 2 * 4 * error / exact->volume + 1e-15);
    ++overlapping;
  }
  if (test::is_full_run()) CHECK(overlapping > poses / 4);
}

TEST_CASE("bodies made here share what CGAL says") {
  Random random(441);
  OverlapSearch search;
  const TriangleMesh knot = make_torus_knot({}, 60, 6), torus = make_torus(1, 0.4, 32, 16),
                     bumpy = make_bumpy_sphere(1, 0.4, 20, 30),
                     comb = test::cells({"#.#.#", "#.#.#", "#####"});
  const Pair pairs[] = {{knot, knot},
                        {knot, bumpy},
                        {torus, torus},
                        {torus, knot},
                        {bumpy, bumpy},
                        {comb, comb},
                        {comb, torus},
                        {make_icosphere(1, 3), bumpy},
                        {test::random_hull(random, 30), test::random_hull(random, 60)},
                        {test::strip_box({2, 1, 1}, 20), test::grid_box({2, 1, 1}, 6, 5, 4)}};
  for (const Pair& pair : pairs) {
    CAPTURE(&pair - pairs);
    check_pair(pair, random, search);
  }
}

TEST_CASE("real meshes share what CGAL says") {
  if (!test::has_shared_data()) return;
  Random random(442);
  OverlapSearch search;
  const char* const names[][2] = {
      {"anchor", "rotor"},  {"joint", "pipe"},   {"3torus", "star"},        {"cactus", "cactus"},
      {"oblong", "anchor"}, {"rotor", "rotor"},  {"couplingdown", "joint"}, {"ellipsoid", "cactus"},
      {"knot1", "pipe"},    {"elephant", "star"}};
  for (const auto& [name_a, name_b] : names) {
    CAPTURE(name_a);
    CAPTURE(name_b);
    const auto load = [](const char* name) {
      return test::load(std::string("meshes/cgal/") + name + ".off");
    };
    check_pair({load(name_a), load(name_b)}, random, search);
  }
}

}  // namespace
}  // namespace plimsoll
