// A sweep from the lowest to the highest end of an edge. Between neighboring heights at which
// edges end, or a row of cells does, no edges cross but by rounding: what is inside are trapezoids
// between neighbors, which columns of cells cut.
#include "contact/plane_part.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace plimsoll {

namespace {

/// What of a piece has height(x) >= 0; passing(p, q, share) is where an edge goes through.
template <class Height, class Passing>
ConvexPiece above(const ConvexPiece& piece, const Height& height, const Passing& passing) {
  ConvexPiece rest;
  if (piece.size == 0) return rest;
  const Vec2* p = &piece.corner[piece.size - 1];
  double before = height(*p);
  for (std::size_t i = 0; i < piece.size; ++i) {
    const Vec2* q = &piece.corner[i];
    const double after = height(*q);
    if ((before > 0 && after < 0) || (before < 0 && after > 0))
      rest.add(passing(*p, *q, before / (before - after)));
    if (after >= 0) rest.add(*q);
    p = q;
    before = after;
  }
  return rest;
}

/// Calls take(area, corner, corner, corner).
template <class Take>
void for_each_triangle(std::span<const ConvexPiece> pieces, const Take& take) {
  for (const ConvexPiece& piece : pieces)
    for (std::size_t i = 2; i < piece.size; ++i) {
      const Vec2 &o = piece.corner[0], &p = piece.corner[i - 1], &q = piece.corner[i];
      const Vec2 e = p - o, f = q - o;
      take((e.x() * f.y() - e.y() * f.x()) / 2, o, p, q);
    }
}

}  // namespace

ConvexPiece ConvexPiece::cut(int coordinate, double at, double sign) const {
  return above(
      *this, [&](const Vec2& x) { return sign * (x[coordinate] - at); },
      [&](const Vec2& p, const Vec2& q, double share) {
        Vec2 x = p + share * (q - p);
        x[coordinate] = at;
        return x;
      });
}

ConvexPiece ConvexPiece::cut(const PlaneLine& line, double sign) const {
  return above(
      *this, [&](const Vec2& x) { return sign * (line.normal.dot(x) - line.offset); },
      [](const Vec2& p, const Vec2& q, double share) { return Vec2(p + share * (q - p)); });
}

PlaneSums sums_of(std::span<const ConvexPiece> pieces) {
  PlaneSums sums;
  for_each_triangle(pieces, [&](double area, const Vec2& o, const Vec2& p, const Vec2& q) {
    sums.area += area;
    sums.first += area / 3 * (o + p + q);
  });
  return sums;
}

LinearMeans linear_means(std::span<const ConvexPiece> pieces, const Vec2& center, double at_center,
                         const Vec2& gradient) {
  LinearMeans sums;
  double whole = 0;
  for_each_triangle(pieces, [&](double area, const Vec2& o, const Vec2& p, const Vec2& q) {
    double value = 0;  // the sums of the corners
    Vec2 way = Vec2::Zero();
    LinearMeans products;
    for (const Vec2& x : {o, p, q}) {
      const Vec2 from_center = x - center;
      const double f = at_center + gradient.dot(from_center);
      value += f;
      way += from_center;
      products.square += f * f;
      products.moment += f * from_center;
      products.reach += from_center.squaredNorm();
    }
    // The mean of a product of linear functions f and g over a triangle is a twelfth of the sum of
    // f g at its corners and of the product of the sums of f and g.
    whole += area;
    sums.square += area / 12 * (products.square + value * value);
    sums.moment += area / 12 * (products.moment + value * way);
    sums.reach += area / 12 * (products.reach + way.squaredNorm());
  });
  return {sums.square / whole, sums.moment / whole, sums.reach / whole};
}

double PlanePart::Edge::x_at(double y) const {
  if (y <= low.y()) return low.x();
  if (y >= high.y()) return high.x();
  return low.x() + (y - low.y()) / (high.y() - low.y()) * (high.x() - low.x());
}

void PlanePart::add(const Vec2& from, const Vec2& to, int times) {
  if (from.y() < to.y()) edges_.push_back({from, to, -times});
  if (from.y() > to.y()) edges_.push_back({to, from, times});
}

