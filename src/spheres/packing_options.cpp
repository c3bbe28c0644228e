#include "spheres/packing_options.h"

#include "core/no_index.h"

namespace plimsoll {

Result<void> check_packing(const PackingOptions& options) {
  const auto error = [](const char* message, const char* where) {
    return Error{ErrorCode::kInvalidArgument, message, where};
  };
  if (options.max_count == 0 || options.max_count >= kNoIndex)
    return error("expected a number of spheres from 1 to 2^32 - 2", "max_count");
  if (!(options.coverage > 0 && options.coverage <= 1))
    return error("expected a share above 0, and at most 1", "coverage");
  if (!(options.min_radius >= 0)) return error("expected a radius of 0 or more", "min_radius");
  if (!(options.max_protrusion >= 0))
    return error("expected a length of 0 or more", "max_protrusion");
  if (options.keep) return check_half_space(*options.keep);
  return {};
}

Result<void> check_half_space(const HalfSpace& kept) {
  if (is_plane(water_below(kept))) return {};
  return Error{ErrorCode::kInvalidArgument,
               "found a normal without direction or numbers that are not finite, expected a half "
               "space",
               "keep"};
}

}  // namespace plimsoll
