#include <doctest/doctest.h>
#include <plimsoll/gl_culling.h>
#include <plimsoll/mesh_generators.h>

#include "cull/culling_campaign.h"
#include "cull/culling_cases.h"
#include "cull/found_pairs.h"
#include "support/gl_engine.h"

namespace plimsoll {
namespace {

GlCulling* gl_culling() { return test::engine_on_gl<GlCulling>(); }

/// As test::find_all_pairs takes it.
auto by(GlCulling& culling) {
  return [&culling](std::span<const CullBody> bodies, const CullOptions& options) {
    return culling.cull(bodies, options);
  };
}

TEST_CASE("FAR loses no pair that touches, in any scene at any resolution") {
  GlCulling* culling = gl_culling();
  if (culling != nullptr) test::find_all_pairs(21, test::Wanted::kTouching, by(*culling));
}

TEST_CASE("FAR loses no pair that is closer than a distance") {
  GlCulling* culling = gl_culling();
  if (culling != nullptr) test::find_all_pairs(22, test::Wanted::kNear, by(*culling));
}

// As the same test of culling_test.cpp.
TEST_CASE("FAR finds small triangles among large ones, however small they are") {
  GlCulling* culling = gl_culling();
  if (culling == nullptr) return;
  Random random(24);
  for (const double size : test::kSmallSizes) {
    CAPTURE(size);
    const std::vector<CullBody> bodies = test::small_among_large(random, size);
    const std::vector<CulledPairs> expected = test::pairs_by_trees(bodies);
    REQUIRE(!expected.empty());
    for (const int pixels : {16, 1024}) {
      const Result<Culling> left = culling->cull(bodies, {.resolution = pixels});
      REQUIRE(left);
      CHECK(test::lost_pairs(expected, *left) == 0);
    }
  }
}

// Slopes of triangles as long as a view are lost in float32 where it has many pixels: without
// slope_room() pairs are lost. Each long triangle is touched by a small one at a
// corner.
TEST_CASE("FAR loses no pair of triangles as long as a view of thousands of pixels") {
  GlCulling* culling = gl_culling();
  if (culling == nullptr) return;
  Random random(23);
  for (const int pixels : {2048, 8192}) {
    if (test::kAddressSanitizer && pixels > 2048) continue;
    if (pixels > test::gl_context()->info().largest_image) continue;
    CAPTURE(pixels);
    TriangleMesh large, small;
    for (std::uint32_t t = 0; t < 100; ++t) {
      const Vec3 a = test::random_vector(random), b = test::random_vector(random);
      // A needle, which hides few others.
      const Vec3 c = a + random.unit() * (b - a) + 1e-6 * test::random_vector(random);
      large.vertices.insert(large.vertices.end(), {a, b, c});
      small.vertices.insert(small.vertices.end(), {a, a + 1e-7 * test::random_vector(random),
                                                   a + 1e-7 * test::random_vector(random)});
      for (TriangleMesh* mesh : {&large, &small})
        mesh->triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
    }
    const std::vector<CullBody> bodies{{test::checked(large)}, {test::checked(small)}};
    const Result<Culling> left = culling->cull(bodies, {.resolution = pixels, .part_triangles = 1});
    REQUIRE(left);
    const std::vector<CulledPairs> pairs = test::pairs_by_trees(bodies);
    REQUIRE(!pairs.empty());
    REQUIRE(pairs.front().pairs.size() >= 100);
    CHECK(test::lost_pairs(pairs, *left) == 0);
  }
}

// So that culling nothing does not pass. Two spheres that overlap: the circle in which they meet
// has a length of 2 pi 0.31, and there are 16 triangles or so of each along it.
TEST_CASE("FAR leaves little more than what touches, and nothing of bodies apart" *
          doctest::skip(test::kAddressSanitizer)) {
  GlCulling* culling = gl_culling();
  if (culling == nullptr) return;
  const CheckedMesh sphere = test::checked(make_icosphere(1, 4));
  Similarity beside = Similarity::Identity();
  beside.translation() = Vec3(1.1, 1.1, 1.1);
  std::vector<CullBody> bodies{{sphere}, {sphere, beside}};
  Result<Culling> left = culling->cull(bodies, {});
  REQUIRE(left);
  const std::vector<CulledPairs> found = test::pairs_left(bodies, *left);
  REQUIRE(found.size() == 1);
  const std::size_t count = test::touching_triangles(found);
  CHECK(count > 30);
  CHECK(left->surviving_count() <= 1.5 * static_cast<double>(count));
  const Result<Culling> published = culling->cull(bodies, {.refines_triangles = false});
  REQUIRE(published);
  CHECK(published->surviving_count() > left->surviving_count());
  bodies[1].world_from_body.translation() = Vec3(1.2, 1.2, 1.2);
  left = culling->cull(bodies, {});
  REQUIRE(left);
  CHECK(left->surviving_count() == 0);
}

// Faces seen edge on have depths beyond all there is, which must not pass where nothing was drawn.
TEST_CASE("bodies apart in a view are culled by it") {
  GlCulling* culling = gl_culling();
  if (culling == nullptr) return;
  Random random(25);
  for (int pixels = 100; pixels <= 300; pixels += test::kAddressSanitizer ? 100 : 10) {
    CAPTURE(pixels);
    const CheckedMesh soup = test::checked(test::soup_of(10000, [&] {
      const Vec3 at = test::random_vector(random);
      const auto nearly_flat = [&]() -> Vec3 {
        return at + 0.2 * test::random_vector(random).cwiseProduct(Vec3(1, 1e-4, 1));
      };
      return std::array<Vec3, 3>{nearly_flat(), nearly_flat(), nearly_flat()};
    }));
    Similarity beside = Similarity::Identity();
    beside.translation() = Vec3(10, 10, 10);
    const std::vector<CullBody> bodies{{soup}, {soup, beside}};
    const Result<Culling> left = culling->cull(bodies, {.resolution = pixels, .keeps_views = true});
    REQUIRE(left);
    CHECK(left->surviving_count() == 0);
    CHECK(left->views.size() == 1);
  }
}

TEST_CASE("this OpenGL needs no more than FAR's own fattening") {
  GlCulling* culling = gl_culling();
  if (culling == nullptr) return;
  CHECK(culling->fattening() == 1);
}

}  // namespace
}  // namespace plimsoll
