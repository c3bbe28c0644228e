// Whether what a shared pointer holds may be written to.
#pragma once

#include <memory>

namespace plimsoll {

/// Whether no one else holds it. Then all that others did with it, before they let it go, has
/// happened before: use_count() alone does not see to that, but to count down does, as the others
/// did.
template <class T>
[[nodiscard]] bool is_sole_owner(const std::shared_ptr<T>& shared) {
  if (shared.use_count() != 1) return false;
  std::shared_ptr<T>(shared).reset();
  return true;
}

}  // namespace plimsoll
