// Whether two submersions are the same to the last bit.
#pragma once

#include <plimsoll/submersion.h>

#include <bit>
#include <cstdint>
#include <vector>

namespace plimsoll {

inline bool same_bits(const Submersion& a, const Submersion& b) {
  const auto numbers = [](const Submersion& s) {
    return std::vector<double>{s.volume,
                               s.center_of_buoyancy[0],
                               s.center_of_buoyancy[1],
                               s.center_of_buoyancy[2],
                               s.wetted_area,
                               s.waterplane.area,
                               s.waterplane.center[0],
                               s.waterplane.center[1],
                               s.waterplane.center[2],
                               s.waterplane.second_moments(0, 0),
                               s.waterplane.second_moments(0, 1),
                               s.waterplane.second_moments(1, 1),
                               s.volume_error};
  };
  const auto x = numbers(a), y = numbers(b);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (std::bit_cast<std::uint64_t>(x[i]) != std::bit_cast<std::uint64_t>(y[i])) return false;
  return true;
}

}  // namespace plimsoll
