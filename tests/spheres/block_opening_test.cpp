// What a pair of blocks is expected to share before it is opened, and what it shares when it is.
#include "spheres/block_opening.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "sphere_scene.h"
#include "spheres/lens.h"
#include "support/approx.h"

namespace plimsoll {
namespace {

using test::find;
using test::SphereScene;

// Balls of radius 1 in boxes of width 2, x apart: a box holds the part S(1 - x / 2) of the other
// ball, in the part 1 - x / 2 of its own; pi / 6 of a box is filled. Places are rounded to float,
// which moves a lens by a share of its ball, however thin it is.
TEST_CASE("two balls are expected to share what their boxes do, until they are opened") {
  const SphereHierarchy ball = test::median_hierarchy({test::leaf(Vec3(1, 2, 3), 1, 1, 1)});
  FadedOverlapSearch search;
  for (const double x : {0.0, 0.3, 1.0, 1.7, 1.9, 1.99, 2.0, 2.5}) {
    CAPTURE(x);
    const SphereScene scene(ball, ball, Similarity(Eigen::Translation3d(x, 0, 0)));
    const double part = std::max(0.0, 1 - x / 2), mass = part * part * (3 - 2 * part);
    const double dense = part > 0 ? std::min(1.0, std::numbers::pi / 6 * mass / part) : 0;
    const double expected = std::min(1.0, 4 * (2 - x)) * test::ball_volume(1) * mass * dense;
    const TimedOverlap none = find(search, scene, {.max_expansions = 0});
    CHECK(none.volume == test::approx(std::max(0.0, expected)).scale(1).epsilon(1e-5));
    CHECK(none.is_complete == (x >= 2));
    if (expected > 0) CHECK((none.moment / none.volume - Vec3(1 + x / 2, 2, 3)).norm() <= 1e-5);
    OpenedPair roots;
    open_roots(scene.posed_blocks(), NodeBall::kSecondary, false, roots);
    for (const ExpectedPair& pair : roots.children) {
      const double unit = std::pow(scene.a_blocks.unit, 3) * std::numbers::pi / 12;
      CHECK(unit * pair.key ==
            test::approx((1 + kLeastKey) * expected / dense - expected).scale(1).epsilon(1e-4));
    }
    const TimedOverlap one = find(search, scene, {.max_expansions = 1});
    CHECK(one.volume == test::approx(lens_volume(1, 1, x)).scale(1).epsilon(1e-5));
    CHECK(one.is_complete);
  }
}

// A sphere that all but holds a block's ball, seen along a diagonal of its box, whose corners lie
// outside: all of the block is expected to be in it. When it holds the ball, the block counts
// whole, and with another sphere only for what is expected of that one, (R / 2)^3 / R^3 of it at
// most.
TEST_CASE("a block begins to count whole where all of it is expected") {
  std::vector<SphereNode> leaves;
  for (int i = 0; i < 32; ++i) {
    const int axis = i % 16 / 2;  // two crosses, with a heap in the middle
    const Vec3 off =
        axis < 3 ? Vec3((i % 2 == 0 ? 1 : -1) * Vec3::Unit(axis)) : Vec3(0.01 * i, 0, 0);
    leaves.push_back(test::leaf(Vec3(i < 16 ? 0 : 10, 0, 0) + off, 0.1, 0.1, 0.1));
  }
  const SphereHierarchy body = test::median_hierarchy(leaves);
  const SphereBlocks blocks = make_sphere_blocks(body);
  const SphereBlock& root = blocks.blocks[0];
  REQUIRE(root.count == 2);
  for (std::size_t k = 0; k < root.count; ++k) {
    const double radius = blocks.unit * root.radius[1][k];
    Vec3 center;
    for (int i = 0; i < 3; ++i) center[i] = blocks.unit * (root.origin[i] + root.center[i][k]);
    const double volume = blocks.below[0].volume[1][k];
    for (const double more : {-1e-3, 1e-3}) {
      const double r = (11 + more) * radius;
      const Vec3 there = center + 10 * radius * Vec3(1, 1, 1).normalized();
      const SphereScene scene(
          test::median_hierarchy(
              {test::leaf(there, r, r, r), test::leaf(center, radius / 2, radius / 2, r)}),
          body, Similarity::Identity());
      const double unit = std::pow(scene.b_blocks.unit / scene.a_blocks.unit, 3);
      const PosedBlocks posed = scene.posed_blocks();
      OpenedPair opened;
      for (std::uint16_t rows = 1; rows <= 3; ++rows) {
        open_pair(posed, NodeBall::kSecondary, false, {0, 0, rows, false}, opened);
        const float(&radii)[SphereBlock::kWidth] = posed.a.blocks[0].radius[1];
        const bool has_large = ((radii[0] > radii[1] ? 1 : 2) & rows) != 0;
        double expected = 0, key = 0;
        for (const ExpectedPair& pair : opened.children)
          if (pair.pair.to == root.child[k]) {
            expected = pair.volume / unit;
            key = pair.key / unit;
          }
        if (rows != 3 && has_large) {
          CHECK(expected == test::approx(more < 0 ? volume : 0).epsilon(0.01));
          CHECK(key <= 0.01 * volume);
        } else {
          const bool counts_large = has_large && more < 0;
          CHECK(expected <= (counts_large ? 1.126 : 0.126) * volume);
          CHECK(expected >= (counts_large ? 0.99 : 0.0) * volume);
        }
      }
    }
  }
}

// A sphere of radius 20 holds all: its block counts whole before any of the small ones is opened.
TEST_CASE("what lies in a sphere is known at once") {
  Random random(2);
  FadedOverlapSearch search;
  const SphereHierarchy inner = test::many_balls(random, 3000);
  const SphereHierarchy outer = test::median_hierarchy({test::leaf(Vec3(5, 0, 0), 20, 20, 20)});
  std::vector<Vec3> on_inner;
  for (const bool is_swapped : {false, true}) {
    const SphereScene scene = is_swapped ? SphereScene(outer, inner, Similarity::Identity())
                                         : SphereScene(inner, outer, Similarity::Identity());
    const TimedOverlap found = find(search, scene, {.max_expansions = 1});
    CHECK(found.is_complete);
    CHECK(found.volume == test::approx(inner.nodes[0].secondary_volume).epsilon(1e-6));
    CHECK((found.moment / found.volume - inner.nodes[0].secondary_center).norm() <= 1e-5);
    // With forces each sphere is opened, but none is uncertain.
    ForceSum forces(ForceDirection::kCenters, {});
    const TimedOverlap expected = find(search, scene, {.max_expansions = 1}, &forces);
    CHECK_FALSE(expected.is_complete);
    CHECK(expected.volume == test::approx(found.volume).epsilon(1e-6));
    on_inner.push_back(is_swapped ? forces.sum().force_on_b : forces.sum().force_on_a);
  }
  CHECK((on_inner[0] - on_inner[1]).norm() <= 1e-5 * on_inner[0].norm());
  CHECK(on_inner[0].x() < 0);
}

}  // namespace
}  // namespace plimsoll
