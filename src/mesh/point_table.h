// Points by their coordinates: a table of open addressing.
#pragma once

#include <plimsoll/types.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

namespace plimsoll {

inline constexpr std::uint32_t kNoPoint = std::numeric_limits<std::uint32_t>::max();

/// Equal for equal coordinates. Three rounds of multiply and fold: the bits that tell points apart
/// may be the highest (small integers) or the lowest (neighbours on a scan).
inline std::uint32_t hash_of(const Vec3& point) {
  // Odd constants from the golden ratio and the square roots of 2 and 3: no pattern of their own.
  constexpr std::array<std::uint64_t, 3> kOdd{0x9E3779B97F4A7C15u, 0x6A09E667F3BCC909u,
                                              0xBB67AE8584CAA73Bu};
  std::uint64_t hash = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double coordinate = point[axis] + 0.0;  // makes -0 into 0
    hash = (hash + std::bit_cast<std::uint64_t>(coordinate)) * kOdd[static_cast<std::size_t>(axis)];
    hash ^= hash >> 32;
  }
  return static_cast<std::uint32_t>((hash * kOdd[0]) >> 32);
}

/// Points that have been met, and their numbers.
class PointTable {
 public:
  PointTable(std::vector<Vec3>& points, std::size_t expected) : points_(&points) {
    resize(expected);
  }

  /// Brings what find_or_add will look at into the cache.
  void prefetch(std::uint32_t hash) const { __builtin_prefetch(&slots_[hash >> shift_]); }

  /// The number of `point`; kNoPoint if it has not been met.
  [[nodiscard]] std::uint32_t find(const Vec3& point) const {
    return slots_[slot_of(point, hash_of(point))].point;
  }

  /// The number of `point`, whose hash is `hash`; new points are appended.
  std::uint32_t find_or_add(const Vec3& point, std::uint32_t hash) {
    const std::size_t at = slot_of(point, hash);
    if (slots_[at].point != kNoPoint) return slots_[at].point;
    const auto number = static_cast<std::uint32_t>(points_->size());
    slots_[at] = {hash, number};
    points_->push_back(point);
    if (2 * points_->size() > slots_.size() && shift_ > 0) resize(2 * points_->size());
    return number;
  }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t point = kNoPoint;
  };

  /// The slot that holds `point`, or the empty one where it belongs.
  [[nodiscard]] std::size_t slot_of(const Vec3& point, std::uint32_t hash) const {
    std::size_t at = hash >> shift_;
    for (; slots_[at].point != kNoPoint; at = (at + 1) & (slots_.size() - 1))
      if (slots_[at].hash == hash && (*points_)[slots_[at].point] == point) return at;
    return at;
  }

  /// Twice as many slots as points, so that a search looks at 1.5 of them on average.
  void resize(std::size_t points) {
    const int bits = std::clamp(static_cast<int>(std::bit_width(2 * points)), 4, 32);
    shift_ = 32 - bits;
    std::vector<Slot> old(std::size_t{1} << bits);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.point == kNoPoint) continue;
      std::size_t at = slot.hash >> shift_;
      while (slots_[at].point != kNoPoint) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = slot;
    }
  }

  std::vector<Vec3>* points_;
  std::vector<Slot> slots_;
  int shift_ = 0;
};

}  // namespace plimsoll
