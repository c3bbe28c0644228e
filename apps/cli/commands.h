// The subcommands. Each takes the arguments after its name and returns the exit code; what ends it
// early is thrown as Failure.
#pragma once

#include <string>
#include <vector>

#include "failure.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

using Arguments = std::vector<std::string>;

ExitCode run_mass(const Arguments& arguments);
ExitCode run_info(const Arguments& arguments);
ExitCode run_render(const Arguments& arguments);

/// Parses `arguments` into what `app` was told of. False if --help was asked for: it is printed and
/// the command is done. Throws Failure (usage).
[[nodiscard]] bool parse_arguments(CLI::App& app, const Arguments& arguments);

/// A positional argument as the caller wrote it, after parse_arguments.
[[nodiscard]] std::string as_given(const std::string& argument);

/// Whether the caller reads JSON: known even where the arguments are wrong otherwise.
[[nodiscard]] bool wants_json(const Arguments& arguments);

}  // namespace plimsoll::cli
