// What is wrong with the meshes and patches in a shape.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/shape_health.h>

#include <limits>

#include "support/mesh_parts.h"

namespace plimsoll {
namespace {

Shape mesh_shape(TriangleMesh mesh) {
  return {MeshSolid{std::make_shared<const TriangleMesh>(std::move(mesh))}};
}

TriangleMesh open_box() {
  TriangleMesh box = make_box({1, 1, 1});
  box.triangles.pop_back();
  return box;
}

TriangleMesh opposed_pair() {
  const TriangleMesh box = make_box({1, 1, 1});
  return test::joined(box, test::turned(test::moved(box, {2, 0, 0})));
}

/// The sides of a unit cube as flat patches, the first `count` of them.
Shape patches(std::size_t count) {
  const Vec3 corner[8] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                          {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
  const int sides[6][4] = {{0, 1, 2, 3}, {4, 6, 5, 7}, {0, 4, 1, 5},
                           {2, 3, 6, 7}, {0, 2, 4, 6}, {1, 5, 3, 7}};
  PatchSurface surface;
  for (std::size_t i = 0; i < count; ++i) {
    BezierPatch patch{1, 1, {}};
    for (const int c : sides[i])
      patch.points.emplace_back(corner[c][0], corner[c][1], corner[c][2], 1);
    surface.patches.push_back(patch);
  }
  return {PatchSolid{std::make_shared<const PatchSurface>(std::move(surface))}};
}

Shape boolean(std::vector<Shape> of, BooleanOperation operation = BooleanOperation::kUnion) {
  return {Boolean{operation, std::move(of)}};
}

MeshStatus status_of(const Shape& shape) { return examine(shape)->status; }

TEST_CASE("what is wrong with a surface is wrong with the shape that it is in") {
  const Shape ball{Sphere{0.1}};
  CHECK(status_of(ball) == MeshStatus::kOk);
  CHECK(examine(ball)->surfaces.empty());
  struct Case {
    Shape shape;
    MeshStatus status;
  };
  const Case cases[] = {
      {mesh_shape(make_box({1, 1, 1})), MeshStatus::kOk},
      {mesh_shape(open_box()), MeshStatus::kOpen},
      {mesh_shape(opposed_pair()), MeshStatus::kInconsistent},
      {mesh_shape(test::joined(make_box({3, 3, 3}), make_box({1, 1, 1}))), MeshStatus::kNested},
      {patches(6), MeshStatus::kOk},
      {patches(5), MeshStatus::kOpen}};
  for (const Case& one : cases) {
    CHECK(status_of(one.shape) == one.status);
    for (const BooleanOperation operation :
         {BooleanOperation::kUnion, BooleanOperation::kIntersection,
          BooleanOperation::kDifference}) {
      CHECK(status_of(boolean({one.shape, ball}, operation)) == one.status);
      Shape turned = boolean({ball, boolean({ball, one.shape}, operation)});
      turned.pose = Eigen::Translation3d(1, 2, 3) *
                    Similarity(Eigen::Quaterniond(0.5, 0.5, 0.5, 0.5)) * Eigen::Scaling(2.0);
      const Result<ShapeHealth> health = examine(turned);
      CHECK(health->status == one.status);
      REQUIRE(health->surfaces.size() == 1);
      CHECK(health->surfaces[0].place == "of[1].of[1]");
      CHECK(health->surfaces[0].health.status == one.status);
    }
  }
}

TEST_CASE("findings of several surfaces add up, and the status is the worst") {
  const Result<ShapeHealth> health =
      examine(boolean({mesh_shape(opposed_pair()), mesh_shape(open_box())}));
  CHECK(health->status == MeshStatus::kOpen);
  CHECK(health->findings.open);
  CHECK(health->findings.opposed);
  REQUIRE(health->surfaces.size() == 2);
  CHECK(health->surfaces[0].health.status == MeshStatus::kInconsistent);
}

TEST_CASE("a part of a Boolean may be turned inward, or flat") {
  const Shape inward = mesh_shape(test::turned(make_box({1, 1, 1})));
  const Shape flat = mesh_shape({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}});
  CHECK(status_of(inward) == MeshStatus::kInverted);
  CHECK(status_of(flat) == MeshStatus::kZeroVolume);
  CHECK(status_of(boolean({inward, flat})) == MeshStatus::kOk);
}

TEST_CASE("a surface that many parts share is named in each") {
  const Shape open = mesh_shape(open_box());
  const Result<ShapeHealth> health = examine(boolean({open, open, open}));
  REQUIRE(health->surfaces.size() == 3);
  CHECK(health->surfaces[2].place == "of[2]");
  CHECK(health->surfaces[2].health.status == MeshStatus::kOpen);
}

TEST_CASE("what is no shape has no health") {
  CHECK(!examine(Shape{Sphere{-1}}));
  CHECK(!examine(Shape{MeshSolid{}}));
  CHECK(!examine(boolean({})));
  Shape far = mesh_shape(make_box({1, 1, 1}));
  far.pose.translation().setConstant(std::numeric_limits<double>::infinity());
  CHECK(!examine(far));
}

}  // namespace
}  // namespace plimsoll
