// What a tool felt, as a picture.
#pragma once

#include <plimsoll/haptics.h>

#include <span>
#include <string>

namespace plimsoll::picture {

/// An SVG document: force, torque and shared volume over time, how many ticks had queries of how
/// long and, where there is `latency`, one for each tick [s], how many were how late.
/// Precondition: a tick or more. Throws std::bad_alloc.
[[nodiscard]] std::string haptics_plot(const std::string& name, std::span<const HapticTick> ticks,
                                       std::span<const double> latency, double period);

}  // namespace plimsoll::picture
