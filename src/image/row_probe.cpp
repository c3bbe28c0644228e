#include "image/row_probe.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

constexpr double kSliver = 1e-8;     // of the view: narrower pieces are no structure
constexpr int kSamplesOfBreak = 44;  // more than halve a pixel to kBreakTolerance; a piece within a
                                     // pixel has two
// Halvings of a gap between pixels that may not be empty. The parts of a Boolean may leave a wall
// there, far thinner than a pixel; where they touch, doubts have no end, and a budget ends them.
constexpr int kDoubts = 2;
constexpr int kDoubtsOfBoolean = 16;
constexpr int kDoubtfulSamples = 4;      // of a row, for each of its pixels
constexpr std::size_t kMaxMiddles = 64;  // where there are more, nothing can be told from them
// Where there are more faces, as in meshes, their edges are too many to be found one by one.
constexpr std::uint32_t kMaxFaces = 512;

RowSignature combined(RowSignature s, std::uint64_t next) {
  std::uint64_t z = s ^ (next + 0x9E3779B97F4A7C15u + (s << 6) + (s >> 2));
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  z ^= z >> 31;
  return z <= kUndecidedFaces ? 2 : z;
}

// Finds the places between `left` and `right` where signature_at changes. Adds what is between them
// to `pieces`, whose last piece holds `left`. is_empty(a, b): whether there is certainly nothing
// between; it is asked, `doubt` halvings deep, where neither side has faces.
struct BreakBudget {
  int samples;
  int& doubtful;
};
template <class SignatureAt, class IsEmpty>
void find_breaks(double left, RowSignature at_left, double right, RowSignature at_right,
                 BreakBudget& budget, int doubt, const SignatureAt& signature_at,
                 const IsEmpty& is_empty, std::vector<RowPiece>& pieces,
                 std::vector<RowGap>& gaps) {
  const bool is_doubt = at_left == at_right;
  if (is_doubt &&
      (at_left != kNoFaces || doubt == 0 || budget.doubtful == 0 || is_empty(left, right)))
    return;
  // Where faces meet, rounding chooses among them, and there are breaks without end: a budget of
  // samples ends the search.
  if (!is_doubt && (right - left <= kBreakTolerance || budget.samples <= 0 ||
                    at_left == kUndecidedFaces || at_right == kUndecidedFaces)) {
    if (right - left > kBreakTolerance) gaps.push_back({left, right});
    const double at = (left + right) / 2;
    pieces.back().end = at;
    pieces.push_back({at, at, at_right});
    return;
  }
  const double middle = (left + right) / 2;
  --(is_doubt ? budget.doubtful : budget.samples);
  const RowSignature at_middle = signature_at(middle);
  const int next = is_doubt ? doubt - 1 : doubt;
  find_breaks(left, at_left, middle, at_middle, budget, next, signature_at, is_empty, pieces, gaps);
  find_breaks(middle, at_middle, right, at_right, budget, next, signature_at, is_empty, pieces,
              gaps);
}

}  // namespace

// Integrands with creases inside a face, and meshes with faces without number, would be divided
// without end. A piece gets its share by its width.
std::size_t max_intervals(int pixels, double share) {
  constexpr int kFewest = 48;
  return 1 + static_cast<std::size_t>(std::max(kFewest, pixels / 4) * share);
}

RowProbe::RowProbe(const Columns& columns, const Lattice& lattice, double depth)
    : columns_(columns),
      lattice_(lattice),
      depth_(depth),
      by_face_(columns.surface_count() <= kMaxFaces),
      has_formulas_(columns.has_formulas()) {}

bool RowProbe::meets(std::uint32_t leaf, double x, double y, RowWorkspace& work) const {
  columns_.leaf_spans(leaf, x, y, work.scratch, work.spans);
  return !work.spans.empty();
}

// A column between `begin` and `end` that meets a part, if there is one; nothing where pieces that
// may meet it have become too narrow to matter, or too many.
std::optional<double> RowProbe::find_part(std::uint32_t leaf, double begin, double end, double y,
                                          int& budget, RowWorkspace& work) const {
  const double middle = (begin + end) / 2;
  if (meets(leaf, middle, y, work)) return middle;
  if (--budget <= 0 || end - begin <= std::ldexp(lattice_.dx, -kDoubtsOfBoolean)) return {};
  const Columns::Rectangle tile{begin, end, y, y};
  if (columns_.leaf_bundle(leaf, {tile, lattice_.dx}, work.scratch).outer.empty()) return {};
  if (const auto x = find_part(leaf, begin, middle, y, budget, work)) return x;
  return find_part(leaf, middle, end, y, budget, work);
}

