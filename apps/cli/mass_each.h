// `plimsoll mass --each`: bodies weighed one by one, a row for each.
#pragma once

#include <string>

#include "failure.h"
#include "weighing.h"

namespace plimsoll::cli {

/// Weighs each part of `job` for itself and writes its row as soon as it is known; `format` is
/// text, csv or json. One that cannot be weighed has a row with the reason, and the others go on.
[[nodiscard]] ExitCode weigh_each(const MassJob& job, const std::string& format);

}  // namespace plimsoll::cli
