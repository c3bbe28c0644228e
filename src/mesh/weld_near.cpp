// Vertices near each other made one, by a grid of cells twice as wide as the tolerance.
#include <plimsoll/assert.h>
#include <plimsoll/mesh.h>

#include <cmath>

#include "core/number_text.h"
#include "mesh/point_table.h"

namespace plimsoll {
namespace {

/// The points kept so far, by their cells. They are `tolerance` apart, so a cell holds a few.
class KeptPoints {
 public:
  KeptPoints(const std::vector<Vec3>& points, double tolerance)
      : points_(points), tolerance_(tolerance), table_(cells_, points.size()) {}

  void add(std::uint32_t point) {
    const Vec3 cell = points_[point].unaryExpr([&](double x) { return cell_of(x); });
    const std::uint32_t number = table_.find_or_add(cell, hash_of(cell));
    if (number == last_in_cell_.size()) last_in_cell_.push_back(kNoPoint);
    before_.resize(points_.size(), kNoPoint);
    before_[point] = last_in_cell_[number];
    last_in_cell_[number] = point;
  }

  /// The nearest to `p` below the tolerance, of equally near ones the first; kNoPoint for none.
  [[nodiscard]] std::uint32_t nearest(const Vec3& p, double& distance) const {
    const CellRange x = cells_near(p.x());
    const CellRange y = cells_near(p.y());
    const CellRange z = cells_near(p.z());
    std::uint32_t best = kNoPoint;
    distance = 1;
    for (int i = 0; i < x.count; ++i)
      for (int j = 0; j < y.count; ++j)
        for (int k = 0; k < z.count; ++k)
          look_into({x.first + i, y.first + j, z.first + k}, p, best, distance);
    distance *= tolerance_;
    return best;
  }

 private:
  struct CellRange {
    double first;
    int count;
  };

  /// Whether no other number is closer to x than the tolerance.
  [[nodiscard]] bool stands_alone(double x) const {
    return !(std::nextafter(x, HUGE_VAL) - x < tolerance_) &&
           !(x - std::nextafter(x, -HUGE_VAL) < tolerance_);
  }
  /// Grows with x. Where no other number is near, the number itself is as good: cells of huge
  /// numbers could not be told from their neighbors.
  [[nodiscard]] double cell_of(double x) const {
    return stands_alone(x) ? x : std::floor(x / (2 * tolerance_));
  }
  /// The cells of all numbers closer to x than the tolerance: rounding is monotone, so those
  /// between slightly wider bounds. Five at most, for x does not stand alone: the tolerance is at
  /// least half a unit in the last place.
  [[nodiscard]] CellRange cells_near(double x) const {
    if (stands_alone(x)) return {x, 1};
    constexpr double kLargest = std::numeric_limits<double>::max();
    const double low = std::nextafter(std::fmax(x - tolerance_, -kLargest), -kLargest);
    const double high = std::nextafter(std::fmin(x + tolerance_, kLargest), kLargest);
    const double first = std::floor(low / (2 * tolerance_));
    return {first, static_cast<int>(std::floor(high / (2 * tolerance_)) - first) + 1};
  }

  void look_into(const Vec3& cell, const Vec3& p, std::uint32_t& best, double& distance) const {
    const std::uint32_t number = table_.find(cell);
    if (number == kNoPoint) return;
    for (std::uint32_t q = last_in_cell_[number]; q != kNoPoint; q = before_[q]) {
      const double d =
          ((points_[q] - p) / tolerance_).norm();  // in tolerances: squares stay finite
      if (d < distance || (d == distance && d < 1 && q < best)) {
        best = q;
        distance = d;
      }
    }
  }

  const std::vector<Vec3>& points_;
  double tolerance_;
  std::vector<Vec3> cells_;
  PointTable table_;
  std::vector<std::uint32_t> last_in_cell_;  // per cell
  std::vector<std::uint32_t> before_;        // per point, the one before it in its cell
};

bool repeats(const Triangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; }

}  // namespace

Result<Welding> weld(const CheckedMesh& mesh, double tolerance) {
  if (!(tolerance >= 0 && std::isfinite(tolerance)))
    return Error{ErrorCode::kInvalidArgument,
                 "found a tolerance of " + to_text(tolerance) +
                     ", expected a finite one that is not negative",
                 "tolerance"};
  Welding welding;
  welding.mesh = weld(mesh);
  if (tolerance == 0) return welding;
  tolerance = std::fmin(tolerance, 0x1p1000);  // doubled it still is a number
  std::vector<Vec3>& vertices = welding.mesh.vertices;
  KeptPoints kept(vertices, tolerance);
  std::vector<std::uint32_t> becomes(vertices.size(), kNoPoint);
  double distance = 0;
  for (std::uint32_t v = 0; v < vertices.size(); ++v) {
    if (kept.nearest(vertices[v], distance) != kNoPoint) continue;
    kept.add(v);
    becomes[v] = v;
  }
  for (std::uint32_t v = 0; v < vertices.size(); ++v) {
    if (becomes[v] == v) continue;
    becomes[v] = kept.nearest(vertices[v], distance);
    welding.farthest_move = std::fmax(welding.farthest_move, distance);
    ++welding.merged;
  }

  std::vector<std::uint32_t> number(vertices.size(), kNoPoint);
  std::uint32_t count = 0;
  for (std::uint32_t v = 0; v < vertices.size(); ++v)
    if (becomes[v] == v) number[v] = count++;
  for (Triangle& t : welding.mesh.triangles) {
    const bool repeated = repeats(t);
    for (std::uint32_t& corner : t) corner = number[becomes[corner]];
    if (!repeated && repeats(t)) ++welding.collapsed;
  }
  for (std::uint32_t v = 0; v < vertices.size(); ++v)
    if (becomes[v] == v) vertices[number[v]] = vertices[v];
  vertices.resize(count);
  return welding;
}

}  // namespace plimsoll
