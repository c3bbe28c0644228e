#include <doctest/doctest.h>
#include <plimsoll/body_pairs.h>

#include <algorithm>
#include <map>
#include <string>

#include "support/pair_truth.h"

namespace plimsoll {
namespace {

TEST_CASE("two posed bodies touch in just the triangles that CGAL finds") {
  if (!test::has_shared_data()) return;
  PairSearch search;
  const int cases = test::visit_pair_truth([&](const test::PairTruth& truth) {
    for (const TreeQuality quality :
         {TreeQuality::kFast, TreeQuality::kBalanced, TreeQuality::kTight}) {
      const MeshTree tree_a(truth.a, quality), tree_b(truth.b, quality);
      const auto pairs = search.pairs(tree_a, truth.world_from_a, tree_b, truth.world_from_b);
      REQUIRE(pairs);
      REQUIRE(std::equal(pairs->begin(), pairs->end(), truth.pairs.begin(), truth.pairs.end()));
      const auto first = search.touch(tree_a, truth.world_from_a, tree_b, truth.world_from_b);
      REQUIRE(first);
      REQUIRE(std::binary_search(truth.pairs.begin(), truth.pairs.end(), first->value()));
    }
  });
  CHECK(cases >= 7);
}

TEST_CASE("the bodies of a scene touch in just the pairs, and as many triangles, that CGAL finds") {
  if (!test::has_shared_data()) return;
  std::map<std::string, MeshTree> trees;
  int scenes = 0;
  for (const test::SceneTruth& scene : test::scene_truth()) {
    BodyPairSearch bodies;
    for (std::size_t i = 0; i < scene.meshes.size(); ++i) {
      const std::string& name = scene.meshes[i];
      if (trees.count(name) == 0) trees.emplace(name, MeshTree(test::checked(test::load(name))));
      REQUIRE(bodies.add(trees.at(name), scene.world_from_mesh[i]));
    }
    const auto touching = bodies.pairs();
    REQUIRE(touching.size() == scene.touching.size());
    for (std::size_t i = 0; i < touching.size(); ++i) {
      REQUIRE(touching[i].a.index == scene.touching[i].a);
      REQUIRE(touching[i].b.index == scene.touching[i].b);
      REQUIRE(touching[i].pairs.size() == scene.touching[i].pairs);
    }
    ++scenes;
  }
  CHECK(scenes >= 3);
}

}  // namespace
}  // namespace plimsoll
