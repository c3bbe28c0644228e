#include "proximity/hull_search.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

namespace plimsoll {
namespace {

constexpr std::uint32_t kChildren = TriangleTree::kChildren;
constexpr std::uint32_t kLeafTriangles = TriangleTree::kLeafTriangles;

/// A 64th of a power of two: among pairs as near but for that, the last that was found comes first,
/// so that leaves are reached where very many are.
std::uint64_t step_of(double gap) { return std::bit_cast<std::uint64_t>(gap) >> 46; }

bool comes_later(const HullSearch::Waiting& p, const HullSearch::Waiting& q) {
  return std::pair(step_of(p.hulls.gap), q.number) > std::pair(step_of(q.hulls.gap), p.number);
}

}  // namespace

HullSearch::HullSearch(const PosedBodies& bodies, Memory& memory, NearestTriangles& triangles,
                       SearchWork& work)
    : tree_{bodies.tree[0].tree, bodies.tree[1].tree},
      memory_(memory),
      triangles_(triangles),
      work_(work) {
  memory_.nearest_first.clear();
  memory_.last_first.clear();
}

bool HullSearch::run(std::size_t max_gaps) {
  const std::size_t before = work_.counts.hulls;
  offer({}, {}, {0, 0, 0});
  Waiting pair;
  while (take(pair)) {
    if (work_.is_exhausted() || work_.counts.hulls - before > max_gaps) return false;
    if (triangles_.leaves_out(pair.hulls.gap)) continue;
    const bool is_small[2] = {pair.part[0].level >= tree_[0]->levels(),
                              pair.part[1].level >= tree_[1]->levels()};
    const auto leaf = [&](int side) {
      const Part& part = pair.part[side];
      return part.level > tree_[side]->levels() ? part.number / kLeafTriangles : part.number;
    };
    const bool are_leaves = is_small[0] && is_small[1];
    // Two triangles that are nearer than those before, or two leaves.
    const bool is_nearer = pair.hulls.is_on_triangle[0] && pair.hulls.is_on_triangle[1] &&
                           pair.hulls.apart < triangles_.distance() * (1 - 0x1p-40);
    if (are_leaves || is_nearer) {
      ++work_.counts.measured;
      if (are_leaves)
        triangles_.measure(leaf(0), leaf(1), pair.hulls.normal);
      else
        triangles_.measure(pair.hulls.leaf[0], pair.hulls.leaf[1], pair.hulls.normal);
      if (triangles_.meeting() == SurfaceMeeting::kCrosses) return true;
    }
    if (!are_leaves) open(pair);
  }
  return true;
}

bool HullSearch::take(Waiting& taken) {
  if (!memory_.last_first.empty()) {
    taken = memory_.last_first.back();
    memory_.last_first.pop_back();
    return true;
  }
  std::vector<Waiting>& waiting = memory_.nearest_first;
  if (waiting.empty()) return false;
  std::pop_heap(waiting.begin(), waiting.end(), comes_later);
  taken = waiting.back();
  waiting.pop_back();
  return true;
}

void HullSearch::offer(const Part& a, const Part& b, const Triple<double>& n) {
  ++work_.counts.hulls;
  const HullGap hulls = memory_.gaps.find(a, b, n, triangles_.enough());
  if (triangles_.leaves_out(hulls.gap)) return;
  const Waiting pair{{a, b}, hulls, number_++};
  if (memory_.nearest_first.size() >= kMaxOrdered) {
    memory_.last_first.push_back(pair);
    return;
  }
  memory_.nearest_first.push_back(pair);
  std::push_heap(memory_.nearest_first.begin(), memory_.nearest_first.end(), comes_later);
}

int HullSearch::side_to_open(const Waiting& pair) const {
  const auto is_triangle = [&](int side) { return pair.part[side].level > tree_[side]->levels(); };
  const auto is_leaf = [&](int side) { return pair.part[side].level == tree_[side]->levels(); };
  if (is_triangle(0) || is_triangle(1)) return is_triangle(0) ? 1 : 0;
  const auto& [on_a, on_b] = pair.hulls.is_on_triangle;
  if (on_a != on_b) return on_a ? 1 : 0;
  if (is_leaf(0) || is_leaf(1)) return is_leaf(0) ? 1 : 0;
  return memory_.gaps.size_of(1, pair.part[1]) > memory_.gaps.size_of(0, pair.part[0]) ? 1 : 0;
}

void HullSearch::open(const Waiting& pair) {
  const int side = side_to_open(pair);
  const Part& part = pair.part[side];
  const TriangleTree& tree = *tree_[side];
  const bool is_leaf = part.level == tree.levels();
  const std::uint32_t first = part.number * (is_leaf ? kLeafTriangles : kChildren);
  const std::size_t count =
      is_leaf ? tree.size_of(part.number)
              : std::min<std::size_t>(kChildren, tree.width(part.level + 1) - first);
  for (std::uint32_t k = 0; k < count; ++k) {
    const Part child{part.level + 1, first + k};
    if (side == 0)
      offer(child, pair.part[1], pair.hulls.normal);
    else
      offer(pair.part[0], child, pair.hulls.normal);
  }
}

}  // namespace plimsoll