PlanePart::Extent PlanePart::extent() const {
  if (edges_.empty()) return {};
  Vec2 low = edges_[0].low, high = low;
  for (const Edge& edge : edges_)
    for (const Vec2& x : {edge.low, edge.high}) {
      low = low.cwiseMin(x);
      high = high.cwiseMax(x);
    }
  return {(high - low).maxCoeff(), low.cwiseAbs().cwiseMax(high.cwiseAbs()).maxCoeff()};
}

void PlanePart::find_levels(double cell) {
  levels_.clear();
  for (const Edge& edge : edges_) {
    levels_.push_back(edge.low.y());
    levels_.push_back(edge.high.y());
  }
  const auto [low, high] = std::minmax_element(levels_.begin(), levels_.end());
  const double last = *high;
  for (double row = std::floor(*low / cell) + 1; row * cell < last; ++row)
    levels_.push_back(row * cell);
  std::sort(levels_.begin(), levels_.end());
  levels_.erase(std::unique(levels_.begin(), levels_.end()), levels_.end());
}

void PlanePart::add_trapezoid(const Trapezoid& part, double row, double cell) {
  ConvexPiece whole;
  whole.add({part.left.x_low, part.low});
  whole.add({part.right.x_low, part.low});
  whole.add({part.right.x_high, part.high});
  whole.add({part.left.x_high, part.high});
  const auto [least, most] =
      std::minmax({part.left.x_low, part.left.x_high, part.right.x_low, part.right.x_high});
  const double first = std::floor(least / cell), last = std::floor(most / cell);
  for (double column = first; column <= last; ++column) {
    ConvexPiece piece = whole;
    if (column > first) piece = piece.cut(0, column * cell, 1);
    if (column < last) piece = piece.cut(0, (column + 1) * cell, -1);
    if (sums_of({&piece, 1}).area > 0) placed_.push_back({row, column, piece});
  }
}

void PlanePart::add_slab(double low, double high, double row, double cell) {
  crossings_.clear();
  for (const Edge& edge : active_)
    crossings_.push_back({edge.x_at(low), edge.x_at(high), edge.gain});
  std::sort(crossings_.begin(), crossings_.end(), [](const Crossing& x, const Crossing& y) {
    return x.x_low + x.x_high < y.x_low + y.x_high;
  });
  int winding = 0;
  for (std::size_t i = 0; i + 1 < crossings_.size(); ++i) {
    winding += crossings_[i].gain;
    if (winding != 0) add_trapezoid({low, high, crossings_[i], crossings_[i + 1]}, row, cell);
  }
}

void PlanePart::find_pieces(double cell, std::vector<ConvexPiece>& pieces,
                            std::vector<CellRange>& cells) {
  if (edges_.empty()) return;
  find_levels(cell);
  std::sort(edges_.begin(), edges_.end(),
            [](const Edge& x, const Edge& y) { return x.low.y() < y.low.y(); });
  placed_.clear();
  active_.clear();
  std::size_t next = 0;
  double row = std::floor(levels_[0] / cell);
  for (std::size_t i = 0; i + 1 < levels_.size(); ++i) {
    const double low = levels_[i];
    while (low >= (row + 1) * cell) ++row;
    std::erase_if(active_, [&](const Edge& edge) { return edge.high.y() <= low; });
    for (; next < edges_.size() && edges_[next].low.y() <= low; ++next)
      active_.push_back(edges_[next]);
    add_slab(low, levels_[i + 1], row, cell);
  }
  const auto place = [](const Placed& x) { return std::pair(x.row, x.column); };
  std::stable_sort(placed_.begin(), placed_.end(),
                   [&](const Placed& x, const Placed& y) { return place(x) < place(y); });
  for (std::size_t i = 0; i < placed_.size(); ++i) {
    if (i == 0 || place(placed_[i]) != place(placed_[i - 1]))
      cells.push_back({pieces.size(), pieces.size()});
    pieces.push_back(placed_[i].piece);
    cells.back().end = pieces.size();
  }
}

}  // namespace plimsoll
