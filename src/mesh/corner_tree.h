// A tree of boxes over the corners of a polygon, seen along an axis: finds those in a triangle.
#pragma once

#include <plimsoll/types.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace plimsoll {

/// Corners are numbered along the polygon. Each is active or not; only active ones are found.
class CornerTree {
 public:
  /// Takes the corners over, all inactive. `u` and `v` are the two coordinates that are seen.
  void build(std::span<const Vec3> vertices, std::span<const std::uint32_t> corners, int u, int v);

  void set_active(std::uint32_t corner, bool active);

  /// Calls `visit` for the active corners of each leaf that may touch the triangle a, b, c (corners
  /// that run counter-clockwise in u and v) until it returns true, and returns whether it did.
  /// Adds to `visits` how many nodes and corners were looked at.
  template <class Visit>
  [[nodiscard]] bool any_in_triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c,
                                     std::size_t& visits, const Visit& visit) const {
    const std::array<Point, 3> triangle{point(a), point(b), point(c)};
    std::array<std::uint32_t, 2 * kMaxDepth> stack;
    std::size_t size = 0;
    stack[size++] = 1;
    while (size > 0) {
      const std::uint32_t n = stack[--size];
      ++visits;
      if (nodes_[n].active == 0 || is_apart(nodes_[n], triangle)) continue;
      if (n < leaves_) {
        stack[size++] = 2 * n;
        stack[size++] = 2 * n + 1;
        continue;
      }
      const std::size_t begin = (n - leaves_) * std::size_t{kLeafSize};
      for (std::size_t k = begin; k < std::min(begin + kLeafSize, order_.size()); ++k) {
        ++visits;
        if (active_[order_[k]] && visit(order_[k])) return true;
      }
    }
    return false;
  }

 private:
  static constexpr std::uint32_t kLeafSize = 8;
  static constexpr std::size_t kMaxDepth = 32;

  struct Point {
    double u, v;
  };
  struct Node {
    Point low, high;       // of all that were ever active below
    std::uint32_t active;  // how many are
  };

  void split(std::uint32_t node, std::size_t begin, std::size_t end);
  [[nodiscard]] Point point(std::uint32_t corner) const {
    const Vec3& p = vertices_[corners_[corner]];
    return {p[u_], p[v_]};
  }
  /// Whether the node certainly has no corner in the closed triangle.
  [[nodiscard]] static bool is_apart(const Node& node, const std::array<Point, 3>& triangle);

  std::span<const Vec3> vertices_;
  std::span<const std::uint32_t> corners_;
  int u_ = 0, v_ = 1;
  std::uint32_t leaves_ = 1;            // a power of two; node n has the children 2n and 2n + 1
  std::vector<Node> nodes_;             // from 1
  std::vector<std::uint32_t> order_;    // the corners, leaf by leaf
  std::vector<std::uint32_t> leaf_of_;  // the node
  std::vector<bool> active_;
};

}  // namespace plimsoll
