#include "interruption.h"

#include <atomic>
#include <csignal>
#include <cstdlib>

#include "file_writer.h"

namespace plimsoll::cli {
namespace {

// Read on other threads too.
std::atomic<int> noted = 0;
static_assert(std::atomic<int>::is_always_lock_free);  // so that a handler may set it

extern "C" void end_on_signal(int signal) {
  remove_drafts();
  std::_Exit(128 + signal);
}

extern "C" void note_signal(int signal) {
  noted = signal;
  std::signal(SIGINT, end_on_signal);
  std::signal(SIGTERM, end_on_signal);
}

void set_both(void (*handler)(int)) {
  std::signal(SIGINT, handler);
  std::signal(SIGTERM, handler);
}

}  // namespace

Interruption::Interruption() {
  noted = 0;
  set_both(note_signal);
}

Interruption::~Interruption() { set_both(end_on_signal); }

std::optional<ExitCode> Interruption::asked() {
  if (noted == 0) return std::nullopt;
  return noted == SIGTERM ? kTerminated : kInterrupted;
}

void set_signals() {
  set_both(end_on_signal);
  std::signal(SIGPIPE, SIG_IGN);  // a reader that has gone away is seen where output is written
}

}  // namespace plimsoll::cli
