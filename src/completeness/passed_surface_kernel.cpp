// The planes of a sector that pass a triangle, compiled once per instruction set: a lane for each
// sector.
#include "completeness/passed_surface.h"

#include <plimsoll/types.h>

#include <Eigen/Geometry>
#include <limits>
#include <numbers>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "completeness/passed_surface_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/wide_number.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::HWY_NAMESPACE {
namespace {

/// |s| of the corners of a triangle's part.
struct Lengths {
  alignas(64) double of[PassedTriangle::kMaxPoints];
  double farthest = 0;  // no s is longer

  explicit HWY_INLINE Lengths(const PassedTriangle& triangle) {
    for (std::size_t i = 0; i < triangle.points; i += Plain::kWidth) {
      const Plain x = load(&triangle.x[i]), y = load(&triangle.y[i]);
      store(square_root(x * x + y * y), of + i);
    }
    for (std::size_t i = 0; i < triangle.points; ++i) farthest = HWY_MAX(farthest, of[i]);
    farthest *= 1 + 1e-12;
  }
};

/// The directions of as many sectors as there are lanes.
struct SectorLanes {
  Plain first_x, first_y, last_x, last_y;

  explicit HWY_INLINE SectorLanes(std::size_t lane)
      : first_x(load(&kSectors.first_x[lane])),
        first_y(load(&kSectors.first_y[lane])),
        last_x(load(&kSectors.last_x[lane])),
        last_y(load(&kSectors.last_y[lane])) {}

  /// The least and the largest s . y over the points s of a triangle's part and all y of a sector.
  HWY_INLINE void extent(const PassedTriangle& triangle, const Lengths& lengths, Plain& low,
                         Plain& high) const {
    low = everywhere(std::numeric_limits<double>::infinity());
    high = -low;
    const Plain zero = everywhere(0);
    for (std::size_t i = 0; i < triangle.points; ++i) {
      const Plain x = everywhere(triangle.x[i]), y = everywhere(triangle.y[i]);
      const Plain length = everywhere(lengths.of[i]);
      const Plain a = first_x * x + first_y * y, b = last_x * x + last_y * y;
      // Where s, or what is opposite to it, lies between the borders, it is what is farthest.
      const Plain from_first = first_x * y - first_y * x, to_last = x * last_y - y * last_x;
      const auto is_opposite = all_hold(from_first <= zero, to_last <= zero);
      const auto is_between = all_hold(from_first >= zero, to_last >= zero);
      low = min(low, min(min(a, b), select(is_opposite, -length, a)));
      high = max(high, max(max(a, b), select(is_between, length, a)));
    }
    const Plain rounding = everywhere(1e-12 * lengths.farthest);
    low = low - rounding;
    high = high + rounding;
  }
};

/// The ascending heights of a triangle's corners.
struct Heights {
  Plain h0, h1, h2;

  explicit HWY_INLINE Heights(const PassedTriangle& triangle)
      : h0(everywhere(triangle.height[0])),
        h1(everywhere(triangle.height[1])),
        h2(everywhere(triangle.height[2])) {}

  /// The share of a triangle's area below z.
  HWY_INLINE Plain share_below(Plain z) const {
    const auto is_first = z < h1;
    const Plain rest = select(is_first, z - h0, h2 - z);
    const Plain square = rest / select(is_first, h1 - h0, h2 - h1) * (rest / (h2 - h0));
    const Plain zero = everywhere(0), one = everywhere(1);
    const Plain share = select(is_first, square, one - square);
    return select(z <= h0, zero, select(z >= h2, one, share));
  }
  HWY_INLINE Plain share_between(Plain from, Plain to) const {
    const auto is_all = all_hold(h0 >= from, h2 <= to);
    return select(is_all, everywhere(1), share_below(to) - share_below(from));
  }
};

bool add_triangles(std::span<const PassedTriangle> triangles, const LeaningRange& range,
                   double enough, PassedSums& sums) {
  const Plain zero = everywhere(0), offset = everywhere(range.offset);
  const Plain room = everywhere(range.room);
  // How far a plane may be over or under the water where s . y / |y| is `along`.
  const auto half = [&](Plain along) HWY_ATTR {
    return everywhere(range.slope) * (along + offset) * everywhere(1 + 1e-12);
  };
  bool is_enough = false;
  for (std::size_t lane = 0; lane < Sectors::kCount; lane += Plain::kWidth) {
    const SectorLanes sector(lane);
    Plain area = load(&sums.area[lane]), first = load(&sums.first[lane]);
    Plain second = load(&sums.second[lane]);
    for (const PassedTriangle& triangle : triangles) {
      const Lengths lengths(triangle);
      Plain low, high;
      sector.extent(triangle, lengths, low, high);
      // Planes pass from `low` to `high` over the triangle.
      const Plain up = select_or_zero(high > -offset, half(max(high, zero)));
      const Plain down = select_or_zero(low < offset, half(max(-low, zero)));
      const Plain share = Heights(triangle).share_between(-down - room, up + room);
      const Plain distance = everywhere(lengths.farthest);
      const Plain passed = everywhere(triangle.area) * share;
      area = area + passed;
      first = first + passed * distance;
      second = second + passed * distance * distance;
    }
    store(area, &sums.area[lane]);
    store(first, &sums.first[lane]);
    store(second, &sums.second[lane]);
    is_enough = is_enough || bits_of(Wide(), second > everywhere(enough)) != 0;
  }
  return is_enough;
}

}  // namespace
}  // namespace plimsoll::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll {
namespace {

Sectors make_sectors() {
  constexpr std::size_t kHalf = Sectors::kCount / 2;
  Sectors sectors{};
  for (std::size_t k = 0; k < kHalf; ++k) {
    constexpr double kAngle = std::numbers::pi / kHalf;
    const Vec2 first = Eigen::Rotation2Dd(kAngle * static_cast<double>(k)) * Vec2::UnitX();
    const Vec2 last = Eigen::Rotation2Dd(kAngle) * first;
    for (const double side : {1., -1.}) {
      const std::size_t lane = side > 0 ? k : k + kHalf;
      sectors.first_x[lane] = side * first[0];
      sectors.first_y[lane] = side * first[1];
      sectors.last_x[lane] = side * last[0];
      sectors.last_y[lane] = side * last[1];
    }
  }
  return sectors;
}

HWY_EXPORT(add_triangles);

}  // namespace

const Sectors kSectors = make_sectors();

bool add_passed(std::span<const PassedTriangle> triangles, const LeaningRange& range, double enough,
                PassedSums& sums) {
  return HWY_DYNAMIC_DISPATCH(add_triangles)(triangles, range, enough, sums);
}

}  // namespace plimsoll
#endif  // HWY_ONCE
