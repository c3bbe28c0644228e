#include "command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "failure.h"
#include "output.h"
#include "spelling.h"

namespace plimsoll::cli {

namespace {

// "-=7800", standard input with a density, looks like an option to CLI11. No argument has a NUL.
constexpr char kNoOption = '\0';

/// In words that say which option it is: CLI11 says "At Most 1 required but received 2".
Failure mismatch_failure(const CLI::App& app, const std::string& message) {
  for (const CLI::Option* option : app.get_options())
    if (message.starts_with(option->get_name() + ":"))
      return usage_failure(option->count() > 1
                               ? fmt::format("found it {} times, expected it once", option->count())
                               : "found nothing after it, expected " + option->get_type_name(),
                           option->get_name());
  return usage_failure(message);
}

/// The first argument that no option and no name of a file took.
Failure unexpected_failure(const CLI::App& app, const Arguments& arguments) {
  const std::vector<std::string> left = app.remaining();
  const auto found = std::find_if(arguments.begin(), arguments.end(), [&](const std::string& one) {
    return std::find(left.begin(), left.end(), one) != left.end();
  });
  if (found == arguments.end() || !found->starts_with('-'))
    return usage_failure("found this argument, expected none more",
                         found == arguments.end() ? "" : *found);
  const std::string name = found->substr(0, found->find('='));
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& known : option->get_lnames()) names.push_back("--" + known);
  const std::optional<std::string> nearest = nearest_word(name, names);
  return usage_failure(nearest ? fmt::format("found no such option, the nearest is {}", *nearest)
                               : "found no such option",
                       name);
}

}  // namespace

CommandLine::CommandLine(const char* name, const char* about, const char* notes)
    : app_(std::make_unique<CLI::App>(about, name)) {
  constexpr std::size_t kHelpColumn = 27;
  app_->get_formatter()->column_width(kHelpColumn);
  app_->get_formatter()->label("REQUIRED", "");
  app_->footer(notes);
}

CommandLine::~CommandLine() = default;

void CommandLine::positional(const char* name, std::string& target, const char* help) {
  app_->add_option(name, target, help)->type_name("");
}

void CommandLine::positional(const char* name, std::vector<std::string>& target, const char* help) {
  app_->add_option(name, target, help)->type_name("");
}

void CommandLine::option(const char* name, const char* value, std::string& target,
                         const char* help) {
  app_->add_option(name, target, help)->type_name(value);
}

void CommandLine::option(const char* name, const char* value, std::optional<std::string>& target,
                         const char* help) {
  app_->add_option(name, target, help)->type_name(value);
}

void CommandLine::flag(const char* name, bool& target, const char* help) {
  app_->add_flag(name, target, help);
}

bool CommandLine::parse(const Arguments& arguments) {
  Arguments reversed(arguments.rbegin(), arguments.rend());  // CLI11 takes them from the back
  for (std::string& argument : reversed)
    if (argument.starts_with("-=")) argument.insert(0, 1, kNoOption);
  try {
    app_->parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    print_output(app_->help());
    return false;
  } catch (const CLI::ExtrasError&) {
    throw unexpected_failure(*app_, arguments);
  } catch (const CLI::ArgumentMismatch& error) {
    throw mismatch_failure(*app_, error.what());
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
