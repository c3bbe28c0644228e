// What is not a shape is refused with its place; boxes are tight.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/shape.h>

#include <limits>

#include "shape/random_shape.h"

namespace plimsoll {
namespace {

void check_refused(const Shape& shape, const std::string& where, const std::string& message) {
  const Result<void> checked = check_shape(shape);
  REQUIRE_FALSE(checked);
  CAPTURE(checked.error().message);
  CHECK(checked.error().where == where);
  CHECK(checked.error().message.find(message) != std::string::npos);
}

Shape posed(const Mat3& linear) {
  Shape shape{Sphere{1}};
  shape.pose.linear() = linear;
  return shape;
}

TEST_CASE("sizes are positive and finite") {
  const double infinity = std::numeric_limits<double>::infinity();
  check_refused({Sphere{0}}, "radius", "found 0, expected a positive number");
  check_refused({Sphere{-1}}, "radius", "found -1");
  check_refused({Sphere{infinity}}, "radius", "found inf");
  check_refused({Sphere{std::numeric_limits<double>::quiet_NaN()}}, "radius", "found nan");
  check_refused({BoxSolid{{1, 0, 1}}}, "size[1]", "positive");
  check_refused({Ellipsoid{{1, 1, -1}}}, "radii[2]", "positive");
  check_refused({Cylinder{1, 0}}, "height", "positive");
  check_refused({Cone{0, 1}}, "radius", "positive");
  check_refused({Capsule{1, -1}}, "height", "positive");
  CHECK(check_shape({Capsule{1, 0}}));
}

TEST_CASE("a torus does not cover itself") {
  CHECK(check_shape({Torus{1, 1}}));
  check_refused({Torus{1, 1.5}}, "minor", "at most the major radius 1");
}

TEST_CASE("a pose is a rotation times one positive scale") {
  const Mat3 turn = Eigen::AngleAxisd(1, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  CHECK(check_shape(posed(turn)));
  CHECK(check_shape(posed(1e-3 * turn)));
  CHECK(check_shape(posed(1e6 * turn)));
  check_refused(posed(-turn), "pose", "expected a rotation times one positive scale");
  check_refused(posed(Mat3::Zero()), "pose", "expected a rotation");
  check_refused(posed(turn * Vec3(1, 1, 1 + 1e-8).asDiagonal()), "pose", "expected a rotation");
  CHECK(check_shape(posed(turn * Vec3(1, 1, 1 + 1e-10).asDiagonal())));
  Mat3 sheared = Mat3::Identity();
  sheared(0, 1) = 1e-6;
  check_refused(posed(sheared), "pose", "expected a rotation");
}

TEST_CASE("parts are named by their place") {
  Boolean inner{BooleanOperation::kUnion, {{Sphere{1}}, {Sphere{-2}}}};
  check_refused({Boolean{BooleanOperation::kIntersection, {{Sphere{1}}, {inner}}}},
                "of[1].of[1].radius", "found -2");
  check_refused({Boolean{}}, "of", "found no shape");
  check_refused({MeshSolid{}}, "mesh", "found no mesh");
  check_refused({PatchSolid{}}, "surface", "found no surface");
  TriangleMesh wrong = make_box({1, 1, 1});
  wrong.triangles[3][1] = 99;
  check_refused({MeshSolid{std::make_shared<const TriangleMesh>(wrong)}}, "mesh", "99");
  check_refused({ImplicitSolid{test::formula("x"), Box3(Vec3::Ones(), Vec3::Zero())}}, "bounds",
                "not in order");
  Shape deep{Sphere{1}};
  for (int i = 0; i <= kMaxShapeDepth; ++i) deep = {Boolean{BooleanOperation::kUnion, {deep}}};
  const Result<void> checked = check_shape(deep);
  REQUIRE_FALSE(checked);
  CHECK(checked.error().code == ErrorCode::kResourceLimit);
}

// The point of the surface farthest along +-x, +-y, +-z lies within 4e-3 of one of these
// directions' support points: sampled densely from inside the box, some point comes near each face.
TEST_CASE("the box of a posed primitive holds it and touches it on all sides") {
  Random random(1);
  for (int kind = 0; kind < test::kPrimitiveKinds; ++kind) {
    CAPTURE(kind);
    for (int i = 0; i < 10; ++i) {
      const Shape shape = test::random_primitive(random, kind);
      const Box3 box = bounding_box(shape);
      Box3 found;
      for (int j = 0; j < 30'000; ++j) {
        // From a little outside the box, mostly near its faces.
        Vec3 p = test::random_point(random);
        if (j % 2 == 0) p[j / 2 % 3] = std::copysign(1 - 0.01 * random.unit(), p[j / 2 % 3]);
        p = box.center() + 1.05 * p.cwiseProduct(box.sizes() / 2);
        if (test::outside(shape, p) > -1e-12) continue;
        found.extend(p);
      }
      CHECK(box.contains(found));
      CHECK((box.sizes() - found.sizes()).maxCoeff() < 0.25 * box.sizes().maxCoeff());
    }
  }
}

TEST_CASE("boxes of axis-parallel solids are exact") {
  const auto check = [](const Shape& shape, const Vec3& low, const Vec3& high) {
    const Box3 box = bounding_box(shape);
    CHECK(box.min() == low);
    CHECK(box.max() == high);
  };
  check({BoxSolid{{2, 4, 6}}}, {-1, -2, -3}, {1, 2, 3});
  check({Torus{2, 0.5}}, {-2.5, -2.5, -0.5}, {2.5, 2.5, 0.5});
  check({Capsule{1, 2}}, {-1, -1, -2}, {1, 1, 2});
  check({Cone{1, 3}}, {-1, -1, 0}, {1, 1, 3});
  Shape moved{Cylinder{1, 4}};
  moved.pose.translation() = Vec3(10, 0, 0);
  check(moved, {9, -1, -2}, {11, 1, 2});
  check({Boolean{BooleanOperation::kUnion, {{Sphere{1}}, moved}}}, {-1, -1, -2}, {11, 1, 2});
  check({Boolean{BooleanOperation::kDifference, {{Sphere{1}}, moved}}}, {-1, -1, -1}, {1, 1, 1});
  check({Boolean{BooleanOperation::kIntersection, {{Sphere{1}}, {Cylinder{0.5, 4}}}}},
        {-0.5, -0.5, -1}, {0.5, 0.5, 1});
  CHECK(bounding_box({Boolean{BooleanOperation::kIntersection, {{Sphere{1}}, moved}}}).isEmpty());
}

}  // namespace
}  // namespace plimsoll
