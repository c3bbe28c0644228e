#include "image/row_bands.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/parallel.h"

namespace plimsoll {
namespace {

// Where the pieces of the row at y are expected if those of two rows of equal structure move
// evenly: between the rows, or beyond `a`. Pieces that come to a tip there are narrower than
// pixels.
void add_expected(const RowStructure& a, const RowStructure& b, double y,
                  std::vector<double>& hints) {
  if (a.y == b.y || a.middles.size() != b.middles.size()) return;
  const double t = (y - a.y) / (b.y - a.y);
  for (std::size_t i = 0; i < a.middles.size(); ++i)
    hints.push_back(a.middles[i] + t * (b.middles[i] - a.middles[i]));
}

// How fast the pieces of two rows of as many move from one to the other.
double pace(const RowStructure& a, const RowStructure& b) {
  if (a.y == b.y || a.middles.size() != b.middles.size()) return 0;
  double farthest = 0;
  for (std::size_t i = 0; i < a.middles.size(); ++i)
    farthest = std::max(farthest, std::abs(b.middles[i] - a.middles[i]));
  return farthest / std::abs(b.y - a.y);
}

constexpr int kRowsOfBreak = 40;        // it takes to find a place where the structure changes;
constexpr std::uint32_t kBreaks = 64;   // so many are found in any image
constexpr int kHalvingsOfBoolean = 12;  // halvings of rows between which there may be something,
constexpr std::size_t kMaxEnds = 64;    // of creases between two rows: of scans there are more
constexpr int kDoubtfulRows = 32;       // and so many rows that are looked at for it

// Finds the bands between two rows.
class BandSearch {
 public:
  BandSearch(const RowProbe& probe, const Columns& columns, const Lattice& lattice)
      : probe_(probe),
        columns_(columns),
        x0_(lattice.x0),
        x1_(lattice.x0 + lattice.dx * lattice.width),
        seen_(2 * lattice.dx),
        inside_(kInside * lattice.dy) {}

  /// Between rows[j] and rows[j + 1], looking at no more than `budget` rows. The first band starts
  /// at the lower row, the last ends at the upper one.
  std::vector<RowBand> search(std::span<const RowStructure> rows, std::size_t j, int budget) {
    const RowStructure& below = rows[j];
    const RowStructure& above = rows[j + 1];
    budget_ = budget;
    bands_.assign(1, {below.y, above.y, {below}});
    doubtful_rows_ = kDoubtfulRows;
    const int doubt = columns_.is_boolean_of_solids() ? kHalvingsOfBoolean : 1;
    const RowStructure& farther_above = rows[std::min(j + 2, rows.size() - 1)];
    RowStructure farther = rows[j > 0 ? j - 1 : j], from = below;
    for (const double y : thin_parts(below.y, above.y)) {
      RowStructure part = probe_.structure(y, {}, work);
      divide(farther, from, part, above, doubt);
      bands_.back().rows.push_back(part);
      farther = std::exchange(from, std::move(part));
    }
    divide(farther, from, above, farther_above, doubt);
    bands_.back().rows.push_back(above);
    bands_.back().end = above.y;
    return std::move(bands_);
  }

  RowWorkspace work;
  std::vector<std::pair<RowStructure, RowStructure>> gaps;

 private:
  /// The middles of a Boolean's parts that lie between two rows, and of what lies between two
  /// corners of a mesh there; and just inside of the bounds of formulas.
  [[nodiscard]] std::vector<double> thin_parts(double below, double above) const {
    std::vector<double> middles;
    if (!columns_.is_boolean() && !columns_.has_formulas()) return middles;
    for (const std::uint32_t leaf : columns_.leaves_in({x0_, x1_, below, above})) {
      const Columns::Rectangle& part = columns_.leaf_rectangle(leaf);
      if (columns_.is_formula(leaf))
        for (const double y : {part.v0 + inside_, part.v1 - inside_})
          if (below < y && y < above) middles.push_back(y);
      if (!columns_.is_boolean_of_solids()) continue;
      if (below < part.v0 && part.v1 < above) middles.push_back((part.v0 + part.v1) / 2);
      if (const MeshColumns* mesh = columns_.mesh_of(leaf)) {
        std::vector<double> ends;
        mesh->crease_ends(below, above, ends);
        std::sort(ends.begin(), ends.end());
        for (std::size_t i = 1; i < std::min(ends.size(), kMaxEnds); ++i)
          if (ends[i] > ends[i - 1]) middles.push_back((ends[i] + ends[i - 1]) / 2);
      }
    }
    std::sort(middles.begin(), middles.end());
    middles.erase(std::unique(middles.begin(), middles.end()), middles.end());
    return middles;
  }

