#include "output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "failure.h"
#include "file_writer.h"

namespace plimsoll::cli {
namespace {

std::size_t progress_width = 0;  // of the line that stands on the terminal
bool has_data_stdout = false;
bool has_json_answers = false;

void clear_progress() {
  if (progress_width == 0) return;
  fmt::print(stderr, "\r{:{}}\r", "", progress_width);
  progress_width = 0;
}

}  // namespace

bool print_output(std::string_view text) {
  if (!has_data_stdout) return print_data(text);
  clear_progress();
  std::fwrite(text.data(), 1, text.size(), stderr);
  return true;
}

bool print_data(std::string_view data) {
  clear_progress();
  errno = 0;
  const bool written = std::fwrite(data.data(), 1, data.size(), stdout) == data.size();
  if (written && std::fflush(stdout) == 0) return true;
  if (errno == EPIPE) return false;
  throw output_failure("standard output", {errno, std::generic_category()});
}

void give_stdout_to_data() { has_data_stdout = true; }

void expect_json(bool is_json) { has_json_answers = is_json; }

bool is_json_expected() { return has_json_answers; }

// Where stderr is closed there is nobody to tell.
void check_stdout(const std::optional<std::string>& path, const char* option, bool json) {
  if (json && path == "-")
    throw usage_failure("it takes stdout, and so does --json", std::string(option) + " -");
}

void print_message(std::string_view line) {
  clear_progress();
  std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data());
}

Progress::Progress()
    : is_shown_(isatty(STDERR_FILENO) == 1), last_(std::chrono::steady_clock::now()) {}

Progress::~Progress() { clear_progress(); }

void Progress::begin(std::string_view what) {
  if (!is_shown_) return;
  constexpr std::size_t kMaxWidth = 79;  // a longer line would wrap, and could not be written over
  const std::string_view line = what.substr(0, kMaxWidth);
  clear_progress();
  fmt::print(stderr, "{}", line);
  std::fflush(stderr);
  progress_width = line.size();
  last_ = std::chrono::steady_clock::now();
}

bool Progress::is_due() const {
  constexpr std::chrono::milliseconds kPause(200);
  return is_shown_ && std::chrono::steady_clock::now() - last_ >= kPause;
}

bool color_wanted() {
  const char* refused = std::getenv("NO_COLOR");
  if (refused != nullptr && *refused != '\0') return false;
  const char* terminal = std::getenv("TERM");
  if (terminal == nullptr || std::string_view(terminal) == "dumb") return false;
  return isatty(STDOUT_FILENO) == 1;
}

}  // namespace plimsoll::cli
