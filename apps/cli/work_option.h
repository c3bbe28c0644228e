// --max-work: how much work examinations and searches may take.
#pragma once

#include <plimsoll/mesh_health.h>

#include <optional>
#include <string>

#include "command_line.h"

namespace plimsoll::cli {

/// Declares it; `limits` says what it ends, and after how many seconds if it is not given.
void declare_work(CommandLine& line, std::optional<std::string>& target, const char* limits);

/// In microseconds of a core of 3 GHz, as searches count; nothing where it is not given. Throws
/// Failure (usage).
[[nodiscard]] std::optional<double> parse_work(const std::optional<std::string>& given);

/// An examination that takes no more; as many looks as by default where it is not given. Throws
/// Failure (usage).
[[nodiscard]] HealthOptions examination(const std::optional<std::string>& max_work);

}  // namespace plimsoll::cli
