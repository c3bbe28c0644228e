// Bounds of the shared volume under a budget, against the exact volume.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/overlap.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "support/campaign.h"
#include "support/checked.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

SolidTree solid(const TriangleMesh& mesh) { return SolidTree(MeshTree(test::checked(mesh))); }

std::vector<SolidTree> bodies() {
  TriangleMesh inward = make_icosphere(1, 3);
  for (Triangle& t : inward.triangles) std::swap(t[1], t[2]);
  return {solid(make_icosphere(1, 3)), solid(make_torus(1, 0.3, 40, 20)), solid(inward),
          solid(make_bumpy_sphere(1, 0.2, 20, 40)), solid(make_box({1, 1.5, 2}))};
}

TEST_CASE("bounds under a budget enclose the exact volume, and the force is within its error") {
  const std::vector<SolidTree> solids = bodies();
  Random random(401);
  OverlapSearch search;
  for (int n = 0; n < test::campaign(600); ++n) {
    CAPTURE(n);
    const SolidTree &a = solids[random.below(solids.size())],
                    &b = solids[random.below(solids.size())];
    const Similarity at_a = test::random_similarity(random, 0.8, std::exp(random.uniform(-2, 1)));
    const Similarity at_b = test::random_similarity(random, 0.8);
    const Result<Overlap> exact = search.overlap(a, at_a, b, at_b);
    REQUIRE(exact);
    for (const double work : {0.0, 30.0, 300.0, 1500.0}) {
      CAPTURE(work);
      const Result<OverlapEstimate> found = search.estimate(a, at_a, b, at_b, {.max_work = work});
      REQUIRE(found);
      CHECK(found->lower <= exact->volume + exact->volume_error);
      CHECK(found->upper >= exact->volume - exact->volume_error);
      CHECK(found->volume >= found->lower);
      CHECK(found->volume <= found->upper);
      // The exact force is rounded like a sum of some hundred terms of its size and the lever's.
      CHECK((found->force_a - exact->force_a).norm() <=
            found->force_error + 1e-12 * (1 + exact->curve_length) * (1 + exact->curve_length));
      const Result<OverlapEstimate> again = search.estimate(a, at_a, b, at_b, {.max_work = work});
      REQUIRE(again);
      CHECK(again->lower == found->lower);
      CHECK(again->upper == found->upper);
    }
    const Result<OverlapEstimate> whole = search.estimate(a, at_a, b, at_b, {});
    REQUIRE(whole);
    REQUIRE(whole->exact);
    CHECK(whole->volume == exact->volume);
  }
}

// Bodies whose exact answer takes longer than these budgets, so that bounds of parts stand alone.
TEST_CASE("bounds of large bodies enclose the exact volume") {
  TriangleMesh inward = make_icosphere(1, 6);
  for (Triangle& t : inward.triangles) std::swap(t[1], t[2]);
  const std::vector<SolidTree> solids{solid(make_icosphere(1, 6)), solid(inward),
                                      solid(make_torus(1, 0.4, 300, 150))};
  Random random(404);
  OverlapSearch search;
  int without_answer = 0;
  for (int n = 0; n < test::campaign(200); ++n) {
    CAPTURE(n);
    const SolidTree &a = solids[random.below(solids.size())],
                    &b = solids[random.below(solids.size())];
    // Some are so much smaller that most of them is inside as a whole.
    const Similarity at_a = test::random_similarity(random, 0.3, std::exp(random.uniform(-1.5, 0)));
    const Similarity at_b = test::random_similarity(random, 0.6);
    const Result<Overlap> exact = search.overlap(a, at_a, b, at_b);
    REQUIRE(exact);
    for (const double work : {60.0, 200.0, 500.0, 1000.0}) {
      CAPTURE(work);
      const Result<OverlapEstimate> found = search.estimate(a, at_a, b, at_b, {.max_work = work});
      REQUIRE(found);
      without_answer += found->exact ? 0 : 1;
      CHECK(found->lower <= exact->volume + exact->volume_error);
      CHECK(found->upper >= exact->volume - exact->volume_error);
      CHECK((found->force_a - exact->force_a).norm() <=
            found->force_error + 1e-12 * (1 + exact->curve_length) * (1 + exact->curve_length));
    }
  }
  CHECK(without_answer > test::campaign(200));
}

TEST_CASE("the bounds become narrower with the budget") {
  // Opening n parts leaves some L sqrt(area / n) around a curve of length L undecided: ten times
  // the parts, a third of the width. A half is asked. No budget suffices for the exact answer.
  const SolidTree ball = solid(make_icosphere(1, 6));
  Similarity moved = Similarity::Identity();
  moved.translation() = Vec3(0.9, 0.3, 0.2);
  OverlapSearch search;
  const auto find = [&](double work) {
    const Result<OverlapEstimate> found =
        search.estimate(ball, Similarity::Identity(), ball, moved, {.max_work = work});
    REQUIRE(found);
    REQUIRE_FALSE(found->exact);
    return *found;
  };
  const OverlapEstimate early = find(90), late = find(900);
  CHECK(late.upper - late.lower < (early.upper - early.lower) / 2);
  CHECK(late.force_error < early.force_error / 2);
  CHECK(late.upper < early.upper);
  CHECK(late.lower > early.lower);
}

TEST_CASE(
    "bounds are numbers, and enclose the volume, of bodies of which one is larger by any factor") {
  const SolidTree cube = solid(make_box({1, 1, 1}));
  for (const int exponent : {0, 100, 300, 345, 400, 510}) {
    CAPTURE(exponent);
    const double size = std::ldexp(1, exponent);
    TriangleMesh large = make_box({2, 2, 2});
    for (Vec3& v : large.vertices) v = (size * (v + Vec3::UnitX())).eval();  // its face is at x = 0
    OverlapSearch search;
    const Result<OverlapEstimate> found = search.estimate(
        cube, Similarity::Identity(), solid(large), Similarity::Identity(), {.max_work = 1});
    REQUIRE(found);
    REQUIRE_FALSE(found->exact);
    CHECK(found->lower >= 0);
    CHECK(found->lower <= 0.5);  // half of the cube
    CHECK(found->upper >= 0.5);
    CHECK(found->upper <= 1 + 1e-9);
    CHECK((found->force_a - Vec3(-1, 0, 0)).norm() <= found->force_error);
  }
}

TEST_CASE("a budget that is none is refused") {
  const SolidTree box = solid(make_box({1, 1, 1}));
  const Similarity here = Similarity::Identity();
  OverlapSearch search;
  for (const double none : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
    const Result<OverlapEstimate> by_time =
        search.estimate(box, here, box, here, {.max_time = none});
    REQUIRE_FALSE(by_time);
    CHECK(by_time.error().where == "max_time");
    const Result<OverlapEstimate> by_work =
        search.estimate(box, here, box, here, {.max_work = none});
    REQUIRE_FALSE(by_work);
    CHECK(by_work.error().where == "max_work");
  }
  const Result<Overlap> cut = search.overlap(box, here, box, here, {}, 0);
  REQUIRE_FALSE(cut);
  CHECK(cut.error().code == ErrorCode::kResourceLimit);
}

}  // namespace
}  // namespace plimsoll
