#include "contact/inner_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace plimsoll {
namespace {

constexpr double kNoCell = std::numeric_limits<double>::infinity();

}  // namespace

BodyTriangle::BodyTriangle(const Side& of, std::uint32_t place, const Vec3& anchor_in_mesh)
    : side(&of),
      anchor(anchor_in_mesh),
      scale(of.posed.world_from_mesh.linear().col(0).stableNorm()) {
  constexpr std::uint32_t kOfLeaf = TriangleTree::kLeafTriangles;
  corner = of.posed.tree->corners(place / kOfLeaf, place % kOfLeaf);
  for (Vec3& x : corner) x -= anchor;
  normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
  normal.cwiseAbs().maxCoeff(&axis);
}

double BodyTriangle::longest_edge() const {
  double longest = 0;
  for (std::size_t k = 0; k < 3; ++k)
    longest = std::max(longest, (corner[(k + 1) % 3] - corner[k]).norm());
  return longest * scale;
}

Vec3 BodyTriangle::in_world(const Vec2& x) const {
  const int j = (axis + 1) % 3, k = (axis + 2) % 3;
  Vec3 there;
  there[j] = x[0];
  there[k] = x[1];
  there[axis] =
      corner[0][axis] -
      (normal[j] * (x[0] - corner[0][j]) + normal[k] * (x[1] - corner[0][k])) / normal[axis];
  return side->posed.world_from_mesh * Vec3(there + anchor);
}

Vec3 BodyTriangle::outward() const {
  return side->sign * (side->posed.world_from_mesh.linear() * normal).stableNormalized();
}

void InnerParts::find(const CurveSearch& search, const EdgeKnots& knots, std::size_t s, double cell,
                      const Vec3& anchor) {
  const Side& of = s == 0 ? search.a : search.b;
  cell_ = cell;
  anchor_ = of.posed.world_from_mesh.inverse() * anchor;
  triangles_.clear();
  pieces_.clear();
  parts_.clear();
  crossed_.clear();
  for (std::uint32_t i = 0; i < search.segments.size(); ++i)
    crossed_.push_back({search.segments[i].triangle[s], i});
  std::sort(crossed_.begin(), crossed_.end(), [](const Crossed& x, const Crossed& y) {
    return std::pair(x.triangle, x.segment) < std::pair(y.triangle, y.segment);
  });
  const WindingRanges windings(of);
  add_crossed(search, knots, s, windings);
  add_whole(of, windings);
}

void InnerParts::add_part(const BodyTriangle& triangle, const ConvexPiece& piece, double cell) {
  triangles_.push_back(triangle);
  parts_.push_back({triangles_.size() - 1, {pieces_.size(), pieces_.size() + 1}, cell});
  pieces_.push_back(piece);
}

void InnerParts::add_plane_part(const BodyTriangle& triangle) {
  constexpr double kMostCells = 12;  // along a side
  constexpr std::size_t kFewEdges = 12;
  const auto [side, largest] = part_.extent();
  double cell = std::max(cell_ / triangle.scale, side / kMostCells);
  if (!(largest < 0x1p40 * cell)) cell = kNoCell;
  cells_.clear();
  const bool in_cells = part_.edge_count() > kFewEdges;
  const std::size_t before = pieces_.size();
  part_.find_pieces(in_cells ? cell : kNoCell, pieces_, cells_);
  if (cells_.empty()) return;
  triangles_.push_back(triangle);
  if (!in_cells) {
    cells_.clear();
    for (std::size_t i = before; i < pieces_.size(); ++i) cells_.push_back({i, i + 1});
  }
  for (const CellRange& range : cells_)
    parts_.push_back({triangles_.size() - 1, range, in_cells ? kNoCell : cell});
}

void InnerParts::add_crossed(const CurveSearch& search, const EdgeKnots& knots, std::size_t s,
                             const WindingRanges& windings) {
  const Side &of = s == 0 ? search.a : search.b, &other = s == 0 ? search.b : search.a;
  const int inside = other.sign > 0 ? 1 : -1;
  const Similarity mesh_from_world = of.posed.world_from_mesh.inverse();
  for (std::size_t first = 0, last = 0; first < crossed_.size(); first = last) {
    const std::uint32_t place = crossed_[first].triangle;
    while (last < crossed_.size() && crossed_[last].triangle == place) ++last;
    const BodyTriangle triangle(of, place, anchor_);
    if (!triangle.has_area()) continue;
    const auto in_plane = [&](const RoundedPoint& x) {
      const Vec3 world = search.local.origin + search.local.meters(x.at, 1);
      return triangle.in_plane(mesh_from_world * world - anchor_);
    };
    part_.clear();
    for (std::size_t i = first; i < last; ++i) {
      const CurveSegment& segment = search.segments[crossed_[i].segment];
      const Vec2 from = in_plane(segment.from), to = in_plane(segment.to);
      s == 0 ? part_.add(from, to, 1) : part_.add(to, from, 1);
    }
    const std::array<std::uint32_t, 3> corner = of.corners(place);
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t u = corner[k], v = corner[(k + 1) % 3];
      const auto [low, high] = std::minmax(u, v);
      const auto end = [&](std::uint32_t vertex) {
        return EdgeKnots::Corner{rounded_point(search.local, of.vertex(vertex)), vertex};
      };
      const auto add = [&, times = u == low ? inside : -inside](const auto& x, const auto& y,
                                                                int winding) {
        if (winding != 0) part_.add(in_plane(x.at), in_plane(y.at), times);
      };
      static_cast<void>(knots.visit_pieces(knots.of_edge(s, u, v), end(low), end(high),
                                           windings.around(low), add));
    }
    add_plane_part(triangle);
  }
}

void InnerParts::add_whole(const Side& of, const WindingRanges& windings) {
  const SpanningMoments& spanning = *of.sums.spanning;
  const auto is_crossed = [&](std::uint32_t place) {
    return std::binary_search(
        crossed_.begin(), crossed_.end(), Crossed{place, 0},
        [](const Crossed& x, const Crossed& y) { return x.triangle < y.triangle; });
  };
  windings.visit([&](std::uint32_t begin, std::uint32_t end, int) {
    for (std::uint32_t i = spanning.first_triangle[begin]; i < spanning.first_triangle[end]; ++i) {
      if (is_crossed(spanning.triangles[i])) continue;
      const BodyTriangle triangle(of, spanning.triangles[i], anchor_);
      if (!triangle.has_area()) continue;
      ConvexPiece whole;
      for (std::size_t k = 0; k < 3; ++k)
        whole.add(
            triangle.in_plane(triangle.corner[triangle.normal[triangle.axis] > 0 ? k : 2 - k]));
      const double longest = triangle.longest_edge();
      const bool is_small = longest <= cell_;
      const double cell = std::max(cell_, longest / 12) / triangle.scale;
      add_part(triangle, whole, is_small ? kNoCell : cell);
    }
  });
}

}  // namespace plimsoll
