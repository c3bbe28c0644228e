// Columns through primitives and Booleans of them, against the definition of what is inside.
#include "columns/columns.h"

#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>

#include <memory>

#include "columns/column_checks.h"
#include "shape/random_shape.h"
#include "support/campaign.h"

namespace plimsoll {
namespace {

using test::columns_of;
using test::length;
using test::spans_at;

// Depths, poses and the distances of the check are each rounded a few times, at sizes up to 10.
constexpr double kRounding = 1e-14;

/// A point that columns go through: on the axis of the shape, or anywhere in its box.
Vec3 random_target(Random& random, const Shape& shape) {
  const Box3 box = bounding_box(shape);
  if (random.below(8) == 0) return shape.pose * Vec3(0, 0, 0.1);
  return box.center() + test::random_point(random).cwiseProduct(box.sizes() / 2);
}

void check_column(const Shape& shape, const Columns& columns, double u, double v, Random& random) {
  const int axis = columns.axis();
  const std::vector<Span> spans = spans_at(columns, u, v);
  CHECK(test::are_sorted(spans));
  for (const Span& span : spans) {
    CHECK(std::abs(test::outside(shape, test::point_on(axis, u, v, span.enter))) < kRounding);
    CHECK(std::abs(test::outside(shape, test::point_on(axis, u, v, span.leave))) < kRounding);
  }
  const Box3& box = columns.bounds();
  for (int i = 0; i < 20; ++i) {
    const double depth = random.uniform(box.min()[axis] - 0.1, box.max()[axis] + 0.1);
    const double outside = test::outside(shape, test::point_on(axis, u, v, depth));
    if (std::abs(outside) > kRounding) CHECK(test::holds(spans, depth) == (outside < 0));
  }
}

TEST_CASE("columns meet posed primitives where their definition says") {
  Random random(1);
  for (int kind = 0; kind < test::kPrimitiveKinds; ++kind) {
    CAPTURE(kind);
    for (int i = 0; i < test::campaign(3000); ++i) {
      CAPTURE(i);
      const Shape shape = test::random_primitive(random, kind);
      const int axis = static_cast<int>(random.below(3));
      const Columns columns = columns_of(shape, axis);
      for (int j = 0; j < 5; ++j) {
        const Vec3 target = random_target(random, shape);
        check_column(shape, columns, target[(axis + 1) % 3], target[(axis + 2) % 3], random);
      }
    }
  }
}

// Both engines' ends lie within rounding of the surface, so where they differ more the column runs
// nearly along it. There the depth is the root of the rounding: 1e-7 of the size.
TEST_CASE("a primitive and its formula have the same spans") {
  Random random(2);
  for (int kind = 0; kind < test::kPrimitiveKinds; ++kind) {
    CAPTURE(kind);
    for (int i = 0; i < test::campaign(400); ++i) {
      CAPTURE(i);
      const Shape shape = test::random_primitive(random, kind);
      const int axis = static_cast<int>(random.below(3));
      const Columns columns = columns_of(shape, axis);
      const Columns implicit = columns_of(test::as_formula(shape), axis);
      const Vec3 target = random_target(random, shape);
      const double u = target[(axis + 1) % 3], v = target[(axis + 2) % 3];
      CHECK(std::abs(length(spans_at(columns, u, v)) - length(spans_at(implicit, u, v))) < 2e-7);
    }
  }
}

// Depths at 1e6 are rounded to 1.2e-10, (u, v) likewise. That moves the column by as much, and the
// crossing by the cotangent of the angle under which the surface is met: below 10 where the column
// passes within a tenth of the middle of the solid, for these sizes.
TEST_CASE("a million sizes away from the origin a column finds what it finds at home") {
  Random random(3);
  for (int kind = 0; kind < test::kPrimitiveKinds; ++kind) {
    CAPTURE(kind);
    const Shape home = test::random_primitive(random, kind);
    Shape away = home;
    const Vec3 far(1e6 + 0.1, -1e6 + 0.2, 1e6 + 0.3);
    away.pose.translation() += far;
    const Vec3 moved = away.pose.translation() - home.pose.translation();
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3 target = home.pose * Vec3(0.05, 0.03, 0.1);
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      const std::vector<Span> near = spans_at(columns_of(home, axis), target[u], target[v]);
      const std::vector<Span> found =
          spans_at(columns_of(away, axis), target[u] + moved[u], target[v] + moved[v]);
      REQUIRE(near.size() == found.size());
      for (std::size_t i = 0; i < near.size(); ++i) {
        CHECK(std::abs(found[i].enter - moved[axis] - near[i].enter) < 2e-9);
        CHECK(std::abs(found[i].leave - moved[axis] - near[i].leave) < 2e-9);
        CHECK(found[i].enter_surface == near[i].enter_surface);
      }
    }
  }
}

TEST_CASE("a column along the axis of a solid has its closed form") {
  CHECK(length(spans_at(columns_of({Cylinder{1, 3}}), 0, 0)) == 3);
  CHECK(length(spans_at(columns_of({Capsule{1, 3}}), 0, 0)) == 5);
  CHECK(length(spans_at(columns_of({Cone{1, 3}}), 0, 0)) == 3);
  CHECK(length(spans_at(columns_of({Sphere{1}}), 0, 0)) == 2);
  CHECK(spans_at(columns_of({Torus{2, 0.5}}), 0, 0).empty());
  CHECK(length(spans_at(columns_of({Torus{2, 0.5}}), 2, 0)) == 1);
  // Across the middle of a torus: in and out twice.
  const std::vector<Span> across = spans_at(columns_of({Torus{2, 0.5}}, 0), 0, 0);
  REQUIRE(across.size() == 2);
  for (const double end :
       {across[0].enter + 2.5, across[0].leave + 1.5, across[1].enter - 1.5, across[1].leave - 2.5})
    CHECK(std::abs(end) < 1e-15);
}

TEST_CASE("a torus whose tube closes its hole is one piece across the middle") {
  const std::vector<Span> across = spans_at(columns_of({Torus{2, 2}}, 0), 0, 0);
  REQUIRE(across.size() == 1);
  CHECK(length(across) == 8);
}

// Inside for the lower wall, outside for the upper one: boxes that tile space tile the columns.
TEST_CASE("a column within a wall belongs to one of the two boxes beside it") {
  const Columns box = columns_of({BoxSolid{{1, 1, 1}}});
  CHECK(length(spans_at(box, -0.5, 0)) == 1);
  CHECK(spans_at(box, 0.5, 0).empty());
  CHECK(length(spans_at(box, -0.5, -0.5)) == 1);
  CHECK(spans_at(box, -0.5, 0.5).empty());
}

TEST_CASE("a column that touches a round solid misses it") {
  CHECK(spans_at(columns_of({Sphere{1}}), 1, 0).empty());
  CHECK(spans_at(columns_of({Torus{2, 0.5}}), 2.5, 0).empty());
  CHECK(spans_at(columns_of({Torus{2, 0.5}}, 1), 0.5, 0).empty());  // z = 0.5 over the ring
  CHECK(spans_at(columns_of({Cylinder{1, 2}}, 0), 1, 0).empty());
  CHECK(spans_at(columns_of({Capsule{1, 2}}, 0), 0, 2).empty());
}

TEST_CASE("faces have numbers of their own, in every part of a shape") {
  const std::vector<Span> box = spans_at(columns_of({BoxSolid{{1, 1, 1}}}), 0, 0);
  REQUIRE(box.size() == 1);
  CHECK(box[0].enter_surface == 4);
  CHECK(box[0].leave_surface == 5);
  const Columns cone = columns_of({Cone{1, 1}});
  CHECK(spans_at(cone, 0.5, 0)[0].enter_surface == 1);
  CHECK(spans_at(cone, 0.5, 0)[0].leave_surface == 0);
  const Shape both{Boolean{BooleanOperation::kDifference, {{BoxSolid{{2, 2, 2}}}, {Sphere{0.5}}}}};
  const std::vector<Span> hollow = spans_at(columns_of(both), 0, 0);
  REQUIRE(hollow.size() == 2);
  CHECK(hollow[0].leave_surface == hollow[1].enter_surface);
  CHECK(hollow[0].leave_surface >= kPrimitiveSurfaces);
}

// ---- Booleans

Shape boolean(BooleanOperation operation, std::vector<Shape> of) {
  return {Boolean{operation, std::move(of)}};
}

TEST_CASE("what two solids cover and what they share add up to both, column by column") {
  Random random(4);
  for (int i = 0; i < test::campaign(5000); ++i) {
    CAPTURE(i);
    const Shape a = test::random_primitive(random, static_cast<int>(random.below(7)));
    const Shape b = test::random_primitive(random, static_cast<int>(random.below(7)));
    const int axis = static_cast<int>(random.below(3));
    const Vec3 target = random_target(random, a);
    const auto along = [&](const Shape& shape) {
      const std::vector<Span> spans =
          spans_at(columns_of(shape, axis), target[(axis + 1) % 3], target[(axis + 2) % 3]);
      CHECK(test::are_sorted(spans));
      return length(spans);
    };
    const double both = along(boolean(BooleanOperation::kIntersection, {a, b}));
    CHECK(std::abs(along(a) + along(b) - both - along(boolean(BooleanOperation::kUnion, {a, b}))) <
          kRounding);
    CHECK(std::abs(along(a) - both - along(boolean(BooleanOperation::kDifference, {a, b}))) <
          kRounding);
  }
}

TEST_CASE("the pose of a Boolean moves its parts") {
  Random random(5);
  for (int i = 0; i < 50; ++i) {
    const Similarity outer = test::random_pose(random);
    const Shape a = test::random_primitive(random, 3), b = test::random_primitive(random, 0);
    Shape whole = boolean(BooleanOperation::kUnion, {a, b});
    whole.pose = outer;
    Shape moved_a = a, moved_b = b;
    moved_a.pose = outer * a.pose;
    moved_b.pose = outer * b.pose;
    const Columns one = columns_of(whole);
    const Columns other = columns_of(boolean(BooleanOperation::kUnion, {moved_a, moved_b}));
    const Vec3 target = one.bounds().center();
    CHECK(std::abs(length(spans_at(one, target.x(), target.y())) -
                   length(spans_at(other, target.x(), target.y()))) < 1e-7);  // as near tangents
  }
}

TEST_CASE("solids that share a face unite to one piece and share none") {
  Shape upper{BoxSolid{{1, 1, 0.2}}};
  upper.pose.translation().z() = 0.3;
  Shape lower{BoxSolid{{1, 1, 0.2}}};
  lower.pose.translation().z() = 0.1;
  const std::vector<Span> one =
      spans_at(columns_of(boolean(BooleanOperation::kUnion, {upper, lower})), 0.2, 0.1);
  REQUIRE(one.size() == 1);
  CHECK(std::abs(one[0].enter) < 0x1p-53);  // one rounding
  CHECK(std::abs(one[0].leave - 0.4) < 0x1p-53);
  CHECK(spans_at(columns_of(boolean(BooleanOperation::kIntersection, {upper, lower})), 0.2, 0.1)
            .empty());
  CHECK(spans_at(columns_of(boolean(BooleanOperation::kDifference, {upper, upper})), 0.2, 0.1)
            .empty());
}

// The difference of two numbers near each other is exact, and so the box is where the second says.
TEST_CASE("the deviation holds what a chain of poses far from the origin rounds") {
  Random random(73);
  int told = 0;
  for (int i = 0; i < 100; ++i) {
    const double far = random.uniform(1e8, 1e9), farther = far + random.uniform(0.1, 0.9);
    Shape box{BoxSolid{{1, 1, 1}}};
    box.pose.translation().z() = farther;
    Shape inner = boolean(BooleanOperation::kUnion, {box, box});
    inner.pose.translation().z() = -far / 3;
    Shape outer = boolean(BooleanOperation::kUnion, {inner, inner});
    outer.pose.translation().z() = -(far - far / 3);
    const long double moved = static_cast<long double>(farther) + inner.pose.translation().z() +
                              outer.pose.translation().z();
    const Columns columns = columns_of(outer);
    const std::vector<Span> spans = spans_at(columns, 0.2, 0.1);
    REQUIRE(spans.size() == 1);
    const double off = static_cast<double>(std::fabs(spans[0].enter - (moved - 0.5L)));
    CHECK(off <= columns.deviation());
    CHECK(columns.deviation() <= 1e-5);
    told += off > 1e-9 ? 1 : 0;
  }
  CHECK(told > 0);
}

// Of a face with the normal n at half the size, the column (x, y) has s / 2 = n . (x, y, z).
TEST_CASE("the deviation holds what is rounded of a large body that is turned") {
  Random random(74);
  int told = 0;
  for (int i = 0; i < 100; ++i) {
    const double size = random.uniform(1e6, 1e7);
    Shape box{BoxSolid{Vec3::Constant(size)}};
    box.pose.linear() = Eigen::AngleAxisd(random.uniform(-0.5, 0.5), test::random_direction(random))
                            .toRotationMatrix();
    const Columns columns = columns_of(box);
    const double x = random.uniform(-0.2, 0.2) * size, y = random.uniform(-0.2, 0.2) * size;
    const std::vector<Span> spans = spans_at(columns, x, y);
    REQUIRE(spans.size() == 1);
    const Eigen::Vector<long double, 3> n = box.pose.linear().col(2).cast<long double>();
    const long double z = (size / 2 - n[0] * x - n[1] * y) / n[2];
    const double off = static_cast<double>(std::fabs((spans[0].leave - z) * n[2]));
    CHECK(off <= columns.deviation());
    CHECK(columns.deviation() <= 1e-7);
    told += off > 1e-10 ? 1 : 0;
  }
  CHECK(told > 0);
}

TEST_CASE("a tile that is called empty holds no column that meets the solid") {
  Random random(6);
  int empty = 0;
  for (int i = 0; i < test::campaign(2000); ++i) {
    Shape shape = test::random_primitive(random, static_cast<int>(random.below(7)));
    if (random.below(2) == 0) shape = test::as_formula(shape);
    const Columns columns = columns_of(shape);
    const Box3& box = columns.bounds();
    const double u = random.uniform(box.min().x(), box.max().x());
    const double v = random.uniform(box.min().y(), box.max().y());
    const double size = random.uniform(0, 0.2);
    Columns::Scratch scratch;
    if (!columns.certainly_empty({u, u + size, v, v + size}, scratch)) continue;
    ++empty;
    for (int j = 0; j < 20; ++j)
      CHECK(spans_at(columns, u + size * random.unit(), v + size * random.unit()).empty());
  }
  CHECK(empty > 10);
}

/// Primitives, their formulas and meshes, alone or two of them combined.
Shape random_solid(Random& random) {
  const auto part = [&]() -> Shape {
    const Shape primitive = test::random_primitive(random, static_cast<int>(random.below(7)));
    switch (random.below(3)) {
      case 0:
        return test::as_formula(primitive);
      case 1:
        return {MeshSolid{std::make_shared<TriangleMesh>(make_torus(1, 0.4, 16, 12))},
                primitive.pose};
      default:
        return primitive;
    }
  };
  const auto operation = static_cast<BooleanOperation>(random.below(3));
  if (random.below(3) == 0) return part();
  return {Boolean{operation, {part(), part()}}, test::random_pose(random)};
}

// Depths of a bundle are rounded as those of its columns.
TEST_CASE("every column of a bundle is inside where the bundle is, and outside where that is") {
  Random random(7);
  double certain = 0, uncertain = 0;
  for (int i = 0; i < test::campaign(3000); ++i) {
    const Shape shape = random_solid(random);
    const Columns columns = columns_of(shape);
    const Box3& box = columns.bounds();
    if (box.isEmpty()) continue;
    const double u = random.uniform(box.min().x(), box.max().x());
    const double v = random.uniform(box.min().y(), box.max().y());
    const double width = random.uniform(0, 0.2), height = random.uniform(0, 0.2);
    Columns::Scratch scratch;
    const std::vector<Span> ignored = {{box.center().z(), box.center().z() + 0.1, 0, 0}};
    const Columns::Bundle bundle = columns.bundle(
        {{u, u + width, v, v + height}, 0.05, random.below(2) == 0 ? ignored : std::vector<Span>{}},
        scratch);
    CHECK(test::are_sorted(bundle.inner));
    CHECK(test::are_sorted(bundle.outer));
    certain += length(bundle.inner);
    uncertain += length(bundle.outer) - length(bundle.inner);
    for (int j = 0; j < 20; ++j) {
      const std::vector<Span> spans =
          spans_at(columns, u + width * random.unit(), v + height * random.unit());
      std::vector<Span> wrong;
      subtract(bundle.inner, spans, 0, wrong);
      CHECK(length(wrong) < kRounding);
      subtract(spans, bundle.outer, 0, wrong);
      CHECK(length(wrong) < kRounding);
    }
  }
  CHECK(certain > uncertain / 2);  // or nothing would be told
  CHECK(uncertain > 0);
}

}  // namespace
}  // namespace plimsoll
