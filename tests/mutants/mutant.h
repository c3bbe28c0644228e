// What scripts/mutants puts into its copy of the sources: mutant(n) tells whether fault n is among
// those that PLIMSOLL_MUTANT names, with commas between them. Where PLIMSOLL_MUTANT_REACHED names a
// folder, each program writes there which faults it came by, so that only the tests that reach a
// fault are run for it.
#pragma once

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <unistd.h>

namespace plimsoll::mutants {

inline constexpr int kMost = 1 << 22;
inline std::atomic<bool> is_read;
inline std::atomic<char> chosen[kMost], reached[kMost];

inline void write_reached() {
  const std::string path =
      std::string(std::getenv("PLIMSOLL_MUTANT_REACHED")) + "/" + std::to_string(getpid());
  std::FILE* file = std::fopen(path.c_str(), "a");
  if (file == nullptr) return;
  for (int n = 0; n < kMost; ++n)
    if (reached[n].load(std::memory_order_relaxed) != 0) std::fprintf(file, "%d\n", n);
  std::fclose(file);
}

inline bool read_choice() {
  if (const char* text = std::getenv("PLIMSOLL_MUTANT"))
    for (char* end = nullptr; *text != '\0'; text = *end == ',' ? end + 1 : end) {
      const long n = std::strtol(text, &end, 10);
      if (end == text) break;
      chosen[n].store(1);
    }
  if (std::getenv("PLIMSOLL_MUTANT_REACHED")) std::atexit(write_reached);
  is_read.store(true);
  return true;
}

/// Whether fault `n` is one to run. Not for constant expressions: while compiling none is.
inline bool mutant(int n) {
  if (!is_read.load(std::memory_order_acquire)) [[maybe_unused]]
    static const bool now = read_choice();
  if (reached[n].load(std::memory_order_relaxed) == 0)
    reached[n].store(1, std::memory_order_relaxed);
  return chosen[n].load(std::memory_order_relaxed) != 0;
}

/// An expression of Eigen's as the matrix that it is, since two of them differ in type.
template <class T>
constexpr decltype(auto) value(T&& x) {
  if constexpr (requires { x.eval(); })
    return x.eval();
  else
    return static_cast<T>(x);
}

}  // namespace plimsoll::mutants
