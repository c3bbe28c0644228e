// One scan at many sizes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "scenarios.h"

namespace plimsoll::bench {

/// The scan of 75,408 triangles, a closed manifold, from `cache` (scripts/fetch-meshes cgal).
[[nodiscard]] Result<TriangleMesh> read_scan(const std::filesystem::path& cache);

/// The scan simplified to `triangles`, each of which is then split in four `splits` times, on the
/// same surface.
[[nodiscard]] Scenario bunny(std::string name, const std::filesystem::path& cache,
                             std::size_t triangles, int splits = 0);

}  // namespace plimsoll::bench
