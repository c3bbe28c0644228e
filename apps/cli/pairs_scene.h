// What is drawn of the triangles that meet.
#pragma once

#include "pairs_report.h"
#include "picture/pairs_picture.h"

namespace plimsoll::cli {

/// It refers to the report.
[[nodiscard]] picture::PairsScene pairs_scene(const PairsReport& report);

}  // namespace plimsoll::cli
