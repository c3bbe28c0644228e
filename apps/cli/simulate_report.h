// What `plimsoll simulate` found, and how it is told.
#pragma once

#include <plimsoll/interpenetrations.h>
#include <plimsoll/scene.h>
#include <plimsoll/world.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine_options.h"
#include "mass_report.h"

namespace plimsoll::cli {

class JsonWriter;

/// Bodies that were seen to pass through each other.
struct OverlapReport {
  std::size_t pairs = 0;
  bool is_all = true;            ///< Else the search met a limit: there may be more pairs.
  double first_time = 0;         ///< When the first pair was seen [s]
  Vec3 first_at = Vec3::Zero();  ///< and where [m].
  std::vector<std::pair<std::string, std::string>> named;  ///< The first kMaxNamedPairs.
};

struct SimulateReport {
  std::string name;
  Status status = Status::kOk;
  std::size_t bodies = 0;
  std::uint64_t steps = 0;
  double seconds = 0;
  double wall_seconds = 0;
  double buoyancy_seconds = 0, contact_seconds = 0;
  bool has_contact = false, is_deep = false;
  std::size_t contacts = 0;  ///< Pairs of bodies that touch at the end.
  std::optional<Energy> start, end;
  double dissipated = 0;
  std::uint64_t hash = 0;
  std::size_t frames = 0;
  OverlapReport overlaps;
  Environment environment;
  Notices notices{"simulate"};
  std::optional<ImageReport> image;  // peels: the most of any body in any step

  /// Adds a notice and says it on stderr.
  void say(const std::string& code, const std::string& message);
};

/// How often overlaps are looked for [s].
inline constexpr double kOverlapInterval = 0.25;

/// Says of which bodies an image of so many pixels has another volume than they have, where they
/// are: no step knows better. `engine`: width and height are looked at.
void say_what_images_lack(const World& world, const EngineOptions& engine, SimulateReport& report);

/// Says which bodies were weighed by an image, and how far the worst may be off. What is not known
/// to a tenth of its volume makes the status `tolerance`.
void say_what_images_weigh(const World& world, SimulateReport& report);

/// Says which bodies passed through each other, if any were seen to.
void say_overlaps(SimulateReport& report);

[[nodiscard]] std::string text_report(const SimulateReport& report);
/// The members of its JSON object.
void write_members(JsonWriter& out, const SimulateReport& report);

}  // namespace plimsoll::cli
