// Poses in the exact values of the data folder.
#pragma once

#include <plimsoll/types.h>
#include <simdjson.h>

#include <cstddef>

namespace plimsoll::test {

/// Three or four rows of four numbers.
inline Similarity pose_in(const simdjson::dom::element& rows) {
  Similarity pose = Similarity::Identity();
  for (int i = 0; i < 3; ++i) {
    const simdjson::dom::element row = rows.at(static_cast<std::size_t>(i));
    for (int j = 0; j < 4; ++j) pose(i, j) = row.at(static_cast<std::size_t>(j)).get_double();
  }
  return pose;
}

}  // namespace plimsoll::test
