// A part of a plane that directed edges go around, in pieces that lie in cells of a grid.
#pragma once

#include <plimsoll/types.h>

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace plimsoll {

/// A line: points x with normal . x = offset.
struct PlaneLine {
  Vec2 normal;
  double offset;
};

/// Counterclockwise.
struct ConvexPiece {
  /// Of a trapezoid that is cut at most twelve times before it is cut in quarters five times.
  static constexpr std::size_t kMost = 28;
  std::array<Vec2, kMost> corner;
  std::size_t size = 0;

  ConvexPiece() {}  // sets no corner
  void add(const Vec2& x) { corner[size++] = x; }

  /// What of it lies at sign x >= sign `at`, x being a coordinate. It has a corner more at most.
  [[nodiscard]] ConvexPiece cut(int coordinate, double at, double sign) const;
  /// What of it lies at sign normal . x >= sign offset.
  [[nodiscard]] ConvexPiece cut(const PlaneLine& line, double sign) const;
};

struct PlaneSums {
  double area = 0;
  Vec2 first = Vec2::Zero();  ///< The integral of x.

  [[nodiscard]] Vec2 centroid() const { return first / area; }
};
[[nodiscard]] PlaneSums sums_of(std::span<const ConvexPiece> pieces);

/// Means of products with a function f(x) = at_center + gradient . (x - center) over pieces. None
/// is a difference of larger ones: the means of a sliver are as certain as those of a square.
struct LinearMeans {
  double square = 0;           ///< Of f^2,
  Vec2 moment = Vec2::Zero();  ///< of f (x - center),
  double reach = 0;            ///< and of |x - center|^2.
};
[[nodiscard]] LinearMeans linear_means(std::span<const ConvexPiece> pieces, const Vec2& center,
                                       double at_center, const Vec2& gradient);

/// What of a part lies in one cell: pieces in a list, from `begin` to `end`.
struct CellRange {
  std::size_t begin, end;
};

/// Keeps its memory from part to part.
class PlanePart {
 public:
  void clear() { edges_.clear(); }
  void add(const Vec2& from, const Vec2& to, int times);
  [[nodiscard]] std::size_t edge_count() const { return edges_.size(); }

  /// The longer side of the box of all edges, and the largest coordinate.
  struct Extent {
    double side = 0, largest = 0;
  };
  [[nodiscard]] Extent extent() const;

  /// Adds the pieces in which edges wind around, once or more, in either sense, and a range for
  /// each cell that has any: squares of side `cell` whose corners are multiples of it, or one for
  /// all if it is infinite. Precondition: the edges are closed, and coordinates below 2^50 cells.
  void find_pieces(double cell, std::vector<ConvexPiece>& pieces, std::vector<CellRange>& cells);

 private:
  /// From its low end to its high one.
  struct Edge {
    Vec2 low, high;
    int gain;  ///< What the winding number gains from left to right.

    [[nodiscard]] double x_at(double y) const;
  };
  struct Crossing {
    double x_low, x_high;  ///< At both ends of a slab.
    int gain;
  };
  /// Between two heights and two lines.
  struct Trapezoid {
    double low, high;
    Crossing left, right;
  };
  struct Placed {
    double row, column;
    ConvexPiece piece;
  };
  void find_levels(double cell);
  void add_slab(double low, double high, double row, double cell);
  void add_trapezoid(const Trapezoid& part, double row, double cell);

  std::vector<Edge> edges_, active_;
  std::vector<double> levels_;
  std::vector<Crossing> crossings_;
  std::vector<Placed> placed_;
};

}  // namespace plimsoll
