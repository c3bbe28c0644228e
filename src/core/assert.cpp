#include <plimsoll/assert.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace plimsoll {
namespace {

void print(const AssertionInfo& info) {
  std::fprintf(stderr, "%s:%d: assertion failed: %s (%s)\n", info.file, info.line, info.condition,
               info.message);
}

std::atomic<AssertionHandler> current_handler{print};

}  // namespace

AssertionHandler set_assertion_handler(AssertionHandler handler) {
  return current_handler.exchange(handler != nullptr ? handler : print);
}

void assertion_failed(const AssertionInfo& info) {
  current_handler.load()(info);
  std::abort();
}

}  // namespace plimsoll
