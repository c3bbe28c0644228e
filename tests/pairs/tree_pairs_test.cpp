#include "pairs/tree_pairs.h"

#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/predicates.h"
#include "core/random.h"
#include "pairs/triangle_pair.h"
#include "support/campaign.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

struct Body {
  explicit Body(TriangleMesh from, TreeQuality quality = TreeQuality::kFast)
      : mesh(std::move(from)), tree(make_triangle_tree(mesh, quality)) {}

  TriangleMesh mesh;
  TriangleTree tree;
};

std::array<Vec3, 3> corners_of(const TriangleMesh& mesh, std::size_t t) {
  const Triangle& v = mesh.triangles[t];
  return {mesh.vertices[v[0]], mesh.vertices[v[1]], mesh.vertices[v[2]]};
}

// Each triangle against each: nothing of the trees.
Pairs by_brute_force(const TriangleMesh& a, const TriangleMesh& b) {
  Pairs pairs;
  for (std::uint32_t t = 0; t < a.triangles.size(); ++t)
    for (std::uint32_t u = 0; u < b.triangles.size(); ++u)
      if (meeting_of(corners_of(a, t), corners_of(b, u)) != Meeting::kApart)
        pairs.emplace_back(t, u);
  return pairs;
}

// Only what the walk says may meet, decided on the vertices as posed() rounds them.
Pairs by_trees(const Body& a, const Similarity& a_pose, const Body& b, const Similarity& b_pose,
               PairWalk& walk) {
  const TriangleMesh a_posed = posed(a.mesh, a_pose), b_posed = posed(b.mesh, b_pose);
  Pairs pairs;
  constexpr std::size_t kLeaf = TriangleTree::kLeafTriangles;
  for (const LeafPair& leaves : walk.leaf_pairs({&a.tree, a_pose}, {&b.tree, b_pose}))
    for (std::size_t i = 0; i < kLeaf; ++i)
      for (std::size_t k = 0; k < kLeaf; ++k) {
        const std::uint32_t t = a.tree.numbers[kLeaf * leaves.a + i];
        const std::uint32_t u = b.tree.numbers[kLeaf * leaves.b + k];
        if (t == kNoIndex || u == kNoIndex) continue;
        if (meeting_of(corners_of(a_posed, t), corners_of(b_posed, u)) != Meeting::kApart)
          pairs.emplace_back(t, u);
      }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

TEST_CASE("the trees of two posed bodies miss no pair of triangles that meet") {
  Random random(1);
  const std::vector<Body> bodies = [] {
    std::vector<Body> all;
    all.emplace_back(make_box({1, 1, 1}));
    all.emplace_back(make_icosphere(0.8, 2), TreeQuality::kTight);
    all.emplace_back(make_torus(0.7, 0.3, 14, 10));
    all.emplace_back(make_torus_knot({.major = 0.7, .minor = 0.3, .tube = 0.1}, 40, 6),
                     TreeQuality::kTight);
    TriangleMesh sliver;
    sliver.vertices = {{-1, 0, 0}, {1, 0, 0}, {0, 1e-9, 0}};
    sliver.triangles = {{0, 1, 2}};
    all.emplace_back(sliver);
    return all;
  }();
  PairWalk walk;
  std::size_t meeting = 0, apart = 0;
  for (int round = 0; round < test::campaign(600); ++round) {
    const Body &a = bodies[random.below(bodies.size())], &b = bodies[random.below(bodies.size())];
    // Both sizes, and both far from the world's origin in some rounds.
    const double scale = round % 3 == 0 ? std::pow(10, random.uniform(-3, 3)) : 1;
    Similarity a_pose = test::random_similarity(random, 1, 1),
               b_pose = test::random_similarity(random, 1, scale);
    if (round % 4 == 0) {
      const Vec3 far = 1e7 * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), 1);
      a_pose.translation() += far;
      b_pose.translation() += far;
    }
    const Pairs expected = by_brute_force(posed(a.mesh, a_pose), posed(b.mesh, b_pose));
    REQUIRE(by_trees(a, a_pose, b, b_pose, walk) == expected);
    ++(expected.empty() ? apart : meeting);
  }
  CHECK(meeting > 0);
  CHECK(apart > 0);
}

