#include "tree/triangle_order.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

#include "core/parallel.h"
#include "tree/hilbert_curve.h"
#include "tree/triangle_tree.h"

namespace plimsoll {
namespace {

constexpr std::size_t kBlock = 256;      // triangles: 8 nodes of the last level
constexpr std::size_t kWorthwhile = 64;  // blocks: some 10 us each

/// 128 cells along each axis: a surface goes through some 50,000 of them. Where there are many more
/// triangles a fast tree takes 1,024, so that those of one cell, which stay in the mesh's order,
/// are few.
constexpr int kFewBits = 7, kManyBits = 10;
constexpr std::size_t kMany = std::size_t{1} << 19;

/// Three times the center of a triangle.
template <class Row>
[[gnu::always_inline]] inline auto sum_of_corners(std::span<const Row> vertices,
                                                  const Triangle& v) {
  using Four = Eigen::Array<std::remove_cvref_t<decltype(vertices[0].x[0])>, 4, 1>;
  return Four(Four::MapAligned(vertices[v[0]].x) + Four::MapAligned(vertices[v[1]].x) +
              Four::MapAligned(vertices[v[2]].x));
}

/// The bits of a number, three apart.
constexpr auto kSpread = [] {
  std::array<std::uint32_t, std::size_t{1} << kManyBits> spread{};
  for (std::uint32_t x = 0; x < spread.size(); ++x)
    for (int bit = 0; bit < kManyBits; ++bit) spread[x] |= (x >> bit & 1U) << (3 * bit);
  return spread;
}();

/// Cubes of equal size, numbered along the Morton curve.
class Cells {
 public:
  explicit Cells(double reach)
      : per_sum_(reach > 0 ? kCount / (6 * static_cast<float>(reach)) : 0) {}

  /// Of the cell of a triangle's center, given the sum of its corners.
  [[nodiscard]] std::uint32_t code(const Eigen::Array4d& sum) const {
    const Eigen::Array4f place =
        (sum.cast<float>() * per_sum_ + kCount / 2).max(0.0F).min(kCount - 1);
    const auto spread = [&](int i) { return kSpread[static_cast<std::uint32_t>(place[i])]; };
    return spread(0) | spread(1) << 1 | spread(2) << 2;
  }

 private:
  static constexpr float kCount = 1 << kFewBits;
  float per_sum_;
};

/// The same along the Hilbert curve, and places rounded to the nearest: a number added to 2^23 is
/// rounded to a whole one, and that stands in the last bits of the sum. Cubes at the ends, 1 and
/// count - 1, are half as long.
template <int kBits>
class CellsOnCurve {
 public:
  explicit CellsOnCurve(double reach)
      : per_sum_(reach > 0 ? (kCount - 2) / (6 * static_cast<float>(reach)) : 0) {}

  [[nodiscard]] std::uint32_t code(const Eigen::Array4f& sum) const {
    const Eigen::Array4f place = sum * per_sum_ + (0x1p23F + kCount / 2);
    std::uint32_t bits[4];
    std::memcpy(bits, place.data(), sizeof bits);
    const auto spread = [&](int i) { return kSpread[bits[i] & ((1U << kBits) - 1)]; };
    return kHilbertCurve.number<3 * kBits>(spread(0) | spread(1) << 1 | spread(2) << 2);
  }

 private:
  static constexpr float kCount = 1 << kBits;
  float per_sum_;
};

}  // namespace

/// By two digits, the lower first: equal codes keep their order. `code(t)` is that of triangle t.
void TriangleOrder::sort_by_code(int bits, const ChosenTriangles& chosen, auto code) {
  const int digit = (bits + 1) / 2;
  const std::uint32_t last = (1U << digit) - 1;
  low_.assign(last + 1, 0);
  high_.assign(last + 1, 0);
  odd_high_.assign(last + 1, 0);  // two, as to count the same digit twice in a row takes long
  keys_.resize(chosen.count);
  sorted_.resize(chosen.count);
  numbers_.resize(chosen.count);
  for (std::size_t i = 0; i < chosen.count; ++i) {
    const Key key{code(chosen[i]), chosen[i]};
    keys_[i] = key;
    ++low_[key.code & last];
    ++(i % 2 == 0 ? high_ : odd_high_)[key.code >> digit];
  }
  for (std::size_t i = 0; i <= last; ++i) high_[i] += odd_high_[i];
  // From how many have a digit to the place of the next that has it.
  for (std::vector<std::uint32_t>* places : {&low_, &high_}) {
    std::uint32_t before = 0;
    for (std::uint32_t& place : *places) before += std::exchange(place, before);
  }
  for (const Key& key : keys_) sorted_[low_[key.code & last]++] = key;
  for (const Key& key : sorted_) numbers_[high_[key.code >> digit]++] = key.triangle;
}

void TriangleOrder::find_centers(const MeshView& mesh, std::span<const VertexRow> vertices) {
  centers_.resize(numbers_.size());
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const Eigen::Array4d sum = sum_of_corners(vertices, mesh.triangle(numbers_[i]));
    Eigen::Array4f::MapAligned(centers_[i].x) = (sum * (1.0 / 3)).cast<float>();
    centers_[i].x[3] = std::bit_cast<float>(numbers_[i]);
  }
}

