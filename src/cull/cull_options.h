// What options of culling are in their ranges.
#pragma once

#include <plimsoll/culling.h>

namespace plimsoll {

/// Errors: `InvalidArgument`, `where` naming the option.
[[nodiscard]] Result<void> check_cull_options(const CullOptions& options);

}  // namespace plimsoll
