// The bands of an image: rows that follow each other and are made of the same pieces.
//
// Rows are treated as columns are within a row: where two neighbouring rows are made of other
// pieces, the place between them where that changes is found by bisection. Between two such places
// lies a band, across which the integrals of rows are smooth but for square roots at the ends.
#pragma once

#include <utility>
#include <vector>

#include "image/row_probe.h"

namespace plimsoll {

/// Rows begin <= y <= end of equal structure.
struct RowBand {
  double begin = 0, end = 0;
  std::vector<RowStructure> rows;  ///< Those of them that were looked at, from below.

  [[nodiscard]] RowSignature signature() const { return rows.front().signature; }

  /// Sets `hints` to where the pieces of the row at `y` are expected: where its neighbours have
  /// them, and between.
  void expect(double y, std::vector<double>& hints) const;
};

struct RowBands {
  std::vector<RowBand> bands;  ///< From below.
  /// Pairs of rows between which the structure changes, but the place was not found.
  std::vector<std::pair<RowStructure, RowStructure>> gaps;
};

/// What the rows through the pixels' centers are made of, from below, with an empty one on either
/// side. Adds what was counted to `total`, as all functions here.
[[nodiscard]] std::vector<RowStructure> look_at_rows(const RowProbe& probe, const Lattice& lattice,
                                                     RowWorkspace& total);

/// Whether so many rows have another structure than the next that nothing is smooth across them.
/// Where parts have few faces, these explain some changes: each ends, and is crossed by others.
[[nodiscard]] bool is_restless(const std::vector<RowStructure>& rows, const Columns& columns);

/// The bands between `rows`, which look_at_rows has found.
[[nodiscard]] RowBands find_bands(const RowProbe& probe, const Lattice& lattice,
                                  const Columns& columns, const std::vector<RowStructure>& rows,
                                  RowWorkspace& total);

}  // namespace plimsoll