/// Puts those first that `is_first` holds for, without branches, which nothing could predict.
TriangleOrder::Center* TriangleOrder::partition(Center* begin, Center* end, auto is_first) {
  Center* low = begin;
  for (Center* at = begin; at != end; ++at) {
    const Center center = *at;
    *at = *low;
    *low = center;
    low += is_first(center) ? 1 : 0;
  }
  return low;
}

/// Puts the `count` smallest by a coordinate first: quickselect. Equal ones are taken together, so
/// that they do not make it slow.
void TriangleOrder::select_smallest(Center* begin, Center* end, std::size_t count, int axis) {
  Center* const cut = begin + count;
  while (begin < cut && cut < end) {
    Center* const middle = begin + (end - begin) / 2;
    Center* const last = end - 1;
    // The median of three goes last.
    if (middle->x[axis] < begin->x[axis]) std::swap(*middle, *begin);
    if (last->x[axis] < middle->x[axis]) std::swap(*last, *middle);
    if (middle->x[axis] < begin->x[axis]) std::swap(*middle, *begin);
    std::swap(*middle, *last);
    const float pivot = last->x[axis];
    Center* const low = partition(begin, last, [=](const Center& c) { return c.x[axis] < pivot; });
    if (low == begin) {
      begin = partition(begin, end, [=](const Center& c) { return c.x[axis] == pivot; });
    } else if (cut <= low) {
      end = low;
    } else {
      begin = low;
    }
  }
}

/// Halves a block of centers by the longest side of their box, again and again, down to leaves;
/// every half but the last is a whole power of two of leaves.
void TriangleOrder::halve(Center* begin, Center* end) {
  const auto count = static_cast<std::size_t>(end - begin);
  if (count <= TriangleTree::kLeafTriangles) return;
  std::size_t half = TriangleTree::kLeafTriangles;
  while (2 * half < count) half *= 2;
  Eigen::Array4f low = Eigen::Array4f::MapAligned(begin->x), high = low;
  for (const Center* c = begin; c != end; ++c) {
    low = low.min(Eigen::Array4f::MapAligned(c->x));
    high = high.max(Eigen::Array4f::MapAligned(c->x));
  }
  int axis = 0;
  (high - low).head<3>().maxCoeff(&axis);
  select_smallest(begin, end, half, axis);
  halve(begin, begin + half);
  halve(begin + half, end);
}

std::span<const std::uint32_t> TriangleOrder::along_curve(const MeshView& mesh,
                                                          std::span<const FloatRow> vertices,
                                                          double reach,
                                                          const ChosenTriangles& chosen) {
  const auto sort = [&]<int kBits>(const CellsOnCurve<kBits>& cells) {
    sort_by_code(3 * kBits, chosen, [=, view = mesh](std::uint32_t t) {
      return cells.code(sum_of_corners(vertices, view.triangle(t)));
    });
  };
  if (chosen.count > kMany)
    sort(CellsOnCurve<kManyBits>(reach));
  else
    sort(CellsOnCurve<kFewBits>(reach));
  return numbers_;
}

std::span<const std::uint32_t> TriangleOrder::split(const MeshView& mesh,
                                                    std::span<const VertexRow> vertices,
                                                    double reach, TreeQuality quality,
                                                    const ChosenTriangles& chosen) {
  if (quality == TreeQuality::kTight) {
    numbers_.resize(chosen.count);
    for (std::size_t i = 0; i < chosen.count; ++i) numbers_[i] = chosen[i];
  } else {
    const Cells cells(reach);
    sort_by_code(3 * kFewBits, chosen, [&](std::uint32_t t) {
      return cells.code(sum_of_corners(vertices, mesh.triangle(t)));
    });
  }
  find_centers(mesh, vertices);
  const std::size_t size = centers_.size();
  const std::size_t block = quality == TreeQuality::kTight ? size : kBlock;
  parallel_for_each_index((size + block - 1) / block, kWorthwhile, [&](std::size_t b) {
    halve(centers_.data() + b * block, centers_.data() + std::min((b + 1) * block, size));
  });
  for (std::size_t i = 0; i < size; ++i)
    numbers_[i] = std::bit_cast<std::uint32_t>(centers_[i].x[3]);
  return numbers_;
}

}  // namespace plimsoll