  /// Between `below` and `above`. `farther_below` and `farther_above` are known beyond them. Where
  /// both have the same holes, or nothing else, `doubt` halvings look for what may be between.
  void divide(const RowStructure& farther_below, const RowStructure& below,
              const RowStructure& above, const RowStructure& farther_above, int doubt) {
    if (below.signature == above.signature && !jumps(farther_below, below, above, farther_above)) {
      if (doubt == 0 || doubtful_rows_ == 0 || are_empty(below, above)) return;
      --doubtful_rows_;
      return halve(farther_below, below, above, farther_above, doubt - 1);
    }
    if (above.y - below.y <= kBreakTolerance || budget_ <= 0 ||
        below.signature == kUndecidedFaces || above.signature == kUndecidedFaces) {
      if (above.y - below.y > kBreakTolerance) gaps.emplace_back(below, above);
      const double at = (below.y + above.y) / 2;
      bands_.back().end = at;
      bands_.push_back({at, at, {}});
      return;
    }
    --budget_;
    halve(farther_below, below, above, farther_above, doubt);
  }

  void halve(const RowStructure& farther_below, const RowStructure& below,
             const RowStructure& above, const RowStructure& farther_above, int doubt) {
    const double y = (below.y + above.y) / 2;
    hints_ = below.middles;
    hints_.insert(hints_.end(), above.middles.begin(), above.middles.end());
    add_expected(below, farther_below, y, hints_);
    add_expected(above, farther_above, y, hints_);
    const RowStructure middle = probe_.structure(y, hints_, work);
    divide(farther_below, below, middle, above, doubt);
    bands_.back().rows.push_back(middle);
    divide(below, middle, above, farther_above, doubt);
  }

  /// Whether nothing that can be told crosses the holes that two rows have in common, or rows that
  /// are empty. Of a Boolean's parts a wall may be left between two rows, far thinner than a pixel;
  /// it crosses the middle of a hole.
  [[nodiscard]] bool are_empty(const RowStructure& below, const RowStructure& above) {
    if (below.is_doubtful || above.is_doubtful) return true;  // nothing can be told
    if (below.signature == kNoFaces) return is_empty({x0_, x1_, below.y, above.y});
    if (!columns_.is_boolean_of_solids() || below.holes.size() != above.holes.size()) return true;
    for (std::size_t i = 0; i < below.holes.size(); ++i) {
      const auto [from, to] = std::minmax(below.holes[i], above.holes[i]);
      if (!columns_.certainly_empty({from, to, below.y, above.y}, work.scratch)) return false;
    }
    return true;
  }

  /// As certainly_empty, by pieces no narrower than a pixel: a bundle tells little of a tile that
  /// is wider than the parts.
  [[nodiscard]] bool is_empty(const Columns::Rectangle& tile) {
    if (columns_.certainly_empty(tile, work.scratch)) return true;
    if (!columns_.is_boolean_of_solids() || tile.u1 - tile.u0 <= seen_ / 2) return false;
    const double middle = (tile.u0 + tile.u1) / 2;
    return is_empty({tile.u0, middle, tile.v0, tile.v1}) &&
           is_empty({middle, tile.u1, tile.v0, tile.v1});
  }

  /// Whether pieces of the same faces jump between two rows, as at a wall that the numbers of faces
  /// do not tell of: they move there by what pixels see, and far faster than before or after.
  [[nodiscard]] bool jumps(const RowStructure& farther_below, const RowStructure& below,
                           const RowStructure& above, const RowStructure& farther_above) const {
    constexpr double kFar = 4;
    const double here = pace(below, above);
    return here * (above.y - below.y) > seen_ &&
           here > kFar * std::min(pace(farther_below, below), pace(above, farther_above));
  }

