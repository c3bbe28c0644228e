#include "overlap/overlap_pieces.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/no_index.h"
#include "core/solid_angle.h"
#include "overlap/piece_borders.h"
#include "overlap/solid_sums.h"

namespace plimsoll {
namespace {

/// A connected surface.
struct Surface {
  FanSums fans;
  std::size_t terms = 0;
  RoundedPoint point{Vec3::Zero(), 0};  // of it

  [[nodiscard]] double error_x6() const {
    return fans.error_x6 + 0x1p-52 * (static_cast<double>(terms) + 8) * fans.magnitude_x6;
  }
};

struct Fan {
  int times;
  std::array<RoundedPoint, 3> corner;
};

/// The angle that the triangle takes up, seen from `eye`: its sign tells the side that is seen.
/// [VanOosterom1983] 0 where the eye may be in its plane: it is where a cavity ends in a triangle.
//
// Each point that is moved by d changes the determinant by d times the product of two lengths, and
// the rest of the powers of d by no more than twice that; where a length is below d, that bounds
// the determinant itself. It takes 8 roundings.
double solid_angle(const RoundedPoint& eye, const Fan& fan) {
  const auto& [o, p, q] = fan.corner;
  const Vec3 a = o.at - eye.at, b = p.at - eye.at, c = q.at - eye.at;
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  const double det = a.dot(b.cross(c));
  const double off = eye.off + o.off + p.off + q.off;
  if (std::fabs(det) <= 3 * off * (la * lb + lb * lc + lc * la) + 0x1p-48 * la * lb * lc) return 0;
  return fan.times * plimsoll::solid_angle(a, b, c, det);
}

/// A surface that bounds a piece from outside.
struct Outer {
  std::size_t surface;
  double volume_x6;
  Box3 box = {};
  std::vector<Fan> fans = {};

  void add(const Fan& fan) {
    fans.push_back(fan);
    for (const RoundedPoint& x : fan.corner)
      for (const double off : {-x.off, x.off}) box.extend(x.at + Vec3::Constant(off));
  }
  [[nodiscard]] bool may_be_around(const RoundedPoint& x) const {
    return box.exteriorDistance(x.at) <= x.off;
  }
  /// Whether it fills 4 pi seen from there, or 2 pi: there it was filled.
  [[nodiscard]] bool is_around(const RoundedPoint& x) const {
    double angle = 0;
    for (const Fan& fan : fans) angle += solid_angle(x, fan);
    return std::fabs(angle) > std::numbers::pi;
  }
};

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
        surface.point = p;
        ++surface.terms;
      });
      borders_.visit_knots(s, [&](const RoundedPoint& u, const RoundedPoint& v,
                                  const RoundedPoint& knot, std::uint32_t node) {
        surface_of(node).fans.error_x6 += Sliver(u.at, v.at).most_x6(knot.off);
      });
    }
  }

  std::vector<OverlapPiece> pieces(const LocalFrame& local) {
    std::vector<Outer> outer;  // the smallest first
    std::vector<std::size_t> cavities;
    for (std::size_t i = 0; i < surfaces_.size(); ++i) {
      const double error = surfaces_[i].error_x6();
      if (volume_x6(i) > error) outer.push_back({i, volume_x6(i)});
      if (volume_x6(i) < -error) cavities.push_back(i);
    }
    std::stable_sort(outer.begin(), outer.end(),
                     [](const Outer& x, const Outer& y) { return x.volume_x6 < y.volume_x6; });
    if (!cavities.empty() && outer.size() > 1) set_fans(outer);
    std::vector<FanSums> sums;
    for (const Surface& surface : surfaces_) {
      sums.push_back(surface.fans);
      sums.back().error_x6 = surface.error_x6();
    }
    for (const std::size_t cavity : cavities) {
      if (outer.empty()) break;
      FanSums& home = sums[home_of(surfaces_[cavity].point, outer)];
      home.volume_x6 += sums[cavity].volume_x6;
      home.first_x24 += sums[cavity].first_x24;
      home.error_x6 += sums[cavity].error_x6;
    }
    std::vector<OverlapPiece> result;
    for (const Outer& around : outer) {
      const std::size_t i = around.surface;
      const double volume = local.meters(sign_ * sums[i].volume_x6 / 6, 3);
      const double error = local.meters(sums[i].error_x6 / 6, 3);
      if (!(volume > error)) continue;  // also where both are below the least number
      const Vec3 center = sums[i].first_x24 / (4 * sums[i].volume_x6);
      result.push_back({volume, error, local.origin + local.meters(center, 1)});
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

  void set_fans(std::vector<Outer>& outer) {
    constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> number(surfaces_.size(), kNone);
    for (std::size_t i = 0; i < outer.size(); ++i) number[outer[i].surface] = i;
    for (std::size_t s = 0; s < 2; ++s)
      borders_.visit_fans(s, [&](int times, const RoundedPoint& o, const RoundedPoint& p,
                                 const RoundedPoint& q, std::uint32_t node) {
        const std::size_t i = number[place_[borders_.groups().find(node)]];
        if (i != kNone) outer[i].add({times, {o, p, q}});
      });
  }

  /// The smallest of the outer surfaces that is around a cavity's point.
  [[nodiscard]] static std::size_t home_of(const RoundedPoint& point,
                                           const std::vector<Outer>& outer) {
    const auto is_home = [&](const Outer& x) {
      return x.may_be_around(point) && x.is_around(point);
    };
    // The largest is left where no other is.
    const auto home = std::find_if(outer.begin(), outer.end() - 1, is_home);
    return home->surface;
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
