// Pairs of parts of two posed trees, a node or a leaf of each, and how far apart they are at least.
//
// Boxes of both are taken to the world, relative to the center of a's: each node's once, when it is
// first asked about. A part is a child of a node, and its box stands in that node's rows. Room is
// for what posing rounds: posed() moves each coordinate of a vertex by less than 4 x 2^-53 of the
// largest [Higham2002, sec. 3.1]; and for what taking boxes over rounds, in proportion to the sizes
// and the distance of the bodies. Floats tell parts apart where that is little against both bodies,
// doubles also where one is small, or both are far apart.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "core/no_index.h"
#include "proximity/triangle_distance.h"
#include "tree/frame_map.h"
#include "tree/oriented_boxes.h"

namespace plimsoll {

/// Two bodies and the units of a search: meters times a power of two, so that no square of a size
/// over- or underflows.
struct PosedBodies {
  PosedTree tree[2];
  const std::vector<OrientedBoxes>* boxes[2];

  PosedBodies(const PosedTree& a, const std::vector<OrientedBoxes>& a_boxes, const PosedTree& b,
              const std::vector<OrientedBoxes>& b_boxes);

  int exponent = 0;     ///< A meter is 2^-exponent units.
  double unit[2];       ///< Of the frames [units].
  Vec3 offset[2];       ///< Of their centers [units].
  double extent;        ///< Of sizes and distance [units].
  double largest;       ///< No coordinate exceeds it [units].
  bool are_for_floats;  ///< Their rounding is little against both.

  /// What points of boxes and posed corners may be off together [units].
  template <class Real>
  [[nodiscard]] double room() const {
    constexpr double kPosing = 0x1p-48;
    const double taking_over = std::is_same_v<Real, float> ? 0x1p-19 : 0x1p-48;
    return 1.75 * (kPosing * largest + taking_over * extent);  // it holds along each axis
  }
};

/// A body's boxes in the world, in units.
template <class Real>
class PosedBoxes {
 public:
  void start(const PosedBodies& bodies, int side) {
    boxes_ = bodies.boxes[side];
    const double unit = bodies.unit[side];
    const Mat3 linear = bodies.tree[side].world_from_mesh.linear();
    const Mat3 turn = linear / linear.col(0).stableNorm();
    map_.scale = static_cast<Real>(unit);
    for (int i = 0; i < 3; ++i) {
      map_.offset[i] = static_cast<Real>(bodies.offset[side][i]);
      for (int j = 0; j < 3; ++j) map_.turn[i][j] = static_cast<Real>(turn(i, j));
    }
    for (const std::uint32_t node : number_) place_[node] = kNoIndex;
    number_.clear();
    rows_.clear();
    if (place_.size() < boxes_->size()) place_.resize(boxes_->size(), kNoIndex);
    rows_.reserve(boxes_->size());
  }

  /// Of the children of a node.
  [[nodiscard]] const OrientedRows<Real>& of(std::size_t node) {
    if (place_[node] == kNoIndex) {
      place_[node] = static_cast<std::uint32_t>(rows_.size());
      number_.push_back(static_cast<std::uint32_t>(node));
      map_boxes(map_, (*boxes_)[node], rows_.emplace_back());
    }
    return rows_[place_[node]];
  }

 private:
  const std::vector<OrientedBoxes>* boxes_ = nullptr;
  OrientedMap<Real> map_;
  std::vector<std::uint32_t> place_;   // of each node among rows_, or kNoIndex
  std::vector<std::uint32_t> number_;  // of each of rows_
  std::vector<OrientedRows<Real>> rows_;
};

/// A child of a node of each tree: a node of the next level, or below the last level a leaf.
class PartPair {
 public:
  [[nodiscard]] std::uint32_t number(int side) const {
    return static_cast<std::uint32_t>(numbers_ >> 32 * side);
  }
  [[nodiscard]] unsigned level(int side) const { return levels_ >> 8 * side & 0xFFU; }

