// Files that commands write: whole or not at all.
#pragma once

#include <string>
#include <string_view>

#include "failure.h"

namespace plimsoll::cli {

/// Writes a draft beside `path` and moves it there, so that no half of a file is ever seen and an
/// earlier one stays until the new one is complete; pipes and devices are written as they are.
/// Throws Failure (exit code 1).
void write_file(std::string_view data, const std::string& path);

[[nodiscard]] Failure output_failure(const std::string& path, const std::string& reason);

}  // namespace plimsoll::cli
