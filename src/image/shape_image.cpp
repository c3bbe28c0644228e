// The image of a shape of which columns are all that is known.
//
// The integrals over x and y are iterated. A row is sampled at the pixels' centers; where two
// neighbours cross other faces, the place between them where that changes is found by bisection;
// from one such place to the next the column's integrals are smooth but for square roots at the
// ends, and are integrated by quadrature.h. Rows are treated as columns were: where neighbouring
// rows are made of other pieces, the place between them is found, and what lies between such places
// is integrated. So walls, silhouettes and edges cost nothing, and a sphere is right to 1e-12
// whatever the resolution: pixels only have to be fine enough to see all there is.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/mass_from_moments.h"
#include "core/parallel.h"
#include "image/measured.h"
#include "image/quadrature.h"
#include "image/row_sums.h"
#include "image/shape_parts.h"
#include "shape/columns.h"

namespace plimsoll {
namespace {

constexpr double kBreakTolerance = 1e-12;  // of the view: how well changes of faces are located
constexpr double kLineTolerance = 1e-12;   // of the box: of a row's integrals
constexpr double kTolerance = 1e-11;       // of the box: of the whole

// Which faces a column crosses, or which pieces a row is made of: equal numbers, equal structure.
using Signature = std::uint64_t;
constexpr Signature kEmpty = 0;

Signature combined(Signature s, std::uint64_t next) {
  std::uint64_t z = s ^ (next + 0x9E3779B97F4A7C15u + (s << 6) + (s >> 2));
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  z ^= z >> 31;
  return z == kEmpty ? 1 : z;
}

struct Piece {
  double begin, end;
  Signature signature;
};

// The places between `left` and `right` where signature_at changes, added to `pieces`, which ends
// with the piece that holds `left`. `is_empty(a, b)`: whether there is certainly nothing between.
template <class SignatureAt, class IsEmpty>
void find_breaks(double left, Signature at_left, double right, Signature at_right, double tolerance,
                 int doubt, const SignatureAt& signature_at, const IsEmpty& is_empty,
                 std::vector<Piece>& pieces) {
  if (at_left == at_right && (at_left != kEmpty || doubt == 0 || is_empty(left, right))) return;
  if (right - left <= tolerance) {
    const double at = (left + right) / 2;
    pieces.back().end = at;
    pieces.push_back({at, at, at_right});
    return;
  }
  const double middle = (left + right) / 2;
  const Signature at_middle = signature_at(middle);
  const int next = at_left == at_right ? doubt - 1 : doubt;
  find_breaks(left, at_left, middle, at_middle, tolerance, next, signature_at, is_empty, pieces);
  find_breaks(middle, at_middle, right, at_right, tolerance, next, signature_at, is_empty, pieces);
}

// One thread's memory.
struct Workspace {
  Columns::Scratch scratch;
  std::vector<Span> spans;
  std::vector<Piece> pieces;
  std::size_t crossings = 0;
};

class RowProbe {
 public:
  RowProbe(const Columns& columns, const Lattice& lattice, double depth)
      : columns_(columns), lattice_(lattice), depth_(depth) {
    // Where there are very many faces (meshes), their edges are too many to be found one by one.
    constexpr std::uint32_t kManyFaces = 512;
    by_face_ = columns.surface_count() <= kManyFaces;
  }

  // The pieces of the row at y, in the workspace; returns the row's signature.
  Signature find_pieces(double y, Workspace& work) const {
    const double width = lattice_.dx * lattice_.width;
    const double first = lattice_.x0 - lattice_.dx / 2;  // outside
    work.pieces.assign(1, {first, first, kEmpty});
    if (columns_.certainly_empty(lattice_.x0, lattice_.x0 + width, y, y)) return kEmpty;
    const auto signature_at = [&](double x) { return signature(x, y, work); };
    const auto is_empty = [&](double a, double b) { return columns_.certainly_empty(a, b, y, y); };
    double left = first;
    Signature at_left = kEmpty;
    for (int i = 0; i <= lattice_.width; ++i) {
      const double right = lattice_.x0 + (i + 0.5) * lattice_.dx;
      const Signature at_right = i < lattice_.width ? signature_at(right) : kEmpty;
      find_breaks(left, at_left, right, at_right, kBreakTolerance, kDoubts, signature_at, is_empty,
                  work.pieces);
      left = right;
      at_left = at_right;
    }
    work.pieces.back().end = left;
    Signature row = kEmpty;
    for (const Piece& piece : work.pieces)
      if (piece.signature != kEmpty) row = combined(row, piece.signature);
    return row;
  }

