// Whether one solid lies in another, its surface included.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/overlap.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/random.h"
#include "overlap/overlap_checks.h"
#include "overlap/random_cells.h"
#include "support/campaign.h"
#include "support/mesh_parts.h"

namespace plimsoll {
namespace {

enum class Within { kNone, kAInB, kBInA, kUnknown };

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

Within asked(const SolidTree& a, const Similarity& pose_a, const SolidTree& b,
             const Similarity& pose_b) {
  OverlapSearch search;
  const auto a_in_b = search.lies_in(a, pose_a, b, pose_b);
  const auto b_in_a = search.lies_in(b, pose_b, a, pose_a);
  REQUIRE(a_in_b);
  REQUIRE(b_in_a);
  if (*a_in_b == true) return Within::kAInB;
  if (*b_in_a == true) return Within::kBInA;
  return *a_in_b && *b_in_a ? Within::kNone : Within::kUnknown;
}

const Similarity kHere = Similarity::Identity();

Within asked(const TriangleMesh& a, const TriangleMesh& b) {
  return asked(test::solid(a), kHere, test::solid(b), kHere);
}

TEST_CASE("a body that touches another from within lies in it") {
  const TriangleMesh outer = box_between({0, 0, 0}, {4, 4, 4});
  const TriangleMesh inner = box_between({1, 0, 1}, {2, 1, 4});  // at two walls
  CHECK(asked(inner, outer) == Within::kAInB);
  CHECK(asked(outer, inner) == Within::kBInA);
  CHECK(asked(inward(inner), inward(outer)) == Within::kAInB);
  CHECK(asked(make_angle(4), outer) == Within::kAInB);
  // Each of two equal ones lies in the other.
  CHECK(asked(outer, outer) == Within::kAInB);
}

TEST_CASE(
    "of bodies that touch from outside neither lies in the other, nor of those that overlap") {
  const TriangleMesh box = box_between({0, 0, 0}, {1, 1, 1});
  CHECK(asked(box, box_between({1, 0, 0}, {2, 1, 1})) == Within::kNone);
  CHECK(asked(box, box_between({1, 1, 1}, {2, 2, 2})) == Within::kNone);
  // With sides in common planes.
  CHECK(asked(box, box_between({0.5, 0, 0}, {1.5, 1, 1})) == Within::kNone);
  // By the last digit of one coordinate.
  const double more = std::nextafter(1.0, 2.0);
  CHECK(asked(box_between({0, 0, 0}, {1, 1, more}), box) == Within::kBInA);
}

TEST_CASE("bodies lie in arms, and not in notches") {
  const TriangleMesh angle = make_angle(1);
  CHECK(asked(box_between({0, 0, 0}, {1, 2, 1}), angle) == Within::kAInB);
  CHECK(asked(box_between({1, 1, 0}, {2, 2, 1}), angle) == Within::kNone);
  CHECK(asked(box_between({0, 0, 0}, {1.5, 1.5, 1}), angle) == Within::kNone);
  CHECK(asked(angle, angle) == Within::kAInB);
}

TEST_CASE("what fills a cavity does not lie in the wall, and what has a cavity does") {
  const TriangleMesh outer = box_between({0, 0, 0}, {4, 4, 4}),
                     hole = box_between({1, 1, 1}, {3, 3, 3});
  const TriangleMesh hollow = test::joined(outer, inward(hole));
  CHECK(asked(hole, hollow) == Within::kNone);
  CHECK(asked(hollow, outer) == Within::kAInB);
  CHECK(asked(outer, hollow) == Within::kBInA);
  CHECK(asked(hollow, hollow) == Within::kAInB);
  // A box around the hole, and within the wall.
  CHECK(asked(box_between({0.5, 0, 0}, {4, 4, 3.5}), hollow) == Within::kNone);
  CHECK(asked(box_between({0, 0, 0}, {1, 4, 4}), hollow) == Within::kAInB);
}

// Cubes that share an edge alone: no way leads inward there.
TEST_CASE("of a solid that touches itself it is not said that it does not lie in what holds it") {
  const TriangleMesh cubes =
      test::joined(box_between({0, 0, 0}, {1, 1, 1}), box_between({1, 1, 0}, {2, 2, 1}));
  const TriangleMesh around = box_between({0, 0, 0}, {2, 2, 1});
  OverlapSearch search;
  const auto within = search.lies_in(test::solid(cubes), kHere, test::solid(around), kHere);
  REQUIRE(within);
  CHECK(*within != false);
  // Where it is plain, it is said.
  Similarity raised = kHere;
  raised.translation() = Vec3(0.25, 0.25, 0.5);
  const auto apart = search.lies_in(test::solid(cubes), raised, test::solid(around), kHere);
  REQUIRE(apart);
  CHECK(*apart == false);
  // Also where all triangles that are crossed end at the common edge.
  Similarity through = kHere;
  through.linear() = 0.1 * test::some_turn();
  through.translation() = Vec3(1, 0.5, 0.5);
  const auto crossed =
      search.lies_in(test::solid(make_box({1, 1, 1})), through, test::solid(cubes), kHere);
  REQUIRE(crossed);
  CHECK(*crossed == false);
}

/// Whether opposite faces meet in a vertex: no way leads into the solid there.
bool has_saddles(const TriangleMesh& mesh) {
  std::vector<unsigned> faces(mesh.vertices.size(), 0);  // bits: along x, y, z, and against them
  for (const Triangle& t : mesh.triangles) {
    const Vec3 normal = (mesh.vertices[t[1]] - mesh.vertices[t[0]])
                            .cross(mesh.vertices[t[2]] - mesh.vertices[t[0]]);
    for (unsigned k = 0; k < 3; ++k)
      for (const std::uint32_t v : t)
        faces[v] |= (normal[k] > 0 ? 1U << k : 0U) | (normal[k] < 0 ? 8U << k : 0U);
  }
  return std::any_of(faces.begin(), faces.end(), [](unsigned f) { return (f & f >> 3U) != 0; });
}

TEST_CASE("solids of cells lie in one another as their cells do") {
  Random random(413);
  int within = 0, decided = 0;
  for (int i = 0; i < test::campaign(4000); ++i) {
    CAPTURE(i);
    const test::Cells b = test::random_cells(random);
    test::Cells a = b;
    for (int k = 0; k < 8; ++k) {  // a few cells more or fewer
      const auto any = [&] { return static_cast<int>(random.below(test::Cells::kSide)); };
      const test::Cell cell{any(), any(), any()};
      if (a.has(cell) || random.below(8) == 0) a.try_to_flip(cell);
    }
    if (a.list().empty() || b.list().empty()) continue;
    const auto all_in = [](const test::Cells& x, const test::Cells& y) {
      const std::vector<test::Cell> cells = x.list();
      return std::all_of(cells.begin(), cells.end(), [&](const test::Cell& c) { return y.has(c); });
    };
    const Within expected = all_in(a, b)   ? Within::kAInB
                            : all_in(b, a) ? Within::kBInA
                                           : Within::kNone;
    within += expected == Within::kNone ? 0 : 1;
    // Turned by a quarter, and moved.
    Similarity pose = kHere;
    pose.linear() << 0, -1, 0, 1, 0, 0, 0, 0, 1;
    pose.translation() = Vec3(3, -2, 0.5);
    const TriangleMesh mesh_a = a.surface(), mesh_b = b.surface();
    const Within found = asked(test::solid(mesh_a), pose, test::solid(mesh_b), pose);
    if (has_saddles(mesh_a) || has_saddles(mesh_b)) {
      CHECK((found == expected || found == Within::kUnknown));
      continue;
    }
    CHECK(found == expected);
    ++decided;
  }
  CHECK(within > test::campaign(4000) / 10);
  CHECK(decided > test::campaign(4000) / 10);
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
          (a_in_b   ? Within::kAInB
           : b_in_a ? Within::kBInA
                    : Within::kNone));
  }
  CHECK(within > 0);
}

TEST_CASE("what is no pose is refused, and work that no one may do") {
  const SolidTree box = test::solid(make_box({1, 1, 1}));
  Similarity bad = kHere;
  bad(0, 1) = std::numeric_limits<double>::quiet_NaN();
  OverlapSearch search;
  CHECK(search.lies_in(box, bad, box, kHere).error().where == "world_from_a");
  CHECK(search.lies_in(box, kHere, box, bad).error().where == "world_from_b");
  CHECK(search.lies_in(box, kHere, box, kHere, -1).error().where == "max_work");
  const TriangleMesh ball = make_icosphere(1, 5);
  CHECK(search.lies_in(test::solid(ball), kHere, test::solid(ball), kHere, 0).error().code ==
        ErrorCode::kResourceLimit);
}

}  // namespace
}  // namespace plimsoll
