// What `plimsoll overlap --method spheres` found, and how it is said.
#pragma once

#include <plimsoll/sphere_tree.h>

#include <string>

#include "picture/sphere_overlap_picture.h"
#include "sphere_bodies.h"

namespace plimsoll::cli {

class JsonWriter;

struct SphereOverlapReport {
  SphereBodies packed;
  SphereVolume shared;
};

[[nodiscard]] picture::SphereOverlapScene overlap_scene(const SphereOverlapReport& report);
[[nodiscard]] std::string text_report(const SphereOverlapReport& report);
/// The members of its JSON object.
void write_members(JsonWriter& out, const SphereOverlapReport& report);

}  // namespace plimsoll::cli
