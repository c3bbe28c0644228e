// Files of spheres, for other programs.
#pragma once

#include <optional>
#include <string>

#include "covered_body.h"
#include "packed_body.h"

namespace plimsoll::cli {

enum class SphereFormat { kCsv, kJson, kYaml, kSrdf, kLiggghts, kLammps, kYade, kIst };

/// By the ending; "-" is CSV. Throws Failure (usage).
[[nodiscard]] SphereFormat sphere_format_of(const std::string& path);

/// What such a file holds; `link_name` is that of the link in files for motion planners, whose name
/// else is the body's. Throws Failure where a packing is empty and its tree is asked for.
[[nodiscard]] std::string sphere_file(const PackedBody& packed, SphereFormat format,
                                      const std::optional<std::string>& link_name = std::nullopt);
/// Precondition: no tree is asked for.
[[nodiscard]] std::string sphere_file(const CoveredBody& covered, SphereFormat format,
                                      const std::optional<std::string>& link_name = std::nullopt);

}  // namespace plimsoll::cli
