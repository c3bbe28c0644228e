#include "spheres/sphere_blocks.h"

#include <plimsoll/parallel.h>

#include <doctest/doctest.h>

#include <cstring>
#include <set>

#include "random_spheres.h"
#include "spheres/sphere_forces.h"
#include "support/approx.h"

namespace plimsoll {
namespace {

constexpr std::size_t kWidth = SphereBlock::kWidth;

Vec3 child_center(const SphereBlocks& tree, const SphereBlock& block, std::size_t k) {
  return tree.unit * Vec3(block.origin[0] + block.center[0][k],
                          block.origin[1] + block.center[1][k],
                          block.origin[2] + block.center[2][k]);
}

std::vector<std::uint32_t> leaves_below(const SphereBlocks& tree, std::uint32_t number) {
  const SphereBlock& block = tree.blocks[number];
  if (block.has_spheres) return {block.child, block.child + block.count};
  std::vector<std::uint32_t> leaves;
  for (std::size_t k = 0; k < block.count; ++k) {
    const std::vector<std::uint32_t> more = leaves_below(tree, block.child[k]);
    leaves.insert(leaves.end(), more.begin(), more.end());
  }
  return leaves;
}

double radius_of(const SphereNode& node, std::size_t ball) {
  return ball == 0 ? node.radius : ball == 1 ? node.secondary_radius : node.reach;
}

/// Whether a box encloses a ball. Coordinates of some units are known to 1e-15.
void check_box(const SphereBlocks& tree, const SphereBlock& block, const BlockBox& box,
               const SphereNode& node) {
  const double radius = std::max(node.radius, node.secondary_radius);
  for (int i = 0; i < 3; ++i) {
    const double off = node.center[i] - tree.unit * (block.origin[i] + box.center[i]);
    CHECK(std::abs(off) + radius <= tree.unit * (box.half[i] + 1e-15));
  }
}

BlockBox box_of(const Subtrees& below, std::size_t k) {
  BlockBox box;
  for (std::size_t i = 0; i < 3; ++i) {
    box.center[i] = below.box_center[i][k];
    box.half[i] = below.box_half[i][k];
  }
  return box;
}

/// Everything that a block of blocks says of its children. Sums are rounded to float.
void check_block(const SphereHierarchy& hierarchy, const SphereBlocks& tree,
                 const SphereBlock& block, const Subtrees& sums) {
  for (std::size_t k = 0; k < block.count; ++k) {
    double volume = 0;
    Vec3 moment = Vec3::Zero();
    const Vec3 center = child_center(tree, block, k);
    for (const std::uint32_t leaf : leaves_below(tree, block.child[k])) {
      const SphereNode& node = hierarchy.nodes[leaf];
      check_box(tree, block, box_of(sums, k), node);
      volume += node.secondary_volume;
      moment += node.secondary_volume * node.center;
      for (std::size_t ball = 0; ball < kNodeBalls; ++ball)
        CHECK((node.center - center).norm() + radius_of(node, ball) -
                  tree.unit * block.radius[ball][k] <=
              0);
    }
    const double cube = std::numbers::pi / 12 * tree.unit * tree.unit * tree.unit;
    CHECK(cube * sums.volume[1][k] == test::approx(volume).epsilon(1e-7));
    const Vec3 centroid = tree.unit * Vec3(block.origin[0] + sums.center[1][0][k],
                                           block.origin[1] + sums.center[1][1][k],
                                           block.origin[2] + sums.center[1][2][k]);
    CHECK((centroid - moment / volume).norm() <= 2e-7 * tree.unit);
  }
}

/// Whether a block has an axis; then all cones below are within the narrow one about it.
bool check_axis(const SphereHierarchy& hierarchy, const SphereBlocks& tree, std::uint32_t number) {
  const auto& [x, y, z] = tree.axes[number].axis;
  const Vec3 axis(x, y, z);
  if (axis.isZero(0)) return false;
  for (const std::uint32_t leaf : leaves_below(tree, number)) {
    const NormalCone& cone = hierarchy.nodes[leaf].cone;
    CHECK(std::acos(std::min(1.0, axis.dot(cone.axis))) + cone.angle <= kNarrowCone + 1e-3);
  }
  return true;
}

TEST_CASE("each sphere is in one block, and blocks enclose what is below them") {
  Random random(1);
  int axes = 0;
  for (int i = 0; i < 60; ++i) {
    const SphereHierarchy hierarchy = test::random_hierarchy(random, 600);
    const SphereBlocks tree = make_sphere_blocks(hierarchy);
    const std::vector<std::uint32_t> leaves = leaves_below(tree, 0);
    CHECK(std::set(leaves.begin(), leaves.end()).size() == leaves.size());
    CHECK(leaves.size() == test::placed_leaves(hierarchy).size());
    check_block(hierarchy, tree, tree.top, tree.below_top);
    CHECK(tree.axes.size() == tree.blocks.size());
    for (std::size_t k = 0; k < tree.blocks.size(); ++k) {
      const SphereBlock& block = tree.blocks[k];
      CHECK(block.has_spheres == (k >= tree.below.size()));
      bool is_low = true;
      for (std::size_t child = 0; !block.has_spheres && child < block.count; ++child)
        is_low = is_low && tree.blocks[block.child[child]].has_spheres;
      CHECK(block.is_low == is_low);
      axes += check_axis(hierarchy, tree, static_cast<std::uint32_t>(k)) ? 1 : 0;
      if (!block.has_spheres) check_block(hierarchy, tree, block, tree.below[k]);
      const Vec3 origin = tree.unit * Vec3(block.origin[0], block.origin[1], block.origin[2]);
      for (const std::uint32_t leaf : leaves_below(tree, static_cast<std::uint32_t>(k))) {
        check_box(tree, block, block.box, hierarchy.nodes[leaf]);
        for (std::size_t ball = 0; ball < kNodeBalls; ++ball) {
          const SphereNode& node = hierarchy.nodes[leaf];
          CHECK((node.center - origin).norm() + radius_of(node, ball) <=
                tree.unit * block.reach[ball] * (1 + 1e-15));
        }
      }
    }
  }
  CHECK(axes > 0);
}

TEST_CASE("a block has an axis where all cones below are near it") {
  for (const double turn : {0.0, 0.5, 1.0}) {
    std::vector<SphereNode> leaves;
    for (int i = 0; i < 16; ++i) {
      leaves.push_back(test::leaf(Vec3(i, 0, 0), 0.5, 0.5, 0.5));
      const double angle = i % 2 == 0 ? turn : -turn;
      leaves.back().cone = {.axis = Vec3(std::sin(angle), 0, std::cos(angle)), .angle = 0.25};
    }
    const SphereBlocks tree = make_sphere_blocks(test::median_hierarchy(leaves));
    const auto& [x, y, z] = tree.axes[0].axis;
    CHECK((Vec3(x, y, z) - (turn < 0.55 ? Vec3(0, 0, 1) : Vec3(0, 0, 0))).norm() <= 1e-6);
  }
}

// A branch ends with one block that may have room; with 16 branches to a node that is one in 15.
TEST_CASE("blocks of spheres are full but for few") {
  std::vector<SphereNode> leaves;
  Random random(2);
  for (int i = 0; i < 20'000; ++i)
    leaves.push_back(test::leaf(test::random_vector(random), 0.01 * random.unit(), 0.01, 0.02));
  const SphereBlocks tree = make_sphere_blocks(test::median_hierarchy(leaves));
  const std::size_t blocks = tree.blocks.size() - tree.below.size();
  CHECK(blocks * kWidth <= 20'000 * 16 / 15);
}

TEST_CASE("the blocks are the same for any number of threads") {
  Random random(3);
  const SphereHierarchy hierarchy = test::random_hierarchy(random, 3000);
  SphereBlocks one, four;
  with_threads(1, [&] { one = make_sphere_blocks(hierarchy); });
  with_threads(4, [&] { four = make_sphere_blocks(hierarchy); });
  REQUIRE(one.blocks.size() == four.blocks.size());
  for (std::size_t i = 0; i < one.blocks.size(); ++i) {
    CHECK(std::memcmp(one.blocks[i].center, four.blocks[i].center, sizeof one.blocks[i].center) ==
          0);
    CHECK(std::equal(one.blocks[i].child, one.blocks[i].child + kWidth, four.blocks[i].child));
  }
}

TEST_CASE("spheres of any size and place make blocks in a unit of about their size") {
  for (const double scale : {1e-90, 1e-3, 1.0, 1e90}) {
    std::vector<SphereNode> leaves;
    for (int k = 0; k < 40; ++k)
      leaves.push_back(test::leaf(scale * Vec3(1e3 + k, 2, 3), scale * 0.4, scale * 0.4, scale));
    const SphereBlocks tree = make_sphere_blocks(test::median_hierarchy(leaves));
    CHECK(tree.unit >= 20 * scale);
    CHECK(tree.unit <= 100 * scale);
    for (const SphereBlock& block : tree.blocks) {
      CHECK(block.reach[2] > 0.01F);
      CHECK(block.reach[2] <= 1.1F);
    }
  }
}

}  // namespace
}  // namespace plimsoll
