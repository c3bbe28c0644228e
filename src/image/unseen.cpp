#include "image/unseen.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/parallel.h"

namespace plimsoll {
namespace {

constexpr int kBlock = 8;     // cells that are first asked at once, in each direction
constexpr int kReach = 2;     // samples beyond a block that count as its neighbours, at most
constexpr int kHalvings = 3;  // of a cell in which something is hidden, to tell how much

struct Range {
  double low, high;
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

  // The depths at which the samples of a block of n cells and its neighbours meet the surface,
  // crossing by crossing. False if not all meet it equally often.
  bool ranges(int i, int j, int n, std::vector<Range>& found) const {
    const int reach = std::max(1, n / 4);
    found.clear();
    bool is_first = true;
    for (int row = std::max(j - reach, first_row_); row <= std::min(j + n + reach, last_row_);
         ++row)
      for (int k = std::max(i - reach, 0); k <= std::min(i + n + reach, width_ - 1); ++k) {
        const std::size_t sample =
            static_cast<std::size_t>(row - first_row_) * static_cast<std::size_t>(width_) +
            static_cast<std::size_t>(k);
        const std::size_t begin = begin_[sample], count = begin_[sample + 1] - begin;
        if (is_first) {
          for (std::size_t c = 0; c < count; ++c)
            found.push_back({depths_[begin + c], depths_[begin + c]});
          is_first = false;
          continue;
        }
        if (count != found.size()) return false;
        for (std::size_t c = 0; c < count; ++c) {
          found[c].low = std::min(found[c].low, depths_[begin + c]);
          found[c].high = std::max(found[c].high, depths_[begin + c]);
        }
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
  void look(const Samples& samples, int i, int j, int n) {
    if (i > lattice_.width || j >= lattice_.height) return;
    const bool is_even = samples.ranges(i, j, n, ranges_);
    if (is_even && (n == 1 || is_level())) {
      allow();
      const double hidden = hidden_volume(tile(i, j, n), n == 1 ? kHalvings : 0);
      if (hidden == 0) return;
      if (n == 1) {
        found_.volume += hidden;
        ++found_.pixels;
        return;
      }
    }
    if (n == 1) return;
    const int half = n / 2;
    for (const int b : {j, j + half})
      for (const int a : {i, i + half}) look(samples, a, b, half);
  }

  // Whether a large block may be judged by the spread of depths in it.
  [[nodiscard]] bool is_level() const {
    return std::all_of(ranges_.begin(), ranges_.end(),
                       [&](const Range& r) { return r.high - r.low <= pixel_; });
  }

  [[nodiscard]] Columns::Rectangle tile(int i, int j, int n) const {
    const double u = lattice_.x0 + (i - 0.5) * lattice_.dx;
    const double v = lattice_.y0 + (j + 0.5) * lattice_.dy;
    return {u, u + n * lattice_.dx, v, v + n * lattice_.dy};
  }

  void allow() {
    allowed_.clear();
    for (const Range& r : ranges_) {
      const double beyond = std::max(pixel_, r.high - r.low);
      append({r.low - beyond, r.high + beyond, 0, 0}, allowed_);
    }
  }

  // Of what is not certain and not allowed. Halved where there is some, so as not to say too much.
  double hidden_volume(const Columns::Rectangle& tile, int halvings) {
    const Columns::Bundle bundle = columns_.bundle({tile, pixel_ / 4, allowed_}, scratch_);
    subtract(bundle.outer, bundle.inner, 0, uncertain_);
    subtract(uncertain_, allowed_, 0, hidden_);
    double length = 0;
    for (const Span& span : hidden_) length += span.leave - span.enter;
    if (length == 0) return 0;
    if (halvings == 0) return length * (tile.u1 - tile.u0) * (tile.v1 - tile.v0);
    const double u = (tile.u0 + tile.u1) / 2, v = (tile.v0 + tile.v1) / 2;
    return hidden_volume({tile.u0, u, tile.v0, v}, halvings - 1) +
           hidden_volume({u, tile.u1, tile.v0, v}, halvings - 1) +
           hidden_volume({tile.u0, u, v, tile.v1}, halvings - 1) +
           hidden_volume({u, tile.u1, v, tile.v1}, halvings - 1);
  }

  const Columns& columns_;
  const Lattice& lattice_;
  double pixel_;
  Columns::Scratch scratch_;
  std::vector<Range> ranges_;
  std::vector<Span> allowed_, uncertain_, hidden_;
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
  }
  return sum;
}

}  // namespace plimsoll
