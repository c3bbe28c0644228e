#include <doctest/doctest.h>
#include <plimsoll/gl_culling.h>
#include <simdjson.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "cull/found_pairs.h"
#include "support/campaign.h"
#include "support/gl_engine.h"
#include "support/posed_case.h"
#include "support/random_mesh.h"
#include "support/shared_meshes.h"

namespace plimsoll {
namespace {

using Cull = std::function<Result<Culling>(std::span<const CullBody>, const CullOptions&)>;

/// All that can do FAR here; without OpenGL where that would take long.
std::vector<std::pair<std::string, Cull>> renderers(bool takes_long = false) {
  std::vector<std::pair<std::string, Cull>> all{{"scanline", cull_by_scanline}};
  if (takes_long && !test::is_full_run()) return all;
  if (GlCulling* culling = test::engine_on_gl<GlCulling>())
    all.emplace_back("OpenGL", [culling](std::span<const CullBody> bodies, const CullOptions& by) {
      return culling->cull(bodies, by);
    });
  return all;
}

// At 1024 pixels two bunnies are to keep no more than 1.5 times what touches, any other bodies no
// more than as much again.
TEST_CASE("FAR finds the pairs that CGAL finds, and leaves little else") {
  if (!test::has_shared_data()) return;
  simdjson::dom::parser parser;
  const simdjson::dom::element truth =
      parser.load((test::shared_data() / "truth" / "contact_pairs.json").string());
  int cases = 0;
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
    const std::vector<CullBody> bodies{
        {test::checked(test::load(a)), test::pose_in(entry["pose_a"])},
        {test::checked(test::load(b)), test::pose_in(entry["pose_b"])}};
    for (const auto& [name, cull] : renderers())
      for (const int pixels : {64, 1024}) {
        if (pixels == 64 && !test::is_full_run()) continue;
        CAPTURE(name);
        CAPTURE(pixels);
        const Result<Culling> left = cull(bodies, {.resolution = pixels});
        REQUIRE(left);
        const std::vector<CulledPairs> found = culled_pairs(bodies, *left);
        REQUIRE(found.size() == 1);
        REQUIRE(found.front().pairs == expected);
        const double limit = a.find("bunny") != std::string::npos ? 1.5 : 2;
        if (pixels == 1024)
          CHECK(left->surviving_count() <=
                limit * static_cast<double>(test::touching_triangles(expected)));
      }
    ++cases;
  }
  CHECK(cases >= 7);
}

TEST_CASE("FAR finds among the bodies of a scene what CGAL finds") {
  if (!test::has_shared_data()) return;
  simdjson::dom::parser parser;
  const simdjson::dom::element truth =
      parser.load((test::shared_data() / "truth" / "scenes.json").string());
  for (const simdjson::dom::element entry : truth["cases"].get_array()) {
    std::vector<CullBody> bodies;
    for (const simdjson::dom::element body : entry["bodies"].get_array())
      bodies.push_back({test::checked(test::load(std::string(body["mesh"].get_string().value()))),
                        test::pose_in(body["pose"])});
    for (const auto& [name, cull] : renderers(true)) {
      CAPTURE(name);
      const Result<Culling> left = cull(bodies, {.resolution = 256});
      REQUIRE(left);
      const std::vector<CulledPairs> found = culled_pairs(bodies, *left);
      const simdjson::dom::array expected = entry["touching_pairs"].get_array();
      REQUIRE(found.size() == expected.size());
      std::size_t i = 0;
      for (const simdjson::dom::element pair : expected) {
        REQUIRE(found[i].a == pair.at(0).get_uint64().value());
        REQUIRE(found[i].b == pair.at(1).get_uint64().value());
        REQUIRE(found[i].pairs.size() == pair.at(2).get_uint64().value());
        ++i;
      }
    }
  }
}

// Soups, open and torn surfaces, triangles without area: whatever there is, a little turned and
// moved against itself.
TEST_CASE("FAR and trees find the same pairs of every mesh and a copy of it") {
  if (!test::has_shared_data()) return;
  // More triangles take longer, and are no worse.
  const std::size_t many = test::is_full_run() ? 40000 : 3000;
  Random random(31);
  int meshes = 0;
  std::vector<std::filesystem::path> files;
  for (const auto& file :
       std::filesystem::recursive_directory_iterator(test::shared_data() / "meshes"))
    files.push_back(file.path());
  std::sort(files.begin(), files.end());
  for (const std::filesystem::path& path : files) {
    if (!test::holds_plain_mesh(path.string())) continue;
    const Result<MeshFile> file = read_mesh(path);
    if (!file || file->mesh.triangles.size() > many) continue;
    CAPTURE(path.string());
    const CheckedMesh mesh = test::checked(file->mesh);
    const double size = bounding_box(mesh).sizes().maxCoeff();
    Similarity moved = Similarity::Identity();
    moved.linear() = Eigen::AngleAxisd(0.1, test::random_vector(random).normalized()).matrix();
    moved.translation() = 0.05 * size * test::random_vector(random);
    const std::vector<CullBody> bodies{{mesh}, {mesh, moved}};
    const std::vector<CulledPairs> expected = test::pairs_by_trees(bodies);
    for (const auto& [name, cull] : renderers()) {
      CAPTURE(name);
      const Result<Culling> left = cull(bodies, {.resolution = 100});
      REQUIRE(left);
      REQUIRE(test::are_equal(culled_pairs(bodies, *left), expected));
    }
    ++meshes;
  }
  CHECK(meshes > 20);
}

}  // namespace
}  // namespace plimsoll