  [[nodiscard]] Estimated<10> integrals(double y, Workspace& work) const {
    find_pieces(y, work);
    // The span of the box along the row bounds every term.
    std::array<double, kRowTerms> tolerance;
    tolerance.fill(kLineTolerance * lattice_.dx * lattice_.width * depth_);
    RowSums sums{}, errors{};
    for (const Piece& piece : work.pieces) {
      if (piece.signature == kEmpty) continue;
      const Estimated<kRowTerms> part = integrate<kRowTerms>(
          piece.begin, piece.end, tolerance, lattice_.dx / 2, [&](const auto& x, auto& values) {
            for (std::size_t k = 0; k < x.size(); ++k) values[k] = column(x[k], y, work);
          });
      for (std::size_t k = 0; k < kRowTerms; ++k) {
        sums[k] += part.value[k];
        errors[k] += part.error[k];
      }
    }
    Estimated<10> row;
    add_row(y, 1, sums, row.value);
    add_row(std::abs(y), 1, errors, row.error);
    return row;
  }

 private:
  static constexpr int kDoubts = 2;  // halvings of a gap between pixels that may not be empty

  Signature signature(double x, double y, Workspace& work) const {
    columns_.spans(x, y, work.scratch, work.spans);
    Signature s = kEmpty;
    for (const Span& span : work.spans)
      s = combined(s, by_face_ ? (std::uint64_t{span.enter_surface} << 32) | span.leave_surface
                               : std::uint64_t{1});
    work.crossings += 2 * work.spans.size();
    return s;
  }

