// The curve of righting arms as a picture.
#pragma once

#include <plimsoll/righting_arms.h>

#include <optional>
#include <string>
#include <utility>

namespace plimsoll::picture {

/// An SVG document: arms from one heel to another [rad], smooth whatever angles were asked for,
/// broken where the trim jumps; marked are the largest arm, the slope at heel 0 (GM), where
/// stability ends, the angle of loll or of list, and where an opening goes under, which is called
/// `opening`. Nothing where there is no arm.
[[nodiscard]] std::optional<std::string> gz_plot(const std::string& name, const FloatingBody& body,
                                                 const Heeling& heeling,
                                                 std::pair<double, double> heels,
                                                 const std::string& opening);

}  // namespace plimsoll::picture
