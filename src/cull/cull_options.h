// What options of culling are in their ranges.
#pragma once

#include <plimsoll/culling.h>

namespace plimsoll {

/// The fewest and most pixels along a side of a view.
inline constexpr int kMinCullPixels = 16, kMaxCullPixels = 16384;

/// Errors: `InvalidArgument`, `where` naming the option.
[[nodiscard]] Result<void> check_cull_options(const CullOptions& options);

}  // namespace plimsoll
