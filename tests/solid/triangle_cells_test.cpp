#include "solid/triangle_cells.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "core/random.h"
#include "support/campaign.h"

namespace plimsoll {
namespace {

using exact::Integer;

Integer value(const CellLine& line, const Weights& at) {
  return line[0] * at[0] + line[1] * at[1] + line[2] * at[2];
}

// Through two points of the triangle's plane, given by weights of positive sum.
CuttingSegment cut_between(const Weights& p, const Weights& q) {
  return {{p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]},
          {p, q}};
}

Weights random_point(Random& random, int below) {
  const auto weight = [&] { return Integer(random.below(static_cast<std::uint64_t>(below)) + 1); };
  return {weight(), weight(), weight()};
}

// Far beyond the border on the far side of `inside` as seen from another point.
CuttingSegment chord_through(const Weights& p, const Weights& q) {
  Weights from, to;
  for (std::size_t k = 0; k < 3; ++k) {
    from[k] = 1000 * p[k] * (q[0] + q[1] + q[2]) - 999 * q[k] * (p[0] + p[1] + p[2]);
    to[k] = 1000 * q[k] * (p[0] + p[1] + p[2]) - 999 * p[k] * (q[0] + q[1] + q[2]);
  }
  return cut_between(from, to);
}

bool is_inside(const Weights& at) { return at[0] > 0 && at[1] > 0 && at[2] > 0; }

TEST_CASE("a triangle is one cell, and a chord makes two of it") {
  TriangleCells cells;
  CHECK(cells.size() == 1);
  CHECK(is_inside(cells.interior_point(0, 0)));
  cells.divide(cut_between({1, 0, 0}, {0, 1, 1}));
  REQUIRE(cells.size() == 2);
  const CellLine line{0, 1, -1};
  CHECK(value(line, cells.interior_point(0, 0)).sign() *
            value(line, cells.interior_point(1, 0)).sign() ==
        -1);
}

TEST_CASE("what does not reach the inside of a cell does not divide it") {
  TriangleCells cells;
  cells.divide(cut_between({1, 0, 0}, {0, 1, 0}));    // an edge
  cells.divide(cut_between({3, -1, -1}, {1, 0, 0}));  // up to a corner
  cells.divide(cut_between({2, 2, -1}, {4, 1, -1}));  // beyond an edge
  cells.divide(cut_between({1, 1, 1}, {1, 1, 1}));    // a point
  CHECK(cells.size() == 1);
  cells.divide(cut_between({1, 1, 0}, {0, 0, 1}));  // two halves, w0 > w1 and w0 < w1
  REQUIRE(cells.size() == 2);
  cells.divide(cut_between({4, 2, 3}, {3, 2, 4}));  // in the first alone
  CHECK(cells.size() == 3);
  cells.divide(cut_between({1, 0, 0}, {1, 1, 1}));  // up to the border between the halves
  CHECK(cells.size() >= 4);
}

TEST_CASE("n chords in general position make 1 + n + (crossings) cells") {
  Random random(1);
  for (int i = 0; i < test::campaign(200); ++i) {
    TriangleCells cells;
    std::vector<CellLine> lines;
    std::size_t expected = 1;
    for (int n = 0; n < 7; ++n) {
      const CuttingSegment cut =
          chord_through(random_point(random, 1000), random_point(random, 1000));
      std::size_t crossings = 0;
      for (const CellLine& other : lines) {
        const CellLine& l = cut.line;
        Weights at{l[1] * other[2] - l[2] * other[1], l[2] * other[0] - l[0] * other[2],
                   l[0] * other[1] - l[1] * other[0]};
        if (at[0] + at[1] + at[2] < 0)
          for (Integer& w : at) w = -w;
        crossings += is_inside(at) ? 1 : 0;
      }
      lines.push_back(cut.line);
      cells.divide(cut);
      expected += 1 + crossings;
      REQUIRE(cells.size() == expected);
    }
    // Every cell lies on sides of its own.
    std::set<std::vector<int>> sides;
    for (std::size_t cell = 0; cell < cells.size(); ++cell)
      for (const std::uint64_t choice : {0u, 1u, 2u}) {
        const Weights at = cells.interior_point(cell, choice);
        REQUIRE(is_inside(at));
        std::vector<int> signs;
        for (const CellLine& line : lines) signs.push_back(value(line, at).sign());
        REQUIRE(std::count(signs.begin(), signs.end(), 0) == 0);
        const bool is_new = sides.insert(signs).second;
        REQUIRE(is_new == (choice == 0));
      }
  }
}

TEST_CASE("a cell too thin for doubles has points inside") {
  TriangleCells cells;
  const Integer huge = Integer(1) << 300;
  cells.divide(cut_between({1, 0, 0}, {0, huge, huge}));
  cells.divide(cut_between({1, 0, 0}, {0, huge + 1, huge - 1}));
  REQUIRE(cells.size() == 3);
  int between = 0;
  for (std::size_t cell = 0; cell < 3; ++cell) {
    const Weights at = cells.interior_point(cell, 5);
    REQUIRE(is_inside(at));
    if (at[1] > at[2] && at[1] * (huge - 1) < at[2] * (huge + 1)) ++between;
  }
  CHECK(between == 1);
}

TEST_CASE("integers tell of the sides of few corners, and of those that doubles do not tell") {
  Random random(4);
  TriangleCells cells;
  for (int n = 0; n < 30; ++n)
    cells.divide(chord_through(random_point(random, 1000), random_point(random, 1000)));
  CHECK(cells.size() > 100);
  CHECK(cells.exact_sides() == 0);
  // By 2^-80 beside the middle of an edge, through which another cut goes.
  const Integer large = Integer(1) << 80;
  TriangleCells halves;
  halves.divide(cut_between({0, 0, 1}, {1, 1, 0}));
  halves.divide(cut_between({0, 0, 1}, {large, large + 1, 0}));
  CHECK(halves.size() == 3);
  CHECK(halves.exact_sides() > 0);
}

}  // namespace
}  // namespace plimsoll
