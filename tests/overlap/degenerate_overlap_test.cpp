// Bodies whose vertices, edges and faces coincide, against the overlap in whole numbers.
#include <doctest/doctest.h>
#include <plimsoll/overlap.h>

#include <algorithm>
#include <cmath>

#include "overlap/degenerate_pairs.h"
#include "overlap/overlap_checks.h"
#include "support/campaign.h"

namespace plimsoll {
namespace {

TEST_CASE("bodies on one lattice share what whole numbers say") {
  const std::vector<TriangleMesh> bodies = test::lattice_bodies();
  Random random(401);
  OverlapSearch search;
  int touching = 0, crossing = 0;
  for (int i = 0; i < test::campaign(10000); ++i) {
    const test::PosedPair pair = test::degenerate_pair(bodies, random);
    CAPTURE(i);
    CAPTURE(&pair.a - bodies.data());
    CAPTURE(&pair.b - bodies.data());
    const SolidTree a = test::solid(pair.a), b = test::solid(pair.b);
    const auto found = search.overlap(a, pair.world_from_a, b, pair.world_from_b);
    REQUIRE(found);
    const test::ExactOverlap exact =
        test::exact_overlap(posed(pair.a, pair.world_from_a), posed(pair.b, pair.world_from_b));
    test::check_overlap(*found, exact,
                        std::min(test::posed_volume(a, pair.world_from_a),
                                 test::posed_volume(b, pair.world_from_b)));
    ++(exact.volume > 0 ? crossing : touching);
  }
  CHECK(std::min(touching, crossing) > test::campaign(10000) / 10);
}

// Rounding moves a corner of the octahedron by 1e-16 into the U. The points in which edges pass are
// off by more than what is shared is wide, and lie beside the edges.
TEST_CASE("what only rounding makes two bodies share is 0 to within its error") {
  const TriangleMesh a = test::octahedron(), b = test::cells({"#.#", "###"});
  Similarity pose_a = Similarity::Identity(), pose_b = Similarity::Identity();
  pose_a.linear() << -1, 2, 2, -2, -2, 1, 2, -1, 2;
  pose_b.linear() << 2, -2, 1, -2, -1, 2, -1, -2, -2;
  pose_a.linear() /= 3;
  pose_b.linear() /= 3;
  pose_b.translation() = Vec3(1.3333333333333333, -1.3333333333333333, 2.333333333333333);
  const TriangleMesh in_world_a = posed(a, pose_a), in_world_b = posed(b, pose_b);
  const test::ExactOverlap exact = test::exact_overlap(in_world_a, in_world_b);
  CHECK(exact.volume > 0);
  CHECK(exact.volume < 1e-48);
  const Similarity here = Similarity::Identity();
  OverlapSearch search;
  for (const auto& found :
       {search.overlap(test::solid(a), pose_a, test::solid(b), pose_b),
        search.overlap(test::solid(in_world_a), here, test::solid(in_world_b), here)}) {
    REQUIRE(found);
    test::check_overlap(*found, exact, test::solid(b).signed_volume());
  }
}

// The vertex amid an edge has faces of its own to one side only.
TEST_CASE("bodies that touch with a vertex amid an edge share what whole numbers say") {
  const TriangleMesh body = test::with_flat_triangle(test::l_prism(), 0);
  const Vec3 amid = body.vertices.back();
  const SolidTree tree = test::solid(body);
  Random random(403);
  OverlapSearch search;
  int touching = 0;
  for (int i = 0; i < test::campaign(1500); ++i) {
    CAPTURE(i);
    Similarity pose_a = Similarity::Identity(), pose_b = Similarity::Identity();
    pose_a.linear() = test::lattice_turn(random);
    pose_b.linear() = test::lattice_turn(random);
    pose_a.translation() = -(pose_a.linear() * amid);
    pose_b.translation() = -(pose_b.linear() * amid);
    const auto found = search.overlap(tree, pose_a, tree, pose_b);
    REQUIRE(found);
    const test::ExactOverlap exact = test::exact_overlap(posed(body, pose_a), posed(body, pose_b));
    test::check_overlap(*found, exact, tree.signed_volume());
    touching += exact.volume == 0 ? 1 : 0;
  }
  CHECK(touching > test::campaign(1500) / 10);
}

// Around the edge along which the cubes touch no way leads into both: they are not shrunk there,
// and whether bodies share volume is not told where only this edge meets the other body. The volume
// is.
TEST_CASE("cubes that touch along an edge share what whole numbers say") {
  const std::vector<TriangleMesh> bodies{test::cells({"#.", ".#"}),
                                         test::lattice_box({0, 0, 0}, {2, 2, 2})};
  Random random(402);
  OverlapSearch search;
  for (int i = 0; i < test::campaign(1000); ++i) {
    const test::PosedPair pair = test::degenerate_pair(bodies, random);
    CAPTURE(i);
    const auto found = search.overlap(test::solid(pair.a), pair.world_from_a, test::solid(pair.b),
                                      pair.world_from_b);
    REQUIRE(found);
    const double exact =
        test::exact_overlap(posed(pair.a, pair.world_from_a), posed(pair.b, pair.world_from_b))
            .volume;
    const double off = std::fabs(found->volume - exact);
    CHECK(off <= found->volume_error + 0x1p-53 * exact);
    CHECK(off <= 1e-12 * 2 * pair.world_from_a.linear().determinant());
  }
}

}  // namespace
}  // namespace plimsoll
