// One row of the image of a shape of which columns are all that is known: where its columns cross
// which faces, and the integrals over it.
//
// A row is sampled at the pixels' centers. Where two neighbouring columns cross other faces, the
// place between them where that changes is found by bisection. Between two such places all columns
// cross the same faces; that is a piece of the row, along which a column's integrals are smooth but
// for square roots at the ends, and adaptive_quadrature.h integrates them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "columns/columns.h"
#include "image/adaptive_quadrature.h"
#include "image/lattice.h"
#include "image/row_sums.h"

namespace plimsoll {

/// How well the places are located where faces change, in units of the view.
inline constexpr double kBreakTolerance = 1e-12;

/// How far inside of its bounds the end of a formula is looked at, in pixels.
inline constexpr double kInside = 1e-6;

/// The tolerance of all integrals, relative to a pixel's share of the box.
inline constexpr double kIntegralTolerance = 1e-4;

/// Into how many intervals a piece or a band may be divided that takes `share` of all `pixels`.
[[nodiscard]] std::size_t max_intervals(int pixels, double share);

/// A hash of the faces that a column crosses, or of the pieces that a row is made of: equal
/// numbers, equal structure.
using RowSignature = std::uint64_t;
inline constexpr RowSignature kNoFaces = 0;
inline constexpr RowSignature kUndecidedFaces = 1;

/// Columns begin <= x <= end of a row that cross the same faces.
struct RowPiece {
  double begin, end;
  RowSignature signature;
};

/// Between begin and end faces change, but the place was not found.
struct RowGap {
  double begin, end;
};

/// What a row was found to be made of.
struct RowStructure {
  double y = 0;
  RowSignature signature = kNoFaces;
  std::vector<double> middles;  ///< Of its pieces but slivers, which come and go with rounding;
                                ///< none where there are too many to tell from.
  std::vector<double> holes;    ///< Those of pieces without faces.
  bool is_doubtful = false;     ///< Too much of it may not be empty for all to be looked at.
};

/// What the columns that were looked at amount to.
struct ColumnCounts {
  std::size_t crossings = 0;
  std::int64_t undecided = 0;
  std::int64_t unbalanced = 0;
};

/// The memory of one thread.
struct RowWorkspace {
  Columns::Scratch scratch;
  std::vector<Span> spans;
  std::vector<RowPiece> pieces;
  std::vector<RowGap> gaps;
  std::vector<double> hints;
  std::vector<double> samples;
  std::vector<double> creases;
  int doubts_left = 0;
  std::vector<RowSignature> signatures;
  std::size_t crossings = 0;

  [[nodiscard]] ColumnCounts counts() const {
    return {crossings, scratch.undecided, scratch.unbalanced};
  }
  void add(const ColumnCounts& other) {
    crossings += other.crossings;
    scratch.undecided += other.undecided;
    scratch.unbalanced += other.unbalanced;
  }
};

class RowProbe {
 public:
  /// `depth`: of the view volume. Columns and lattice must outlive it.
  RowProbe(const Columns& columns, const Lattice& lattice, double depth);

  /// The structure of the row at `y`. Besides the pixels' centers it samples columns at `hints`,
  /// where a neighbouring row has its pieces: so pieces narrower than a pixel are found, where a
  /// hole or a tip begins.
  [[nodiscard]] RowStructure structure(double y, std::span<const double> hints,
                                       RowWorkspace& work) const;

  /// The ten integrals over the row at `y`, in the order of TenMoments.
  [[nodiscard]] Estimated<10> integrals(double y, std::span<const double> hints,
                                        RowWorkspace& work) const;

  /// The integrals over one column.
  RowSums column(double x, double y, RowWorkspace& work) const;

 private:
  RowSignature find_pieces(double y, std::span<const double> hints, RowWorkspace& work) const;
  RowSignature signature(double x, double y, RowWorkspace& work) const;
  void add_thin_parts(double y, RowWorkspace& work) const;
  /// Samples just inside of the bounds of formulas, which may cut a wall off.
  void add_ends_of_formulas(double y, RowWorkspace& work) const;
  void add_walls(const MeshColumns& mesh, double y, RowWorkspace& work) const;
  bool meets(std::uint32_t leaf, double x, double y, RowWorkspace& work) const;
  std::optional<double> find_part(std::uint32_t leaf, double begin, double end, double y,
                                  int& budget, RowWorkspace& work) const;

  const Columns& columns_;
  const Lattice& lattice_;
  double depth_;
  bool by_face_, has_formulas_;
};

}  // namespace plimsoll
