#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include <tbb/global_control.h>

namespace {
// Eight threads are eight threads in the tests, also where there are fewer cores.
const tbb::global_control eight_threads(tbb::global_control::max_allowed_parallelism, 8);
}  // namespace
