// A triangle cut by straight lines into convex cells, exactly.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/exact.h"

namespace plimsoll {

/// Barycentric coordinates of a point of a triangle up to a common factor: the point is
/// (w0 a + w1 b + w2 c) / (w0 + w1 + w2).
using Weights = std::array<exact::Integer, 3>;

/// The line { w : s0 w0 + s1 w1 + s2 w2 = 0 } in them. Where s are the values at the corners of an
/// affine function, it is where that vanishes.
using CellLine = std::array<exact::Integer, 3>;

/// A segment in the plane of the triangle: the line through it and its ends, the sum of whose
/// weights is above 0, though single ones may not be.
struct CuttingSegment {
  CellLine line;
  std::array<Weights, 2> ends;
};

class TriangleCells {
 public:
  TriangleCells();  ///< One cell, the whole.

  /// Divides every cell whose inside the segment reaches, all along its line: afterwards it has no
  /// part inside a cell. A segment of no length divides nothing.
  void divide(const CuttingSegment& cut);

  [[nodiscard]] std::size_t size() const { return cells_.size(); }
  /// How often integers had to tell on which side of a line a corner is.
  [[nodiscard]] std::size_t exact_sides() const { return exact_sides_; }

  /// A point strictly inside a cell; another one for another `choice`. Its weights are short where
  /// the cell has room for them.
  [[nodiscard]] Weights interior_point(std::size_t cell, std::uint64_t choice) const;

 private:
  /// Three integers over a common power of two, which leaves the largest below 2^62: each is off
  /// by 2^-52 of that at most.
  struct Rounded {
    explicit Rounded(const std::array<exact::Integer, 3>& x);

    std::array<double, 3> x;
    double largest = 0;  // |x_k|
  };
  struct Corner {
    Corner(Weights weights, std::size_t line_after)
        : at(std::move(weights)), near(at), line(line_after) {}

    Weights at;
    Rounded near;
    std::size_t line;  // on which the edge from here to the next corner lies
  };
  using Cell = std::vector<Corner>;

  [[nodiscard]] int side_of(const CellLine& line, const Rounded& near_line, const Corner& corner);
  [[nodiscard]] bool reaches_inside(const CuttingSegment& cut, const Cell& cell,
                                    const std::vector<int>& side) const;
  [[nodiscard]] bool is_inside(const Cell& cell, const Weights& point, const Weights& inner) const;

  std::vector<CellLine> lines_;
  std::vector<Cell> cells_;
  std::size_t exact_sides_ = 0;
};

}  // namespace plimsoll