// Adds to the samples a column between each two creases of a mesh between which there is no pixel's
// center.
void RowProbe::add_walls(const MeshColumns& mesh, double y, RowWorkspace& work) const {
  work.creases.clear();
  mesh.creases_along(y, work.creases);
  std::sort(work.creases.begin(), work.creases.end());
  const auto pixel = [&](double x) { return std::floor((x - lattice_.x0) / lattice_.dx - 0.5); };
  for (std::size_t i = 1; i < work.creases.size(); ++i) {
    const double a = work.creases[i - 1], b = work.creases[i];
    if (b - a > kSliver && pixel(a) == pixel(b)) work.samples.push_back((a + b) / 2);
  }
}

// Adds to the samples a column of each part of a Boolean that the row meets between two pixels'
// centers only: walls and slots thinner than a pixel.
void RowProbe::add_thin_parts(double y, RowWorkspace& work) const {
  // Halvings of 1024 pixels and 16 of one are 26; of each a convex part takes both halves at most.
  constexpr int kTries = 2 * (10 + kDoubtsOfBoolean);
  const double x0 = lattice_.x0, x1 = x0 + lattice_.dx * lattice_.width;
  for (const std::uint32_t leaf : columns_.leaves_in({x0, x1, y, y})) {
    if (const MeshColumns* mesh = columns_.mesh_of(leaf)) add_walls(*mesh, y, work);
    if (!columns_.is_primitive(leaf)) continue;
    const Columns::Rectangle& all = columns_.leaf_rectangle(leaf);
    int budget = kTries;
    const auto x = find_part(leaf, std::max(x0, all.u0), std::min(x1, all.u1), y, budget, work);
    if (!x) continue;
    const double center = x0 + (std::floor((*x - x0) / lattice_.dx - 0.5) + 0.5) * lattice_.dx;
    if (!meets(leaf, center, y, work) && !meets(leaf, center + lattice_.dx, y, work))
      work.samples.push_back(*x);
  }
}

void RowProbe::add_ends_of_formulas(double y, RowWorkspace& work) const {
  const double x0 = lattice_.x0, x1 = x0 + lattice_.dx * lattice_.width;
  for (const std::uint32_t leaf : columns_.leaves_in({x0, x1, y, y})) {
    if (!columns_.is_formula(leaf)) continue;
    const Columns::Rectangle& all = columns_.leaf_rectangle(leaf);
    const double inside = kInside * lattice_.dx;
    for (const double x : {all.u0 + inside, all.u1 - inside})
      if (x > x0 && x < x1) work.samples.push_back(x);
  }
}

// Leaves the pieces of the row in the workspace; returns the row's signature.
RowSignature RowProbe::find_pieces(double y, std::span<const double> hints,
                                   RowWorkspace& work) const {
  const double width = lattice_.dx * lattice_.width;
  const double first = lattice_.x0 - lattice_.dx / 2;  // outside
  work.pieces.assign(1, {first, first, kNoFaces});
  work.gaps.clear();
  work.doubts_left = kDoubtfulSamples * lattice_.width;
  if (columns_.certainly_empty({lattice_.x0, lattice_.x0 + width, y, y}, work.scratch))
    return kNoFaces;
  work.samples.assign(hints.begin(), hints.end());
  if (columns_.is_boolean_of_solids()) add_thin_parts(y, work);
  if (has_formulas_) add_ends_of_formulas(y, work);
  const auto extra = static_cast<std::ptrdiff_t>(work.samples.size());
  for (int i = 0; i < lattice_.width; ++i)
    work.samples.push_back(lattice_.x0 + (i + 0.5) * lattice_.dx);
  const auto middle = work.samples.begin() + extra;
  std::sort(work.samples.begin(), middle);
  std::inplace_merge(work.samples.begin(), middle, work.samples.end());
  work.samples.push_back(lattice_.x0 + width + lattice_.dx / 2);  // outside
  work.signatures.resize(work.samples.size());
  int changes = 0;
  RowSignature before = kNoFaces;
  for (std::size_t i = 0; i < work.samples.size(); ++i) {
    const bool outside = i + 1 == work.samples.size();
    work.signatures[i] = outside ? kNoFaces : signature(work.samples[i], y, work);
    changes += work.signatures[i] != before ? 1 : 0;
    before = work.signatures[i];
  }
  const int each = std::max(2 * kSamplesOfBreak, 4 * lattice_.width / std::max(changes, 1));
  const auto signature_at = [&](double x) { return signature(x, y, work); };
  const auto is_empty = [&](double a, double b) {
    return columns_.certainly_empty({a, b, y, y}, work.scratch);
  };
  const int doubts = columns_.is_boolean_of_solids() ? kDoubtsOfBoolean : kDoubts;
  double left = first;
  RowSignature at_left = kNoFaces;
  for (std::size_t i = 0; i < work.samples.size(); ++i) {
    BreakBudget budget{each, work.doubts_left};
    find_breaks(left, at_left, work.samples[i], work.signatures[i], budget, doubts, signature_at,
                is_empty, work.pieces, work.gaps);
    left = work.samples[i];
    at_left = work.signatures[i];
  }
  work.pieces.back().end = left;
  RowSignature row = kNoFaces;
  for (const RowPiece& piece : work.pieces) {
    if (piece.signature == kUndecidedFaces) return kUndecidedFaces;
    // Where faces meet, slivers between them come and go with rounding.
    const bool is_sliver = piece.end - piece.begin < kSliver;
    if (piece.signature != kNoFaces && !is_sliver) row = combined(row, piece.signature);
  }
  return row;
}

