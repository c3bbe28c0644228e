#include "pairs/body_hulls.h"

#include <algorithm>
#include <array>

#include "pairs/part_hulls.h"

namespace plimsoll {
namespace {

/// The reach holds all that rounding may move.
CornerHull hull_of(const TriangleTree& tree) {
  const PosedTree here{&tree, Similarity::Identity()};
  CornerHull hull = PartHulls(here, Vec3::Zero(), 0).at(0, 0);
  hull.reach = std::max(hull.reach, largest_coordinate(here));
  return hull;
}

}  // namespace

void BodyHulls::forget(std::uint32_t body) {
  if (body < of_body_.size()) of_body_[body].own.reset();
}

void BodyHulls::pose(std::uint32_t body, const PosedTree& posed) {
  if (body >= of_body_.size()) of_body_.resize(body + std::size_t{1});
  OfBody& hulls = of_body_[body];
  if (!hulls.own) hulls.own = hull_of(*posed.tree);
  hulls.posed = hulls.own->posed(posed.world_from_mesh);
}

// A leaf has at most eight items; the children of n are 2 n + 1 and 2 n + 2.
void BodyHulls::take(const BoxTree& tree, std::span<const std::uint32_t> bodies) {
  of_node_.resize(tree.node_count());
  for (std::size_t node = tree.node_count(); node-- > 0;) {
    std::array<CornerHull, 8> below;
    std::size_t count = 0;
    if (tree.is_leaf(node))
      for (std::size_t slot = tree.first_slot(node); slot < tree.first_slot(node + 1); ++slot)
        below[count++] = of_body_[bodies[tree.item(slot)]].posed;
    else
      for (const std::size_t child : {2 * node + 1, 2 * node + 2}) below[count++] = of_node_[child];
    of_node_[node] = CornerHull::around(std::span<const CornerHull>(below.data(), count));
  }
}

}  // namespace plimsoll
