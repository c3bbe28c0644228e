#include "overlap/overlap_pieces.h"

#include <plimsoll/elementary.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/no_index.h"
#include "overlap/piece_borders.h"
#include "overlap/solid_sums.h"

namespace plimsoll {
namespace {

/// A connected surface.
struct Surface {
  FanSums fans;
  std::size_t terms = 0;
  Vec3 point = Vec3::Zero();  // of it

  [[nodiscard]] double error_x6() const {
    return fans.error_x6 + 0x1p-52 * (static_cast<double>(terms) + 8) * fans.magnitude_x6;
  }
};

/// The angle that the triangle takes up, seen from `eye`: its sign tells the side that is seen.
/// [VanOosterom1983]
double solid_angle(const Vec3& eye, const Vec3& o, const Vec3& p, const Vec3& q) {
  const Vec3 a = o - eye, b = p - eye, c = q - eye;
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  return 2 * elementary::atan2(a.dot(b.cross(c)),
                               la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
}

class Surfaces {
 public:
  /// `sign`: -1 where one of the solids is turned inward.
  Surfaces(PieceBorders& borders, double sign)
      : borders_(borders), sign_(sign), place_(borders.node_count(), kNoIndex) {
    for (std::size_t s = 0; s < 2; ++s) {
      borders_.visit_fans(s, [&](int times, const RoundedPoint& o, const RoundedPoint& p,
                                 const RoundedPoint& q, std::uint32_t node) {
        Surface& surface = surface_of(node);
        surface.fans.add(times, o, p, q, Vec3::Zero());
        surface.point = p.at;
        ++surface.terms;
      });
      borders_.visit_knots(s, [&](const RoundedPoint& u, const RoundedPoint& v,
                                  const RoundedPoint& knot, std::uint32_t node) {
        surface_of(node).fans.error_x6 += Sliver(u.at, v.at).most_x6(knot.off);
      });
    }
  }

  std::vector<OverlapPiece> pieces(const LocalFrame& local) {
    std::vector<std::size_t> outer, cavities;
    for (std::size_t i = 0; i < surfaces_.size(); ++i) {
      const double error = surfaces_[i].error_x6();
      if (volume_x6(i) > error) outer.push_back(i);
      if (volume_x6(i) < -error) cavities.push_back(i);
    }
    std::vector<FanSums> sums;
    for (const Surface& surface : surfaces_) {
      sums.push_back(surface.fans);
      sums.back().error_x6 = surface.error_x6();
    }
    for (const std::size_t cavity : cavities) {
      if (outer.empty()) break;
      FanSums& home = sums[home_of(cavity, outer)];
      home.volume_x6 += sums[cavity].volume_x6;
      home.first_x24 += sums[cavity].first_x24;
      home.error_x6 += sums[cavity].error_x6;
    }
    std::vector<OverlapPiece> result;
    for (const std::size_t i : outer) {
      const Vec3 center = sums[i].first_x24 / (4 * sums[i].volume_x6);
      result.push_back({local.meters(sign_ * sums[i].volume_x6 / 6, 3),
                        local.meters(sums[i].error_x6 / 6, 3),
                        local.origin + local.meters(center, 1)});
    }
    std::stable_sort(
        result.begin(), result.end(),
        [](const OverlapPiece& x, const OverlapPiece& y) { return x.volume > y.volume; });
    return result;
  }

 private:
  Surface& surface_of(std::uint32_t node) {
    std::uint32_t& place = place_[borders_.groups().find(node)];
    if (place == kNoIndex) {
      place = static_cast<std::uint32_t>(surfaces_.size());
      surfaces_.emplace_back();
    }
    return surfaces_[place];
  }

  [[nodiscard]] double volume_x6(std::size_t i) const {
    return sign_ * surfaces_[i].fans.volume_x6;
  }

  /// The smallest of the outer surfaces that is around the cavity, or that a hole was filled of: it
  /// fills 4 pi or 2 pi seen from the cavity's points, and none of those that the cavity is beside.
  [[nodiscard]] std::size_t home_of(std::size_t cavity, const std::vector<std::size_t>& outer) {
    if (outer.size() == 1) return outer.front();
    const Vec3 point = surfaces_[cavity].point;
    std::vector<double> angle(surfaces_.size(), 0);
    for (std::size_t s = 0; s < 2; ++s)
      borders_.visit_fans(s, [&](int times, const RoundedPoint& o, const RoundedPoint& p,
                                 const RoundedPoint& q, std::uint32_t node) {
        angle[place_[borders_.groups().find(node)]] += times * solid_angle(point, o.at, p.at, q.at);
      });
    const auto is_around = [&](std::size_t i) { return std::fabs(angle[i]) > std::numbers::pi; };
    std::size_t home = outer.front();
    for (const std::size_t i : outer)
      if (is_around(i) && (!is_around(home) || volume_x6(i) < volume_x6(home))) home = i;
    return home;
  }

  PieceBorders& borders_;
  double sign_;
  std::vector<std::uint32_t> place_;  // among surfaces_, by the first node of a group
  std::vector<Surface> surfaces_;
};

}  // namespace

std::optional<std::vector<OverlapPiece>> overlap_pieces(const std::array<const Side*, 2>& sides,
                                                        std::span<const CurveSegment> segments,
                                                        const LocalFrame& local) {
  PieceBorders borders(sides, segments, local);
  if (borders.is_tangled()) return std::nullopt;
  return Surfaces(borders, sides[0]->sign * sides[1]->sign).pieces(local);
}

}  // namespace plimsoll
