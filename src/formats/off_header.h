// The first word of an OFF file.
#pragma once

#include <cstddef>
#include <string_view>

namespace plimsoll {

struct OffKeyword {
  std::size_t length = 0;          ///< 0 if there is none.
  bool vertex_attributes = false;  ///< ST, C or N: more numbers than three for each vertex.
  bool dimension_stated = false;   ///< 4 or n.
};

/// The keyword [ST][C][N][4][n]OFF at the start of `text`.
[[nodiscard]] OffKeyword parse_off_keyword(std::string_view text);

}  // namespace plimsoll
