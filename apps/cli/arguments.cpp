#include <CLI/CLI.hpp>
#include <algorithm>

#include "commands.h"
#include "output.h"

namespace plimsoll::cli {

namespace {

// "-=7800", standard input with a density, looks like an option to CLI11. No argument has a NUL.
constexpr char kNoOption = '\0';

}  // namespace

bool parse_arguments(CLI::App& app, const Arguments& arguments) {
  constexpr std::size_t kHelpColumn = 27;
  app.get_formatter()->column_width(kHelpColumn);
  app.get_formatter()->label("REQUIRED", "");
  Arguments reversed(arguments.rbegin(), arguments.rend());  // CLI11 takes them from the back
  for (std::string& argument : reversed)
    if (argument.starts_with("-=")) argument.insert(0, 1, kNoOption);
  try {
    app.parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    print_output(app.help());
    return false;
  } catch (const CLI::ParseError& error) {
    throw usage_failure(error.what());
  }
  return true;
}

std::string as_given(const std::string& argument) {
  return argument.starts_with(kNoOption) ? argument.substr(1) : argument;
}

bool wants_json(const Arguments& arguments) {
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  for (auto argument = arguments.begin(); argument != end; ++argument) {
    if (*argument == "--json" || *argument == "--format=json") return true;
    if (*argument == "--format" && argument + 1 != end && argument[1] == "json") return true;
  }
  return false;
}

}  // namespace plimsoll::cli
