// What every engine refuses to answer.
#pragma once

#include <plimsoll/engines.h>

#include <cmath>
#include <string>

#include "dynamics/world_checks.h"

namespace plimsoll {

/// Whether an engine can take in a body under a number.
[[nodiscard]] inline Result<void> check_number(std::uint32_t body, bool is_in_use) {
  constexpr std::uint32_t kMaxBodies = 4'000'000;
  if (is_in_use)
    return Error{ErrorCode::kInvalidArgument,
                 "found a body of this number in the engine, expected a number that is not in use: "
                 "an engine is of one world alone",
                 body_place(body, "")};
  if (body < kMaxBodies) return {};
  return Error{ErrorCode::kResourceLimit,
               "found the number " + std::to_string(body) + ", expected one below 4,000,000",
               body_place(body, "")};
}

/// Whether there is a place for each answer.
[[nodiscard]] inline Result<void> check_places(std::size_t queries, std::size_t answers) {
  if (queries == answers) return {};
  return Error{ErrorCode::kInvalidArgument,
               "found " + std::to_string(answers) + " places for the answers, expected " +
                   std::to_string(queries) + ", one for each query",
               "answers"};
}

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
