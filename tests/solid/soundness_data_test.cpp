// Real and faulty meshes of the data folder.
#include <doctest/doctest.h>
#include <simdjson.h>

#include <map>
#include <string>

#include "solid/assembly.h"
#include "support/shared_meshes.h"

namespace plimsoll {
namespace {

TEST_CASE("clean real meshes are sound") {
  if (!test::has_shared_data()) return;
  simdjson::dom::parser parser;
  const simdjson::dom::element index =
      parser.load((test::shared_data() / "meshes" / "index.json").string());
  int several_shells = 0;
  for (const simdjson::dom::element entry : index.get_array()) {
    const std::string name(entry["file"].get_string().value());
    if (!test::holds_plain_mesh(name) || !entry["clean"].get_bool().value()) continue;
    CAPTURE(name);
    const TriangleMesh mesh = test::load(name);
    const Soundness found = test::assess(mesh);
    CHECK(test::is_sound(found));
    CHECK(found.self_intersecting_pairs == 0u);
    CHECK(found.defects.empty());
    CHECK(test::is_sound(test::assess(mesh, test::Pairs::kBetweenPatches)));
    several_shells += entry["shells"].get_uint64().value() > 1 ? 1 : 0;
  }
  CHECK(several_shells >= 4);  // hulls, linked knots, a cavity
}

TEST_CASE("closed faulty meshes count space once but for the nested and the overlapping") {
  if (!test::has_shared_data()) return;
  const std::map<std::string, int> faults{{"defects/nested-both-out.off", test::kNested},
                                          {"defects/overlapping-shells.off", test::kCrossing}};
  simdjson::dom::parser parser;
  const simdjson::dom::element index =
      parser.load((test::shared_data() / "defects" / "index.json").string());
  std::size_t faulty = 0;
  for (const simdjson::dom::element entry : index["files"].get_array()) {
    const std::string name(entry["file"].get_string().value());
    CAPTURE(name);
    const TriangleMesh mesh = test::load(name);
    const auto expected = faults.find(name);
    const int fault = expected != faults.end() ? expected->second : 0;
    faulty += fault != 0 ? 1 : 0;
    const Soundness found = test::assess(mesh);
    CHECK(test::faults_of(found) == fault);
    CHECK(test::faults_of(test::assess(mesh, test::Pairs::kBetweenPatches)) == fault);
    CHECK(found.self_intersecting_pairs == entry["self_intersecting_pairs"].get_uint64().value());
  }
  CHECK(faulty == faults.size());
}

}  // namespace
}  // namespace plimsoll
