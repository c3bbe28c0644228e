// The options of culling by visibility, wherever a command offers it.
#pragma once

#include <plimsoll/culling.h>

#include <optional>
#include <span>
#include <string>

#include "command_line.h"

namespace plimsoll::cli {

/// As given on the command line.
struct CullingArguments {
  std::string method = "far";
  std::optional<std::string> resolution, backend, within, max_work;
};

/// The same, checked.
struct CullingJob {
  CullOptions options;
  bool on_gl = true;
};

/// --resolution and --backend, with `pixels` if it is not given.
void declare_culling(CommandLine& line, CullingArguments& arguments, int pixels);

/// Throws Failure (usage). `pixels`: the resolution that is not given.
[[nodiscard]] CullingJob parse_culling(const CullingArguments& arguments, int pixels);

/// Throws Failure.
[[nodiscard]] Culling cull(std::span<const CullBody> bodies, const CullingJob& job);

}  // namespace plimsoll::cli
