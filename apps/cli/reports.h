// The formats in which `plimsoll mass` writes its answer.
#pragma once

#include <plimsoll/robot_formats.h>

#include <optional>
#include <string>
#include <string_view>

#include "mass_report.h"

namespace plimsoll::cli {

class JsonWriter;
struct Failure;

/// For a person; `color` marks the status.
[[nodiscard]] std::string text_report(const MassReport& report, bool color);

/// The members of its JSON object.
void write_members(JsonWriter& out, const MassReport& report);

/// The member "image", null where there is none.
void write_image(JsonWriter& out, const std::optional<ImageReport>& image);

/// A header, a row for each part, a row "total".
[[nodiscard]] std::string csv_report(const MassReport& report);

/// Bodies weighed one by one: a heading, then a row for each, of those that have no answer with the
/// reason. No `status`, then, but `error_code` and `error`.
[[nodiscard]] std::string csv_heading_of_each();
[[nodiscard]] std::string csv_row_of(const MassReport& report);
[[nodiscard]] std::string csv_row_of(const std::string& name, const Failure& failure);

/// What is written for a robot simulator.
struct RobotOutput {
  RobotFormat format;
  bool only_inertial;  ///< The inertial element alone, to be put into a document.
};

/// Of "urdf", "sdf", "mjcf", each also with "-inertial"; none for the other formats.
[[nodiscard]] std::optional<RobotOutput> robot_output(std::string_view format);

/// A complete document with one rigid body, or its inertial element. Throws Failure where the
/// consumer would refuse the numbers.
[[nodiscard]] std::string robot_text(const MassReport& report, const RobotOutput& output);

}  // namespace plimsoll::cli
