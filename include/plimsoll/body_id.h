// How bodies that come and go are named.
#pragma once

#include <compare>
#include <cstdint>

namespace [[gnu::visibility("default")]] plimsoll {

/// Names a body of a World or of BodyPairSearch, from when it is added until it is removed, and no
/// other body of the same owner ever, unless a World goes back to before it gave the id. Ids of two
/// owners may be equal.
struct BodyId {
  std::uint32_t index = 0;       ///< Of the body's place, which later bodies take over.
  std::uint32_t generation = 0;  ///< 0 names no body.
  friend auto operator<=>(const BodyId&, const BodyId&) = default;
};

}  // namespace plimsoll
