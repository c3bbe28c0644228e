#include <doctest/doctest.h>
#include <plimsoll/gl_culling.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cull/found_pairs.h"
#include "support/campaign.h"
#include "support/gl_engine.h"
#include "support/pair_truth.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

using Cull = std::function<Result<Culling>(std::span<const CullBody>, const CullOptions&)>;

/// Pixels of an image that leave little but what touches; fewer where each takes long.
constexpr int kFine = test::kAddressSanitizer ? 256 : 1024;

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

// At 1024 pixels two bunnies are to keep no more than 1.5 times what touches. So do the others.
TEST_CASE("FAR finds the pairs that CGAL finds, and leaves little else") {
  if (!test::has_shared_data()) return;
  const int cases = test::visit_pair_truth([&](const test::PairTruth& truth) {
    const std::vector<CullBody> bodies{{truth.a, truth.world_from_a},
                                       {truth.b, truth.world_from_b}};
    const std::size_t triangles = truth.a.view().triangle_count() + truth.b.view().triangle_count();
    if (test::kAddressSanitizer && triangles > 10'000) return;
    for (const auto& [name, cull] : renderers(triangles > 10'000))
      for (const int pixels : {64, kFine}) {
        if (pixels == 64 && !test::is_full_run()) continue;
        CAPTURE(name);
        CAPTURE(pixels);
        const Result<Culling> left = cull(bodies, {.resolution = pixels});
        REQUIRE(left);
        const std::vector<CulledPairs> found = test::pairs_left(bodies, *left);
        REQUIRE(found.size() == 1);
        REQUIRE(found.front().pairs == truth.pairs);
        if (pixels == 1024)
          CHECK(left->surviving_count() <=
                1.5 * static_cast<double>(test::touching_triangles(found)));
      }
  });
  CHECK(cases >= 7);
}

TEST_CASE("FAR finds among the bodies of a scene what CGAL finds") {
  if (!test::has_shared_data()) return;
  std::vector<test::SceneTruth> scenes = test::scene_truth();
  if (test::kAddressSanitizer) scenes.erase(scenes.begin(), scenes.end() - 1);
  for (const test::SceneTruth& scene : scenes) {
    std::vector<CullBody> bodies;
    for (std::size_t i = 0; i < scene.meshes.size(); ++i)
      bodies.push_back({test::checked(test::load(scene.meshes[i])), scene.world_from_mesh[i]});
    for (const auto& [name, cull] : renderers(true)) {
      CAPTURE(name);
      for (const int pixels : {128, kFine}) {
        if (pixels == 128 && !test::is_full_run()) continue;
        const Result<Culling> left = cull(bodies, {.resolution = pixels});
        REQUIRE(left);
        const std::vector<CulledPairs> found = test::pairs_left(bodies, *left);
        REQUIRE(found.size() == scene.touching.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
          REQUIRE(found[i].a == scene.touching[i].a);
          REQUIRE(found[i].b == scene.touching[i].b);
          REQUIRE(found[i].pairs.size() == scene.touching[i].pairs);
        }
        // In a crowd what touches nothing may be hidden by one body or another in every view.
        const double limit = bodies.size() == 60 ? 3 : 2;
        if (pixels == 1024)
          CHECK(left->surviving_count() <=
                limit * static_cast<double>(test::touching_triangles(found)));
      }
    }
  }
}

// Soups, open and torn surfaces, triangles without area: whatever there is, a little turned and
// moved against itself.
TEST_CASE("FAR and trees find the same pairs of every mesh and a copy of it") {
  if (!test::has_shared_data()) return;
  // More triangles take longer, and are no worse.
  const std::size_t few = test::kAddressSanitizer ? 200 : 1000;
  const std::size_t many = test::is_full_run() ? 40000 : few;
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
      REQUIRE(test::are_equal(test::pairs_left(bodies, *left), expected));
    }
    ++meshes;
  }
  CHECK(meshes > 10);
}

}  // namespace
}  // namespace plimsoll
