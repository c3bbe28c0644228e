// Depths in shapes: balls that are proved to lie on one side of the surface.
#include "spheres/shape_depth.h"

#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/patches.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "spheres/shape_voxels.h"
#include "spheres/shapes.h"
#include "spheres/solids.h"
#include "support/approx.h"
#include "support/campaign.h"
#include "support/mesh_parts.h"

namespace plimsoll {
namespace {

ShapeDepth depth_of(const Shape& shape, double fineness) {
  Result<ShapeDepth> depth = ShapeDepth::of(shape, fineness);
  REQUIRE_MESSAGE(depth, depth.error().where, " ", depth.error().message);
  return *std::move(depth);
}

TEST_CASE("cells tell the distance from a ball to their diagonal") {
  Random random(1);
  const auto side = [](const SolidCell& cell) {
    const double reach = std::numbers::sqrt3 * cell.half;
    if (cell.center.norm() + reach < 1) return CellSide::kInside;
    return cell.center.norm() - reach > 1 ? CellSide::kOutside : CellSide::kUnknown;
  };
  const SolidCells cells({Vec3(0.1, 0, 0), 2}, 6, side);
  // The cell of the surface is that near to it, and it may be told only when it is smaller.
  const double diagonal = 2 * std::numbers::sqrt3 * 4 / 64;
  for (int i = 0; i < test::campaign(3000); ++i) {
    const Vec3 p = test::random_point(random, 1.5);
    const double in_ball = 1 - p.norm();
    const double depth = cells.depth(p, 5), distance = cells.distance(p, 5);
    CHECK(depth <= std::max(in_ball, 0.0));
    CHECK(depth >= in_ball - diagonal);
    CHECK(distance <= std::max(-in_ball, 0.0));
    CHECK(distance >= -in_ball - diagonal);
    CHECK(cells.depth(p, 0.1) == std::min(depth, 0.1));
    CHECK(cells.distance(p, 0.1) == std::min(distance, 0.1));
  }
  // Beyond the root there is nothing.
  CHECK(cells.depth({3, 0, 0}, 5) == 0);
  CHECK(cells.distance({4, 0, 0}, 5) == test::approx(3).epsilon(0.1));
  const SolidCells full({Vec3::Zero(), 1}, 3, [](const SolidCell&) { return CellSide::kInside; });
  CHECK(full.depth({0.25, 0, 0}, 5) == 0.75);
  CHECK(full.distance({3, 0, 0}, 5) == 2);
  const SolidCells none({Vec3::Zero(), 1}, 3, [](const SolidCell&) { return CellSide::kOutside; });
  CHECK(none.depth(Vec3::Zero(), 5) == 0);
  CHECK(none.distance(Vec3::Zero(), 5) == 5);
}

TEST_CASE("the ball of a depth in a Boolean is on one side, and depths are no steeper than space") {
  Random random(2);
  int inside = 0, outside = 0;
  for (int round = 0; round < std::max(20, test::campaign(200)); ++round) {
    CAPTURE(round);
    const Shape shape = test::random_boolean(random, 3);
    const ShapeDepth depth = depth_of(shape, 0.1);
    for (int i = 0; i < 40; ++i) {
      const Vec3 p = test::random_point(random, 2);
      const double d = depth.at(p);
      (d > 0 ? inside : outside) += d != 0 ? 1 : 0;
      for (int k = 0; k < 20 && std::isfinite(d); ++k) {
        const Vec3 q = p + 0.999999 * d * test::random_direction(random);
        if (d != 0) CHECK(test::holds(shape, q) == (d > 0));
      }
      const Vec3 near = p + random.uniform(0, 0.3) * test::random_direction(random);
      if (std::isfinite(d)) CHECK(std::abs(depth.at(near) - d) <= (near - p).norm() + 1e-12);
      const double limit = random.uniform(0, 0.5);
      const double limited = depth.at(p, limit);
      CHECK(std::abs(limited) >= std::min(std::abs(d), limit) - 1e-12);
      CHECK((limited > 0) == (d > 0));
    }
  }
  CHECK(inside > 10);
  CHECK(outside > 100);
}

// Two boxes that overlap make a longer one; two slabs share a rod. Turned, so that the box of the
// slabs tells nothing of it.
TEST_CASE("where parts overlap the depth is that in the whole, to the diagonal of a cell") {
  constexpr double kCell = 0.02, kLost = 2 * std::numbers::sqrt3 * kCell;
  const Shape left{BoxSolid{{2, 1, 1}}}, right = test::moved(left, {1.8, 0, 0});
  const Vec3 size(3.8, 1, 1), middle(0.9, 0, 0);
  const ShapeDepth of_parts = depth_of(test::united({left, right}), kCell);
  const ShapeDepth of_whole = depth_of(test::moved({BoxSolid{size}}, middle), 1);
  Similarity turn = Similarity::Identity();
  turn.linear() = Eigen::AngleAxisd(0.6, Vec3::UnitZ()).toRotationMatrix();
  const Shape around{BoxSolid{{8, 8, 8}}}, rod{BoxSolid{{1, 1, 9}}, turn};
  Shape crossing = test::boolean(BooleanOperation::kIntersection,
                                 {{BoxSolid{{1, 9, 9}}}, {BoxSolid{{9, 1, 9}}}});
  crossing.pose = turn;
  const ShapeDepth beside_rod = depth_of(test::difference({around, rod}), 1);
  const ShapeDepth beside_crossing = depth_of(test::difference({around, crossing}), kCell);
  Random random(3);
  for (int i = 0; i < test::campaign(4000); ++i) {
    const Vec3 inside = middle + test::random_point(random, 0.5).cwiseProduct(size);
    CHECK(of_parts.at(inside) <= of_whole.at(inside) + 1e-12);
    CHECK(of_parts.at(inside) >= of_whole.at(inside) - kLost);
    const Vec3 p = test::random_point(random, 2);
    if (const double d = beside_rod.at(p); d > 0) {
      CHECK(beside_crossing.at(p) <= d + 1e-12);
      CHECK(beside_crossing.at(p) >= d - kLost);
    }
  }
}

// Each bar ends 0.1 beyond the middle of the whole. There the bars alone tell a depth of 0.1, and
// the cells of the union tell half of its width.
TEST_CASE("in the middle of parts that overlap the depth is that in the whole, at the origin too") {
  constexpr double kCell = 0.02, kLost = 2 * std::numbers::sqrt3 * kCell;
  const Shape bar{BoxSolid{{2, 1, 1}}};
  const ShapeDepth depth = depth_of(
      test::united({test::moved(bar, {-0.9, 0, 0}), test::moved(bar, {0.9, 0, 0})}), kCell);
  for (const double x : {0.0, 1e-300, -1e-20, 1e-9, 0.01}) {
    CAPTURE(x);
    for (int axis = 0; axis < 3; ++axis) {
      const double found = depth.at(x * Vec3::Unit(axis));
      CHECK(found <= 0.5);
      CHECK(found >= 0.5 - std::abs(x) - kLost);
    }
  }
}

TEST_CASE("the depth in a formula is that in the primitive, to the diagonal of a cell") {
  Random random(4);
  constexpr double kCell = 0.04;
  for (int round = 0; round < test::campaign(70); ++round) {
    CAPTURE(round);
    const Shape primitive = test::random_primitive(random, round % test::kPrimitiveKinds);
    const ShapeDepth exact = depth_of(primitive, 1),
                     told = depth_of(test::as_formula(primitive), kCell);
    for (int i = 0; i < 100; ++i) {
      const Vec3 p = primitive.pose * test::random_point(random, 1.5);
      const double d = exact.at(p), found = told.at(p);
      CHECK(found * d >= 0);
      CHECK(std::abs(found) <= std::abs(d) + 1e-12);
      // A second cell's diagonal for what interval arithmetic gives away.
      CHECK(std::abs(found) >= std::abs(d) - 2 * std::numbers::sqrt3 * kCell);
    }
  }
}

// A ball that bounds cut in half; a formula without a value in x < 0 is outside there.
TEST_CASE("bounds and the edge of where a formula has a value are surfaces") {
  const Result<Expression> ball = Expression::parse("x^2+y^2+z^2-1");
  // Faces within cells, not between them.
  const Box3 half(Vec3(-2, -2, 0.005), Vec3(2, 2, 2));
  const ShapeDepth of_half = depth_of({ImplicitSolid{*ball, half}}, 0.02);
  CHECK(of_half.at({0, 0, 0.2}) == test::approx(0.195).epsilon(1e-9));
  CHECK(of_half.at({0, 0, -0.5}) == test::approx(-0.505).epsilon(1e-9));
  // The rim is farther than the bounds are, and than the half that they leave out.
  CHECK(of_half.at({1.9, 0, -0.5}) == test::approx(-std::hypot(0.9, 0.505)).epsilon(0.03));
  CHECK(of_half.at({0, 0, 0.9}) == test::approx(0.1).epsilon(0.4));
  const Result<Expression> root = Expression::parse("0*sqrt(x)-1");
  const Box3 uneven(Vec3(-1, -1, -1), Vec3(1.3, 1, 1));
  const ShapeDepth of_root = depth_of({ImplicitSolid{*root, uneven}}, 0.02);
  CHECK(of_root.at({-0.3, 0, 0}) < -0.25);
  CHECK(of_root.at({-0.3, 0, 0}) >= -0.3);
  CHECK(of_root.at({0.3, 0, 0}) <= 0.3);
  CHECK(of_root.at({0.3, 0, 0}) > 0.25);
}

TEST_CASE("cubes hold all of a shape, and those said to be inside nothing else") {
  Random random(6);
  for (int round = 0; round < test::campaign(100); ++round) {
    CAPTURE(round);
    const Shape shape = test::random_boolean(random, 2);
    const Box3 box = bounding_box(shape);
    if (box.isEmpty()) continue;
    const Result<SolidVoxels> voxels = shape_voxels(depth_of(shape, 0.2), box, 9);
    REQUIRE(voxels);
    const auto random_share = [&] {
      return Vec3(test::random_point(random, 0.5) + Vec3::Constant(0.5));
    };
    for (int i = 0; i < 300; ++i) {
      const Vec3 p = box.min() + random_share().cwiseProduct(box.sizes());
      if (!test::holds(shape, p)) continue;
      const Vec3 at = voxels->to_cubes(p);
      const auto z = static_cast<std::uint32_t>(at.z());
      const std::span<const CubeRun> column =
          voxels->column(static_cast<std::size_t>(at.x()), static_cast<std::size_t>(at.y()));
      CHECK(std::any_of(column.begin(), column.end(),
                        [&](const CubeRun& run) { return run.begin <= z && z < run.end; }));
    }
    voxels->for_each_cube(0, voxels->counts[0], [&](const CubePlace& place, const CubeRun& run) {
      const Vec3 center = SolidVoxels::center_of(place);
      if (voxels->has_center(run, place[2])) CHECK(test::holds(shape, voxels->to_meters(center)));
      if (run.first_cut == kNoIndex)
        CHECK(test::holds(shape, voxels->to_meters(center + test::random_point(random, 0.5))));
    });
  }
}

TEST_CASE("meshes are as deep as they are, turned inward too, and patches to their flatness") {
  Random random(5);
  const TriangleMesh mesh = make_torus(1, 0.4, 9, 7);
  for (const bool is_turned : {false, true}) {
    const Similarity pose = test::random_pose(random);
    const auto shared = std::make_shared<const TriangleMesh>(is_turned ? test::turned(mesh) : mesh);
    const ShapeDepth depth = depth_of({MeshSolid{shared}, pose}, 1);
    const TriangleMesh in_world = posed(mesh, pose);
    for (int i = 0; i < 30; ++i) {
      const Vec3 p = pose * test::random_point(random, 1.5);
      const auto away = static_cast<double>(test::distance(p, in_world));
      const double sign = test::winding(p, in_world) > 0 ? 1 : -1;
      CHECK(depth.at(p) == test::approx(sign * away).epsilon(1e-9));
    }
  }
  constexpr double kFine = 4e-3;
  const PatchSurface pot = closed_teapot();
  const ShapeDepth coarse = depth_of({PatchSolid{std::make_shared<const PatchSurface>(pot)}}, 0.1);
  const ShapeDepth coarsest = depth_of({PatchSolid{std::make_shared<const PatchSurface>(pot)}}, 2);
  const Result<TriangleMesh> fine = tessellate(pot, kFine);
  REQUIRE(fine);
  for (int i = 0; i < 20; ++i) {
    const Vec3 p = test::random_point(random, 1.5) + Vec3(0, 0, 1);
    const auto away = static_cast<double>(test::distance(p, *fine));
    CHECK(std::abs(coarse.at(p)) <= away + kFine);
    CHECK(std::abs(coarse.at(p)) >= away - kFine - 2 * 0.1 / 4);
    const Vec3 far = p + test::random_point(random, 2);
    CHECK(std::abs(coarsest.at(far)) <= static_cast<double>(test::distance(far, *fine)) + kFine);
  }
}

TEST_CASE("what bounds no solid is refused, and said which part it is") {
  TriangleMesh open = make_box({1, 1, 1});
  open.triangles.pop_back();
  const Shape mesh{MeshSolid{std::make_shared<const TriangleMesh>(open)}};
  const Result<ShapeDepth> depth =
      ShapeDepth::of(test::united({{Sphere{1}}, test::difference({{Sphere{1}}, mesh})}), 0.1);
  REQUIRE(!depth);
  CHECK(depth.error().code == ErrorCode::kNotClosed);
  CHECK(depth.error().where == "of[1].of[1]");
  CHECK(ShapeDepth::of({Sphere{-1}}, 0.1).error().where == "radius");
}

}  // namespace
}  // namespace plimsoll
