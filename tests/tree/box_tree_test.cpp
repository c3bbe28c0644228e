#include "tree/box_tree.h"

#include <doctest/doctest.h>
#include <plimsoll/parallel.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/random.h"

namespace plimsoll {
namespace {

using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

Box3 random_box(Random& random, double spread) {
  const Vec3 low(random.uniform(0, spread), random.uniform(0, spread), random.uniform(0, spread));
  return {low, low + Vec3(random.unit(), random.unit(), random.unit())};
}

std::vector<Box3> random_boxes(std::size_t count, double spread, std::uint64_t seed) {
  Random random(seed);
  std::vector<Box3> boxes(count);
  for (Box3& box : boxes) box = random_box(random, spread);
  return boxes;
}

Pairs pairs_in(const BoxTree& tree) {
  Pairs pairs;
  const auto never = [](std::size_t, std::size_t) { return false; };
  for (const NodePair piece : split_pairs(tree, never))
    visit_pairs_below(tree, piece, never, [&](std::size_t i, std::size_t j) {
      const std::uint32_t a = tree.item(i), b = tree.item(j);
      const bool is_new = pairs.emplace(std::min(a, b), std::max(a, b)).second;
      CHECK(is_new);  // each pair once
    });
  return pairs;
}

Pairs pairs_of_all(const std::vector<Box3>& boxes) {
  Pairs pairs;
  for (std::uint32_t i = 0; i < boxes.size(); ++i)
    for (std::uint32_t j = i + 1; j < boxes.size(); ++j)
      if (boxes_meet(boxes[i], boxes[j])) pairs.emplace(i, j);
  return pairs;
}

TEST_CASE("boxes that share a corner meet, and those a step apart do not") {
  const Box3 unit(Vec3(0, 0, 0), Vec3(1, 1, 1));
  CHECK(boxes_meet(unit, Box3(Vec3(1, 1, 1), Vec3(2, 2, 2))));
  for (int k = 0; k < 3; ++k) {
    Vec3 shift = Vec3::Zero();
    shift[k] = 1 + 0x1p-52;
    CHECK_FALSE(boxes_meet(unit, unit.translated(shift)));
    CHECK_FALSE(boxes_meet(unit.translated(shift), unit));
  }
}

TEST_CASE("every item stands in one leaf, inside the boxes of all nodes above it") {
  for (const std::size_t count : {1u, 2u, 8u, 9u, 17u, 100u, 1000u}) {
    const std::vector<Box3> boxes = random_boxes(count, 20, count);
    const BoxTree tree(boxes);
    REQUIRE(tree.size() == count);
    std::vector<int> seen(count, 0);
    for (std::size_t node = 0; node < tree.node_count(); ++node) {
      if (node > 0) CHECK(tree.box((node - 1) / 2).contains(tree.box(node)));
      if (!tree.is_leaf(node)) continue;
      CHECK(tree.first_slot(node + 1) - tree.first_slot(node) <= 8);
      for (std::size_t slot = tree.first_slot(node); slot < tree.first_slot(node + 1); ++slot) {
        ++seen[tree.item(slot)];
        CHECK(tree.item_box(slot).isApprox(boxes[tree.item(slot)], 0));
        CHECK(tree.box(node).contains(tree.item_box(slot)));
      }
    }
    CHECK(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }));
  }
}

TEST_CASE("an empty tree has nothing to visit") {
  const BoxTree tree{std::span<const Box3>()};
  visit_items(tree, [](const Box3&) { return true; }, [](std::uint32_t) { CHECK(false); });
  CHECK(pairs_in(tree).empty());
}

TEST_CASE("a query visits just the items whose boxes it meets") {
  const std::vector<Box3> boxes = random_boxes(500, 6, 1);
  const BoxTree tree(boxes);
  Random random(2);
  for (int i = 0; i < 100; ++i) {
    const Box3 query = random_box(random, 6);
    std::vector<std::uint32_t> found, expected;
    visit_items(
        tree, [&](const Box3& box) { return boxes_meet(box, query); },
        [&](std::uint32_t item) { found.push_back(item); });
    for (std::uint32_t item = 0; item < boxes.size(); ++item)
      if (boxes_meet(boxes[item], query)) expected.push_back(item);
    std::sort(found.begin(), found.end());
    CHECK(found == expected);
  }
}

TEST_CASE("all pairs of boxes that meet are visited, each once") {
  for (const double spread : {0.0, 2.0, 10.0, 40.0}) {
    const std::vector<Box3> boxes = random_boxes(400, spread, 3);
    CHECK(pairs_in(BoxTree(boxes)) == pairs_of_all(boxes));
  }
  const std::vector<Box3> same(50, Box3(Vec3(1, 1, 1), Vec3(1, 1, 1)));
  CHECK(pairs_in(BoxTree(same)).size() == 50 * 49 / 2);
}

TEST_CASE("boxes as large and as small as doubles go are told apart") {
  std::vector<Box3> boxes;
  for (const double size : {1e308, 1.0, 0x1p-1070})
    for (int i = -8; i < 8; ++i)
      boxes.emplace_back(Vec3(i * size / 16, 0, 0), Vec3((i + 0.5) * size / 16, 0, 0));
  CHECK(pairs_in(BoxTree(boxes)) == pairs_of_all(boxes));
}

TEST_CASE("pairs below nodes that are told to be skipped are not visited") {
  const std::vector<Box3> boxes = random_boxes(100, 1, 4);
  const BoxTree tree(boxes);
  const auto always = [](std::size_t, std::size_t) { return true; };
  CHECK(split_pairs(tree, always).empty());
  visit_pairs_below(tree, {0, 0}, always, [](std::size_t, std::size_t) { CHECK(false); });
}

TEST_CASE("the tree is the same for any number of threads") {
  const std::vector<Box3> boxes = random_boxes(5000, 10, 5);
  std::vector<std::vector<std::uint32_t>> orders;
  for (const int threads : {1, 2, 8})
    with_threads(threads, [&] {
      const BoxTree tree(boxes);
      orders.emplace_back();
      for (std::size_t slot = 0; slot < tree.size(); ++slot)
        orders.back().push_back(tree.item(slot));
    });
  CHECK(orders[0] == orders[1]);
  CHECK(orders[0] == orders[2]);
}

}  // namespace
}  // namespace plimsoll
