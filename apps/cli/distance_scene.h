// What is drawn of two bodies and their distance.
#pragma once

#include "distance_report.h"
#include "picture/distance_picture.h"

namespace plimsoll::cli {

[[nodiscard]] picture::DistanceScene distance_scene(const DistanceReport& report);
[[nodiscard]] picture::DistanceScene distance_scene(const SphereDistanceReport& report);

}  // namespace plimsoll::cli
