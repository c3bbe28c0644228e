// What `plimsoll haptics` found, and how it is told.
#pragma once

#include <plimsoll/contact.h>
#include <plimsoll/haptics.h>

#include <optional>
#include <string>
#include <vector>

#include "mass_report.h"
#include "notices.h"

namespace plimsoll::cli {

class JsonWriter;

struct HapticsReport {
  std::string name, tool;
  Status status = Status::kOk;
  ContactMethod method = ContactMethod::kExact;
  Coupling coupling;
  std::vector<HapticTick> ticks;
  std::optional<HapticTimes> times;  ///< In real time.
  HandEnergy hand;
  Notices notices{"haptics"};

  void say(const std::string& code, const std::string& message);
};

[[nodiscard]] std::string text_report(const HapticsReport& report);
/// The members of its JSON object.
void write_members(JsonWriter& out, const HapticsReport& report);
/// A row for each tick, of so many in a second.
[[nodiscard]] std::string trace_csv(const std::vector<HapticTick>& ticks, double frequency);

}  // namespace plimsoll::cli
