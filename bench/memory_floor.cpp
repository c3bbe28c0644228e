#include "memory_floor.h"

#include <cstddef>
#include <cstring>

namespace plimsoll::bench {
namespace {

// Eight independent sums of 64 bytes each, so that the latency of an addition does not matter. The
// compiler splits them where registers are narrower.
template <class T>
T sum(std::span<const T> values) {
  typedef T Wide __attribute__((vector_size(64)));
  constexpr std::size_t kLanes = sizeof(Wide) / sizeof(T), kSums = 8;
  Wide sums[kSums] = {};
  std::size_t i = 0;
  for (; i + kSums * kLanes <= values.size(); i += kSums * kLanes) {
    for (std::size_t k = 0; k < kSums; ++k) {
      Wide loaded;
      std::memcpy(&loaded, values.data() + i + k * kLanes, sizeof(Wide));
      sums[k] += loaded;
    }
  }
  T total = 0;
  for (const Wide& wide : sums)
    for (std::size_t lane = 0; lane < kLanes; ++lane) total += wide[lane];
  for (; i < values.size(); ++i) total += values[i];
  return total;
}

}  // namespace

double sum_of(std::span<const double> values) { return sum(values); }
float sum_of(std::span<const float> values) { return sum(values); }
std::uint32_t sum_of(std::span<const std::uint32_t> values) { return sum(values); }

}  // namespace plimsoll::bench
