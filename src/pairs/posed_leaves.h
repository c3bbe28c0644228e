// Leaves of a tree where a pose takes them, each posed once, and which of their triangles may
// touch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/no_index.h"
#include "pairs/tree_pairs.h"

namespace plimsoll {

/// The triangles a, b, c of a leaf in the world, side by side, rounded as posed() does.
struct PosedLeaf {
  static constexpr std::size_t kTriangles = TriangleTree::kLeafTriangles;

  PosedLeaf() {}  // sets nothing, which takes a tenth of the time of posing

  alignas(32) double corner[3][3][kTriangles];  ///< Coordinate i of corner k at [k][i].
  /// Their boxes, of which not a bit is rounded; those of triangles that are not there are empty.
  double low[3][kTriangles], high[3][kTriangles];
  double normal[3][kTriangles];  ///< (b - a) x (c - a), rounded.
  /// Of all triangles: the longest side of the box around them, and the most that the two products
  /// in a coordinate of a normal add up to.
  double longest_side, largest_products;

  [[nodiscard]] std::array<Vec3, 3> corners(std::size_t t) const {
    std::array<Vec3, 3> p;
    for (std::size_t k = 0; k < 3; ++k) p[k] = {corner[k][0][t], corner[k][1][t], corner[k][2][t]};
    return p;
  }
};

/// The boxes of a leaf's triangles less an origin, rounded to the nearest floats. Both steps keep
/// the order of numbers, or make them equal: where two boxes meet, so do the rounded ones.
struct RoundedBoxes {
  RoundedBoxes() {}  // as PosedLeaf

  alignas(32) float low[3][PosedLeaf::kTriangles], high[3][PosedLeaf::kTriangles];
};

/// Keeps its memory from tree to tree.
class PosedLeaves {
 public:
  /// Keeps a reference. With an origin, there are rounded boxes too.
  void start(const PosedTree& posed, const std::optional<Vec3>& origin = {});

  /// Begins anew with the same tree.
  void forget();
  /// How many are posed.
  [[nodiscard]] std::size_t size() const { return number_.size(); }

  /// Poses those of the leaves that were not posed yet. The leaves move in memory.
  void pose(std::span<const std::uint32_t> leaves);

  /// Poses it, if it was not posed yet. The reference is good until another one is.
  [[nodiscard]] const PosedLeaf& posed(std::uint32_t leaf) {
    if (place_[leaf] == kNoIndex) pose({&leaf, 1});
    return (*this)[leaf];
  }

  /// Precondition: it was posed.
  [[nodiscard]] const PosedLeaf& operator[](std::uint32_t leaf) const {
    return leaves_[place_[leaf]];
  }
  /// Precondition: it was posed, with an origin.
  [[nodiscard]] const RoundedBoxes& boxes(std::uint32_t leaf) const { return boxes_[place_[leaf]]; }

 private:
  PosedTree posed_;
  std::optional<Vec3> origin_;
  std::vector<std::uint32_t> place_;   // of each leaf of the tree among leaves_, or kNoIndex
  std::vector<std::uint32_t> number_;  // of each of leaves_
  std::vector<PosedLeaf> leaves_;
  std::vector<RoundedBoxes> boxes_;  // if there is an origin, of each of leaves_
};

/// Sets `posed`, one for each of `leaves`. posed_leaves_kernel.cpp.
void pose_leaves(const PosedTree& tree, std::span<const std::uint32_t> leaves, PosedLeaf* posed);
/// Sets `boxes`, one for each of `leaves`. posed_leaves_kernel.cpp.
void round_boxes(std::span<const PosedLeaf> leaves, const Vec3& origin, RoundedBoxes* boxes);

/// Triangles t of leaf a and u of leaf b whose boxes meet and whose planes do not tell them apart.
struct ClosePair {
  std::uint32_t leaf_pair;  ///< Its number in the span.
  std::uint8_t t, u;
  /// Bit i: corner i of t is in front of u, of u in front of t.
  std::uint8_t t_above, u_above;
  bool is_certain;  ///< Of all six corners the side is known, and none lies on the plane.
};

struct PosedLeafPair {
  const PosedLeaf *a, *b;
  const RoundedBoxes *a_boxes, *b_boxes;  ///< Less the same origin.
  unsigned left_out = 0;                  ///< Bit 4 t + u: those two are not looked at.
};

/// Of pairs of leaves a <= b of one tree, leaves out triangles that have a vertex in common, and of
/// one leaf all but t < u. posed_leaves_kernel.cpp.
void leave_out_neighbors(const TriangleTree& tree, std::span<const LeafPair> pairs,
                         std::span<PosedLeafPair> leaves);

/// Appends the close pairs of the leaves, in order. Returns of how many triangles the rounded boxes
/// meet. posed_leaves_kernel.cpp.
std::size_t find_close_pairs(std::span<const PosedLeafPair> leaves, std::vector<ClosePair>& close);

}  // namespace plimsoll
