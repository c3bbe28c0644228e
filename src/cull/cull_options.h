// What callers of culling may pass.
#pragma once

#include <plimsoll/culling.h>

namespace plimsoll {

/// Errors: `InvalidArgument`, `where` naming the option.
[[nodiscard]] Result<void> check_cull_options(const CullOptions& options);

/// The same, of a distance alone.
[[nodiscard]] Result<void> check_within(double within);

/// Errors: `InvalidArgument` for numbers that the mesh has no triangle for.
[[nodiscard]] Result<void> check_triangles(const CullBody& body,
                                           std::span<const std::uint32_t> triangles);

}  // namespace plimsoll
