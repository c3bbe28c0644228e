// How much culling draws and looks at, and what a limit leaves.
#include <doctest/doctest.h>
#include <plimsoll/culling.h>
#include <plimsoll/mesh_generators.h>

#include <cmath>
#include <limits>
#include <vector>

#include "cull/found_pairs.h"
#include "support/checked.h"
#include "support/hard_scenes.h"

namespace plimsoll {
namespace {

/// Bumpy balls of some n triangles each, so far apart along x.
std::vector<CullBody> balls(std::uint32_t n, double apart) {
  const auto rings = static_cast<int>(std::lround(std::sqrt(n / 4.0)));
  const CheckedMesh ball = test::checked(test::askew(make_bumpy_sphere(1, 0.05, rings, 2 * rings)));
  return {{ball}, {ball, test::shift({2.1 + apart, 0, 0})}};
}

TEST_CASE("culling by scanline ends with an error where it may not draw so much") {
  const std::vector<CullBody> bodies = balls(300, -0.3);
  const auto cull = [&](double max_pixels) {
    return cull_by_scanline(bodies, {.resolution = 128, .within = 0.1, .max_pixels = max_pixels});
  };
  const Culling whole = cull(CullOptions().max_pixels).value();
  CHECK(whole.work.rounds > 1);
  CHECK(whole.surviving_count() > 0);
  const Culling same = cull(whole.work.pixels).value();
  CHECK(same.surviving == whole.surviving);
  CHECK(same.work.pixels == whole.work.pixels);
  for (const double limit : {0.0, 0.5 * whole.work.pixels, whole.work.pixels - 1}) {
    const Result<Culling> cut = cull(limit);
    REQUIRE_FALSE(cut);
    CHECK(cut.error().code == ErrorCode::kResourceLimit);
    CHECK(cut.error().where == "max_pixels");
  }
  for (const double limit : {-1.0, std::nan("")}) {
    const Result<Culling> refused = cull(limit);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::kInvalidArgument);
    CHECK(refused.error().where == "max_pixels");
  }
}

// The box around each triangle is as large as the distance: pixels are those of a box times n.
TEST_CASE(
    "pixels of what is near grow as the number of triangles, and those of what touches less") {
  const auto pixels = [](std::uint32_t n, double apart, double within) {
    return cull_by_scanline(balls(n, apart), {.resolution = 256, .within = within})
        .value()
        .work.pixels;
  };
  const double near = pixels(300, 0.5, 0.3), nearer = pixels(1200, 0.5, 0.3);
  CHECK(nearer < 4.5 * near);
  CHECK(nearer > 2400 * 12 * 500.0);
  CHECK(nearer < 2400 * 12 * 800.0);  // triangles, faces of a box, pixels of a face and its rows
  const double beside = pixels(300, 0, 0), finer = pixels(1200, 0, 0);
  CHECK(finer < 4 * beside);
  CHECK(finer < 0.06 * nearer);
}

TEST_CASE("to decide about what is left ends with an error where that may not take the work") {
  const std::vector<CullBody> bodies{{test::checked(test::needles(60, 1))},
                                     {test::checked(test::needles(60, 2))}};
  for (const double within : {0.0, 1e-7}) {
    const Culling left = cull_by_scanline(bodies, {.within = within, .most_rounds = 0}).value();
    REQUIRE(left.surviving_count() == 480);
    CHECK(test::are_equal(test::pairs_left(bodies, left), test::pairs_by_trees(bodies, within)));
    for (const double limit : {0.0, 1e3}) {
      const Result<std::vector<CulledPairs>> cut = culled_pairs(bodies, left, limit);
      REQUIRE_FALSE(cut);
      CHECK(cut.error().code == ErrorCode::kResourceLimit);
      CHECK(cut.error().where == "max_work");
    }
    for (const double limit : {-1.0, std::nan("")})
      CHECK(culled_pairs(bodies, left, limit).error().code == ErrorCode::kInvalidArgument);
  }
}

// All pairs of one body and another touch: each is worth a microsecond.
TEST_CASE("pairs that are found are no reason to end") {
  const CheckedMesh pile = test::checked(
      test::sheet_of(1, 100, [](double x, double y) { return Vec3(x, 1e-3 * y, 0); }));
  Similarity across = Similarity::Identity();
  across.linear() = Eigen::AngleAxisd(1.5, Vec3(0, 0, 1)).toRotationMatrix();
  across.translation() = Vec3(0.5, -0.5, 0);
  const std::vector<CullBody> bodies{{pile}, {pile, across}};
  const Culling left = cull_by_scanline(bodies, {.most_rounds = 0}).value();
  const std::vector<CulledPairs> found = culled_pairs(bodies, left, 2e3).value();
  REQUIRE(found.size() == 1);
  CHECK(found[0].pairs.size() == 200 * 200);
}

// Long triangles, one over the other: intervals meet along the axis that is swept.
TEST_CASE("comparing boxes is work too") {
  constexpr std::uint32_t kTriangles = 700;
  TriangleMesh layers[2];
  for (std::uint32_t k = 0; k < kTriangles; ++k) {
    const double x = 1e-3 * k, y = 5e-4 * k;
    TriangleMesh& layer = layers[k % 2];
    const auto first = static_cast<std::uint32_t>(layer.vertices.size());
    layer.vertices.insert(layer.vertices.end(), {{x, y, 0}, {x + 10, y, 0}, {x, y + 1e-4, 0}});
    layer.triangles.push_back({first, first + 1, first + 2});
  }
  const std::vector<CullBody> bodies{{test::checked(layers[0])}, {test::checked(layers[1])}};
  const Culling left = cull_by_scanline(bodies, {.most_rounds = 0}).value();
  // n^2 / 2 pairs of boxes, 4 ns each.
  constexpr double kWork = 0.004 * kTriangles * (kTriangles - 1) / 2;
  CHECK(culled_pairs(bodies, left, 1.02 * kWork).value().empty());
  CHECK(culled_pairs(bodies, left, 0.98 * kWork).error().where == "max_work");
}

}  // namespace
}  // namespace plimsoll
