// Two posed trees walked together: the pairs of leaves that may meet.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tree/triangle_tree.h"

namespace plimsoll {

/// A tree and where its mesh is. The tree is neither copied nor moved.
struct PosedTree {
  const TriangleTree* tree = nullptr;
  Similarity world_from_mesh = Similarity::Identity();
};

/// What no coordinate of the posed body exceeds; infinite or not a number where one may overflow.
[[nodiscard]] double largest_coordinate(const PosedTree& posed);

/// A leaf of each tree.
struct LeafPair {
  std::uint32_t a = 0, b = 0;

  friend bool operator==(const LeafPair&, const LeafPair&) = default;
};

/// From the frame of one posed tree to that of another, for boxes.
class BoxMap {
 public:
  BoxMap() = default;
  BoxMap(const PosedTree& from, const PosedTree& to);

  /// The box around child k, grown by what rounding may hide.
  [[nodiscard]] FloatBox operator()(const ChildBoxes& boxes, std::size_t k) const;

  /// What rounding may hide of the gap between two boxes [units of the other frame]: infinite or
  /// not a number where it may be anything.
  [[nodiscard]] double room() const { return room_; }

 private:
  Mat3 linear_ = Mat3::Identity();
  Vec3 offset_ = Vec3::Zero();
  double room_ = 0;
};

/// The pairs of leaves whose boxes may meet: of every two triangles that have a point in common,
/// posed as posed() does, rounding included, the leaves are among them. In an order that depends
/// on the trees and poses alone. Keeps its memory from walk to walk.
///
/// Boxes of `a` are turned into the frame of `b` and there stand for the boxes around them.
class PairWalk {
 public:
  /// Precondition: check_pose of both.
  void start(const PosedTree& a, const PosedTree& b);
  /// Some of the pairs that were not given yet, or none where there are no more. The span is good
  /// until the next call.
  [[nodiscard]] std::span<const LeafPair> next();

  /// All of them at once.
  [[nodiscard]] std::span<const LeafPair> leaf_pairs(const PosedTree& a, const PosedTree& b);

 private:
  /// A part of each tree: a node, or below the last level a leaf.
  struct Parts {
    std::uint32_t a_level, a, b_level, b;
  };

  /// Adds pairs until there are `enough` or no more.
  void find(std::size_t enough);

  PosedTree a_, b_;
  BoxMap map_;
  std::vector<Parts> waiting_;
  std::vector<LeafPair> found_;
};

}  // namespace plimsoll
