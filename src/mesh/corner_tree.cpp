#include "mesh/corner_tree.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace plimsoll {

void CornerTree::build(std::span<const Vec3> vertices, std::span<const std::uint32_t> corners,
                       int u, int v) {
  vertices_ = vertices;
  corners_ = corners;
  u_ = u;
  v_ = v;
  order_.resize(corners.size());
  std::iota(order_.begin(), order_.end(), 0u);
  active_.assign(corners.size(), false);
  leaf_of_.resize(corners.size());
  leaves_ = std::bit_ceil(static_cast<std::uint32_t>((corners.size() + kLeafSize - 1) / kLeafSize));
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  nodes_.assign(std::size_t{2} * leaves_, {{kInfinity, kInfinity}, {-kInfinity, -kInfinity}, 0});
  split(1, 0, std::size_t{leaves_} * kLeafSize);
}

// Halves the corners at the median of the longer side of their box, down to leaves of kLeafSize.
void CornerTree::split(std::uint32_t node, std::size_t begin, std::size_t end) {
  const auto at = [this](std::size_t k) { return order_.begin() + static_cast<std::ptrdiff_t>(k); };
  const std::size_t last = std::min(end, order_.size());
  if (node >= leaves_) {
    for (std::size_t k = begin; k < last; ++k) leaf_of_[order_[k]] = node;
    return;
  }
  const std::size_t middle = begin + (end - begin) / 2;
  if (middle < last) {
    const auto by_u = [this](std::uint32_t a, std::uint32_t b) { return point(a).u < point(b).u; };
    const auto by_v = [this](std::uint32_t a, std::uint32_t b) { return point(a).v < point(b).v; };
    const auto [left, right] = std::minmax_element(at(begin), at(last), by_u);
    const auto [lowest, highest] = std::minmax_element(at(begin), at(last), by_v);
    if (point(*right).u - point(*left).u > point(*highest).v - point(*lowest).v)
      std::nth_element(at(begin), at(middle), at(last), by_u);
    else
      std::nth_element(at(begin), at(middle), at(last), by_v);
  }
  split(2 * node, begin, middle);
  split(2 * node + 1, middle, end);
}

void CornerTree::set_active(std::uint32_t corner, bool active) {
  if (active_[corner] == active) return;
  active_[corner] = active;
  const Point p = point(corner);
  for (std::uint32_t n = leaf_of_[corner]; n > 0; n /= 2) {
    Node& node = nodes_[n];
    node.active += active ? 1u : ~0u;
    node.low = {std::min(node.low.u, p.u), std::min(node.low.v, p.v)};
    node.high = {std::max(node.high.u, p.u), std::max(node.high.v, p.v)};
  }
}

bool CornerTree::is_apart(const Node& node, const std::array<Point, 3>& triangle) {
  const auto [a, b, c] = triangle;
  if (node.high.u < std::min({a.u, b.u, c.u}) || node.low.u > std::max({a.u, b.u, c.u}) ||
      node.high.v < std::min({a.v, b.v, c.v}) || node.low.v > std::max({a.v, b.v, c.v}))
    return true;
  // The box is right of an edge if its leftmost point is: each of the two products has three
  // roundings, their difference one, so that 2^-50 of their sum covers the error. Where something
  // overflows, the comparison fails; what underflows is below the least normal double.
  constexpr double kRounding = 0x1p-50;
  constexpr double kUnderflow = 0x1p-1000;
  for (std::size_t i = 0; i < 3; ++i) {
    const Point& from = triangle[i];
    const Point& to = triangle[i == 2 ? 0 : i + 1];
    const double du = to.u - from.u, dv = to.v - from.v;
    const double left = du * ((du > 0 ? node.high.v : node.low.v) - from.v);
    const double right = dv * ((dv > 0 ? node.low.u : node.high.u) - from.u);
    if (left - right < -kRounding * (std::fabs(left) + std::fabs(right)) - kUnderflow) return true;
  }
  return false;
}

}  // namespace plimsoll
