// Bodies and the triangles of theirs that meet, as a picture.
#pragma once

#include "pairs_report.h"
#include "picture.h"

namespace plimsoll::cli {

/// The bodies from where most of the triangles that were found is seen, each in a color that the
/// legend explains; many of one kind ("duck[3]") have one. What hides another body lets it shine
/// through. The triangles are red, paler where they are hidden; where those of two bodies are too
/// small to be seen there is a circle around them. Above, how many pairs there are.
[[nodiscard]] Picture draw_pairs(const PairsReport& report, PixelSize size);

}  // namespace plimsoll::cli