  const RowProbe& probe_;
  const Columns& columns_;
  double x0_, x1_;
  double seen_;    // farther than this a jump is seen
  double inside_;  // of the bounds of formulas
  int budget_ = 0, doubtful_rows_ = 0;
  std::vector<double> hints_;
  std::vector<RowBand> bands_;
};

// One band where it continues the last of `bands`.
void append(RowBand&& band, std::vector<RowBand>& bands) {
  if (bands.empty() || bands.back().signature() != band.signature()) {
    bands.push_back(std::move(band));
    return;
  }
  bands.back().end = band.end;
  bands.back().rows.insert(bands.back().rows.end(), band.rows.begin(), band.rows.end());
}

int count_changes(std::span<const RowStructure> rows) {
  int changes = 0;
  for (std::size_t j = 0; j + 1 < rows.size(); ++j)
    changes += rows[j].signature != rows[j + 1].signature ? 1 : 0;
  return changes;
}

}  // namespace

void RowBand::expect(double y, std::vector<double>& hints) const {
  hints.clear();
  const auto above = std::upper_bound(
      rows.begin(), rows.end(), y, [](double value, const RowStructure& r) { return value < r.y; });
  if (above != rows.end()) hints = above->middles;
  if (above == rows.begin()) return;
  const RowStructure& below = above[-1];
  hints.insert(hints.end(), below.middles.begin(), below.middles.end());
  if (above != rows.end()) add_expected(below, *above, y, hints);
}

bool is_restless(const std::vector<RowStructure>& rows, const Columns& columns) {
  constexpr std::uint32_t kChangesOfFace = 4;
  const auto explained =
      static_cast<int>(std::min(kChangesOfFace * columns.surface_count(), kBreaks));
  const int usual = std::max(12, (static_cast<int>(rows.size()) - 2) / 8);
  return count_changes(rows) >
         (columns.is_boolean_of_solids() ? std::max(usual, explained) : usual);
}

std::vector<RowStructure> look_at_rows(const RowProbe& probe, const Lattice& lattice,
                                       RowWorkspace& total) {
  const auto height = static_cast<std::size_t>(lattice.height);
  std::vector<RowStructure> rows(height + 2);
  std::vector<ColumnCounts> counts(height);
  parallel_for_each_index(height, [&](std::size_t j) {
    RowWorkspace work;
    rows[j + 1] =
        probe.structure(lattice.y0 + (static_cast<double>(j) + 0.5) * lattice.dy, {}, work);
    counts[j] = work.counts();
  });
  rows.front().y = lattice.y0 - lattice.dy / 2;
  rows.back().y = lattice.y0 + (lattice.height + 0.5) * lattice.dy;
  for (const ColumnCounts& c : counts) total.add(c);
  // A tip may lie between the pixels' centers of every row that it reaches. So rows that are not
  // made of what their neighbour is made of are looked at again where the neighbour has its pieces,
  // from below and from above; but not where those are most of the rows.
  if (count_changes(rows) > std::max(64, lattice.height / 2)) return rows;
  RowWorkspace work;
  const auto look_again = [&](std::size_t j, std::size_t beside, std::size_t beyond) {
    if (rows[j].signature == rows[beside].signature) return;
    work.hints = rows[beside].middles;
    add_expected(rows[beside], rows[beyond], rows[j].y, work.hints);
    rows[j] = probe.structure(rows[j].y, std::vector<double>(work.hints), work);
  };
  for (std::size_t j = 2; j <= height; ++j) look_again(j, j - 1, j - 2);
  for (std::size_t j = height - 1; j >= 1; --j) look_again(j, j + 1, j + 2);
  total.add(work.counts());
  return rows;
}

RowBands find_bands(const RowProbe& probe, const Lattice& lattice, const Columns& columns,
                    const std::vector<RowStructure>& rows, RowWorkspace& total) {
  const std::size_t height = rows.size() - 2;
  const int all = std::max(kRowsOfBreak * static_cast<int>(kBreaks), 4 * lattice.height);
  const int budget =
      total.scratch.undecided > 0 ? 0 : std::clamp(all / std::max(count_changes(rows), 1), 8, 1024);
  std::vector<std::vector<RowBand>> between(height + 1);
  std::vector<ColumnCounts> counts(height + 1);
  std::vector<std::vector<std::pair<RowStructure, RowStructure>>> gaps(height + 1);
  parallel_for_each_index(height + 1, [&](std::size_t j) {
    BandSearch search(probe, columns, lattice);
    between[j] = search.search(rows, j, budget);
    counts[j] = search.work.counts();
    gaps[j] = std::move(search.gaps);
  });
  for (const ColumnCounts& c : counts) total.add(c);
  RowBands image;
  for (const auto& found : gaps) image.gaps.insert(image.gaps.end(), found.begin(), found.end());
  for (std::vector<RowBand>& found : between)
    for (std::size_t k = 0; k < found.size(); ++k)
      if (k == 0)
        append(std::move(found[k]), image.bands);
      else
        image.bands.push_back(std::move(found[k]));
  return image;
}

}  // namespace plimsoll
