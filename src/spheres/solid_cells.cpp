#include "spheres/solid_cells.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/parallel.h"

namespace plimsoll {
namespace {

SolidCell part_of(const SolidCell& cell, unsigned k) {
  SolidCell part{cell.center, cell.half / 2};
  for (unsigned i = 0; i < 3; ++i) part.center[i] += (k >> i & 1U) != 0 ? part.half : -part.half;
  return part;
}

double squared_distance(const SolidCell& cell, const Vec3& point) {
  const Vec3 past = (point - cell.center).cwiseAbs() - Vec3::Constant(cell.half);
  return past.cwiseMax(0).squaredNorm();
}

}  // namespace

SolidCells::SolidCells(const SolidCell& root, int levels,
                       const std::function<CellSide(const SolidCell&)>& side_of)
    : root_(root), side_(side_of(root)) {
  std::vector<SolidCell> cells;
  if (side_ == CellSide::kUnknown) cells.push_back(root);
  constexpr std::size_t kWorthwhile = 64;
  for (int level = 0; level < levels && !cells.empty(); ++level) {
    std::vector<Node>& nodes = levels_.emplace_back(cells.size());
    parallel_for_each_index(cells.size(), kWorthwhile, [&](std::size_t i) {
      for (unsigned k = 0; k < 8; ++k) {
        const CellSide side = side_of(part_of(cells[i], k));
        if (side == CellSide::kInside) nodes[i].inside |= static_cast<std::uint8_t>(1U << k);
        if (side == CellSide::kUnknown) nodes[i].unknown |= static_cast<std::uint8_t>(1U << k);
      }
    });
    std::vector<SolidCell> parts;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      nodes[i].first_child = static_cast<std::uint32_t>(parts.size());
      for (unsigned k = 0; k < 8; ++k)
        if ((nodes[i].unknown >> k & 1U) != 0) parts.push_back(part_of(cells[i], k));
    }
    cells = std::move(parts);
  }
}

double SolidCells::depth(const Vec3& point, double limit) const {
  const Vec3 within = Vec3::Constant(root_.half) - (point - root_.center).cwiseAbs();
  return to_nearest(point, CellSide::kInside, std::clamp(within.minCoeff(), 0.0, limit));
}

double SolidCells::distance(const Vec3& point, double limit) const {
  return to_nearest(point, CellSide::kOutside, limit);
}

/// The distance of the nearest cube that is on another side than the ignored one.
double SolidCells::to_nearest(const Vec3& point, CellSide ignored, double limit) const {
  if (side_ == ignored || limit == 0) return limit;
  double squared = limit * limit;
  if (side_ == CellSide::kUnknown && !levels_.empty())
    visit(0, 0, root_, point, ignored, squared);
  else
    squared = std::min(squared, squared_distance(root_, point));
  return std::min(limit, std::sqrt(squared));
}

void SolidCells::visit(std::size_t level, std::uint32_t number, const SolidCell& cell,
                       const Vec3& point, CellSide ignored, double& squared) const {
  const Node& node = levels_[level][number];
  unsigned nearest = 0;
  for (unsigned i = 0; i < 3; ++i)
    if (point[i] >= cell.center[i]) nearest |= 1U << i;
  for (unsigned step = 0; step < 8; ++step) {
    const unsigned k = nearest ^ step, bit = 1U << k;
    const bool is_unknown = (node.unknown & bit) != 0, is_inside = (node.inside & bit) != 0;
    if (!is_unknown && is_inside == (ignored == CellSide::kInside)) continue;
    const SolidCell part = part_of(cell, k);
    const double away = squared_distance(part, point);
    if (away >= squared) continue;
    if (is_unknown && level + 1 < levels_.size()) {
      const auto before = static_cast<std::uint32_t>(std::popcount(node.unknown & (bit - 1U)));
      visit(level + 1, node.first_child + before, part, point, ignored, squared);
    } else {
      squared = away;
    }
  }
}

}  // namespace plimsoll
