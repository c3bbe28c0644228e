#include "solid/winding_sides.h"

#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>

#include <vector>

#include "core/predicates.h"
#include "core/random.h"
#include "pairs/self_intersection.h"
#include "solid/assembly.h"

namespace plimsoll {
namespace {

using exact::Integer;
using test::all;
using test::Assembly;

// A mesh with all that asking it takes.
struct Asked {
  TriangleMesh mesh;
  std::vector<std::uint32_t> triangles, shell_of;
  TriangleTree tree;
  std::optional<HullTree> hulls;

  explicit Asked(TriangleMesh given) : mesh(std::move(given)) {
    triangles = triangles_with_area(mesh);
    TreeBuilder().build(mesh, triangles, TreeQuality::kTight, tree);
    hulls.emplace(mesh, triangles);
    const MeshView view(mesh);
    shell_of = find_shells(view, find_edges(view)).shell_of;
  }
  [[nodiscard]] std::optional<WindingSides> at(std::uint32_t triangle, const Weights& weights,
                                               std::span<const std::uint32_t> ignored = {}) const {
    const MeshView view(mesh);
    const auto by_tree = winding_sides({view, shell_of, &tree}, triangle, weights, ignored);
    const std::span<const std::uint32_t> list(triangles);
    for (const auto& sides : {winding_sides({view, shell_of, &*hulls}, triangle, weights, ignored),
                              winding_sides({view, shell_of, list}, triangle, weights, ignored)}) {
      REQUIRE(by_tree.has_value() == sides.has_value());
      if (!by_tree) continue;
      CHECK(by_tree->front == sides->front);
      CHECK(by_tree->back == sides->back);
      CHECK(by_tree->enclosed == sides->enclosed);
    }
    return by_tree;
  }
};

TEST_CASE("an embedded solid is wound around once behind each triangle and not in front") {
  Random random(1);
  for (const double scale : {1.0, 0x1p-500, 0x1p300})
    for (const TriangleMesh& shape :
         {make_box(Vec3(1, 2, 3)), make_torus(2, 0.7, 13, 9), make_bumpy_sphere(1, 0.5, 12, 15)}) {
      const Asked asked(test::scaled(shape, scale));
      const Asked inverted(test::turned(asked.mesh));
      for (const std::uint32_t t : asked.triangles) {
        const Weights weights{1 + random.below(1000), 1 + random.below(1000),
                              1 + random.below(1000)};
        const auto sides = asked.at(t, weights);
        if (!sides) continue;  // rare: the ray met an edge
        CHECK(sides->front == 0);
        CHECK(sides->back == 1);
        CHECK_FALSE(sides->enclosed);
        // Turned round, corners 1 and 2 are swapped.
        const auto other = inverted.at(t, {weights[0], weights[2], weights[1]});
        REQUIRE(other);
        CHECK(other->front == -1);
        CHECK(other->back == 0);
      }
    }
}

TEST_CASE("shells in each other add up, and those ignored do not count") {
  Assembly shells;
  shells.add_box(all(0), all(9)).add_box(all(1), all(8)).add_box(all(2), all(7), false);
  const Asked asked(shells.welded());
  const Weights weights{3, 5, 11};
  const auto inner = asked.at(30, weights);  // of the innermost, which is turned inward
  REQUIRE(inner);
  CHECK(inner->front == 1);
  CHECK(inner->back == 2);
  CHECK(inner->enclosed);
  const std::vector<std::uint32_t> first{0}, both{0, 1};
  CHECK(asked.at(30, weights, first)->back == 1);
  CHECK(asked.at(30, weights, first)->enclosed);
  CHECK(asked.at(30, weights, both)->back == 0);
  CHECK_FALSE(asked.at(30, weights, both)->enclosed);
  CHECK_FALSE(asked.at(0, weights)->enclosed);
}

TEST_CASE("sheets on one another are counted together where they lie on one another") {
  // One box stands on the middle of a face of the other.
  Assembly boxes;
  boxes.add_box(Vec3(0, 0, 0), Vec3(4, 4, 4)).add_box(Vec3(4, 1, 1), Vec3(8, 3, 3));
  const Asked asked(boxes.welded());
  int covered = 0, open = 0;
  for (std::uint32_t t = 0; t < 12; ++t)
    for (std::uint64_t i = 1; i < 40; ++i) {
      const auto sides = asked.at(t, {i, 41 - i, 1 + i * i % 37});
      if (!sides) continue;
      const double y = sides->at.y(), z = sides->at.z();
      const bool is_covered = sides->at.x() == 4 && y > 1 && y < 3 && z > 1 && z < 3;
      CHECK(sides->back == 1);
      CHECK(sides->front == (is_covered ? 1 : 0));
      CHECK_FALSE(sides->enclosed);
      (is_covered ? covered : open) += 1;
    }
  CHECK(covered > 5);
  CHECK(open > 5);
}

// Weights of a point at y = 1 + about off / 2^202 in half of a rectangle 0 <= y <= 3.
Weights weights_at_one(const Corners& half, int off) {
  const bool two_high = half.point[0].y() + half.point[1].y() + half.point[2].y() == 6;
  const Integer unit = Integer(1) << 200;
  Weights weights;
  for (std::size_t k = 0; k < 3; ++k)
    weights[k] = half.point[k].y() > 0 ? unit : (two_high ? 4 : 1) * unit - off;
  return weights;
}

std::vector<std::uint32_t> triangles_at_x(const Asked& asked, double x) {
  std::vector<std::uint32_t> found;
  for (const std::uint32_t t : asked.triangles) {
    const auto [a, b, c] = corners_of(asked.mesh, t).point;
    if (a.x() == x && b.x() == x && c.x() == x) found.push_back(t);
  }
  return found;
}

TEST_CASE("a ray that meets an edge has no answer, and a hair beside it has") {
  // Rays along x from the wall x = 0 meet a tetrahedron's edge in y = 1.
  Assembly solids;
  solids.add_box(Vec3(0, 0, 0), Vec3(1, 3, 3));
  solids.add_tetrahedron(Vec3(5, 1, -1), Vec3(5, 1, 9), Vec3(7, 9, 4), Vec3(7, -9, 4));
  const Asked asked(solids.welded());
  const auto wall = triangles_at_x(asked, 0);
  REQUIRE(wall.size() == 2);
  for (const std::uint32_t t : wall) {
    const Corners half = corners_of(asked.mesh, t);
    CHECK_FALSE(asked.at(t, weights_at_one(half, 0)));
    for (const int off : {-1, 1}) {
      const auto sides = asked.at(t, weights_at_one(half, off));
      REQUIRE(sides);
      CHECK(sides->front == 0);
      CHECK(sides->back == 1);
    }
  }
}

TEST_CASE("a point that another triangle passes through has no answer, and a hair beside it has") {
  // A wall of the tetrahedron, in y = x - 2, passes through the wall x = 3 in y = 1; the rest of it
  // is where y is larger.
  Assembly solids;
  solids.add_box(Vec3(0, 0, 0), Vec3(3, 3, 3));
  solids.add_tetrahedron(Vec3(-1, -3, -9), Vec3(9, 7, -9), Vec3(4, 2, 20), Vec3(4, 19, 1));
  REQUIRE(orient3d(Vec3(-1, -3, -9), Vec3(9, 7, -9), Vec3(4, 2, 20), Vec3(4, 19, 1)) == -1);
  const Asked asked(solids.welded());
  const auto wall = triangles_at_x(asked, 3);
  REQUIRE(wall.size() == 2);
  for (const std::uint32_t t : wall) {
    const Corners half = corners_of(asked.mesh, t);
    CHECK_FALSE(asked.at(t, weights_at_one(half, 0)));
    const auto inside = asked.at(t, weights_at_one(half, 1));
    const auto outside = asked.at(t, weights_at_one(half, -1));
    REQUIRE(inside);
    REQUIRE(outside);
    CHECK(inside->front == -1);  // the tetrahedron is turned inward
    CHECK(inside->back == 0);
    CHECK(outside->front == 0);
    CHECK(outside->back == 1);
  }
}

// Each box is around the next. From a point of a wall of one, its own planes and those of the other
// boxes are met where they are along the axis, if the point is between their walls across it.
TEST_CASE("a ray meets first the next wall of boxes within each other, once") {
  constexpr int kBoxes = 7;
  Assembly shells;
  for (int i = 0; i < kBoxes; ++i) shells.add_box(all(i), all(20 - i));
  const Asked asked(shells.welded());
  const MeshView view(asked.mesh);
  int met_none = 0, own_passed = 0;
  for (const std::uint32_t t : asked.triangles) {
    const Corners wall = corners_of(view, t);
    const Vec3 normal =
        (wall.point[1] - wall.point[0]).cross(wall.point[2] - wall.point[0]).normalized();
    int axis = 0;
    normal.cwiseAbs().maxCoeff(&axis);
    for (const auto& [a, b, c] : {std::array{3, 5, 11}, {101, 107, 90}, {50, 3, 4}}) {
      const Vec3 at = (a * wall.point[0] + b * wall.point[1] + c * wall.point[2]) / (a + b + c);
      const double place = wall.point[0][axis];
      for (const bool has_parts : {false, true}) {
        // The nearest wall ahead, of another box where the triangle's own box is passed.
        double nearest = 100;
        int left = 0, own = 0;
        for (int i = 0; i < kBoxes; ++i) {
          const double low = i, high = 20 - i;
          const double u = at[(axis + 1) % 3], v = at[(axis + 2) % 3];
          if (std::min(u, v) < low || std::max(u, v) > high) continue;
          const bool is_own = has_parts && (low == place || high == place);
          if (is_own) continue;
          if (low > place && low < nearest) nearest = low, left = -1;
          if (high > place && high < nearest) nearest = high, left = 1;
        }
        if (has_parts && place < 10 && 20 - place < nearest) own = 1;
        const std::span<const std::uint32_t> part =
            has_parts ? std::span<const std::uint32_t>(asked.shell_of)
                      : std::span<const std::uint32_t>();
        const Weights weights{a, b, c};
        for (const auto& met :
             {first_met({view, asked.shell_of, &asked.tree}, t, weights, part),
              first_met({view, asked.shell_of, &*asked.hulls}, t, weights, part)}) {
          REQUIRE(met);
          CHECK(met->from_front == (normal[axis] > 0));
          CHECK(met->sheets == 1);
          CHECK(met->own == own);
          REQUIRE(met->nearest.size() == (left != 0 ? 1 : 0));
          if (left == 0) continue;
          CHECK(met->nearest[0].left == left);
          for (const Vec3& p : corners_of(view, met->nearest[0].triangle).point)
            CHECK(p[axis] == nearest);
        }
        met_none += left == 0 ? 1 : 0;
        own_passed += own;
      }
    }
  }
  CHECK(met_none > 0);
  CHECK(own_passed > 0);
}

}  // namespace
}  // namespace plimsoll
