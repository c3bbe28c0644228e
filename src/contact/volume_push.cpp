#include "contact/volume_push.h"

#include <plimsoll/rotation.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace plimsoll {
namespace {

constexpr double kEighth = 0.41421356237309503;  // tan(pi / 8)

/// Which sixteenth of a turn v points into: a number of its own for each, in no order.
std::size_t sector_of(const Vec2& v) {
  const double x = std::fabs(v.x()), y = std::fabs(v.y());
  const std::size_t within = (y > kEighth * x) + (y > x) + (kEighth * y > x);
  return 4 * ((v.x() < 0 ? 1U : 0U) + (v.y() < 0 ? 2U : 0U)) + within;
}

double cross(const Vec2& p, const Vec2& q) { return p.x() * q.y() - p.y() * q.x(); }

/// Areas and first moments of a patch about the origin, by sectors.
class Fan {
 public:
  struct Sector {
    double area = 0;
    Vec2 first = Vec2::Zero();
  };

  /// Adds the triangle from the origin to a segment, halved until no part is wider than a sector.
  void add(const Vec2& p, const Vec2& q, int halvings = 6) {
    constexpr double kCosine = 0.92387953251128674;  // of pi / 8
    if (halvings > 0 && p.dot(q) < kCosine * p.norm() * q.norm()) {
      const Vec2 middle = (p + q) / 2;
      add(p, middle, halvings - 1);
      add(middle, q, halvings - 1);
      return;
    }
    const double area = cross(p, q) / 2;
    Sector& sector = sectors_[sector_of(p + q)];
    sector.area += area;
    sector.first += area / 3 * (p + q);
  }

  [[nodiscard]] const std::array<Sector, 16>& sectors() const { return sectors_; }

 private:
  std::array<Sector, 16> sectors_;
};

struct PatchPoint {
  double area = 0;
  Vec2 at = Vec2::Zero();
  double push = 0;
};

/// A pressure that is linear in the plane, of the sum `volume` about the origin.
void press(std::vector<PatchPoint>& points, double volume) {
  double area = 0;
  Vec2 middle = Vec2::Zero();
  for (const PatchPoint& point : points) {
    area += point.area;
    middle += point.area * point.at;
  }
  middle /= area;
  Mat2 second = Mat2::Zero();
  for (const PatchPoint& point : points)
    second += point.area * (point.at - middle) * (point.at - middle).transpose();
  constexpr double kThin = 1e-12;
  const double trace = second.trace();
  const Vec2 slope = second.determinant() > kThin * trace * trace
                         ? Vec2(second.inverse() * (-area * middle))
                         : Vec2(Vec2::Zero());
  double sum = 0;
  for (PatchPoint& point : points) {
    point.push = point.area * std::max(0.0, 1 + slope.dot(point.at - middle));
    sum += point.push;
  }
  for (PatchPoint& point : points) point.push *= volume / sum;
}

}  // namespace

std::vector<ContactPoint> volume_push(const Overlap& shared) {
  constexpr double kRounding = 0x1p-40;
  const double gradient = shared.force_a.stableNorm();
  if (!shared.center || !(gradient > kRounding * shared.curve_length * shared.curve_length))
    return {};
  const Vec3 way = shared.force_a / gradient;
  const Mat3 axes = rotation_between(Vec3::UnitZ(), way);
  const auto in_plane = [&](const Vec3& at) {
    return Vec2((axes.transpose() * (at - *shared.center)).head<2>());
  };
  Fan fan;
  for (const auto& [from, to] : shared.curve) fan.add(in_plane(from), in_plane(to));
  double turn = 0;  // the way round in which the curve goes
  for (const Fan::Sector& sector : fan.sectors()) turn += sector.area;
  std::vector<PatchPoint> patch;
  for (const Fan::Sector& sector : fan.sectors())
    if (std::copysign(1, turn) * sector.area > 0)
      patch.push_back({std::fabs(sector.area), sector.first / sector.area});
  if (patch.empty()) return {};
  press(patch, shared.volume);
  std::vector<ContactPoint> points;
  for (const auto& [area, at, push] : patch)
    if (push > 0)
      points.push_back(
          {*shared.center + axes.leftCols<2>() * at, way, area, push, push * push / (2 * area)});
  return points;
}

}  // namespace plimsoll
