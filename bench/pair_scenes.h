// The scenes that pairs of triangles are measured on.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "pair_systems.h"
#include "touching_scenes.h"

namespace plimsoll::bench {

struct PairScene {
  std::string name;
  Question question = Question::kTwoBodies;
  std::size_t frames_in_turn = 9;
  /// Whether systems that know no poses take part, and frames are posed for them.
  bool has_world_systems = true;
  std::function<Result<ContactScene>()> make;
};

/// Those kept out of all tuning come last; their names begin with "aside_".
[[nodiscard]] std::vector<PairScene> pair_scenes(const std::filesystem::path& cache);

}  // namespace plimsoll::bench
