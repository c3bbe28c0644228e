// What every engine refuses to answer.
#pragma once

#include <plimsoll/engines.h>

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

/// Whether it is finite, its linear part R a rotation, R^T R being the identity to 1e-9, and its
/// last row 0, 0, 0, 1.
[[nodiscard]] inline bool is_rigid(const Pose& pose) {
  if (!pose.affine().allFinite()) return false;
  if (pose.matrix().row(3) != Eigen::RowVector4d(0, 0, 0, 1)) return false;
  const Mat3 turn = pose.linear();
  return turn.determinant() > 0 &&
         (turn.transpose() * turn - Mat3::Identity()).cwiseAbs().maxCoeff() <= 1e-9;
}

/// Whether an engine that has the body, or has not, can answer.
[[nodiscard]] inline bool is_answerable(const BuoyancyQuery& query, bool has_body) {
  return has_body && is_rigid(query.world_from_body);
}

/// Why it cannot.
[[nodiscard]] inline Error unanswerable(const BuoyancyQuery& query, bool has_body) {
  return {ErrorCode::kInvalidArgument,
          has_body ? "expected a finite pose: a rotation and a translation"
                   : "found no such body in the engine",
          body_place(query.body, has_body ? "pose" : "")};
}

}  // namespace plimsoll
