#include "contact/volume_push.h"

#include <plimsoll/rotation.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace plimsoll {
namespace {

constexpr double kEighth = 0.41421356237309503;  // tan(pi / 8)

/// Which sixteenth of a turn v points into: a number of its own for each, in no order.
std::size_t sector_of(const Vec2& v) {
  const double x = std::fabs(v.x()), y = std::fabs(v.y());
  const std::size_t within = (y > kEighth * x) + (y > x) + (kEighth * y > x);
  const std::size_t quarter = (v.x() < 0 ? 1 : 0) + (v.y() < 0 ? 2 : 0);
  return 4 * quarter + within;
}

double cross(const Vec2& p, const Vec2& q) { return p.x() * q.y() - p.y() * q.x(); }

struct Sector {
  double area = 0;
  Vec2 first = Vec2::Zero();
};

/// Areas and first moments of a patch about the origin, by sectors: of fans from the origin to the
/// segments of its border.
class Fan {
 public:
  void add(const Vec2& p, const Vec2& q) {
    // Where the segment passes the lines between sectors.
    static const std::array<Vec2, 8> lines{{{1, 0},
                                            {1, kEighth},
                                            {1, 1},
                                            {kEighth, 1},
                                            {0, 1},
                                            {-kEighth, 1},
                                            {-1, 1},
                                            {-1, kEighth}}};
    std::array<double, lines.size() + 1> shares;
    std::size_t count = 0;
    for (const Vec2& line : lines) {
      const double from = cross(line, p), to = cross(line, q);
      if ((from < 0) != (to < 0)) shares[count++] = from / (from - to);
    }
    shares[count++] = 1;
    std::sort(shares.begin(), shares.begin() + static_cast<std::ptrdiff_t>(count));
    Vec2 from = p;
    for (std::size_t k = 0; k < count; ++k) {
      const Vec2 to = shares[k] == 1 ? q : Vec2(p + shares[k] * (q - p));
      const double area = cross(from, to) / 2;
      Sector& sector = sectors_[sector_of(from + to)];
      sector.area += area;
      sector.first += area / 3 * (from + to);
      from = to;
    }
    reach_ = std::max(reach_, q.norm());
  }

  [[nodiscard]] const std::array<Sector, 16>& sectors() const { return sectors_; }
  /// Of the farthest corner of the border.
  [[nodiscard]] double reach() const { return reach_; }

 private:
  std::array<Sector, 16> sectors_;
  double reach_ = 0;
};

struct PatchPoint {
  double area = 0;
  Vec2 at = Vec2::Zero();
  double push = 0;
};

/// The patch's sectors; where there is more than one layer in one of them, all of it at the origin.
std::vector<PatchPoint> points_of(const Fan& fan) {
  double whole = 0;
  for (const Sector& sector : fan.sectors()) whole += sector.area;
  if (whole == 0) return {};
  constexpr double kRounding = 0x1p-40;
  std::vector<PatchPoint> patch;
  for (const Sector& sector : fan.sectors()) {
    const double share = sector.area / whole;  // the border may go round either way
    if (std::fabs(share) <= kRounding) continue;
    const Vec2 at = sector.first / sector.area;
    if (share < 0 || at.norm() > fan.reach()) return {{std::fabs(whole), Vec2::Zero()}};
    patch.push_back({std::fabs(sector.area), at});
  }
  return patch;
}

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

/// How far the center of what is shared is from the middle of the curve, along the push.
double depth_of(const Overlap& shared, const Vec3& way) {
  double length = 0, height = 0;
  for (const auto& [from, to] : shared.curve) {
    const double of_segment = (to - from).norm();
    length += of_segment;
    height += of_segment * way.dot((from + to) / 2 - *shared.center);
  }
  return std::fabs(height / length);
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
  std::vector<PatchPoint> patch = points_of(fan);
  if (patch.empty()) return {};
  press(patch, shared.volume);
  const double depth = depth_of(shared, way);
  std::vector<ContactPoint> points;
  for (const auto& [area, at, push] : patch)
    if (push > 0)
      points.push_back(
          {*shared.center + axes.leftCols<2>() * at, way, area, push, push * depth, Vec3(-way)});
  return points;
}

}  // namespace plimsoll
