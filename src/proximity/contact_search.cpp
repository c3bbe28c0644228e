#include <plimsoll/contacts.h>
#include <plimsoll/shape.h>

#include <algorithm>
#include <vector>

#include "proximity/posed_leaves.h"
#include "tree/self_pairs.h"
#include "tree/tree_pairs.h"
#include "tree/triangle_pair.h"

namespace plimsoll {
namespace {

constexpr std::size_t kOfLeaf = TriangleTree::kLeafTriangles;
constexpr double kLargest = 1e300;  // the predicates do without any coordinate that overflowed

Result<void> check_posed(const PosedTree& posed, const char* name) {
  if (Result<void> usable = check_pose(posed.world_from_mesh); !usable)
    return Error{ErrorCode::kInvalidArgument, usable.error().message, name};
  if (posed.tree->triangles == 0 || largest_coordinate(posed) <= kLargest) return {};
  return Error{ErrorCode::kInvalidArgument,
               "found a pose that may take a vertex beyond 1e300, expected smaller coordinates",
               name};
}

/// Of triangles in two places of a tree.
bool name_a_common_vertex(const TriangleTree& tree, std::size_t i, std::size_t k) {
  for (const auto& p : tree.leaves[i / kOfLeaf].corner)
    for (const auto& q : tree.leaves[k / kOfLeaf].corner)
      if (p[i % kOfLeaf] == q[k % kOfLeaf]) return true;
  return false;
}

}  // namespace

struct ContactSearch::State {
  PairWalk walk;
  PosedLeaves a_leaves, b_leaves;
  std::vector<ContactPair> found;

  /// Fills `found`, in no order; with at most one pair if `stops_at_first`.
  void find(const PosedTree& a, const PosedTree& b, bool stops_at_first) {
    found.clear();
    walk.start(a, b);
    a_leaves.start(a);
    b_leaves.start(b);
    for (auto some = walk.next(); !some.empty(); some = walk.next())
      for (const LeafPair& leaves : some) {
        compare(a, b, leaves);
        if (stops_at_first && !found.empty()) return;
      }
  }

  /// Fills `found` with pairs of one body, in no order.
  void find_within(const PosedTree& body) {
    found.clear();
    const TriangleTree& tree = *body.tree;
    if (tree.triangles < 2) return;
    a_leaves.start(body);
    const SelfPairs boxes(tree, BoxMap(body, body).room());
    boxes.visit_slots(
        {0, 0, 0}, [] { return false; },
        [&](std::uint32_t i, std::uint32_t k) {
          if (name_a_common_vertex(tree, i, k)) return;
          const std::array<Vec3, 3> t = a_leaves[i / kOfLeaf].corners(i % kOfLeaf);
          const std::array<Vec3, 3> u = a_leaves[k / kOfLeaf].corners(k % kOfLeaf);
          if (meeting_of(t, u) == Meeting::kApart) return;
          const auto [a, b] = std::minmax(tree.numbers[i], tree.numbers[k]);
          found.push_back({a, b});
        });
  }

  void compare(const PosedTree& a, const PosedTree& b, const LeafPair& leaves) {
    const PosedLeaf &in_a = a_leaves[leaves.a], &in_b = b_leaves[leaves.b];
    for (std::size_t i = 0; i < kOfLeaf; ++i) {
      unsigned bits = in_b.meeting(in_a, i);
      for (std::size_t k = 0; bits != 0; ++k, bits >>= 1)
        if ((bits & 1U) != 0 && meeting_of(in_a.corners(i), in_b.corners(k)) != Meeting::kApart)
          found.push_back(
              {a.tree->numbers[kOfLeaf * leaves.a + i], b.tree->numbers[kOfLeaf * leaves.b + k]});
    }
  }
};

ContactSearch::ContactSearch() : state_(std::make_unique<State>()) {}
ContactSearch::ContactSearch(ContactSearch&&) noexcept = default;
ContactSearch& ContactSearch::operator=(ContactSearch&&) noexcept = default;
ContactSearch::~ContactSearch() = default;

Result<std::span<const ContactPair>> ContactSearch::pairs(const MeshTree& a,
                                                          const Similarity& world_from_a,
                                                          const MeshTree& b,
                                                          const Similarity& world_from_b) {
  const PosedTree posed_a{&triangles_of(a), world_from_a}, posed_b{&triangles_of(b), world_from_b};
  if (Result<void> usable = check_posed(posed_a, "world_from_a"); !usable) return usable.error();
  if (Result<void> usable = check_posed(posed_b, "world_from_b"); !usable) return usable.error();
  state_->find(posed_a, posed_b, false);
  std::sort(state_->found.begin(), state_->found.end());
  return std::span<const ContactPair>(state_->found);
}

Result<std::optional<ContactPair>> ContactSearch::touch(const MeshTree& a,
                                                        const Similarity& world_from_a,
                                                        const MeshTree& b,
                                                        const Similarity& world_from_b) {
  const PosedTree posed_a{&triangles_of(a), world_from_a}, posed_b{&triangles_of(b), world_from_b};
  if (Result<void> usable = check_posed(posed_a, "world_from_a"); !usable) return usable.error();
  if (Result<void> usable = check_posed(posed_b, "world_from_b"); !usable) return usable.error();
  state_->find(posed_a, posed_b, true);
  std::optional<ContactPair> first;
  if (!state_->found.empty()) first = state_->found.front();
  return first;
}

Result<std::span<const ContactPair>> ContactSearch::self_pairs(const MeshTree& mesh,
                                                               const Similarity& world_from_mesh) {
  const PosedTree posed{&triangles_of(mesh), world_from_mesh};
  if (Result<void> usable = check_posed(posed, "world_from_mesh"); !usable) return usable.error();
  state_->find_within(posed);
  std::sort(state_->found.begin(), state_->found.end());
  return std::span<const ContactPair>(state_->found);
}

}  // namespace plimsoll
