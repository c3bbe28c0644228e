// The time that reading a mesh's arrays takes, the least that any method needs: each number is
// loaded once, in order, and added to a sum in wide registers.
#pragma once

#include <cstdint>
#include <span>

namespace plimsoll::bench {

[[nodiscard]] double sum_of(std::span<const double> values);
[[nodiscard]] float sum_of(std::span<const float> values);
[[nodiscard]] std::uint32_t sum_of(std::span<const std::uint32_t> values);

}  // namespace plimsoll::bench
