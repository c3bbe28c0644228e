// The subcommands. Each takes the arguments after its name and returns the exit code; what ends it
// early is thrown as Failure.
#pragma once

#include "command_line.h"
#include "failure.h"

namespace plimsoll::cli {

ExitCode run_mass(const Arguments& arguments);
ExitCode run_distance(const Arguments& arguments);
ExitCode run_info(const Arguments& arguments);
ExitCode run_float(const Arguments& arguments);
ExitCode run_gz(const Arguments& arguments);
ExitCode run_simulate(const Arguments& arguments);
ExitCode run_haptics(const Arguments& arguments);
ExitCode run_spheres(const Arguments& arguments);
ExitCode run_submerge(const Arguments& arguments);
ExitCode run_overlap(const Arguments& arguments);
ExitCode run_pairs(const Arguments& arguments);
ExitCode run_probe(const Arguments& arguments);
ExitCode run_render(const Arguments& arguments);

}  // namespace plimsoll::cli
