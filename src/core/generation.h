// How often a place that things are numbered by was taken: an id is a place and its generation.
#pragma once

#include <cstdint>
#include <limits>

namespace plimsoll {

/// Whether a place that was given up may be taken once more. After the last generation the count
/// would begin anew, and an id that was given before name another thing: such a place stays empty.
[[nodiscard]] constexpr bool has_next_generation(std::uint32_t generation) {
  return generation < std::numeric_limits<std::uint32_t>::max();
}

}  // namespace plimsoll
