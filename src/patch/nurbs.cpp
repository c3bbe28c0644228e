// NURBS as Bezier patches.
//
// On one span [t_k, t_k+1] a spline of degree p is a polynomial that depends on the p + 1 points
// d_k-p ... d_k. Inserting both ends until they have multiplicity p turns these into the Bezier
// points of the span; the j-th is the value that de Boor's recurrence
//
//   d_i^r = (1 - a) d_(i-1)^(r-1) + a d_i^(r-1),   a = (s_r - t_i) / (t_(i+p-r+1) - t_i),
//
// reaches after r = 1 ... p when p - j of its arguments s_r are t_k and j are t_k+1: the blossom
// [PieglTiller1997, sec. 5.3; Ramshaw1989]. As t_i <= t_k < t_k+1 <= t_(i+p-r+1), no divisor is
// zero and a lies in [0, 1]: positive weights stay positive.
#include <plimsoll/patches.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "patch/weighted_point.h"

namespace plimsoll {
namespace {

Error invalid(const std::string& message, const std::string& where) {
  return {ErrorCode::kInvalidArgument, message, where};
}

// The way from p to q, by `a` in homogeneous coordinates. Written as a step from p, which keeps
// what both have in common to the last bit: a pole stays one point, a plane plane.
WeightedPoint between(const WeightedPoint& p, const WeightedPoint& q, double a) {
  if (a == 1) return q;
  const double weight = (1 - a) * p.w() + a * q.w();
  const Vec3 position = p.head<3>() + a * q.w() / weight * (q - p).head<3>();
  return {position.x(), position.y(), position.z(), weight};
}

struct Direction {
  const char* name;
  int degree;
  const std::vector<double>& knots;
  std::size_t count;  ///< Of points.
};

Result<void> check_direction(const Direction& along) {
  const std::string where = std::string("knots in ") + along.name;
  const auto degree = static_cast<std::size_t>(along.degree);
  for (std::size_t i = 0; i < along.knots.size(); ++i) {
    if (!std::isfinite(along.knots[i]))
      return invalid("knot " + std::to_string(i) + " is not finite", where);
    if (i > 0 && along.knots[i] < along.knots[i - 1])
      return invalid("found knot " + std::to_string(i) + " below knot " + std::to_string(i - 1) +
                         ", expected knots that ascend",
                     where);
  }
  const double first = along.knots[degree], last = along.knots[along.count];
  if (first == last)
    return invalid("found knots " + std::to_string(degree) + " to " + std::to_string(along.count) +
                       " equal, expected a surface between them",
                   where);
  for (std::size_t i = 0; i + degree < along.knots.size(); ++i)
    if (along.knots[i] == along.knots[i + degree] && along.knots[i] > first &&
        along.knots[i] < last)
      return invalid("found knot " + std::to_string(i) + " repeated more than " +
                         std::to_string(degree) + " times, where the surface comes apart",
                     where);
  return {};
}

// The number of points along a direction, from the number of its knots.
Result<std::size_t> point_count(const char* name, int degree, std::size_t knots) {
  const std::string where = std::string("knots in ") + name;
  if (degree < 1 || degree > kMaxPatchDegree)
    return invalid("found the degree " + std::to_string(degree) + ", expected 1 to " +
                       std::to_string(kMaxPatchDegree),
                   where);
  const std::size_t least = 2 * static_cast<std::size_t>(degree) + 2;
  if (knots < least)
    return invalid("found " + std::to_string(knots) + " knots, expected " + std::to_string(least) +
                       " or more for the degree " + std::to_string(degree),
                   where);
  return knots - static_cast<std::size_t>(degree) - 1;
}

// The j-th Bezier point of span k; `line` holds the points of the spline.
WeightedPoint bezier_point(const Direction& along, std::span<const WeightedPoint> line,
                           std::size_t k, std::size_t j) {
  const auto p = static_cast<std::size_t>(along.degree);
  std::array<WeightedPoint, kMaxPatchDegree + 1> d;
  std::copy_n(line.begin() + static_cast<std::ptrdiff_t>(k - p), p + 1, d.begin());
  for (std::size_t r = 1; r <= p; ++r) {
    const double s = r <= p - j ? along.knots[k] : along.knots[k + 1];
    for (std::size_t i = p; i >= r; --i) {
      const double from = along.knots[k - p + i], to = along.knots[k + i - r + 1];
      d[i] = between(d[i - 1], d[i], (s - from) / (to - from));
    }
  }
  return d[p];
}

// The Bezier points of all spans in a row, joints once.
std::vector<WeightedPoint> bezier_line(const Direction& along,
                                       std::span<const WeightedPoint> line) {
  const auto p = static_cast<std::size_t>(along.degree);
  std::vector<WeightedPoint> result;
  for (std::size_t k = p; k < along.count; ++k) {
    if (along.knots[k] == along.knots[k + 1]) continue;
    for (std::size_t j = result.empty() ? 0 : 1; j <= p; ++j)
      result.push_back(bezier_point(along, line, k, j));
  }
  return result;
}

// A rows x columns array, the second index fastest.
struct Grid {
  std::size_t rows = 0, columns = 0;
  std::vector<WeightedPoint> points;
};

// Replaces each row by its bezier_line and exchanges rows and columns.
Grid refined_and_transposed(const Direction& along, const Grid& grid) {
  Grid result{0, grid.rows, {}};
  for (std::size_t i = 0; i < grid.rows; ++i) {
    const std::span row(&grid.points[i * grid.columns], grid.columns);
    const std::vector<WeightedPoint> line = bezier_line(along, row);
    result.rows = line.size();
    result.points.resize(result.rows * result.columns);
    for (std::size_t j = 0; j < line.size(); ++j) result.points[j * result.columns + i] = line[j];
  }
  return result;
}

PatchSurface cut_into_patches(const Grid& grid, int degree_u, int degree_v) {
  const auto p = static_cast<std::size_t>(degree_u), q = static_cast<std::size_t>(degree_v);
  PatchSurface surface;
  for (std::size_t first = 0; first + 1 < grid.rows; first += p) {
    for (std::size_t left = 0; left + 1 < grid.columns; left += q) {
      BezierPatch patch{degree_u, degree_v, {}};
      for (std::size_t i = 0; i <= p; ++i)
        for (std::size_t j = 0; j <= q; ++j)
          patch.points.push_back(grid.points[(first + i) * grid.columns + left + j]);
      surface.patches.push_back(std::move(patch));
    }
  }
  return surface;
}

}  // namespace

Result<PatchSurface> to_bezier(const NurbsSurface& surface) {
  const auto rows = point_count("u", surface.degree_u, surface.knots_u.size());
  if (!rows) return rows.error();
  const auto columns = point_count("v", surface.degree_v, surface.knots_v.size());
  if (!columns) return columns.error();
  if (surface.points.size() / *rows != *columns || surface.points.size() % *rows != 0)
    return invalid("found " + std::to_string(surface.points.size()) + " points, expected " +
                       std::to_string(*rows) + " x " + std::to_string(*columns) +
                       " for these knots and degrees",
                   "points");
  const Direction u{"u", surface.degree_u, surface.knots_u, *rows};
  const Direction v{"v", surface.degree_v, surface.knots_v, *columns};
  for (const Direction* along : {&u, &v})
    if (const Result<void> sound = check_direction(*along); !sound) return sound.error();
  for (std::size_t i = 0; i < surface.points.size(); ++i)
    if (const std::string fault = fault_of(surface.points[i]); !fault.empty())
      return invalid("found " + fault, "point " + std::to_string(i));
  const Grid in_v = refined_and_transposed(v, {*rows, *columns, surface.points});
  const Grid in_both = refined_and_transposed(u, in_v);
  return cut_into_patches(in_both, surface.degree_u, surface.degree_v);
}

}  // namespace plimsoll
