#include <doctest/doctest.h>
#include <plimsoll/contact_bodies.h>
#include <simdjson.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "support/posed_case.h"
#include "support/shared_meshes.h"

namespace plimsoll {
namespace {

TEST_CASE("two posed bodies touch in just the triangles that CGAL finds") {
  if (!test::has_shared_data()) return;
  simdjson::dom::parser parser;
  const simdjson::dom::element truth =
      parser.load((test::shared_data() / "truth" / "contact_pairs.json").string());
  int cases = 0;
  ContactSearch search;
  for (const simdjson::dom::element entry : truth["cases"].get_array()) {
    const std::string id(entry["id"].get_string().value());
    const std::string a(entry["mesh_a"].get_string().value());
    const std::string b(entry["mesh_b"].get_string().value());
    if (!test::holds_plain_mesh(a) || !test::holds_plain_mesh(b)) continue;
    CAPTURE(id);
    std::vector<ContactPair> expected;
    std::ifstream list(test::shared_data() / "truth" /
                       std::string(entry["list"].get_string().value()));
    for (ContactPair pair; list >> pair.a && list.ignore() && list >> pair.b;)
      expected.push_back(pair);
    std::sort(expected.begin(), expected.end());
    REQUIRE(expected.size() == entry["intersecting_triangle_pairs"].get_uint64().value());
    const CheckedMesh mesh_a = test::checked(test::load(a)), mesh_b = test::checked(test::load(b));
    for (const TreeQuality quality :
         {TreeQuality::kFast, TreeQuality::kBalanced, TreeQuality::kTight}) {
      const MeshTree tree_a(mesh_a, quality), tree_b(mesh_b, quality);
      const Similarity pose_a = test::pose_in(entry["pose_a"]),
                       pose_b = test::pose_in(entry["pose_b"]);
      const auto pairs = search.pairs(tree_a, pose_a, tree_b, pose_b);
      REQUIRE(pairs);
      REQUIRE(std::equal(pairs->begin(), pairs->end(), expected.begin(), expected.end()));
      const auto first = search.touch(tree_a, pose_a, tree_b, pose_b);
      REQUIRE(first);
      REQUIRE(std::binary_search(expected.begin(), expected.end(), first->value()));
    }
    ++cases;
  }
  CHECK(cases >= 7);
}

TEST_CASE("the bodies of a scene touch in just the pairs, and as many triangles, that CGAL finds") {
  if (!test::has_shared_data()) return;
  simdjson::dom::parser parser;
  const simdjson::dom::element truth =
      parser.load((test::shared_data() / "truth" / "scenes.json").string());
  std::map<std::string, MeshTree> trees;
  int scenes = 0;
  for (const simdjson::dom::element entry : truth["cases"].get_array()) {
    ContactBodies bodies;
    for (const simdjson::dom::element body : entry["bodies"].get_array()) {
      const std::string name(body["mesh"].get_string().value());
      if (trees.count(name) == 0) trees.emplace(name, MeshTree(test::checked(test::load(name))));
      REQUIRE(bodies.add(trees.at(name), test::pose_in(body["pose"])));
    }
    const auto contacts = bodies.contacts();
    const simdjson::dom::array expected = entry["touching_pairs"].get_array();
    REQUIRE(contacts.size() == expected.size());
    std::size_t i = 0;
    for (const simdjson::dom::element pair : expected) {
      REQUIRE(contacts[i].a.index == pair.at(0).get_uint64().value());
      REQUIRE(contacts[i].b.index == pair.at(1).get_uint64().value());
      REQUIRE(contacts[i].pairs.size() == pair.at(2).get_uint64().value());
      ++i;
    }
    ++scenes;
  }
  CHECK(scenes >= 3);
}

}  // namespace
}  // namespace plimsoll
