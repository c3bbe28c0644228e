// "1 mesh", "2 meshes": counts in notices.
#pragma once

#include <cstddef>
#include <string>

namespace plimsoll {

[[nodiscard]] inline std::string counted(std::size_t count, const std::string& one,
                                         const std::string& several) {
  return std::to_string(count) + ' ' + (count == 1 ? one : several);
}

}  // namespace plimsoll
