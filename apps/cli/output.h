// The program's two streams: answers on stdout, everything said about them on stderr.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::cli {

/// Writes an answer to stdout at once, or to stderr where data takes stdout. Throws Failure if it
/// cannot be written, except where the reader has gone away (a closed pipe): that one had what it
/// wanted, and the answer is false.
bool print_output(std::string_view text);

/// The same for data, which is always written to stdout.
bool print_data(std::string_view data);

/// From now on stdout is for print_data alone.
void give_stdout_to_data();

/// Whether answers are JSON, of which stdout holds one object and nothing else.
void expect_json(bool is_json);
[[nodiscard]] bool is_json_expected();

/// Refuses stdout for what `option` writes and for JSON both. Throws Failure (exit code 2).
void check_stdout(const std::optional<std::string>& path, const char* option, bool json);

/// Writes one line to stderr.
void print_message(std::string_view line);

/// What is being done, as one line on stderr that is written over and gone at the end; messages and
/// output take its place. Nothing where stderr is no terminal. One at a time.
class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Before something that may take long.
  void begin(std::string_view what);
  /// Between many things, each of which may be short: shown no more often than the eye follows,
  /// and only then is words() asked for the line.
  template <class Words>
  void say(const Words& words) {
    if (is_due()) begin(words());
  }

 private:
  [[nodiscard]] bool is_due() const;

  bool is_shown_;
  std::chrono::steady_clock::time_point last_;
};

/// Whether stdout takes colors: a terminal, and NO_COLOR is not set (https://no-color.org).
[[nodiscard]] bool color_wanted();

}  // namespace plimsoll::cli