  /// Child 0 of a node.
  void set(int side, unsigned level, std::uint64_t number) {
    const std::uint64_t others = side == 0 ? 0xFFFFFFFF00000000U : 0xFFFFFFFFU;
    numbers_ = (numbers_ & others) | number << 32 * side;
    levels_ = (levels_ & (side == 0 ? 0xFF00U : 0xFFU)) | level << 8 * side;
  }
  /// The pair with the part that is numbered k more.
  [[nodiscard]] PartPair sibling(int side, std::uint64_t k) const {
    PartPair pair = *this;
    pair.numbers_ += k << 32 * side;
    return pair;
  }

 private:
  std::uint64_t numbers_ = 0;  // together: to store a part of a number and load all stalls
  std::uint32_t levels_ = 0;
};

/// The children of a node of one tree, each beside the same part of the other. Gaps are in units,
/// less the room.
template <class Real>
struct Family : OrientedGaps<Real> {
  PartPair first;
  int side;  ///< Which tree the children are of.

  /// From a's part to b's.
  [[nodiscard]] Triple<Real> normal_of(std::size_t k) const {
    const Real sign = side == 1 ? Real(1) : Real(-1);
    return {sign * this->normal[0][k], sign * this->normal[1][k], sign * this->normal[2][k]};
  }
};

template <class Real>
class PartPairs {
 public:
  void start(const PosedBodies& bodies) {
    for (int side = 0; side < 2; ++side) {
      tree_[side] = bodies.tree[side].tree;
      boxes_[side].start(bodies, side);
    }
    room_ = bodies.room<Real>();
  }

  /// [units]
  [[nodiscard]] double room() const { return room_; }
  /// What gaps of parts do not exceed that are no farther apart than `distance`.
  [[nodiscard]] Real farthest_gap(double distance) const {
    return std::nextafter(static_cast<Real>(distance + room_),
                          std::numeric_limits<Real>::infinity());
  }

  [[nodiscard]] bool is_leaf(const PartPair& pair, int side) const {
    return pair.level(side) == tree_[side]->levels();
  }
  [[nodiscard]] bool are_leaves(const PartPair& pair) const {
    return is_leaf(pair, 0) && is_leaf(pair, 1);
  }

  /// How many children the root of the first tree has.
  [[nodiscard]] std::uint32_t root_children() const {
    return static_cast<std::uint32_t>(tree_[0]->width(1));
  }
  /// The children of the second tree's root beside child k of the first's.
  void open_roots(std::uint32_t k, Real farthest, Family<Real>& family) {
    PartPair pair;
    pair.set(0, 1, k);
    open(pair, 1, 0, farthest, family);
  }
  /// The children of the larger part that is no leaf. Precondition: not both are leaves.
  void open(const PartPair& pair, Real farthest, Family<Real>& family) {
    const bool opens_b =
        is_leaf(pair, 0) || (!is_leaf(pair, 1) && squared_size(pair, 1) > squared_size(pair, 0));
    const int side = opens_b ? 1 : 0;
    open(pair, side, pair.number(side), farthest, family);
  }

 private:
  static constexpr std::size_t kChildren = TriangleTree::kChildren;

  /// Those that the part's box is among.
  const OrientedRows<Real>& rows_of(const PartPair& pair, int side) {
    return boxes_[side].of(tree_[side]->first[pair.level(side) - 1] +
                           pair.number(side) / kChildren);
  }
  [[nodiscard]] Real squared_size(const PartPair& pair, int side) {
    const OrientedRows<Real>& rows = rows_of(pair, side);
    const std::size_t k = pair.number(side) % kChildren;
    return rows.half[0][k] * rows.half[0][k] + rows.half[1][k] * rows.half[1][k] +
           rows.half[2][k] * rows.half[2][k];
  }

  /// The children of a node of a tree, which is the part of the pair or the root.
  void open(const PartPair& pair, int side, std::uint32_t node, Real farthest,
            Family<Real>& family) {
    const unsigned level = pair.level(side);
    family.first = pair;
    family.first.set(side, level + 1, kChildren * std::uint64_t{node});
    family.side = side;
    find_gaps(rows_of(pair, 1 - side), pair.number(1 - side) % kChildren,
              boxes_[side].of(tree_[side]->first[level] + node), farthest, family);
  }

  const TriangleTree* tree_[2] = {};
  PosedBoxes<Real> boxes_[2];
  double room_ = 0;
};

}  // namespace plimsoll
