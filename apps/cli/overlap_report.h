// What `plimsoll overlap` found exactly, and how it is said.
#pragma once

#include <plimsoll/overlap.h>
#include <plimsoll/separation.h>

#include <array>
#include <optional>
#include <string>

#include "mass_report.h"
#include "picture/overlap_picture.h"
#include "solid_input.h"

namespace plimsoll::cli {

class JsonWriter;

struct OverlapReport {
  std::array<Body, 2> bodies;  ///< Meshes.
  Status status = Status::kOk;
  Overlap shared;                           ///< Without a meaning where there is an estimate.
  std::optional<OverlapEstimate> estimate;  ///< Of a search that ended in time without the answer.
  std::optional<Separation> separation;     ///< Where it was asked for.
  /// Of the volume; they include how far vertices are out of place.
  std::array<double, 2> bounds{};
  std::array<double, 2> volumes{};  ///< Of the bodies, posed [m^3].

  [[nodiscard]] double volume() const { return estimate ? estimate->volume : shared.volume; }
};

[[nodiscard]] picture::OverlapScene overlap_scene(const OverlapReport& report);
[[nodiscard]] std::string text_report(const OverlapReport& report);
/// The members of its JSON object.
void write_members(JsonWriter& out, const OverlapReport& report);

}  // namespace plimsoll::cli
