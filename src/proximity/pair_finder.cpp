#include "proximity/pair_finder.h"

#include <plimsoll/shape.h>

#include <algorithm>

#include "tree/self_pairs.h"
#include "tree/triangle_pair.h"

namespace plimsoll {
namespace {

constexpr std::size_t kOfLeaf = TriangleTree::kLeafTriangles;
constexpr double kLargest = 1e300;  // the predicates take any finite numbers, and no others

/// Of triangles in two places of a tree.
bool name_a_common_vertex(const TriangleTree& tree, std::size_t i, std::size_t k) {
  for (const auto& p : tree.leaves[i / kOfLeaf].corner)
    for (const auto& q : tree.leaves[k / kOfLeaf].corner)
      if (p[i % kOfLeaf] == q[k % kOfLeaf]) return true;
  return false;
}

}  // namespace

Result<void> check_posed(const PosedTree& posed, const char* name) {
  if (Result<void> usable = check_pose(posed.world_from_mesh); !usable)
    return Error{ErrorCode::kInvalidArgument, usable.error().message, name};
  if (posed.tree->triangles == 0 || largest_coordinate(posed) <= kLargest) return {};
  return Error{ErrorCode::kInvalidArgument,
               "found a pose that may take a vertex beyond 1e300, expected smaller coordinates",
               name};
}

void PairFinder::find(const PosedTree& a, const PosedTree& b, bool stops_at_first,
                      std::vector<ContactPair>& found) {
  const std::size_t before = found.size();
  walk_.start(a, b);
  a_leaves_.start(a);
  b_leaves_.start(b);
  for (auto some = walk_.next(); !some.empty(); some = walk_.next())
    for (const LeafPair& leaves : some) {
      compare(a, b, leaves, found);
      if (stops_at_first && found.size() > before) return found.resize(before + 1);
    }
}

void PairFinder::compare(const PosedTree& a, const PosedTree& b, const LeafPair& leaves,
                         std::vector<ContactPair>& found) {
  const PosedLeaf &in_a = a_leaves_[leaves.a], &in_b = b_leaves_[leaves.b];
  for (std::size_t i = 0; i < kOfLeaf; ++i) {
    unsigned bits = in_b.meeting(in_a, i);
    for (std::size_t k = 0; bits != 0; ++k, bits >>= 1)
      if ((bits & 1U) != 0 && meeting_of(in_a.corners(i), in_b.corners(k)) != Meeting::kApart)
        found.push_back(
            {a.tree->numbers[kOfLeaf * leaves.a + i], b.tree->numbers[kOfLeaf * leaves.b + k]});
  }
}

void PairFinder::find_within(const PosedTree& body, std::vector<ContactPair>& found) {
  const TriangleTree& tree = *body.tree;
  if (tree.triangles < 2) return;
  a_leaves_.start(body);
  const SelfPairs boxes(tree, BoxMap(FrameMap(body, body)).room);
  boxes.visit_slots(
      {0, 0, 0}, [] { return false; },
      [&](std::uint32_t i, std::uint32_t k) {
        if (name_a_common_vertex(tree, i, k)) return;
        const std::array<Vec3, 3> t = a_leaves_[i / kOfLeaf].corners(i % kOfLeaf);
        const std::array<Vec3, 3> u = a_leaves_[k / kOfLeaf].corners(k % kOfLeaf);
        if (meeting_of(t, u) == Meeting::kApart) return;
        const auto [a, b] = std::minmax(tree.numbers[i], tree.numbers[k]);
        found.push_back({a, b});
      });
}

}  // namespace plimsoll
