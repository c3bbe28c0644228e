#include <doctest/doctest.h>
#include <plimsoll/distance.h>
#include <plimsoll/mesh_generators.h>

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/random.h"
#include "support/campaign.h"
#include "support/checked.h"

namespace plimsoll {
namespace {

using Answer = std::optional<Containment>;

/// A box from one corner to the other.
TriangleMesh box_between(const Vec3& low, const Vec3& high) {
  TriangleMesh box = make_box(high - low);
  for (Vec3& v : box.vertices) v += (low + high) / 2;
  return box;
}

/// An L of unit squares along z, from 0 to `height`: it has a notch over x and y from 1 to 2.
TriangleMesh make_angle(double height) {
  TriangleMesh angle;
  for (const double z : {0.0, height})
    for (const auto& [x, y] : {std::pair{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}})
      angle.vertices.push_back(Vec3(x, y, z));
  const std::array<std::array<std::uint32_t, 3>, 4> floor{
      {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}};
  for (const auto& [a, b, c] : floor) {
    angle.triangles.push_back({a, c, b});
    angle.triangles.push_back({a + 6, b + 6, c + 6});
  }
  for (std::uint32_t i = 0; i < 6; ++i) {
    const std::uint32_t j = (i + 1) % 6;
    angle.triangles.push_back({i, j, j + 6});
    angle.triangles.push_back({i, j + 6, i + 6});
  }
  return angle;
}

TriangleMesh inward(TriangleMesh mesh) {
  for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

Answer asked(const TriangleMesh& a, const TriangleMesh& b) {
  const Similarity here = Similarity::Identity();
  const auto found =
      touching_containment(MeshTree(test::checked(a)), here, MeshTree(test::checked(b)), here);
  REQUIRE(found);
  return *found;
}

TEST_CASE("a body that touches a convex one from within lies in it") {
  const TriangleMesh outer = box_between({0, 0, 0}, {4, 4, 4});
  const TriangleMesh inner = box_between({1, 0, 1}, {2, 1, 4});  // at two walls
  CHECK(asked(inner, outer) == Containment::kAInB);
  CHECK(asked(outer, inner) == Containment::kBInA);
  CHECK(asked(inward(inner), inward(outer)) == Containment::kAInB);
  CHECK(asked(make_angle(4), outer) == Containment::kAInB);
  // Each of two equal ones lies in the other.
  CHECK(asked(outer, outer) == Containment::kAInB);
}

TEST_CASE(
    "of bodies that touch from outside neither lies in the other, nor of those that overlap") {
  const TriangleMesh box = box_between({0, 0, 0}, {1, 1, 1});
  CHECK(asked(box, box_between({1, 0, 0}, {2, 1, 1})) == Containment::kNone);
  CHECK(asked(box, box_between({1, 1, 1}, {2, 2, 2})) == Containment::kNone);
  // With sides in common planes.
  CHECK(asked(box, box_between({0.5, 0, 0}, {1.5, 1, 1})) == Containment::kNone);
  // By the last digit of one coordinate.
  const double more = std::nextafter(1.0, 2.0);
  CHECK(asked(box_between({0, 0, 0}, {1, 1, more}), box) == Containment::kBInA);
}

TEST_CASE("of a body that is not convex it is not said that another lies in it") {
  const TriangleMesh angle = make_angle(1);
  // In an arm, and in the notch.
  CHECK(asked(box_between({0, 0, 0}, {1, 2, 1}), angle) == Answer());
  CHECK(asked(box_between({1, 1, 0}, {2, 2, 1}), angle) == Containment::kNone);
}

TEST_CASE("boxes on a grid lie in one another as their intervals do") {
  Random random(5);
  int within = 0;
  for (int i = 0; i < test::campaign(2000); ++i) {
    CAPTURE(i);
    Vec3 low[2], high[2];
    for (int side = 0; side < 2; ++side)
      for (int k = 0; k < 3; ++k) {
        low[side][k] = static_cast<double>(random.below(3));
        high[side][k] = low[side][k] + 1 + static_cast<double>(random.below(3));
      }
    const bool a_in_b =
        (low[0].array() >= low[1].array()).all() && (high[0].array() <= high[1].array()).all();
    const bool b_in_a =
        (low[1].array() >= low[0].array()).all() && (high[1].array() <= high[0].array()).all();
    within += a_in_b || b_in_a ? 1 : 0;
    CHECK(asked(box_between(low[0], high[0]), box_between(low[1], high[1])) ==
          (a_in_b   ? Containment::kAInB
           : b_in_a ? Containment::kBInA
                    : Containment::kNone));
  }
  CHECK(within > 0);
}

TEST_CASE("what is no pose is refused") {
  const MeshTree box(test::checked(make_box({1, 1, 1})));
  const Similarity here = Similarity::Identity();
  Similarity bad = here;
  bad(0, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK(touching_containment(box, bad, box, here).error().where == "world_from_a");
  CHECK(touching_containment(box, here, box, bad).error().where == "world_from_b");
}

}  // namespace
}  // namespace plimsoll
