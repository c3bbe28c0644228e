#include <fmt/format.h>
#include <plimsoll/version.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "interruption.h"
#include "json_writer.h"
#include "output.h"
#include "render_culling.h"
#include "spelling.h"

namespace plimsoll::cli {
namespace {

struct Command {
  const char* name;
  const char* summary;
  ExitCode (*run)(const Arguments&);
};

constexpr std::array<Command, 13> kCommands = {{
    {"mass", "Volume, mass, center of mass and inertia of solids", run_mass},
    {"info", "What this build is and what it found on this machine", run_info},
    {"submerge", "The part of a solid under a water plane", run_submerge},
    {"float", "The poses in which a solid floats at rest", run_float},
    {"gz", "Righting arms over heel", run_gz},
    {"distance", "The distance of two solids", run_distance},
    {"overlap", "The volume that two solids share, and its forces", run_overlap},
    {"probe", "The signed distance of points to a solid", run_probe},
    {"pairs", "The triangles of several bodies that meet", run_pairs},
    {"spheres", "Spheres in a solid, or around it", run_spheres},
    {"simulate", "Bodies moving in water", run_simulate},
    {"haptics", "A tool in a hand, a thousand times a second", run_haptics},
    {"render", "Pictures of all that", run_render},
}};

std::string overview() {
  std::string text =
      "Mass, buoyancy and motion of solids, with stated errors.\n"
      "Usage: plimsoll COMMAND [ARGUMENTS]    (plimsoll COMMAND --help tells more)\n\n";
  for (const Command& command : kCommands)
    text += fmt::format("  {:<10}{}\n", command.name, command.summary);
  return text + "\n  help [COMMAND], version (or --help, --version)\n";
}

const Command* find_command(const std::string& name) {
  return std::find_if(kCommands.begin(), kCommands.end(),
                      [&](const Command& command) { return command.name == name; });
}

Failure unknown_failure(const std::string& name) {
  if (name[0] == '-')
    return usage_failure(fmt::format("found \"{}\", expected a command before it", name));
  std::vector<std::string> names;
  for (const Command& command : kCommands) names.emplace_back(command.name);
  const std::optional<std::string> nearest = nearest_word(name, names);
  return usage_failure(
      fmt::format("found no command \"{}\"{}", name,
                  nearest ? fmt::format(", the nearest is \"{}\"", *nearest) : ""));
}

ExitCode run_version(const Arguments& arguments) {
  CommandLine line("plimsoll version", "Which version of Plimsoll this is.");
  bool json = false;
  line.flag("--json", json, "One JSON object on stdout");
  if (!line.parse(arguments)) return kDone;
  print_output(json ? json_object([](JsonWriter& out) { out.member("version", version()); })
                    : fmt::format("plimsoll {}\n", version()));
  return kDone;
}

ExitCode run(const std::string& name, const Arguments& arguments) {
  if (name == "help" && arguments.size() > 1)
    throw usage_failure("found this argument, expected none more", arguments[1]);
  if (name == "help" && !arguments.empty()) return run(arguments.front(), {"--help"});
  if (name == "--help" || name == "-h" || name == "help") {
    print_output(overview());
    return kDone;
  }
  if (name == "--version" || name == "version") return run_version(arguments);
  const auto* const command = find_command(name);
  if (name.empty()) throw usage_failure("found no command");
  if (command == kCommands.end()) throw unknown_failure(name);
  return command->run(arguments);
}

ExitCode run_and_report(const std::string& name, const Arguments& arguments) {
  const bool is_command = find_command(name) != kCommands.end();
  const std::string title = !is_command ? "plimsoll"
                            : name == "render" && is_culling(arguments)
                                ? "plimsoll render --what culling"
                                : "plimsoll " + name;
  const bool json = name == "--json" || wants_json(arguments);
  expect_json(json);
  Failure failure;
  try {
    return run(name, arguments);
  } catch (...) {
    failure = current_failure();
  }
  try {
    report_failure(failure, title, json);
  } catch (...) {  // stdout takes no error either
  }
  return failure.exit_code;
}

}  // namespace
}  // namespace plimsoll::cli

int main(int argc, char** argv) {
  using namespace plimsoll::cli;
  set_signals();
  try {
    const std::string name = argc > 1 ? argv[1] : "";
    const Arguments arguments(argv + std::min(argc, 2), argv + argc);
    return run_and_report(name, arguments);
  } catch (...) {
    return kInternalError;
  }
}
