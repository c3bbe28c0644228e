#include "tree/triangle_order.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "core/parallel.h"
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

using Four = Eigen::Array4d;

/// Three times the center.
Four sum_of_corners(const MeshView& mesh, std::span<const VertexRow> vertices, std::uint32_t t) {
  const Triangle v = mesh.triangle(t);
  return Four::MapAligned(vertices[v[0]].x) + Four::MapAligned(vertices[v[1]].x) +
         Four::MapAligned(vertices[v[2]].x);
}

}  // namespace

/// Cubes of equal size, numbered along the Morton curve.
class TriangleOrder::Cells {
 public:
  Cells(double reach, int bits)
      : count_(static_cast<float>(1 << bits)),
        per_sum_(reach > 0 ? count_ / (6 * static_cast<float>(reach)) : 0) {}

  /// Of the cell of a triangle's center, given the sum of its corners.
  [[nodiscard]] std::uint32_t code(const Four& sum) const {
    const Eigen::Array4f place =
        (sum.cast<float>() * per_sum_ + count_ / 2).max(0.0F).min(count_ - 1);
    const auto spread = [&](int i) { return kSpread[static_cast<std::uint32_t>(place[i])]; };
    return spread(0) | spread(1) << 1 | spread(2) << 2;
  }

 private:
  /// The bits of a number, three apart.
  static constexpr auto kSpread = [] {
    std::array<std::uint32_t, std::size_t{1} << kManyBits> spread{};
    for (std::uint32_t x = 0; x < spread.size(); ++x)
      for (int bit = 0; bit < kManyBits; ++bit) spread[x] |= (x >> bit & 1U) << (3 * bit);
    return spread;
  }();

  float count_, per_sum_;
};

void TriangleOrder::find_codes(const MeshView& mesh, std::span<const VertexRow> vertices,
                               const Cells& cells, std::span<const std::uint32_t> chosen) {
  keys_.resize(chosen.size());
  Key* key = keys_.data();
  for (const std::uint32_t t : chosen) {
    *key++ = {cells.code(sum_of_corners(mesh, vertices, t)), t};
  }
}

/// By digits, the least first: equal codes keep their order.
void TriangleOrder::sort_by_code(int bits) {
  constexpr int kDigit = 11;
  constexpr std::size_t kBins = std::size_t{1} << kDigit;
  sorted_.resize(keys_.size());
  for (int shift = 0; shift < bits; shift += kDigit) {
    const auto digit = [shift](const Key& key) { return key.code >> shift & (kBins - 1); };
    std::array<std::uint32_t, kBins>
        place{};  // of the next key of a digit; first, how many have it
    for (const Key& key : keys_) ++place[digit(key)];
    std::uint32_t before = 0;
    for (std::uint32_t& bin : place) before += std::exchange(bin, before);
    if (shift + kDigit < bits) {
      for (const Key& key : keys_) sorted_[place[digit(key)]++] = key;
      keys_.swap(sorted_);
    } else {
      for (const Key& key : keys_) numbers_[place[digit(key)]++] = key.triangle;
    }
  }
}

void TriangleOrder::find_centers(const MeshView& mesh, std::span<const VertexRow> vertices) {
  centers_.resize(numbers_.size());
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const Four sum = sum_of_corners(mesh, vertices, numbers_[i]);
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
void TriangleOrder::split(Center* begin, Center* end) {
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
  split(begin, begin + half);
  split(begin + half, end);
}

std::span<const std::uint32_t> TriangleOrder::sorted(const MeshView& mesh,
                                                     std::span<const VertexRow> vertices,
                                                     double reach, TreeQuality quality,
                                                     std::span<const std::uint32_t> chosen) {
  numbers_.resize(chosen.size());
  if (quality == TreeQuality::kTight) {
    std::copy(chosen.begin(), chosen.end(), numbers_.begin());
  } else {
    const bool is_fine = quality == TreeQuality::kFast && chosen.size() > kMany;
    const int bits = is_fine ? kManyBits : kFewBits;
    find_codes(mesh, vertices, Cells(reach, bits), chosen);
    sort_by_code(3 * bits);
  }
  if (quality == TreeQuality::kFast) return numbers_;
  find_centers(mesh, vertices);
  const std::size_t size = centers_.size();
  const std::size_t block = quality == TreeQuality::kTight ? size : kBlock;
  parallel_for_each_index((size + block - 1) / block, kWorthwhile, [&](std::size_t b) {
    split(centers_.data() + b * block, centers_.data() + std::min((b + 1) * block, size));
  });
  for (std::size_t i = 0; i < size; ++i)
    numbers_[i] = std::bit_cast<std::uint32_t>(centers_[i].x[3]);
  return numbers_;
}

}  // namespace plimsoll
