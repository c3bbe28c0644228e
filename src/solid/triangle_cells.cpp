#include "solid/triangle_cells.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/random.h"

// Corners are kept as the crossing of the two lines that make them, never as one computed from
// others, so that their size does not grow with the number of cuts.

namespace plimsoll {
namespace {

using exact::Integer;

Integer value(const CellLine& line, const Weights& at) {
  return line[0] * at[0] + line[1] * at[1] + line[2] * at[2];
}

Integer sum(const Weights& at) { return at[0] + at[1] + at[2]; }

// The point on both lines, its weights not negative: it is one of the triangle.
Weights crossing(const CellLine& l, const CellLine& m) {
  Weights at{l[1] * m[2] - l[2] * m[1], l[2] * m[0] - l[0] * m[2], l[0] * m[1] - l[1] * m[0]};
  if (at[0] < 0 || at[1] < 0 || at[2] < 0)
    for (Integer& w : at) w = -w;
  return at;
}

unsigned bits(const std::array<Integer, 3>& at) {
  unsigned max_bits = 0;
  for (const Integer& w : at)
    if (w != 0)
      max_bits = std::max(max_bits, static_cast<unsigned>(msb(w < 0 ? Integer(-w) : w)) + 1);
  return max_bits;
}

}  // namespace

TriangleCells::TriangleCells()
    : lines_{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}},
      cells_{{Corner({1, 0, 0}, 0), Corner({0, 1, 0}, 1), Corner({0, 0, 1}, 2)}} {}

TriangleCells::Rounded::Rounded(const std::array<Integer, 3>& integers) {
  constexpr unsigned kBits = 62;
  const unsigned length = bits(integers);
  for (std::size_t k = 0; k < 3; ++k) {
    // Shifts are of sizes: those of negative numbers are not what the processor's are.
    Integer size = integers[k] < 0 ? Integer(-integers[k]) : integers[k];
    if (length > kBits) size >>= length - kBits;
    x[k] = static_cast<double>(size.convert_to<std::int64_t>());
    if (integers[k] < 0) x[k] = -x[k];
    largest = std::max(largest, std::fabs(x[k]));
  }
}

// The sign of the value of the line. Of a sum of three products of numbers, each off by u = 2^-52
// of the largest of its three, l and w, at most 6 u l w is missing, and 3 u l w in rounding.
int TriangleCells::side_of(const CellLine& line, const Rounded& near_line, const Corner& corner) {
  const auto& [l, w] = std::pair(near_line.x, corner.near.x);
  const double sum = l[0] * w[0] + l[1] * w[1] + l[2] * w[2];
  const double bound = 0x1p-48 * near_line.largest * corner.near.largest;
  if (sum > bound) return 1;
  if (sum < -bound) return -1;
  ++exact_sides_;
  return value(line, corner.at).sign();
}

// Whether the chord along which the line divides the cell has more than a point in common with the
// segment. `side` tells the side of the line for each corner.
bool TriangleCells::reaches_inside(const CuttingSegment& cut, const Cell& cell,
                                   const std::vector<int>& side) const {
  std::vector<Weights> chord;
  for (std::size_t i = 0; i < cell.size(); ++i) {
    if (side[i] == 0) chord.push_back(cell[i].at);
    if (side[i] * side[(i + 1) % cell.size()] < 0)
      chord.push_back(crossing(lines_[cell[i].line], cut.line));
  }
  // The weights of points along a line all change at constant rates; one that does change at all
  // orders the points.
  const auto& [from, to] = cut.ends;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto precedes = [k](const Weights& p, const Weights& q) {
      return p[k] * sum(q) < q[k] * sum(p);
    };
    if (!precedes(chord[0], chord[1]) && !precedes(chord[1], chord[0])) continue;
    const auto [c, d] = std::minmax(chord[0], chord[1], precedes);
    const auto [e, f] = std::minmax(from, to, precedes);
    return precedes(e, f) && precedes(c, f) && precedes(e, d);
  }
  return false;
}

void TriangleCells::divide(const CuttingSegment& cut) {
  const std::size_t line = lines_.size();
  lines_.push_back(cut.line);
  const Rounded near_line(cut.line);
  const std::size_t before = cells_.size();
  for (std::size_t c = 0; c < before; ++c) {
    const Cell& cell = cells_[c];
    std::vector<int> side(cell.size());
    for (std::size_t i = 0; i < cell.size(); ++i) side[i] = side_of(cut.line, near_line, cell[i]);
    if (std::count(side.begin(), side.end(), 1) == 0 ||
        std::count(side.begin(), side.end(), -1) == 0 || !reaches_inside(cut, cell, side))
      continue;
    Cell above, below;
    for (std::size_t i = 0; i < cell.size(); ++i) {
      const int here = side[i], next = side[(i + 1) % cell.size()];
      // A corner on the cut goes to both; from it the part that leaves the cell's border goes on
      // along the cut.
      if (here >= 0) {
        above.push_back(cell[i]);
        if (here == 0 && next < 0) above.back().line = line;
      }
      if (here <= 0) {
        below.push_back(cell[i]);
        if (here == 0 && next > 0) below.back().line = line;
      }
      if (here * next < 0) {
        const Corner corner(crossing(lines_[cell[i].line], cut.line), cell[i].line);
        above.push_back(corner);
        below.push_back(corner);
        (here > 0 ? above : below).back().line = line;
      }
    }
    cells_[c] = std::move(above);
    cells_.push_back(std::move(below));
  }
}

bool TriangleCells::is_inside(const Cell& cell, const Weights& point, const Weights& inner) const {
  return std::all_of(cell.begin(), cell.end(), [&](const Corner& corner) {
    const CellLine& line = lines_[corner.line];
    return value(line, point).sign() == value(line, inner).sign();
  });
}

Weights TriangleCells::interior_point(std::size_t cell, std::uint64_t choice) const {
  // Any positive combination of the corners is inside; the shifts give each a like share.
  unsigned max_bits = 0;
  for (const Corner& corner : cells_[cell]) max_bits = std::max(max_bits, bits(corner.at));
  Random random(choice);
  Weights inner{0, 0, 0};
  for (const Corner& corner : cells_[cell]) {
    const Integer share = Integer(1 + random.below(1u << 16)) << (max_bits - bits(corner.at));
    for (std::size_t k = 0; k < 3; ++k) inner[k] += share * corner.at[k];
  }
  // The leading bits will nearly always do.
  for (unsigned kept = 30; kept < bits(inner); kept *= 2) {
    const unsigned dropped = bits(inner) - kept;
    const Weights rounded{inner[0] >> dropped, inner[1] >> dropped, inner[2] >> dropped};
    if (is_inside(cells_[cell], rounded, inner)) return rounded;
  }
  return inner;
}

}  // namespace plimsoll
