// Buoyancy on OpenGL: by one pass and by the published passes, against the columns of the
// processor, and where the published rule for the fluid's surface fails [Kim2006, sec. 5.2].
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/submersion.h>

#include <cmath>
#include <vector>

#include "gl/gl_water_checks.h"
#include "support/by_chance.h"
#include "support/campaign.h"
#include "support/checked.h"
#include "support/surface_at.h"
#include "support/thin_walls.h"

namespace plimsoll {
namespace {

using test::Case;
using test::check_equal;
using test::check_near;
using test::engine;
using test::in_still_water;
using test::kBoth;
using test::kGravity;
using test::measured;
using test::peeling;
using test::random_cases;
using test::uploaded;

}  // namespace

// Graphics hardware snaps vertices to 1/256 of a pixel and sums in float32. That moves a surface of
// some 12 m^2 by half a pixel's diagonal over 256 at most, 1.7e-4 m, and the volume by the product.
// It moves an outline, taken as twice around the image, over the center of one pixel in 1024 of
// those along it, for it moves by a 1024th of a pixel on average. Such a column holds at most
// (2/32)^2 of a cube of edge 4 about the body, 0.06 m^3 with moments of that size.
constexpr int kOutline = 2 * 4 * 32;
constexpr double kSnapped = 1.0 / 1024;
// The most of so many bodies of which some column is snapped.
int max_snapped(int bodies) {
  return test::max_by_chance(bodies, 1 - std::pow(1 - kSnapped, kOutline));
}

TEST_CASE("one pass on OpenGL finds what columns on the processor find") {
  if (engine() == nullptr) return;
  int others = 0;
  for (const Case& c : random_cases(40, 41)) {
    const SurfaceNow now = test::surface_at(c.surface, 1, kGravity);
    Result<WaterColumns> columns = WaterColumns::create(test::solid(c.mesh));
    REQUIRE(columns);
    const WaterImage expected = *columns->measure(c.pose, now);
    const WaterImage found = measured({uploaded(c.mesh), c.pose}, now);
    const bool same = found.fragments == expected.fragments;
    if (!same) ++others;
    check_near(found, expected, same ? 12 * 1.7e-4 : 0.06);
    CHECK(found.unbalanced_columns == 0);
    CHECK(found.passes == 1);
  }
  CHECK(others <= max_snapped(40));
}

// Both write the same fragments; the sums of additive are of differences to the surface's height,
// those of peel are not, and each fragment is rounded to 6e-8 of the box. Where a silhouette,
// snapped onto a pixel's center, puts two faces of a column at one depth, peel may take the wrong
// one for the first, and says so; such a column holds no more than above, and is as seldom.
TEST_CASE("peeled as published a closed mesh displaces what one pass says, by n + 2 passes") {
  if (engine() == nullptr) return;
  int lost = 0;
  for (const Case& c : random_cases(40, 42)) {
    const SurfaceNow now = test::surface_at(c.surface, 1, kGravity);
    const GlWaterBody body{uploaded(c.mesh), c.pose};
    const WaterImage additive = measured(body, now);
    const WaterImage peeled = measured(body, now, peeling());
    const auto unbalanced = static_cast<double>(peeled.unbalanced_columns);
    if (unbalanced > 0) ++lost;
    check_near(peeled, additive, 1e-5 + 0.06 * unbalanced);
    CHECK(unbalanced <= test::max_by_chance(kOutline, kSnapped));
    if (unbalanced == 0) {
      CHECK(peeled.fragments == additive.fragments);
      CHECK(peeled.peels == additive.peels);
    }
    CHECK(peeled.passes == peeled.peels + 2);
  }
  CHECK(lost <= max_snapped(40));
}

TEST_CASE("the stencil's surface is the texture's to the last bit") {
  if (engine() == nullptr) return;
  for (const Case& c : random_cases(20, 43)) {
    const SurfaceNow now = test::surface_at(c.surface, 1, kGravity);
    const GlWaterBody body{uploaded(c.mesh), c.pose};
    check_equal(measured(body, now, peeling(CapRule::kStencil)),
                measured(body, now, peeling(CapRule::kTexture)));
  }
}

// "For spherical and rectangular bodies, depth-peeling was applied twice": a convex column meets
// the surface once below the water, or twice.
TEST_CASE("balls and boxes need two peels at most") {
  if (engine() == nullptr) return;
  Random random(44);
  for (const TriangleMesh& mesh : {make_sphere(1, 22, 20), make_box({1, 2, 3})}) {
    const GlMeshId id = uploaded(mesh);
    int peels = 0;
    for (int i = 0; i < 20; ++i) {
      const GlWaterBody body{id, Similarity(test::random_pose(random, 1))};
      const FluidSurface water = StillWater{0};
      peels =
          std::max(peels, measured(body, test::surface_at(water, 0, kGravity), peeling()).peels);
    }
    CHECK(peels == 2);
  }
}

// Elsewhere in the image a pixel's center is rounded otherwise, to 6e-8 of 2048 pixels, and depths
// with it where a face is steep.
TEST_CASE("side by side bodies displace what they do alone, on as many images as they need") {
  if (engine() == nullptr) return;
  std::vector<GlWaterBody> bodies;
  for (const Case& c : random_cases(7, 45)) bodies.push_back({uploaded(c.mesh), c.pose});
  bodies[3].world_from_mesh.translation()[2] += 100;  // dry
  const FluidSurface waves = Waves{0.1, {{0.1, 1.5, 20, 0.3}}};
  const SurfaceNow now = test::surface_at(waves, 0, kGravity);
  for (const ImageAlgorithm algorithm : kBoth)
    for (const int pixels : {32, 900}) {  // of 2048 along a side: 4 tiles
      if (test::kAddressSanitizer && pixels > 32 && algorithm == ImageAlgorithm::kPeel) continue;
      GlWaterOptions options;
      options.image.width = options.image.height = pixels;
      options.algorithm = algorithm;
      const Result<std::vector<WaterImage>> together = engine()->measure(bodies, now, options);
      REQUIRE(together);
      REQUIRE(together->size() == bodies.size());
      CHECK(together->at(3).buoyancy.volume == 0);
      for (std::size_t i = 0; i < bodies.size(); i += pixels == 32 ? 1 : 4)
        check_near(together->at(i), measured(bodies[i], now, options), 1e-4);
    }
}

// Layer by layer the same numbers.
TEST_CASE("the peels and the surface add up to the volume") {
  if (engine() == nullptr) return;
  const FluidSurface water = StillWater{0.1};
  const SurfaceNow now = test::surface_at(water, 0, kGravity);
  const TriangleMesh torus = make_torus(1, 0.4, 40, 20);
  const GlWaterBody body{uploaded(torus)};
  const WaterImage image = measured(body, now, peeling());
  const Result<std::vector<PeelImage>> layers = engine()->peels(body, now);
  REQUIRE(layers);
  CHECK(static_cast<int>(layers->size()) == image.peels + 1);
  double sum = 0;
  for (const PeelImage& layer : *layers)
    for (std::size_t i = 3; i < layer.targets[0].size(); i += 4)
      sum += static_cast<double>(layer.targets[0][i]);
  const Vec3 size = bounding_box(test::checked(torus)).sizes();
  const double pixel = size[0] / 32 * size[1] / 32;
  CHECK(std::fabs(sum * size.maxCoeff() / 2 * pixel - image.buoyancy.volume) <= 1e-5);
}

// The corners come in another order, which rounds what is interpolated between them.
TEST_CASE("a mesh turned inward is drawn as if turned outward") {
  if (engine() == nullptr) return;
  TriangleMesh ball = make_sphere(1, 12, 16);
  for (const GlWaterOptions& options :
       {GlWaterOptions{}, peeling(CapRule::kTexture), peeling(CapRule::kStencil)}) {
    const WaterImage before = in_still_water(ball, 0.2, options);
    for (Triangle& t : ball.triangles) std::swap(t[1], t[2]);
    const WaterImage after = in_still_water(ball, 0.2, options);
    check_near(after, before, 1e-6);
    CHECK(std::fabs(after.volume_error - before.volume_error) <= 1e-6);
    CHECK(after.fragments == before.fragments);
    CHECK(after.unbalanced_columns == 0);
  }
}

// ---- Where the surface is drawn once for each column that begins downward, and should not be.

// Under 0.75 are both bottoms, at 0 and 0.5. Two surfaces close two shells; one is drawn. In each
// column 1 m^2 stands for, 0.75 - 0.5 - 0 instead of 0.25 + 0.75, as measured from the middle of
// the boxes, 0.75: the error depends on where depths are counted from, which shows that it is no
// volume. One pass has no surface to draw.
TEST_CASE("where shells overlap peel draws too little surface, and says so") {
  if (engine() == nullptr) return;
  const TriangleMesh two = test::boxes_at({Vec3(0, 0, 0), Vec3(0, 0, 0.5)});
  const WaterImage peeled = in_still_water(two, 0.75, peeling());
  CHECK(peeled.unbalanced_columns == 32 * 32);
  CHECK(std::fabs(peeled.buoyancy.volume - 1) <= 1e-6);  // by accident: the middle is at the water
  const WaterImage off = in_still_water(two, 0.9, peeling());
  CHECK(off.unbalanced_columns == 32 * 32);
  CHECK(std::fabs(off.buoyancy.volume - (0.9 + 0.4 - 0.15)) <= 1e-6);
  CHECK(0.15 <= off.volume_error);
  const WaterImage additive = in_still_water(two, 0.9, {});
  CHECK(additive.unbalanced_columns == 0);
  CHECK(std::fabs(additive.buoyancy.volume - (0.9 + 0.4)) <= 1e-6);
}

// The bottom of one box lies on the top of another, both wet: of the two faces at one depth the
// strict compare finds the one that is drawn first. With the bottom, the surface is drawn but a
// face is missing, which shows; that the volume is right is an accident, for depths are counted
// from the middle of the boxes, where this face is. With the top, the surface is not drawn either,
// and both faults balance: the 0.5 m^3 above are lost without a sign.
TEST_CASE("where the first faces coincide peel loses one, and may lose the surface unseen") {
  if (engine() == nullptr) return;
  const TriangleMesh bottom_first = test::boxes_at({Vec3(0, 0, 1), Vec3(0, 0, 0)});
  const TriangleMesh top_first = test::boxes_at({Vec3(0, 0, 0), Vec3(0, 0, 1)});
  for (const CapRule cap : {CapRule::kTexture, CapRule::kStencil}) {
    const WaterImage with_bottom = in_still_water(bottom_first, 1.5, peeling(cap));
    CHECK(with_bottom.unbalanced_columns == 32 * 32);
    CHECK(std::fabs(with_bottom.buoyancy.volume - 1.5) <= 1e-6);
    const WaterImage with_top = in_still_water(top_first, 1.5, peeling(cap));
    CHECK(with_top.unbalanced_columns == 0);
    CHECK(std::fabs(with_top.buoyancy.volume - 1) <= 1e-6);
  }
  for (const TriangleMesh& stack : {bottom_first, top_first}) {
    const WaterImage additive = in_still_water(stack, 1.5, {});
    CHECK(additive.unbalanced_columns == 0);
    CHECK(std::fabs(additive.buoyancy.volume - 1.5) <= 1e-6);
  }
}

// A face at the fluid's depth is wet or dry as its depth is rounded. Either is right: a top face is
// the surface, a bottom face has the surface on it and nothing between.
TEST_CASE("a face exactly at the fluid's depth counts as well wet as dry") {
  if (engine() == nullptr) return;
  const TriangleMesh box = test::boxes_at({Vec3::Zero()});
  const TriangleMesh apart = test::boxes_at({Vec3(0, 0, 0), Vec3(0, 0, 2)});
  for (const CapRule cap : {CapRule::kTexture, CapRule::kStencil}) {
    const WaterImage full = in_still_water(box, 1, peeling(cap));
    CHECK(std::fabs(full.buoyancy.volume - 1) <= 1e-6);
    CHECK(full.unbalanced_columns == 0);
    CHECK(in_still_water(box, 0, peeling(cap)).buoyancy.volume <= 1e-6);
    for (const double height : {1.0, 2.0, 3.0}) {
      const WaterImage wet = in_still_water(apart, height, peeling(cap));
      CHECK(std::fabs(wet.buoyancy.volume - (height > 2 ? 2 : 1)) <= 1e-6);
      CHECK(wet.unbalanced_columns == 0);
    }
  }
}

// But two boxes that share a face just there: the top of the one and the bottom of the other.
TEST_CASE("where two faces meet exactly at the fluid's depth peel may go wrong, and says so") {
  if (engine() == nullptr) return;
  const TriangleMesh stack = test::boxes_at({Vec3(0, 0, 0), Vec3(0, 0, 1)});
  const WaterImage peeled = in_still_water(stack, 1, peeling());
  const bool is_right = std::fabs(peeled.buoyancy.volume - 1) <= 1e-6;
  CHECK((is_right || peeled.unbalanced_columns == 32 * 32));
  CHECK(std::fabs(in_still_water(stack, 1, {}).buoyancy.volume - 1) <= 1e-6);
}

// A hull without a deck is closed by the surface. Without a bottom nothing wet is left under the
// surface: peel sees no face and says nothing; one pass counts the dry top, and does.
TEST_CASE("open meshes are right while the rim is dry, and else only one pass finds them out") {
  if (engine() == nullptr) return;
  const TriangleMesh no_top = test::open_box(1), no_bottom = test::open_box(0);
  const WaterImage hull = in_still_water(no_top, 0.6, peeling());
  CHECK(std::fabs(hull.buoyancy.volume - 0.6) <= 1e-6);
  CHECK(hull.unbalanced_columns == 0);
  CHECK(std::fabs(in_still_water(no_top, 0.6, {}).buoyancy.volume - 0.6) <= 1e-6);
  CHECK(in_still_water(no_top, 0.6, {}).unbalanced_columns == 32 * 32);

  const WaterImage bell = in_still_water(no_bottom, 0.6, peeling());
  CHECK(bell.buoyancy.volume == 0);
  CHECK(bell.unbalanced_columns == 0);
  CHECK(in_still_water(no_bottom, 0.6, {}).unbalanced_columns == 32 * 32);
  // Wholly under water the top is wet, and its column has no other face.
  CHECK(in_still_water(no_bottom, 1.2, peeling()).unbalanced_columns == 32 * 32);
}

// Of the mesh it is known what is under water, whatever columns and peels have met; turned inward
// too, and of a body that no column meets.
TEST_CASE("estimates of combs, gratings, slots, heat sinks and rods hold under water") {
  if (engine() == nullptr) return;
  Random random(63);
  for (int i = 0; i < test::campaign(300); ++i) {
    TriangleMesh mesh = test::random_thin_walls(random);
    if (i % 4 == 0) mesh = test::turned(mesh);
    const Box3 box = bounding_box(test::checked(mesh));
    const double level = box.min()[2] + random.unit() * 1.02 * box.sizes()[2];
    const double exact = std::abs(submersion(test::checked(mesh), {{0, 0, 1}, level}).volume);
    for (const ImageAlgorithm algorithm : kBoth) {
      GlWaterOptions options;
      options.image.width = options.image.height = 16 << random.below(5);
      options.algorithm = algorithm;
      const WaterImage image = in_still_water(mesh, level, options);
      CAPTURE(i);
      CHECK(std::abs(image.buoyancy.volume - exact) <= image.volume_error);
    }
  }
}

TEST_CASE("what cannot be drawn is refused") {
  if (engine() == nullptr) return;
  CHECK(engine()->upload(CheckedMesh()).error().code == ErrorCode::kInvalidArgument);
  const GlWaterBody body{uploaded(make_torus(1, 0.4, 40, 20)),
                         Similarity(Eigen::AngleAxisd(1.5, Vec3::UnitX()))};
  const FluidSurface water = StillWater{2};
  const SurfaceNow now = test::surface_at(water, 0, kGravity);
  GlWaterOptions options = peeling();
  options.max_peels = 1;
  CHECK(engine()->measure(body, now, options).error().code == ErrorCode::kResourceLimit);
  options.image.width = 0;
  CHECK(engine()->measure(body, now, options).error().code == ErrorCode::kInvalidArgument);
}

}  // namespace plimsoll