// Rounded vertices of cubes on a turned lattice touch or miss each other by units in the last
// place: what the boxes are widened for.
TEST_CASE("bodies that touch up to rounding are not lost") {
  Random random(2);
  const Body cube(make_box({1, 1, 1}));
  PairWalk walk;
  std::size_t meeting = 0;
  for (int round = 0; round < test::campaign(2000); ++round) {
    const Similarity turn = test::random_similarity(
        random, std::array{0.0, 1e6, 1e10}[static_cast<std::size_t>(round % 3)], 1);
    Similarity step = Similarity::Identity();
    for (double& x : step.translation()) x = static_cast<double>(random.below(3)) - 1;
    const Similarity there = turn * step;
    const Pairs expected = by_brute_force(posed(cube.mesh, turn), posed(cube.mesh, there));
    REQUIRE(by_trees(cube, turn, cube, there, walk) == expected);
    meeting += expected.empty() ? 0 : 1;
  }
  CHECK(meeting > static_cast<std::size_t>(test::campaign(2000)) / 27);
}

/// 40 triangles of size 1e-9 around each of `places`, taken there by `pose` from their own frame.
Body crowds(const std::vector<Vec3>& places, const Similarity& pose, Random& random) {
  TriangleMesh mesh;
  for (const Vec3& place : places)
    for (int i = 0; i < 40; ++i) {
      const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
      for (int k = 0; k < 3; ++k)
        mesh.vertices.push_back(pose.inverse() * (place + 1e-9 * test::random_vector(random)));
      mesh.triangles.push_back({first, first + 1, first + 2});
    }
  return Body(std::move(mesh), TreeQuality::kTight);
}

// Floats hold where a crowd is to a unit of 6e-8, sixty times its size.
TEST_CASE("small crowds of triangles far from the middle of their bodies are not lost") {
  Random random(5);
  PairWalk walk;
  for (int round = 0; round < test::campaign(60); ++round) {
    std::vector<Vec3> places;
    for (int i = 0; i < 5; ++i) places.push_back(test::random_vector(random));
    const Similarity a_pose = test::random_similarity(random, 0.1),
                     b_pose = test::random_similarity(random, 0.1);
    const Body a = crowds(places, a_pose, random), b = crowds(places, b_pose, random);
    const Pairs expected = by_brute_force(posed(a.mesh, a_pose), posed(b.mesh, b_pose));
    REQUIRE(expected.size() > 100);
    REQUIRE(by_trees(a, a_pose, b, b_pose, walk) == expected);
  }
}

TEST_CASE("bodies of sizes that no float holds beside each other are not lost") {
  const Body ball(make_icosphere(1, 2));
  PairWalk walk;
  const Similarity here = Similarity::Identity();
  for (const double scale : {1e-60, 1e-30, 1e-12, 1e12, 1e30, 1e60}) {
    CAPTURE(scale);
    Similarity large = here;
    large.linear() *= scale;
    // The surface of the larger one passes the center of the smaller, whose triangles rounding may
    // leave without area.
    large.translation()[0] = scale > 1 ? scale : 1;
    const Pairs expected = by_brute_force(posed(ball.mesh, here), posed(ball.mesh, large));
    CHECK(by_trees(ball, here, ball, large, walk) == expected);
    CHECK(by_trees(ball, large, ball, here, walk) ==
          by_brute_force(posed(ball.mesh, large), posed(ball.mesh, here)));
  }
}

