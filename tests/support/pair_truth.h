// The tables of the data folder about what touches: CGAL's answers.
#pragma once

#include <plimsoll/pairs.h>
#include <simdjson.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "support/posed_case.h"
#include "support/shared_meshes.h"

namespace plimsoll::test {

/// Two posed meshes, and their pairs, ascending.
struct PairTruth {
  std::string mesh_a, mesh_b;
  CheckedMesh a, b;
  Similarity world_from_a, world_from_b;
  std::vector<TrianglePair> pairs;
};

/// Calls visit(const PairTruth&) for each, and returns how many there are.
template <class Visit>
int visit_pair_truth(const Visit& visit) {
  simdjson::dom::parser parser;
  const simdjson::dom::element truth =
      parser.load((shared_data() / "truth" / "contact_pairs.json").string());
  int cases = 0;
  for (const simdjson::dom::element entry : truth["cases"].get_array()) {
    PairTruth now;
    now.mesh_a = std::string(entry["mesh_a"].get_string().value());
    now.mesh_b = std::string(entry["mesh_b"].get_string().value());
    if (!holds_plain_mesh(now.mesh_a) || !holds_plain_mesh(now.mesh_b)) continue;
    const std::string id(entry["id"].get_string().value());
    CAPTURE(id);
    std::ifstream list(shared_data() / "truth" / std::string(entry["list"].get_string().value()));
    for (TrianglePair pair; list >> pair.a && list.ignore() && list >> pair.b;)
      now.pairs.push_back(pair);
    std::sort(now.pairs.begin(), now.pairs.end());
    REQUIRE(now.pairs.size() == entry["intersecting_triangle_pairs"].get_uint64().value());
    now.a = checked(load(now.mesh_a));
    now.b = checked(load(now.mesh_b));
    now.world_from_a = pose_in(entry["pose_a"]);
    now.world_from_b = pose_in(entry["pose_b"]);
    visit(now);
    ++cases;
  }
  return cases;
}

/// Two bodies of a scene, by their places, and how many pairs of triangles they have.
struct BodyPairTruth {
  std::size_t a, b, pairs;
};

/// Several posed meshes, and which of them touch, ascending.
struct SceneTruth {
  std::vector<std::string> meshes;
  std::vector<Similarity> world_from_mesh;
  std::vector<BodyPairTruth> touching;
};

[[nodiscard]] inline std::vector<SceneTruth> scene_truth() {
  simdjson::dom::parser parser;
  const simdjson::dom::element truth =
      parser.load((shared_data() / "truth" / "scenes.json").string());
  std::vector<SceneTruth> scenes;
  for (const simdjson::dom::element entry : truth["cases"].get_array()) {
    SceneTruth scene;
    for (const simdjson::dom::element body : entry["bodies"].get_array()) {
      scene.meshes.emplace_back(body["mesh"].get_string().value());
      scene.world_from_mesh.push_back(pose_in(body["pose"]));
    }
    for (const simdjson::dom::element pair : entry["touching_pairs"].get_array())
      scene.touching.push_back({pair.at(0).get_uint64().value(), pair.at(1).get_uint64().value(),
                                pair.at(2).get_uint64().value()});
    scenes.push_back(std::move(scene));
  }
  return scenes;
}

}  // namespace plimsoll::test
