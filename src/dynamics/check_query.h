// What every engine refuses to answer.
#pragma once

#include <plimsoll/engines.h>

#include <cmath>

#include "dynamics/world_checks.h"

namespace plimsoll {

/// Whether an engine that has the body, or has not, can answer.
[[nodiscard]] inline bool is_answerable(const BuoyancyQuery& query, bool has_body) {
  const auto& pose = query.world_from_body.affine();
  return has_body && (std::isfinite(pose.sum()) || pose.allFinite());  // a sum may overflow
}

/// Why it cannot.
[[nodiscard]] inline Error unanswerable(const BuoyancyQuery& query, bool has_body) {
  return {ErrorCode::kInvalidArgument,
          has_body ? "expected a finite pose" : "found no such body in the engine",
          body_place(query.body, has_body ? "pose" : "")};
}

}  // namespace plimsoll
