// What memory a program takes.
#pragma once

#include <cstdlib>
#include <fstream>
#include <string>

namespace plimsoll::bench {

/// "VmRSS:", what the program has now, or "VmHWM:", what it had at most since forget_peak [MB].
inline double memory(const char* name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(name)) return std::atof(line.c_str() + std::string(name).size()) / 1024;
  return 0;
}

inline void forget_peak() { std::ofstream("/proc/self/clear_refs") << 5; }

}  // namespace plimsoll::bench
