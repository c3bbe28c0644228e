// Exact heights over a plane, remembered for as long as triangles that share vertices follow each
// other: a vertex of a meshed face is one of six triangles.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "hydro/clip_plane.h"

namespace plimsoll {

class ExactHeights {
 public:
  explicit ExactHeights(const ClipPlane& plane) : plane_(&plane) {}

  /// plane.exact_height(x), computed anew unless it is among those last asked for.
  [[nodiscard]] double operator()(const Vec3& x) {
    if (computed_ == 0)
      for (Entry& entry : entries_) entry.x[0] = std::numeric_limits<double>::quiet_NaN();
    Entry& entry = entries_[place_of(x)];
    if (entry.x[0] == x[0] && entry.x[1] == x[1] && entry.x[2] == x[2]) return entry.height;
    ++computed_;
    entry = {{x[0], x[1], x[2]}, plane_->exact_height(x)};
    return entry.height;
  }

  /// How many were computed.
  [[nodiscard]] std::size_t computed() const { return computed_; }

 private:
  static constexpr int kBits = 7;
  struct Entry {
    double x[3];
    double height;
  };

  // By products, whose high bits depend on all bits of the coordinates.
  static std::size_t place_of(const Vec3& x) {
    const auto bits = [&](int i) { return std::bit_cast<std::uint64_t>(x[i]); };
    const std::uint64_t hash = bits(0) * 0x9E3779B97F4A7C15U + bits(1) * 0xC2B2AE3D27D4EB4FU +
                               bits(2) * 0x165667B19E3779F9U;
    return hash >> (64 - kBits);
  }

  const ClipPlane* plane_;
  std::size_t computed_ = 0;
  Entry entries_[std::size_t{1} << kBits];
};

}  // namespace plimsoll
