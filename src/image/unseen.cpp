#include "image/unseen.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.h"

namespace plimsoll {
namespace {

constexpr int kBlock = 8;     // cells that are first asked at once, in each direction
constexpr int kReach = 2;     // up to so many samples beyond a block count as its neighbours
constexpr int kHalvings = 3;  // of a cell in which something is hidden, to tell how much

// The depths at which columns meet a surface, crossing by crossing.
class CrossingRanges {
 public:
  void clear() {
    ranges_.clear();
    is_first_ = true;
  }

  // False if this column does not meet the surface as often as those before.
  bool add(std::span<const double> depths) {
    if (is_first_)
      for (const double depth : depths) ranges_.push_back({depth, depth});
    is_first_ = false;
    if (depths.size() != ranges_.size()) return false;
    for (std::size_t c = 0; c < depths.size(); ++c) {
      ranges_[c].low = std::min(ranges_[c].low, depths[c]);
      ranges_[c].high = std::max(ranges_[c].high, depths[c]);
    }
    return true;
  }

  [[nodiscard]] double widest() const {
    double width = 0;
    for (const Range& r : ranges_) width = std::max(width, r.high - r.low);
    return width;
  }

  // Where the surface is expected between those columns.
  void expect(double pixel, std::vector<Span>& allowed) const {
    allowed.clear();
    for (const Range& r : ranges_) {
      const double beyond = std::max(pixel, r.high - r.low);
      append({r.low - beyond, r.high + beyond, 0, 0}, allowed);
    }
  }

 private:
  struct Range {
    double low, high;
  };
  std::vector<Range> ranges_;
  bool is_first_ = true;
};

// Samples of some rows of the lattice, with one empty sample beyond either end of each row. Cell
// (i, j) lies between the samples i, i + 1 of the rows j, j + 1.
class Samples {
 public:
  Samples(const Columns& columns, const Lattice& lattice, int first_row, int last_row,
          Columns::Scratch& scratch)
      : first_row_(first_row), width_(lattice.width + 2) {
    std::vector<Span> spans;
    begin_.push_back(0);
    for (int row = first_row; row <= last_row; ++row)
      for (int i = 0; i < width_; ++i) {
        const bool is_outside = i == 0 || i + 1 == width_ || row < 0 || row >= lattice.height;
        if (!is_outside) {
          columns.spans(lattice.x0 + (i - 0.5) * lattice.dx, lattice.y0 + (row + 0.5) * lattice.dy,
                        scratch, spans);
          for (const Span& span : spans) {
            depths_.push_back(span.enter);
            depths_.push_back(span.leave);
          }
        }
        begin_.push_back(depths_.size());
      }
    last_row_ = last_row;
  }

  // The depths at which the samples of a block of n cells and its neighbours meet the surface.
  bool ranges(int i, int j, int n, CrossingRanges& found) const {
    const int reach = std::max(1, n / 4);
    found.clear();
    for (int row = std::max(j - reach, first_row_); row <= std::min(j + n + reach, last_row_);
         ++row)
      for (int k = std::max(i - reach, 0); k <= std::min(i + n + reach, width_ - 1); ++k) {
        const std::size_t sample =
            static_cast<std::size_t>(row - first_row_) * static_cast<std::size_t>(width_) +
            static_cast<std::size_t>(k);
        const auto depths =
            std::span(depths_).subspan(begin_[sample], begin_[sample + 1] - begin_[sample]);
        if (!found.add(depths)) return false;
      }
    return true;
  }

 private:
  int first_row_, last_row_ = 0;
  int width_;
  std::vector<std::size_t> begin_;  // of each sample in depths_, and the end
  std::vector<double> depths_;
};

class Search {
 public:
  Search(const Columns& columns, const Lattice& lattice)
      : columns_(columns), lattice_(lattice), pixel_(std::max(lattice.dx, lattice.dy)) {}

  /// The cells of kBlock rows from `row` on.
  Unseen search(int row) {
    const int end = std::min(row + kBlock, lattice_.height);
    const Samples samples(columns_, lattice_, row - kReach, end + kReach, scratch_);
    for (int i = 0; i <= lattice_.width; i += kBlock) look(samples, i, row, kBlock);
    return found_;
  }

 private:
  // A part of a Boolean, and where its surface is expected.
  struct Leaf {
    std::uint32_t number;
    std::vector<Span> allowed;
  };

  void look(const Samples& samples, int i, int j, int n) {
    if (i > lattice_.width || j >= lattice_.height) return;
    const bool is_even = samples.ranges(i, j, n, ranges_);
    // A large block is judged at once only where the surface is level.
    if (is_even && (n == 1 || ranges_.widest() <= pixel_)) {
      ranges_.expect(pixel_, allowed_);
      find_hidden(tile(i, j, n));
      if (hidden_.empty()) return;
      if (n == 1) return add_cell(i, j);
    }
    if (n == 1) {
      if (!columns_.is_boolean()) return;
      allowed_.clear();  // an edge of some part passes; others may hide something
      return add_cell(i, j);
    }
    const int half = n / 2;
    for (const int b : {j, j + half})
      for (const int a : {i, i + half}) look(samples, a, b, half);
  }

