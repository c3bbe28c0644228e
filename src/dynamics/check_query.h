// What every engine refuses to answer.
#pragma once

#include <plimsoll/engines.h>

#include "dynamics/world_checks.h"

namespace plimsoll {

/// Errors: `InvalidArgument` for a body that `has_body(number)` does not know, and for a pose that
/// is not finite.
template <class HasBody>
[[nodiscard]] Result<void> check_query(const BuoyancyQuery& query, const HasBody& has_body) {
  if (!has_body(query.body))
    return Error{ErrorCode::kInvalidArgument, "found no such body in the engine",
                 body_place(query.body, "")};
  if (!query.world_from_body.affine().allFinite())
    return Error{ErrorCode::kInvalidArgument, "expected a finite pose",
                 body_place(query.body, "pose")};
  return {};
}

}  // namespace plimsoll