  RowSums column(double x, double y, Workspace& work) const {
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

  const Columns& columns_;
  const Lattice& lattice_;
  double depth_;
  bool by_face_;
};

// The pieces of the image: rows of equal structure.
std::vector<Piece> find_bands(const RowProbe& probe, const Lattice& lattice, const Columns& columns,
                              Workspace& total) {
  const auto height = static_cast<std::size_t>(lattice.height);
  const auto center = [&](std::size_t j) {
    return lattice.y0 + (static_cast<double>(j) + 0.5) * lattice.dy;
  };
  std::vector<Signature> rows(height);
  std::vector<Workspace> works(height);
  parallel_for_each_index(height,
                          [&](std::size_t j) { rows[j] = probe.find_pieces(center(j), works[j]); });
  for (const Workspace& work : works) {
    total.crossings += work.crossings;
    total.scratch.undecided += work.scratch.undecided;
    total.scratch.unbalanced += work.scratch.unbalanced;
  }
  // Between each two rows, one task of its own.
  std::vector<std::vector<Piece>> between(height + 1);
  const double x1 = lattice.x0 + lattice.dx * lattice.width;
  parallel_for_each_index(height + 1, [&](std::size_t j) {
    const double below = j > 0 ? center(j - 1) : lattice.y0 - lattice.dy / 2;
    const double above = j < height ? center(j) : lattice.y0 + lattice.dy * (lattice.height + 0.5);
    Workspace work;
    const Signature at_below = j > 0 ? rows[j - 1] : kEmpty;
    between[j].push_back({below, below, at_below});
    find_breaks(
        below, at_below, above, j < height ? rows[j] : kEmpty, kBreakTolerance, 1,
        [&](double y) { return probe.find_pieces(y, work); },
        [&](double a, double b) { return columns.certainly_empty(lattice.x0, x1, a, b); },
        between[j]);
    between[j].back().end = above;
  });
  std::vector<Piece> bands;
  for (const std::vector<Piece>& pieces : between)
    for (const Piece& piece : pieces) {
      if (!bands.empty() && bands.back().signature == piece.signature)
        bands.back().end = piece.end;
      else
        bands.push_back(piece);
    }
  return bands;
}

Estimated<10> integrate_bands(const RowProbe& probe, const std::vector<Piece>& bands,
                              const Lattice& lattice, double depth, Workspace& total) {
  std::array<double, 10> tolerance;
  tolerance.fill(kTolerance * lattice.dx * lattice.width * lattice.dy * lattice.height * depth);
  Estimated<10> sum;
  std::array<Workspace, QuadratureRule::kPoints> works;
  std::array<double, 10> row_error{};
  for (const Piece& band : bands) {
    if (band.signature == kEmpty) continue;
    const Estimated<10> part = integrate<10>(
        band.begin, band.end, tolerance, lattice.dy / 2, [&](const auto& y, auto& values) {
          std::array<Estimated<10>, QuadratureRule::kPoints> rows;
          parallel_for_each_index(
              y.size(), [&](std::size_t k) { rows[k] = probe.integrals(y[k], works[k]); });
          for (std::size_t k = 0; k < y.size(); ++k) {
            values[k] = rows[k].value;
            for (std::size_t n = 0; n < 10; ++n)
              row_error[n] = std::max(row_error[n], rows[k].error[n]);
          }
        });
    for (std::size_t n = 0; n < 10; ++n) {
      sum.value[n] += part.value[n];
      sum.error[n] += part.error[n];
    }
  }
  for (std::size_t n = 0; n < 10; ++n) sum.error[n] += row_error[n] * lattice.dy * lattice.height;
  for (const Workspace& work : works) {
    total.crossings += work.crossings;
    total.scratch.undecided += work.scratch.undecided;
    total.scratch.unbalanced += work.scratch.unbalanced;
  }
  return sum;
}

// The shape with its box in the view cube, axes as they were.
Shape normalized(const Shape& shape, const View& view) {
  Shape moved = shape;
  const double to_unit = 1 / view.scale();
  const Vec3 center = view.world_from_view.translation();
  moved.pose.linear() *= to_unit;
  moved.pose.translation() = (shape.pose.translation() - center) * to_unit;
  return moved;
}

}  // namespace

Result<ImageMass> image_mass_of_columns(const Shape& shape, const ImageOptions& options) {
  ImageOptions placed = options;
  placed.margin = placed.shift_u = placed.shift_v = 0;
  const Result<View> view = view_of(bounding_box(shape), placed);
  if (!view) return view.error();
  const Lattice& lattice = view->lattice;
  if (lattice.dx == 0 || lattice.dy == 0 || view->depth == 0)
    return measured(TenMoments{}, TenMoments{}, *view, options);
  const double pixel = std::min(lattice.dx, lattice.dy);
  const Result<Columns> columns =
      Columns::of(normalized(shape, *view), view->axis, pixel, kFlatness * pixel);
  if (!columns) return columns.error();
  const RowProbe probe(*columns, lattice, 2 * view->depth);
  Workspace total;
  const std::vector<Piece> bands = find_bands(probe, lattice, *columns, total);
  const Estimated<10> found = integrate_bands(probe, bands, lattice, 2 * view->depth, total);
  // Breaks and roots are located to kBreakTolerance; what was flattened is off by its deviation
  // over an area that is about that of the box.
  const double width = lattice.dx * lattice.width, height = lattice.dy * lattice.height;
  const double box = width * height * 2 * view->depth;
  const double area = 2 * (width * height + 2 * view->depth * (width + height));
  const double extra = 100 * kBreakTolerance * box + columns->deviation() * area;
  TenMoments error = found.error;
  for (double& e : error) e += extra;
  ImageMass result = measured(found.value, error, *view, options);
  result.fragments = total.crossings;
  result.undecided_columns = static_cast<std::size_t>(total.scratch.undecided);
  return result;
}

}  // namespace plimsoll