RowStructure RowProbe::structure(double y, std::span<const double> hints,
                                 RowWorkspace& work) const {
  RowStructure row{y, find_pieces(y, hints, work), {}, {}, false};
  row.is_doubtful = work.doubts_left == 0;
  for (const RowPiece& piece : work.pieces) {
    if (piece.end - piece.begin < kSliver) continue;
    row.middles.push_back((piece.begin + piece.end) / 2);
    if (piece.signature == kNoFaces) row.holes.push_back(row.middles.back());
  }
  if (row.middles.size() > kMaxMiddles) row.middles.clear(), row.holes.clear();
  return row;
}

Estimated<10> RowProbe::integrals(double y, std::span<const double> hints,
                                  RowWorkspace& work) const {
  find_pieces(y, hints, work);
  // The span of the box along the row bounds every term.
  std::array<double, kRowTerms> tolerance;
  tolerance.fill(0.1 * kIntegralTolerance * lattice_.dx * depth_ / lattice_.height);
  RowSums sums{}, errors{};
  const double width = lattice_.dx * lattice_.width;
  for (const RowPiece& piece : work.pieces) {
    if (piece.signature == kNoFaces) continue;
    const Estimated<kRowTerms> part =
        integrate<kRowTerms>(piece.begin, piece.end, tolerance,
                             piece.signature == kUndecidedFaces
                                 ? 1
                                 : max_intervals(lattice_.width, (piece.end - piece.begin) / width),
                             [&](const auto& x, auto& values) {
                               for (std::size_t k = 0; k < x.size(); ++k)
                                 values[k] = column(x[k], y, work);
                             });
    for (std::size_t k = 0; k < kRowTerms; ++k) {
      sums[k] += part.value[k];
      errors[k] += part.error[k];
    }
  }
  // The change may be anywhere in the gap.
  for (const RowGap& gap : work.gaps) {
    const RowSums left = column(gap.begin, y, work);
    const RowSums right = column(gap.end, y, work);
    for (std::size_t k = 0; k < kRowTerms; ++k)
      errors[k] += (gap.end - gap.begin) * std::abs(right[k] - left[k]);
  }
  Estimated<10> row;
  add_row(y, 1, sums, row.value);
  add_row(std::abs(y), 1, errors, row.error);
  return row;
}

RowSignature RowProbe::signature(double x, double y, RowWorkspace& work) const {
  const std::int64_t undecided = work.scratch.undecided;
  columns_.spans(x, y, work.scratch, work.spans);
  if (work.scratch.undecided != undecided) return kUndecidedFaces;  // no use to look for its edges
  RowSignature s = kNoFaces;
  for (const Span& span : work.spans)
    s = combined(s, by_face_ ? (std::uint64_t{span.enter_surface} << 32) | span.leave_surface
                             : std::uint64_t{1});
  work.crossings += 2 * work.spans.size();
  return s;
}

RowSums RowProbe::column(double x, double y, RowWorkspace& work) const {
  columns_.spans(x, y, work.scratch, work.spans);
  work.crossings += 2 * work.spans.size();
  double z = 0, zz = 0, zzz = 0;
  for (const Span& span : work.spans) {
    const double a = span.enter, b = span.leave;
    z += b - a;
    zz += (b - a) * (b + a);
    zzz += (b - a) * (b * b + a * b + a * a);
  }
  return {z, x * z, x * x * z, zz, x * zz, zzz};
}

}  // namespace plimsoll
