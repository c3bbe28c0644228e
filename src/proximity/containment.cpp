// Surfaces that have no point in common: each part of one is wholly inside or outside of the other,
// and one of its corners tells.
#include <plimsoll/distance.h>

#include <numeric>
#include <vector>

#include "mesh/posed_vertex.h"
#include "pairs/pair_finder.h"
#include "proximity/winding_number.h"
#include "tree/triangle_tree.h"

namespace plimsoll {
namespace {

/// A vertex of each part, which shares no vertex with another.
std::vector<std::uint32_t> vertices_of_parts(const TriangleTree& tree) {
  std::vector<std::uint32_t> parent(tree.vertices.size());
  std::iota(parent.begin(), parent.end(), 0U);
  const auto root = [&](std::uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  std::vector<char> is_named(parent.size(), 0);
  for (std::size_t leaf = 0; leaf < tree.leaf_count(); ++leaf)
    for (std::size_t t = 0; t < tree.size_of(leaf); ++t)
      for (const auto& corner : tree.leaves[leaf].corner) {
        is_named[corner[t]] = 1;
        parent[root(corner[t])] = root(tree.leaves[leaf].corner[0][t]);
      }
  std::vector<std::uint32_t> vertices;
  for (std::uint32_t v = 0; v < parent.size(); ++v)
    if (is_named[v] != 0 && root(v) == v) vertices.push_back(v);
  return vertices;
}

struct Inside {
  std::size_t parts = 0, inside = 0;

  [[nodiscard]] bool all() const { return parts > 0 && inside == parts; }
};

Inside parts_inside(const PosedTree& body, const PosedTree& other) {
  Inside count;
  for (const std::uint32_t v : vertices_of_parts(*body.tree)) {
    const TriangleTree& tree = *body.tree;
    const Vec3 at = tree.frame.to_meters(Eigen::Map<const Vec3>(tree.vertices[v].x));
    ++count.parts;
    if (winding_number(other, posed_vertex(at, body.world_from_mesh)) != 0) ++count.inside;
  }
  return count;
}

}  // namespace

Result<Containment> containment(const DistanceTree& a, const Similarity& world_from_a,
                                const DistanceTree& b, const Similarity& world_from_b) {
  const PosedTree of_a{a.tree_.get(), world_from_a}, of_b{b.tree_.get(), world_from_b};
  if (const Result<void> usable = check_posed(of_a, "world_from_a"); !usable) return usable.error();
  if (const Result<void> usable = check_posed(of_b, "world_from_b"); !usable) return usable.error();
  const Inside a_in_b = parts_inside(of_a, of_b);
  if (a_in_b.all()) return Containment::kAInB;
  const Inside b_in_a = parts_inside(of_b, of_a);
  if (b_in_a.all()) return Containment::kBInA;
  return a_in_b.inside + b_in_a.inside > 0 ? Containment::kPartly : Containment::kNone;
}

}  // namespace plimsoll
