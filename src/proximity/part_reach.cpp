#include "proximity/part_reach.h"

#include <algorithm>
#include <limits>

#include "core/no_index.h"

namespace plimsoll {
namespace {

constexpr std::size_t kChildren = TriangleTree::kChildren;
constexpr std::uint32_t kHubValence = 32;  // triangles; usual vertices have 6
constexpr double kInfinite = std::numeric_limits<double>::infinity();

}  // namespace

void PartReach::prepare(const TriangleTree& tree) {
  constexpr std::size_t kOfLeaf = TriangleTree::kLeafTriangles;
  valence_.assign(tree.vertices.size(), 0);
  for (std::size_t i = 0; i < tree.triangles; ++i)
    for (const auto& corner : tree.leaves[i / kOfLeaf].corner) ++valence_[corner[i % kOfLeaf]];
  first_.clear();
  std::size_t count = 0;
  for (std::size_t level = 1; level <= tree.levels(); ++level) {
    first_.push_back(count);
    count += tree.width(level);
  }
  constexpr Triple<double> kLow{kInfinite, kInfinite, kInfinite};
  constexpr PosedCorner kNone{kNoIndex, {}};
  parts_.assign(count, {kLow, {-kInfinite, -kInfinite, -kInfinite}, {kNone, kNone}});
}

void PartReach::Part::add(const Triple<double>& at) {
  for (std::size_t k = 0; k < 3; ++k) {
    low[k] = std::min(low[k], at[k]);
    high[k] = std::max(high[k], at[k]);
  }
}

/// Makes the corner one of the hubs, or adds it to the box; likewise a hub that is none any more.
void PartReach::take_hub(Part& part, const PosedCorner& corner) const {
  if (corner.vertex == kNoIndex) return;
  if (valence_[corner.vertex] < kHubValence) return part.add(corner.at);
  PosedCorner taken = corner;
  for (PosedCorner& hub : part.hub) {
    if (hub.vertex == taken.vertex) return;
    if (hub.vertex == kNoIndex || valence_[taken.vertex] > valence_[hub.vertex])
      std::swap(hub, taken);
    if (taken.vertex == kNoIndex) return;
  }
  part.add(taken.at);
}

void PartReach::set_leaf(std::uint32_t leaf, std::span<const PosedCorner> corners) {
  for (const PosedCorner& corner : corners) take_hub(parts_[first_.back() + leaf], corner);
}

// From the leaves up.
void PartReach::join_nodes(const TriangleTree& tree) {
  for (std::size_t level = tree.levels(); level-- > 1;)
    for (std::size_t child = 0; child < tree.width(level + 1); ++child) {
      Part& part = parts_[first_[level - 1] + child / kChildren];
      const Part& below = parts_[first_[level] + child];
      if (below.low[0] <= below.high[0]) {
        part.add(below.low);
        part.add(below.high);
      }
      for (const PosedCorner& hub : below.hub) take_hub(part, hub);
    }
}

// Differences, products and sums are monotonic, rounding included: what is computed of the corner
// of the box that is farthest along n is not below what is computed of any point of it.
bool PartReach::goes_beyond(std::size_t level, std::size_t i, const Triple<double>& n,
                            const Triple<double>& origin, double along) const {
  const Part& part = parts_[first_[level - 1] + i];
  for (const PosedCorner& hub : part.hub)
    if (hub.vertex != kNoIndex && dot(n, hub.at - origin) > along) return true;
  if (!(part.low[0] <= part.high[0])) return false;
  Triple<double> corner;
  for (std::size_t k = 0; k < 3; ++k) corner[k] = n[k] < 0 ? part.low[k] : part.high[k];
  return dot(n, corner - origin) > along;
}

}  // namespace plimsoll
