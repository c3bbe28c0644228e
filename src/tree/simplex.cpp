#include "tree/simplex.h"

#include <bit>
#include <limits>

namespace plimsoll {
namespace {

using Vector = Triple<double>;

/// The nearest foot so far.
struct Nearest {
  double squared = std::numeric_limits<double>::infinity();
  Vector at{};
  unsigned set = 0;

  void offer(const Vector& foot, unsigned of_set) {
    const double to_foot = dot(foot, foot);
    if (!(to_foot < squared)) return;
    squared = to_foot;
    at = foot;
    set = of_set;
  }
};

}  // namespace

// With the last point p and the edges e to the others, feet p + sum w e have
//   one edge    w = -(e . p) / e . e,
//   two         w_e = -((p x f) . n) / n . n, w_f = ((p x e) . n) / n . n, n = e x f,
//   three       w_e = -p . (f x g) / v, w_f = -e . (p x g) / v, w_g = e . (p x f) / v, v = e . (f x
//   g),
// and are within their set where all are above 0 and, together, below 1. Signs are asked before
// anything is divided.
SimplexFoot foot_of_simplex(std::span<const Vector> points) {
  const std::size_t others = points.size() - 1;
  const Vector& base = points[others];
  Vector edge[3], moment[3];  // of the other points, and base x edge
  Nearest nearest;
  nearest.offer(base, 0);
  for (std::size_t j = 0; j < others; ++j) {
    edge[j] = points[j] - base;
    moment[j] = cross(base, edge[j]);
    const double along = -dot(edge[j], base), square = dot(edge[j], edge[j]);
    if (along > 0 && along < square) {
      const double weight = along / square;
      if (weight > 0 && weight < 1) nearest.offer(base + weight * edge[j], 1U << j);
    }
    for (std::size_t i = 0; i < j; ++i) {
      const Vector normal = cross(edge[i], edge[j]);
      const double along_i = -dot(moment[j], normal), along_j = dot(moment[i], normal);
      if (!(along_i > 0 && along_j > 0)) continue;
      const double normal_square = dot(normal, normal);
      const double weight_i = along_i / normal_square, weight_j = along_j / normal_square;
      if (weight_i > 0 && weight_j > 0 && weight_i + weight_j < 1)
        nearest.offer(base + weight_i * edge[i] + weight_j * edge[j], 1U << i | 1U << j);
    }
  }
  if (others == 3) {
    const Vector normal = cross(edge[1], edge[2]);
    const double volume = dot(edge[0], normal);
    const double weight[3] = {-dot(base, normal) / volume, -dot(edge[0], moment[2]) / volume,
                              dot(edge[0], moment[1]) / volume};
    if (weight[0] > 0 && weight[1] > 0 && weight[2] > 0 && weight[0] + weight[1] + weight[2] < 1)
      nearest.offer(base + weight[0] * edge[0] + weight[1] * edge[1] + weight[2] * edge[2], 7);
  }
  SimplexFoot foot{nearest.at, nearest.at, nearest.set | 1U << others};
  if (std::popcount(nearest.set) == 2) {
    const std::size_t i = nearest.set == 6 ? 1 : 0, j = nearest.set == 3 ? 1 : 2;
    const Vector face = cross(edge[i], edge[j]);
    const double side = dot(face, foot.at);
    if (side != 0) foot.way = side > 0 ? face : Vector{-face[0], -face[1], -face[2]};
  }
  return foot;
}

}  // namespace plimsoll