// 12 triangles have one level of nodes, a long strip of 400 has three: one tree is at its leaves
// while the other is still opened.
TEST_CASE("trees of different depths are walked to the leaves of both") {
  TriangleMesh strip;
  for (std::uint32_t i = 0; i <= 200; ++i) {
    strip.vertices.emplace_back(0.01 * i, 0, 0);
    strip.vertices.emplace_back(0.01 * i, 1, 0);
    if (i == 200) break;
    strip.triangles.push_back({2 * i, 2 * i + 2, 2 * i + 3});
    strip.triangles.push_back({2 * i, 2 * i + 3, 2 * i + 1});
  }
  TriangleMesh few;  // in four leaves, one behind the other
  for (std::uint32_t i = 0; i < 16; ++i) {
    const double x = 2 * (i / 4);
    few.vertices.insert(few.vertices.end(), {Vec3(x, 0.2, -0.1), Vec3(x, 0.5, 0.1),
                                             Vec3(x + 0.1 * (i % 4), 0.8, -0.1)});
    few.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  PairWalk walk;
  for (const TreeQuality quality : {TreeQuality::kFast, TreeQuality::kTight}) {
    const Body a(strip, quality), b(few, quality);
    REQUIRE(a.tree.levels() > b.tree.levels());
    // Each leaf of the few meets the strip in turn.
    for (int step = 0; step < 4; ++step) {
      CAPTURE(step);
      const Similarity here = Similarity::Identity();
      Similarity there = here;
      there.translation()[0] = 1.005 - 2 * step;
      const Pairs expected = by_brute_force(a.mesh, posed(b.mesh, there));
      CHECK_FALSE(expected.empty());
      CHECK(by_trees(a, here, b, there, walk) == expected);
      CHECK(by_trees(b, there, a, here, walk) == by_brute_force(posed(b.mesh, there), a.mesh));
    }
  }
}

TEST_CASE("the walk leaves out what is apart") {
  const Body ball(make_icosphere(1, 4));  // 5120 triangles, 1280 leaves
  PairWalk walk;
  const Similarity here = Similarity::Identity();
  Similarity there = here;
  there.translation()[0] = 2.001;
  // The caps within 0.001 of the plane between them are 0.03 of a radius wide: a leaf or two each.
  CHECK(walk.leaf_pairs({&ball.tree, here}, {&ball.tree, there}).size() <= 100);
  there.translation()[0] = 2.2;
  CHECK(walk.leaf_pairs({&ball.tree, here}, {&ball.tree, there}).empty());
  const Body none{TriangleMesh()};
  CHECK(walk.leaf_pairs({&ball.tree, here}, {&none.tree, here}).empty());
  CHECK(walk.leaf_pairs({&none.tree, here}, {&ball.tree, here}).empty());
}

TEST_CASE("one walk serves any trees, one after the other, and its answer depends on them alone") {
  const Body ball(make_icosphere(1, 3)), box(make_box({1, 1, 1}));
  PairWalk walk, other;
  const Similarity here = Similarity::Identity();
  const auto ask = [&](PairWalk& by) {
    const auto found = by.leaf_pairs({&ball.tree, here}, {&box.tree, here});
    return std::vector<LeafPair>(found.begin(), found.end());
  };
  const std::vector<LeafPair> first = ask(walk);
  CHECK(!walk.leaf_pairs({&ball.tree, here}, {&ball.tree, here}).empty());
  CHECK(ask(walk) == first);
  CHECK(ask(other) == first);
}

TEST_CASE("a walk within a tree leaves out the leaves of one group, and no others") {
  const Body body(make_torus_knot({.major = 0.7, .minor = 0.3, .tube = 0.1}, 60, 8));
  const TriangleTree& tree = body.tree;
  const auto leaves = static_cast<std::uint32_t>(tree.leaf_count());
  const auto group_of = [&](std::uint32_t leaf) {
    return leaf % 5 == 0 ? kSeveralGroups : 3 * leaf / leaves;
  };
  constexpr std::uint32_t kChildren = TriangleTree::kChildren;
  std::vector<std::uint32_t> groups(kChildren * tree.boxes.size(), kSeveralGroups);
  for (std::size_t level = 1; level <= tree.levels(); ++level)
    for (std::uint32_t part = 0; part < tree.width(level); ++part) {
      const std::size_t below = 3 * (tree.levels() - level);
      const auto first = static_cast<std::uint32_t>(part << below);
      const auto end = static_cast<std::uint32_t>((part + 1) << below);
      std::uint32_t group = group_of(first);
      for (std::uint32_t leaf = first; leaf < std::min(end, leaves); ++leaf)
        if (group_of(leaf) != group) group = kSeveralGroups;
      groups[kChildren * tree.first[level - 1] + part] = group;
    }
  const auto walked = [&](std::span<const std::uint32_t> given) {
    PairWalk walk;
    walk.start_within(tree, given);
    Pairs pairs;
    for (const LeafPair& pair : walk.next(std::numeric_limits<std::size_t>::max()))
      pairs.emplace_back(pair.a, pair.b);
    std::sort(pairs.begin(), pairs.end());
    return pairs;
  };
  const Pairs all = walked({}), some = walked(groups);
  Pairs expected = all;
  std::erase_if(expected, [&](const auto& pair) {
    return group_of(pair.first) == group_of(pair.second) && group_of(pair.first) != kSeveralGroups;
  });
  CHECK(some == expected);
  CHECK(expected.size() > leaves / 5);
  CHECK(expected.size() < all.size());
}

TEST_CASE("walks that share what is left give each pair once, and all of them") {
  const Body ball(make_icosphere(1, 4)), box(make_box({1, 1, 1}));
  Random random(4);
  std::vector<PairWalk> walks(4);  // for all, so that nothing of one walk is left in the next
  PairWalk alone;
  const auto by_number = [](const LeafPair& x, const LeafPair& y) {
    return x.a != y.a ? x.a < y.a : x.b < y.b;
  };
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    const Body& other = i % 3 == 0 ? box : ball;
    const PosedTree a{&ball.tree, test::random_similarity(random, 0.5, 1)};
    const PosedTree b{&other.tree, test::random_similarity(random, 0.5, 1)};
    const auto all = alone.leaf_pairs(a, b);
    std::vector<LeafPair> expected(all.begin(), all.end()), found;
    walks[0].start(a, b);
    const auto take = [&](PairWalk& walk, std::size_t enough) {
      const auto some = walk.next(enough);
      found.insert(found.end(), some.begin(), some.end());
      return !some.empty();
    };
    for (int taken = 0; taken < i % 5; ++taken) take(walks[0], 16);
    std::vector<PairWalk*> others;
    for (std::size_t k = 1; k < 1 + static_cast<std::size_t>(i) % 4; ++k)
      others.push_back(&walks[k]);
    walks[0].share_with(others);
    if (i % 2 == 0) walks[0].share_with({});
    for (std::size_t k = 0; k <= others.size(); ++k)
      while (take(walks[k], 7)) {
      }
    std::sort(found.begin(), found.end(), by_number);
    std::sort(expected.begin(), expected.end(), by_number);
    REQUIRE(found == expected);
  }
}

// So that no thread waits long for the other.
TEST_CASE("walks that share are given about as much each") {
  const Body ball(make_icosphere(1, 5));
  const Similarity here = Similarity::Identity();
  Similarity there = here;
  there.translation() = Vec3(0.3, 0.2, 0.1);
  PairWalk walk, other;
  walk.start({&ball.tree, here}, {&ball.tree, there});
  PairWalk* const others[] = {&other};
  walk.share_with(others);
  std::size_t count[2] = {};
  for (std::size_t k = 0; k < 2; ++k)
    for (auto some = (k == 0 ? walk : other).next(100); !some.empty();
         some = (k == 0 ? walk : other).next(100))
      count[k] += some.size();
  CHECK(count[0] + count[1] > 1000);
  CHECK(std::max(count[0], count[1]) <= 2 * std::min(count[0], count[1]));
}

}  // namespace
}  // namespace plimsoll
