// What a body may have between the columns of an image.
//
// Columns at the pixels' centers show the surface there. Between four of them it is taken to stay
// within the depths at which they and their neighbours meet it, and a pixel's width (or the spread
// of those depths, if that is more) beyond. Whether it does is asked of bundles (columns.h), which
// hold for every column between: where a bundle is neither certainly inside nor certainly outside
// at other depths, something is hidden there - a slit, a rib, a spike thinner than pixels are.
// Where neighbouring columns meet a part's surface a different number of times, an edge or a
// silhouette of it passes, which is looked for by other means; next to those nothing is asked of
// that part. Where edges of two parts pass, pixels of that size may not show how they meet.
#pragma once

#include <cstddef>

#include "columns/columns.h"
#include "image/lattice.h"

namespace plimsoll {

struct Unseen {
  double volume = 0;         ///< No more than this is hidden.
  std::size_t pixels = 0;    ///< In so many pixels.
  std::size_t meetings = 0;  ///< Pixels near which edges of two parts of a Boolean pass.
};

/// Costs about as much again as the image's columns.
[[nodiscard]] Unseen find_unseen(const Columns& columns, const Lattice& lattice);

}  // namespace plimsoll
