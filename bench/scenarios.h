// The meshes that everything is measured on.
#pragma once

#include <plimsoll/mesh.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace plimsoll::bench {

struct Scenario {
  std::string name;
  std::function<Result<TriangleMesh>()> make;
};

/// A scanned bunny from `cache` (scripts/fetch-meshes), knots of 1,000 to 4,000,000 triangles and a
/// bumpy sphere of 1,000,000.
[[nodiscard]] std::vector<Scenario> scenarios(const std::filesystem::path& cache);

}  // namespace plimsoll::bench
