// What the benchmark programs are told.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::bench {

struct Options {
  std::string cache = "data/cache";  ///< Where scripts/fetch-meshes puts meshes.
  std::string only;                  ///< One scenario; empty: all.
  int rounds = 0;
};

/// Nothing, and a word on stderr, if there is anything else among the arguments.
inline std::optional<Options> options_of(int argc, char** argv, int rounds = 15) {
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // a program that is stopped leaves whole rows
  Options options;
  options.rounds = rounds;
  for (int i = 1; i < argc; i += 2) {
    const std::string_view name = argv[i];
    const char* value = argv[i + 1];  // argv ends with a null pointer
    if (name == "--cache" && value != nullptr) {
      options.cache = value;
    } else if (name == "--only" && value != nullptr) {
      options.only = value;
    } else if (name == "--rounds" && value != nullptr && std::atoi(value) > 0) {
      options.rounds = std::atoi(value);
    } else {
      std::fprintf(stderr, "usage: %s [--cache DIR] [--only SCENARIO] [--rounds N]\n", argv[0]);
      return {};
    }
  }
  return options;
}

}  // namespace plimsoll::bench
