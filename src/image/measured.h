// The end of every image: ten sums in view coordinates become mass properties, and the rows and
// columns that they were summed from tell the error.
#pragma once

#include <plimsoll/image.h>

#include <span>
#include <vector>

#include "image/lattice.h"
#include "image/ten_moments.h"

namespace plimsoll {

/// What the error is told from.
struct Marginals {
  std::vector<TenMoments> rows;     ///< The sums along the rows that were sampled,
  std::vector<TenMoments> columns;  ///< along the columns, where both directions were;
  std::vector<TenMoments> beside;   ///< what integrating a row changed, where the next is sampled.
};

[[nodiscard]] TenMoments sum_of_rows(std::span<const TenMoments> rows, double step);

/// The same where the errors of the sums are known otherwise.
[[nodiscard]] ImageMass measured(const TenMoments& sums, const TenMoments& errors, const View& view,
                                 const ImageOptions& options);

/// `rounding`: the error of the sums themselves, relative to the volume of the body's box; `lost`:
/// a volume in view units that the sums may lack.
[[nodiscard]] ImageMass measured(const TenMoments& sums, const Marginals& marginals,
                                 const View& view, const ImageOptions& options,
                                 double rounding = 0x1p-46, double lost = 0);

/// Widens the estimate of `result` to how far it is from the body whose integrals are `known`, in
/// view coordinates: what the lattice missed of a mesh is known exactly, wherever its walls are.
void allow_for(const TenMoments& known, const View& view, const ImageOptions& options,
               ImageMass& result);
/// The same where that body's properties are `known`.
void allow_for(const MassProperties& known, ImageMass& result);

}  // namespace plimsoll
