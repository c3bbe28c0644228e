// The arguments of a command: what it takes, and what it was given.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace plimsoll::cli {

using Arguments = std::vector<std::string>;

/// What a command takes. Values are stored where `target` refers to, which has to outlive parse().
/// CLI11 stays behind this class: each file that includes it takes ten seconds to compile.
class CommandLine {
 public:
  /// `notes` follow the list of options in what --help prints.
  CommandLine(const char* name, const char* about, const char* notes = "");
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  void positional(const char* name, std::string& target, const char* help);
  void positional(const char* name, std::vector<std::string>& target, const char* help);
  /// `value` stands for the option's value in what --help prints.
  void option(const char* name, const char* value, std::string& target, const char* help);
  void option(const char* name, const char* value, std::optional<std::string>& target,
              const char* help);
  void flag(const char* name, bool& target, const char* help);

  /// False if --help was asked for: it is printed and the command is done. Throws Failure (usage).
  [[nodiscard]] bool parse(const Arguments& arguments);

 private:
  std::unique_ptr<CLI::App> app_;
};

/// A positional argument as the caller wrote it, after CommandLine::parse.
[[nodiscard]] std::string as_given(const std::string& argument);

/// Whether the caller reads JSON: known even where the arguments are wrong otherwise.
[[nodiscard]] bool wants_json(const Arguments& arguments);

}  // namespace plimsoll::cli
