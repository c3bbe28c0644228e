// Cuts the ears off a polygon until it is triangles.
#pragma once

#include <plimsoll/mesh.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/corner_tree.h"

namespace plimsoll {

/// Keeps its memory from one polygon to the next.
class EarCutter {
 public:
  /// Cuts the polygon with these `corners`, seen along `axis` (0, 1, 2 = x, y, z), into
  /// corners - 2 triangles, none of which is turned against `turn`: +1 is counter-clockwise seen
  /// from the positive end of the axis, -1 clockwise. Their areas then sum to the polygon's, and
  /// where its outline does not cross itself they cover it once. The outline may touch itself.
  /// Returns false, the content of `triangles` being undefined, where no ear is left (the outline
  /// crosses itself, or turns the other way) or where the search would take too long.
  /// Precondition: finite corners, and one of `triangles` for each.
  /// Cost: O(n log n) for all but the hardest outlines, and O(n^1.5) at most.
  [[nodiscard]] bool cut(std::span<const Vec3> vertices, std::span<const std::uint32_t> corners,
                         int axis, int turn, std::span<Triangle> triangles);

 private:
  /// Where the ears may touch the outline: only at its vertices, anywhere, or anywhere and corners
  /// without area are cut too.
  enum class Rule : std::uint8_t { kApart, kTouching, kFlat };

  void start();
  [[nodiscard]] bool cut_all();
  [[nodiscard]] bool next_round();
  [[nodiscard]] bool may_be_cut(std::uint32_t i);
  [[nodiscard]] bool is_ear(std::uint32_t i);
  [[nodiscard]] bool blocks(std::uint32_t i, std::uint32_t other) const;
  [[nodiscard]] bool folds_back(std::uint32_t i) const;
  void take_out(std::uint32_t i);
  void take_out_folds(std::uint32_t i);
  void remove(std::uint32_t i);
  void look_at(std::uint32_t i);
  void emit(std::uint32_t i);

  [[nodiscard]] const Vec3& point(std::uint32_t i) const { return vertices_[corners_[i]]; }
  [[nodiscard]] bool is_left(std::uint32_t i) const { return next_[i] != i; }
  [[nodiscard]] bool is_triangle() const { return made_ + 1 == triangles_.size(); }
  /// +1 where the three corners are turned like the polygon, 0 where they lie on a line.
  [[nodiscard]] int side(std::uint32_t a, std::uint32_t b, std::uint32_t c) const;

  std::span<const Vec3> vertices_;
  std::span<const std::uint32_t> corners_;
  std::span<Triangle> triangles_;
  int axis_ = 2;
  int turn_ = 1;

  std::vector<std::uint32_t> previous_, next_;  // the outline that is left, a ring
  std::vector<std::uint32_t> queue_;            // corners to look at, first come first served
  std::vector<bool> queued_;
  std::size_t queue_begin_ = 0, queue_size_ = 0;
  std::uint32_t left_ = 0;       // a corner that is not cut off
  std::size_t made_ = 0;         // triangles
  std::size_t made_before_ = 0;  // before this round
  std::size_t visits_ = 0, max_visits_ = 0;
  Rule rule_ = Rule::kApart;
  CornerTree tree_;  // those that may lie in an ear
};

}  // namespace plimsoll