  void add_cell(int i, int j) {
    found_.meetings += find_leaves(i, j) > 1 ? 1 : 0;
    if (leaves_.empty()) return;
    const Columns::Rectangle cell = tile(i, j, 1);
    const double volume = hidden_volume(cell, hidden_length(cell), kHalvings);
    found_.volume += volume;
    found_.pixels += volume > 0 ? 1 : 0;
  }

  [[nodiscard]] Columns::Rectangle tile(int i, int j, int n) const {
    const double u = lattice_.x0 + (i - 0.5) * lattice_.dx;
    const double v = lattice_.y0 + (j + 0.5) * lattice_.dy;
    return {u, u + n * lattice_.dx, v, v + n * lattice_.dy};
  }

  // At which depths the body is uncertain where no surface is expected.
  void find_hidden(const Columns::Rectangle& tile) {
    find_unexpected(columns_.bundle({tile, pixel_ / 4, allowed_}, scratch_), allowed_, hidden_);
  }

  void find_unexpected(const Columns::Bundle& bundle, const std::vector<Span>& allowed,
                       std::vector<Span>& out) {
    subtract(bundle.outer, bundle.inner, 0, uncertain_);
    subtract(uncertain_, allowed, 0, out);
  }

  // The parts of which something may hide in cell (i, j): those whose surface its corners and
  // neighbours meet equally often. Returns how many there are of the others, whose edges pass.
  int find_leaves(int i, int j) {
    leaves_.clear();
    int edges = 0;
    for (const std::uint32_t leaf : columns_.leaves_in(tile(i, j, 1))) {
      bool is_even = true;
      ranges_.clear();
      for (int row = j - 1; row <= j + 2 && is_even; ++row)
        for (int k = i - 1; k <= i + 2 && is_even; ++k) {
          columns_.leaf_spans(leaf, lattice_.x0 + (k - 0.5) * lattice_.dx,
                              lattice_.y0 + (row + 0.5) * lattice_.dy, scratch_, spans_);
          depths_.clear();
          for (const Span& span : spans_) {
            depths_.push_back(span.enter);
            depths_.push_back(span.leave);
          }
          is_even = ranges_.add(depths_);
        }
      if (!is_even) {
        ++edges;
        continue;
      }
      leaves_.push_back({leaf, {}});
      ranges_.expect(pixel_, leaves_.back().allowed);
    }
    return edges;
  }

  // The length of what is hidden in the columns of `tile`. Solids that touch leave their union
  // uncertain where they do, though each is as expected: what is hidden is hidden of a part.
  double hidden_length(const Columns::Rectangle& tile) {
    std::vector<Span> of_parts, of_leaf, sum;
    for (const Leaf& leaf : leaves_) {
      find_unexpected(columns_.leaf_bundle(leaf.number, {tile, pixel_ / 4, leaf.allowed}, scratch_),
                      leaf.allowed, of_leaf);
      unite(of_parts, of_leaf, 0, sum);
      of_parts.swap(sum);
    }
    if (of_parts.empty()) return 0;  // which most often ends it, and asks few of many parts
    find_hidden(tile);
    intersect(hidden_, of_parts, 0, sum);
    double length = 0;
    for (const Span& span : sum) length += span.leave - span.enter;
    return length;
  }

  // The volume of that, by quarters of the tile, so as not to say too much; but not where all are
  // uncertain alike, as of a formula that has no value.
  double hidden_volume(const Columns::Rectangle& tile, double length, int halvings) {
    const double volume = length * (tile.u1 - tile.u0) * (tile.v1 - tile.v0);
    if (length == 0 || halvings == 0) return volume;
    const double u = (tile.u0 + tile.u1) / 2, v = (tile.v0 + tile.v1) / 2;
    const Columns::Rectangle quarters[4] = {{tile.u0, u, tile.v0, v},
                                            {u, tile.u1, tile.v0, v},
                                            {tile.u0, u, v, tile.v1},
                                            {u, tile.u1, v, tile.v1}};
    double lengths[4];
    for (int q = 0; q < 4; ++q) lengths[q] = hidden_length(quarters[q]);
    if (*std::min_element(lengths, lengths + 4) > 0.99 * length) return volume;
    double sum = 0;
    for (int q = 0; q < 4; ++q) sum += hidden_volume(quarters[q], lengths[q], halvings - 1);
    return sum;
  }

  const Columns& columns_;
  const Lattice& lattice_;
  double pixel_;
  Columns::Scratch scratch_;
  CrossingRanges ranges_;
  std::vector<Leaf> leaves_;
  std::vector<Span> allowed_, uncertain_, hidden_, spans_;
  std::vector<double> depths_;
  Unseen found_;
};

}  // namespace

Unseen find_unseen(const Columns& columns, const Lattice& lattice) {
  const auto strips = static_cast<std::size_t>((lattice.height + kBlock) / kBlock);
  std::vector<Unseen> found(strips);
  parallel_for_each_index(strips, [&](std::size_t k) {
    found[k] = Search(columns, lattice).search(static_cast<int>(k) * kBlock - 1);
  });
  Unseen sum;
  for (const Unseen& f : found) {
    sum.volume += f.volume;
    sum.pixels += f.pixels;
    sum.meetings += f.meetings;
  }
  return sum;
}

}  // namespace plimsoll
