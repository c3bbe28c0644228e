#include "overlap/triangle_crossing.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/power_of_two.h"
#include "core/predicates.h"
#include "pairs/triangle_pair.h"

namespace plimsoll {
namespace {

/// The edges along which a boundary with corners on both sides passes a plane.
struct Passes {
  PassingEdge up, down;
};

// One corner is alone on its side: the edges to it and from it pass.
Passes passes_of(unsigned above) {
  const bool lone_is_above = (above & (above - 1)) == 0;
  const int lone = std::countr_zero(lone_is_above ? above : 7U & ~above);
  const int before = (lone + 2) % 3;
  if (lone_is_above) return {{before, true}, {lone, false}};
  return {{lone, true}, {before, false}};
}

/// Whether e of t meets the common line before f of u.
bool comes_before(const CrossingTriangle& t, const PassingEdge& e, const CrossingTriangle& u,
                  const PassingEdge& f) {
  const int e0 = e.front(), e1 = e.back(), f0 = f.front(), f1 = f.back();
  const int sign = orient3d(t.at[e0], t.at[e1], u.at[f0], u.at[f1]);
  if (sign != 0) return sign > 0;
  return sign_of_motion(t.moved(e0), t.moved(e1), u.moved(f0), u.moved(f1)) > 0;
}

/// Whether triangles in one plane are moved so that a plane parallel to it lies between them, as
/// faces are that lie against each other. What rounding leaves open is not.
bool come_apart(const CrossingTriangle& t, const CrossingTriangle& u) {
  const Vec3 e = t.at[1] - t.at[0], f = t.at[2] - t.at[0], normal = e.cross(f);
  // The normal and its products with ways, which are shorter than 2; and what underflows.
  const double off = 0x1p-46 * e.lpNorm<1>() * f.lpNorm<1>() + 0x1p-1000;
  const auto range = [&](const CrossingTriangle& of) {
    const double h[3] = {normal.dot(of.moved(0).way), normal.dot(of.moved(1).way),
                         normal.dot(of.moved(2).way)};
    return std::minmax({h[0], h[1], h[2]});
  };
  const auto [t_low, t_high] = range(t);
  const auto [u_low, u_high] = range(u);
  return t_low > u_high + off || u_low > t_high + off;
}

}  // namespace

CornerSides sides_of(const CrossingTriangle& plane, const CrossingTriangle& other) {
  std::array<int, 3> side = sides_of_corners({plane.at, plane.vertex}, {other.at, other.vertex});
  const bool in_plane = side == std::array{0, 0, 0};
  if (in_plane && come_apart(plane, other)) return {0, true};
  CornerSides sides{0, in_plane};
  for (int k = 0; k < 3; ++k) {
    if (side[k] == 0)
      side[k] = sign_of_motion(plane.moved(0), plane.moved(1), plane.moved(2), other.moved(k));
    sides.above |= side[k] > 0 ? 1U << k : 0U;
  }
  return sides;
}

std::optional<TriangleCrossing> crossing_of(const CrossingTriangle& t, unsigned t_above,
                                            const CrossingTriangle& u, unsigned u_above) {
  const Passes e = passes_of(t_above), f = passes_of(u_above);
  if (!comes_before(t, e.up, u, f.up) || comes_before(t, e.down, u, f.down)) return std::nullopt;
  const bool begins_with_t = !comes_before(t, e.up, u, f.down);
  const bool ends_with_t = comes_before(t, e.down, u, f.up);
  return TriangleCrossing{{begins_with_t, begins_with_t ? e.up : f.down},
                          {ends_with_t, ends_with_t ? e.down : f.up}};
}

// The share is h / (h + k) of the heights h in front and k behind: with these off by relative
// errors d and e it is off by less than (d + e) / 4 and its own rounding.
PassingShare passing_share(const CrossingTriangle& of, const PassingEdge& edge,
                           const CrossingTriangle& plane) {
  constexpr double kAccuracy = 0x1p-44;
  const auto height = [&](int k) -> LeadingTerm {
    for (const auto& orient3d_of : {rounded_orient3d, accurate_orient3d}) {
      const RoundedDeterminant det = orient3d_of(plane.at[0], plane.at[1], plane.at[2], of.at[k]);
      const double size = std::fabs(det.value);
      if (det.bound < kAccuracy * size) return {det.value, 0, 0, det.bound / size};
    }
    return leading_term(plane.moved(0), plane.moved(1), plane.moved(2), of.moved(k));
  };
  const LeadingTerm front = height(edge.front()), back = height(edge.back());
  if (front.power != back.power) return {front.power < back.power ? 1.0 : 0.0, 0};
  const int unit = std::max(front.exponent, back.exponent);
  const double above = std::fabs(times_power_of_two(front.value, front.exponent - unit));
  const double below = std::fabs(times_power_of_two(back.value, back.exponent - unit));
  if (!(above + below > 0)) return {0.5, 0.5};
  return {above / (above + below), (front.error + back.error) / 4 + 0x1p-52};
}

}  // namespace plimsoll
