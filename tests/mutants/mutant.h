// What scripts/mutants puts into its copy of the sources: mutant(n) tells whether fault n was asked
// for by PLIMSOLL_MUTANT. Where PLIMSOLL_MUTANT_REACHED names a folder, each program writes there
// which faults it came by, so that only the tests that reach a fault are run for it.
#pragma once

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <unistd.h>

namespace plimsoll::mutants {

inline constexpr int kMost = 1 << 22, kUnread = -1, kNone = kMost;
inline std::atomic<int> chosen{kUnread};
inline std::atomic<char> reached[kMost];

inline void write_reached() {
  const std::string path =
      std::string(std::getenv("PLIMSOLL_MUTANT_REACHED")) + "/" + std::to_string(getpid());
  std::FILE* file = std::fopen(path.c_str(), "a");
  if (file == nullptr) return;
  for (int n = 0; n < kMost; ++n)
    if (reached[n].load(std::memory_order_relaxed) != 0) std::fprintf(file, "%d\n", n);
  std::fclose(file);
}

inline int read_choice() {
  const char* text = std::getenv("PLIMSOLL_MUTANT");
  const int choice = text != nullptr ? std::atoi(text) : kNone;
  int unread = kUnread;
  if (chosen.compare_exchange_strong(unread, choice) && std::getenv("PLIMSOLL_MUTANT_REACHED"))
    std::atexit(write_reached);
  return choice;
}

/// Whether fault `n` is the one to run. Not for constant expressions: while compiling none is.
inline bool mutant(int n) {
  int choice = chosen.load(std::memory_order_relaxed);
  if (choice == kUnread) choice = read_choice();
  if (reached[n].load(std::memory_order_relaxed) == 0)
    reached[n].store(1, std::memory_order_relaxed);
  return choice == n;
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
