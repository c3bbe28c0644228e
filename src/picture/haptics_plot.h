// What a tool felt, as a picture.
#pragma once

#include <plimsoll/haptics.h>

#include <span>
#include <string>

namespace plimsoll::picture {

/// An SVG document: force, torque and shared volume over time, and how many ticks took how long.
/// Precondition: a tick or more. Throws std::bad_alloc.
[[nodiscard]] std::string haptics_plot(const std::string& name, std::span<const HapticTick> ticks,
                                       double period);

}  // namespace plimsoll::picture
