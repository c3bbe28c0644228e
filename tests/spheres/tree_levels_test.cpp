#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/sphere_tree.h>

#include <algorithm>
#include <array>
#include <vector>

#include "solids.h"

namespace plimsoll {
namespace {

SphereTree packed(const TriangleMesh& mesh, std::size_t count) {
  const ClosedMesh solid = test::closed(mesh);
  const Result<SpherePacking> packing = pack_spheres(solid, {.max_count = count});
  REQUIRE(packing);
  Result<SphereTree> tree = SphereTree::create(solid, packing->spheres);
  REQUIRE(tree);
  return *std::move(tree);
}

std::vector<std::array<double, 4>> sorted_rows(std::span<const TreeBall> balls) {
  std::vector<std::array<double, 4>> rows;
  for (const auto& [ball, branch] : balls)
    rows.push_back({ball.center[0], ball.center[1], ball.center[2], ball.radius});
  std::sort(rows.begin(), rows.end());
  return rows;
}

/// Both are rounded up, by less than 2^-49 of themselves.
bool encloses(const PlacedSphere& large, const PlacedSphere& small) {
  return (small.center - large.center).norm() + small.radius <= large.radius * (1 + 0x1p-48);
}

TEST_CASE("the levels of a tree lead from one ball to the spheres") {
  const SphereTree tree = packed(make_torus(1, 0.4, 24, 12), 200);
  REQUIRE(tree.level(0).size() == 1);
  std::vector<TreeBall> spheres;
  for (const PlacedSphere& sphere : tree.spheres()) spheres.push_back({sphere, 0});
  CHECK(sorted_rows(tree.level(tree.depth())) == sorted_rows(spheres));
  CHECK(sorted_rows(tree.level(tree.depth() + 5)) == sorted_rows(spheres));
  CHECK(tree.level(tree.depth() - 1).size() < spheres.size());
}

TEST_CASE("each sphere lies in a ball of its branch on every level") {
  const SphereTree tree = packed(make_torus(1, 0.4, 24, 12), 200);
  const std::vector<TreeBall> spheres = tree.level(tree.depth());
  for (std::size_t depth = 0; depth <= tree.depth(); ++depth) {
    const std::vector<TreeBall> level = tree.level(depth);
    for (const TreeBall& sphere : spheres)
      REQUIRE(std::any_of(level.begin(), level.end(), [&](const TreeBall& ball) {
        return (depth == 0 || ball.branch == sphere.branch) && encloses(ball.ball, sphere.ball);
      }));
  }
}

TEST_CASE("the root's children are branches of their own") {
  const std::vector<TreeBall> children = packed(make_torus(1, 0.4, 24, 12), 200).level(1);
  REQUIRE(children.size() == 4);
  for (std::uint32_t i = 0; i < children.size(); ++i) CHECK(children[i].branch == i);
}

TEST_CASE("a tree of one sphere has one level") {
  const SphereTree tree = packed(make_box({1, 1, 1}), 1);
  CHECK(tree.depth() == 0);
  REQUIRE(tree.level(0).size() == 1);
  CHECK(tree.level(0).front().ball.radius == tree.spheres().front().radius);
}

}  // namespace
}  // namespace plimsoll
