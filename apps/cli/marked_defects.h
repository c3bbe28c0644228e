// The places that are wrong, numbered alike in the text report and in pictures.
#pragma once

#include <string>
#include <vector>

#include "mass_report.h"

namespace plimsoll::cli {

/// A hole, or another reason why a part bounds no solid. Its number is its place in the list, from
/// 1.
struct MarkedDefect {
  std::size_t part = 0;
  std::string what;  ///< "hole of 4 edges, 4 m around"
  Vec3 at = Vec3::Zero();
  std::uint32_t triangle = 0;
  const Rim* rim = nullptr;  ///< Of a hole; owned by the report.
};

/// The holes of each unsound part, the longest first, then its other defects, each triangle once:
/// the first twelve in all. `more` tells whether there are others.
[[nodiscard]] std::vector<MarkedDefect> marked_defects(const MassReport& report, bool& more);

}  // namespace plimsoll::cli
