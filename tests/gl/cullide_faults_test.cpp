// The faults of CULLIDE that [Govindaraju2004, sec. 3.2] names, a scene for each, and FAR beside
// it.
#include <doctest/doctest.h>
#include <plimsoll/gl_culling.h>

#include "cull/found_pairs.h"
#include "support/checked.h"
#include "support/gl_engine.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

constexpr int kPixels = 64;

CullBody body_of(const std::vector<std::array<Vec3, 3>>& triangles) {
  TriangleMesh mesh;
  for (const std::array<Vec3, 3>& corners : triangles) {
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), corners.begin(), corners.end());
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return {test::checked(std::move(mesh))};
}

struct Lost {
  std::size_t pairs, by_cullide, by_far;
};

Lost lost_of(GlCulling& culling, const std::vector<CullBody>& bodies) {
  const std::vector<CulledPairs> pairs = test::pairs_by_trees(bodies);
  Lost lost{0, 0, 0};
  for (const CulledPairs& of : pairs) lost.pairs += of.pairs.size();
  const auto lost_by = [&](CullMethod method) {
    const Result<Culling> left =
        culling.cull(bodies, {.method = method, .resolution = kPixels, .part_triangles = 1});
    REQUIRE(left);
    return test::lost_pairs(pairs, *left);
  };
  lost.by_cullide = lost_by(CullMethod::kCullide);
  lost.by_far = lost_by(CullMethod::kFar);
  return lost;
}

// Two large triangles at the corners of the view, so that a pixel is about 2 / 64, and in its
// middle, where four pixels meet, two that are too small for a fragment.
TEST_CASE("CULLIDE loses triangles without a fragment, and FAR does not") {
  GlCulling* culling = test::engine_on_gl<GlCulling>();
  if (culling == nullptr) return;
  const double s = 0.1 / kPixels;
  const Vec3 low(-1, -1, -1), high(1, 1, 1);
  const std::vector<CullBody> bodies{body_of({{Vec3(-s, -s, 0), Vec3(s, -s, 0), Vec3(0, s, 0)},
                                              {low, low / 2, Vec3(-1, -0.5, 0)}}),
                                     body_of({{Vec3(-s, 0, -s), Vec3(s, 0, -s), Vec3(0, 0, s)},
                                              {high, high / 2, Vec3(1, 0.5, 0)}})};
  const Lost lost = lost_of(*culling, bodies);
  CHECK(lost.pairs == 1);
  CHECK(lost.by_cullide == 1);
  CHECK(lost.by_far == 0);
}

// A spike in front of a sheet, whose tip passes through it where four pixels meet: at every center
// of a pixel the spike is the nearer one, and fully visible.
TEST_CASE("CULLIDE loses what touches between the centers of pixels, and FAR does not") {
  GlCulling* culling = test::engine_on_gl<GlCulling>();
  if (culling == nullptr) return;
  const double tip = 0.1 / kPixels;
  const std::vector<CullBody> bodies{
      body_of({{Vec3(-1, -1, 0), Vec3(1, -1, 0), Vec3(-1, 1, 0)},
               {Vec3(1, -1, 0), Vec3(1, 1, 0), Vec3(-1, 1, 0)}}),
      body_of({{Vec3(-0.5, -0.5, -1), Vec3(0.5, 0.5, -1), Vec3(tip, tip, tip)}})};
  const Lost lost = lost_of(*culling, bodies);
  CHECK(lost.pairs == 1);
  CHECK(lost.by_cullide == 1);
  CHECK(lost.by_far == 0);
}

// Triangles in one slanted plane: depths are equal wherever both have a fragment, but rounded.
TEST_CASE("CULLIDE loses what depths do not tell apart, and FAR does not") {
  GlCulling* culling = test::engine_on_gl<GlCulling>();
  if (culling == nullptr) return;
  Random random(3);
  Lost sum{0, 0, 0};
  for (int i = 0; i < 50; ++i) {
    const Mat3 turn = test::random_turn(random);
    const auto corner = [&] {
      return Vec3(turn * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), 0));
    };
    std::vector<CullBody> bodies;
    for (int k = 0; k < 2; ++k) {
      std::vector<std::array<Vec3, 3>> triangles;
      for (int t = 0; t < 4; ++t) triangles.push_back({corner(), corner(), corner()});
      bodies.push_back(body_of(triangles));
    }
    const Lost lost = lost_of(*culling, bodies);
    sum.pairs += lost.pairs;
    sum.by_cullide += lost.by_cullide;
    sum.by_far += lost.by_far;
  }
  MESSAGE("in one plane: ", sum.pairs, " pairs that touch, of which CULLIDE loses ",
          sum.by_cullide);
  CHECK(sum.by_cullide > 0);
  CHECK(sum.by_far == 0);
}

}  // namespace
}  // namespace plimsoll
