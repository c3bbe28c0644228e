// Searches that threads share, and trees whose copies other threads let go.
#include <doctest/doctest.h>
#include <plimsoll/body_pairs.h>
#include <plimsoll/mesh.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/mesh_tree.h>
#include <plimsoll/pairs.h>
#include <plimsoll/parallel.h>
#include <plimsoll/solid_tree.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "core/random.h"
#include "support/campaign.h"
#include "support/checked.h"
#include "support/hard_scenes.h"
#include "support/mesh_parts.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

const Similarity kHere = Similarity::Identity();

MeshTree tree_of(const TriangleMesh& mesh) { return MeshTree(test::checked(mesh)); }

// So deep in each other that threads share the search: 5,000 pairs of leaves and more.
TEST_CASE("pairs are the same at any number of threads") {
  const MeshTree ball = tree_of(make_icosphere(1, 6)),
                 bumpy = tree_of(make_bumpy_sphere(1, 0.3, 60, 160));
  PairSearch search;
  for (const double apart : {0.05, 0.4, 1.7}) {
    Similarity there = kHere;
    there.translation() = Vec3(apart, 0.02, 0.01);
    std::vector<TrianglePair> one;
    for (const int threads : {1, 2, 3}) {
      std::vector<TrianglePair> pairs;
      with_threads(threads, [&] {
        const auto found = search.pairs(ball, kHere, bumpy, there);
        REQUIRE(found);
        pairs.assign(found->begin(), found->end());
      });
      if (threads == 1) one = pairs;
      CHECK(pairs == one);
    }
    CHECK(std::adjacent_find(one.begin(), one.end()) == one.end());
    CHECK(one.size() > 300);
  }
}

// Boxes tell slivers little: searches that find none for long leave the rest to hulls, each thread
// its own.
TEST_CASE("pairs of slivers are the same at any number of threads") {
  const test::TwoBodies two = test::crossing_cylinders(3000);
  const MeshTree one = tree_of(two.a), other = tree_of(two.b);
  PairSearch search;
  std::vector<TrianglePair> alone;
  for (const int threads : {1, 2, 3}) {
    std::vector<TrianglePair> pairs;
    with_threads(threads, [&] {
      const auto found = search.pairs(one, kHere, other, kHere);
      REQUIRE(found);
      pairs.assign(found->begin(), found->end());
    });
    if (threads == 1) alone = pairs;
    CHECK(pairs == alone);
  }
  CHECK(alone.size() > 1000);
}

// Each of the two is star-shaped, so that it does not touch itself.
TEST_CASE("a mesh of two surfaces touches itself where they touch, at any number of threads") {
  const TriangleMesh ball = make_icosphere(1, 6), bumpy = make_bumpy_sphere(1, 0.3, 60, 160);
  Similarity there = kHere;
  there.translation() = Vec3(0.4, 0.02, 0.01);
  const auto triangles = static_cast<std::uint32_t>(bumpy.triangles.size());
  PairSearch search;
  std::vector<TrianglePair> expected;
  const auto of_two = search.pairs(tree_of(bumpy), there, tree_of(ball), kHere);
  REQUIRE(of_two);
  for (const TrianglePair& pair : *of_two) expected.push_back({pair.a, pair.b + triangles});
  CHECK(expected.size() > 300);
  const MeshTree tree = tree_of(test::joined(posed(bumpy, there), ball));
  for (const int threads : {1, 2, 3})
    with_threads(threads, [&] {
      const auto pairs = search.self_pairs(tree);
      REQUIRE(pairs);
      CHECK(std::equal(pairs->begin(), pairs->end(), expected.begin(), expected.end()));
    });
}

TEST_CASE("bodies touch alike at any number of threads") {
  Random random(3);
  const MeshTree ball = tree_of(make_icosphere(1, test::kAddressSanitizer ? 1 : 2));
  constexpr int kBodies = test::kAddressSanitizer ? 100 : 200;
  std::vector<Similarity> poses;
  for (int i = 0; i < kBodies; ++i) poses.push_back(test::random_similarity(random, 4));
  std::vector<std::vector<std::vector<TrianglePair>>> answers;
  for (const int threads : {1, 2, 3})
    with_threads(threads, [&] {
      BodyPairSearch bodies;
      std::vector<BodyId> ids;
      for (const Similarity& pose : poses) ids.push_back(*bodies.add(ball, pose));
      auto& answer = answers.emplace_back();
      for (int turn = 0; turn < 3; ++turn) {
        CHECK(bodies.touching().size() == bodies.pairs().size());
        for (const TouchingBodies& two : bodies.pairs())
          answer.emplace_back(two.pairs.begin(), two.pairs.end());
        for (std::size_t i = 0; i < ids.size(); i += 3)
          REQUIRE(
              bodies.move(ids[i], poses[(i + static_cast<std::size_t>(turn) + 1) % poses.size()]));
      }
    });
  CHECK(answers[0].size() > (test::kAddressSanitizer ? 30 : 300));
  CHECK(answers[1] == answers[0]);
  CHECK(answers[2] == answers[0]);
}

// A body is rebuilt and refit as soon as no other thread holds a copy; what such a thread read
// before must have happened before.
TEST_CASE("a body may be rebuilt and refit while other threads let copies of it go") {
  const CheckedMesh small = test::checked(make_icosphere(1, 2));
  const CheckedMesh large = test::checked(make_icosphere(1.5, 3));
  MeshTreeBuilder builder;
  MeshTree body = builder.build(small);
  SolidTree afloat(small);
  for (int round = 0; round < 20; ++round) {
    std::atomic<bool> is_read = false;
    std::thread reader([&is_read, copy = body, floating = afloat]() mutable {
      PairSearch search;
      const auto touches = search.touch(copy, kHere, copy, kHere);
      CHECK((touches && *touches));
      CHECK(floating.signed_volume() > 0);
      MeshTree(std::move(copy));
      SolidTree(std::move(floating));
      is_read = true;
    });
    while (!is_read.load(std::memory_order_relaxed)) std::this_thread::yield();
    builder.rebuild(round % 2 == 0 ? large : small, body);
    REQUIRE(body.refit(round % 2 == 0 ? large : small));
    REQUIRE(afloat.refit(small));
    CHECK(body.triangle_count() == (round % 2 == 0 ? large : small).view().triangle_count());
    reader.join();
  }
}

}  // namespace
}  // namespace plimsoll
