// plimsoll render --what culling, which takes several bodies.
#pragma once

#include "command_line.h"
#include "failure.h"

namespace plimsoll::cli {

/// Whether that is what is to be drawn.
[[nodiscard]] bool is_culling(const Arguments& arguments);

ExitCode run_render_culling(const Arguments& arguments);

}  // namespace plimsoll::cli
