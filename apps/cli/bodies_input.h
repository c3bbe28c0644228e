// Several bodies of triangles in their places, as command lines give them: meshes with a pose each,
// or a scene.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command_line.h"
#include "notices.h"
#include "output.h"
#include "picture/placed_mesh.h"

namespace plimsoll::cli {

struct BodiesArguments {
  std::vector<std::string> names;
  std::map<char, std::optional<std::string>> poses;  ///< By the body's letter.
  std::optional<std::string> units, weld, input_format;
  std::string expected = "two or more";  ///< How many meshes, in words.
};

struct BodiesInput {
  std::vector<picture::PlacedMesh> bodies;
  /// Pairs that are not asked about, by their places in `bodies`, the smaller first; ascending.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ignored;
};

/// The positional BODIES, and options for them. `arguments` are looked through for --pose-x.
void declare_bodies(CommandLine& line, const Arguments& arguments, BodiesArguments& given);

/// Throws Failure; `fewest` is how many meshes are expected where no scene is given.
[[nodiscard]] BodiesInput read_bodies(const BodiesArguments& given, std::size_t fewest,
                                      const std::shared_ptr<Notices>& notices, Progress& progress);

}  // namespace plimsoll::cli
