// Files of packed spheres, for other programs.
#pragma once

#include <string>

#include "packed_body.h"

namespace plimsoll::cli {

enum class SphereFormat { kCsv, kJson, kYaml, kSrdf, kIst };

/// By the ending; "-" is CSV. Throws Failure (usage).
[[nodiscard]] SphereFormat sphere_format_of(const std::string& path);

/// What such a file holds. Throws Failure where the packing is empty and a tree is asked for.
[[nodiscard]] std::string sphere_file(const PackedBody& packed, SphereFormat format);

}  // namespace plimsoll::cli
