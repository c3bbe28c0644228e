#include "tree/triangle_order.h"

#include <plimsoll/assert.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/parallel.h"
#include "core/random.h"
#include "tree/crowded_cells.h"
#include "tree/hilbert_curve.h"
#include "tree/triangle_tree.h"

namespace plimsoll {
namespace {

constexpr std::size_t kBlock = 256;      // triangles: 8 nodes of the last level
constexpr std::size_t kWorthwhile = 64;  // blocks

/// 2^n cells along each axis: a surface goes through some 3 x 4^n of them. Fast trees take so many
/// that the triangles of one cell, which stay in the mesh's order, are few, but of small meshes no
/// more: to count the digits of their numbers would take longer than all else.
constexpr int kFewSides = 4, kSides = 7, kManySides = 10;
constexpr std::size_t kFew = 512, kMany = std::size_t{1} << 19;  // triangles
constexpr std::size_t kWorthOthers = 4096;                       // triangles or vertices
/// Diagonals of halves that add up to twice the whole's, less this share of it, say nothing.
constexpr float kLeastGain = 0.025F;

/// Three times the center of a triangle.
template <class Row>
auto sum_of_corners(std::span<const Row> vertices, const Triangle& v) {
  using Four = Eigen::Array<std::remove_cvref_t<decltype(Row::x[0])>, 4, 1>;
  const auto corner = [&](std::size_t k) { return Four::MapAligned(vertices[v[k]].x); };
  return Four(corner(0) + corner(1) + corner(2));
}

/// Factor that takes the reach to a number; 0, one place for all, where no float holds it: of a
/// point, or of a body far smaller than its coordinates.
float factor_of(double reach, float number) {
  const float factor = number / static_cast<float>(reach);
  return std::isfinite(factor) ? factor : 0;
}

/// The bits of a number, three apart.
constexpr auto kSpread = [] {
  std::array<std::uint32_t, std::size_t{1} << kSides> spread{};
  for (std::uint32_t x = 0; x < spread.size(); ++x)
    for (int bit = 0; bit < kSides; ++bit) spread[x] |= (x >> bit & 1U) << (3 * bit);
  return spread;
}();

/// Cubes of equal size, numbered along the Morton curve.
class Cells {
 public:
  explicit Cells(double reach) : per_sum_(factor_of(reach, kCount / 6)) {}

  /// Of the cell of a triangle's center, given the sum of its corners.
  [[nodiscard]] std::uint32_t code(const Eigen::Array4d& sum) const {
    const Eigen::Array4f place =
        (sum.cast<float>() * per_sum_ + kCount / 2).max(0.0F).min(kCount - 1);
    const auto spread = [&](int i) { return kSpread[static_cast<std::uint32_t>(place[i])]; };
    return spread(0) | spread(1) << 1 | spread(2) << 2;
  }

 private:
  static constexpr float kCount = 1 << kSides;
  float per_sum_;
};

/// Where corners are, as whole numbers in the three fields of a word. The sum of a triangle's three
/// words is where its center is, in thirds; no field overflows.
class CornerWords {
 public:
  explicit CornerWords(double reach) : scale_(factor_of(reach, kHalf)) {}

  /// A number added to 2^23 is rounded to a whole one, and that stands in the last bits of the sum.
  /// Of a vertex beyond the reach, which no triangle names, the word means nothing.
  [[nodiscard]] std::uint64_t word(const FloatRow& vertex) const {
    constexpr std::uint32_t kMask = (1U << 20) - 1;
    const Eigen::Array4f place =
        Eigen::Array4f::MapAligned(vertex.x) * scale_ + (0x1p23F + kHalf + kMargin);
    std::uint32_t bits[4];
    std::memcpy(bits, place.data(), sizeof bits);
    return HilbertCurve::word(bits[0] & kMask, bits[1] & kMask, bits[2] & kMask);
  }

 private:
  /// The margin is for rounding: places are from 1 to 2 (kHalf + kMargin), a third of 2^21.
  static constexpr float kHalf = 349520, kMargin = 2;
  static_assert(3 * 2 * (kHalf + kMargin) < 1U << HilbertCurve::kField);
  float scale_;
};

}  // namespace

/// By digits, the lowest first: equal codes keep their order. Between the passes an entry is a
/// position with what is left of its code above it.
///
/// Codes are found, counted and moved in loops of their own. A counter whose place takes long to
/// find makes the processor guess whether later loads depend on it, and it often guesses wrong: all
/// in one loop took 1.6 times as long.
template <int kPasses, class Entry>
void TriangleOrder::sort_positions(int bits, const ChosenTriangles& chosen,
                                   std::vector<Entry> (&entries)[2]) {
  const int digit = (bits + kPasses - 1) / kPasses;
  const int shift = static_cast<int>(8 * sizeof(Entry)) - (bits - digit);
  const std::uint32_t mask = (1U << digit) - 1;
  // For each pass; of the last digit two in turn, as to count the same one twice in a row takes
  // long.
  std::uint32_t* place[kPasses + 1];
  places_.assign(static_cast<std::size_t>(kPasses + 1) << digit, 0);
  for (int pass = 0; pass <= kPasses; ++pass)
    place[pass] = places_.data() + (static_cast<std::size_t>(pass) << digit);
  for (std::size_t i = 0; i < codes_.size(); ++i) {
    const std::uint32_t code = codes_[i];
    for (int pass = 0; pass + 1 < kPasses; ++pass) ++place[pass][code >> (pass * digit) & mask];
    ++place[kPasses - i % 2][code >> ((kPasses - 1) * digit)];
  }
  for (std::uint32_t i = 0; i <= mask; ++i) place[kPasses - 1][i] += place[kPasses][i];
  // From how many have a digit to the place of the next that has it.
  for (int pass = 0; pass < kPasses; ++pass) {
    std::uint32_t before = 0;
    for (std::uint32_t i = 0; i <= mask; ++i) before += std::exchange(place[pass][i], before);
  }

  for (std::vector<Entry>& some : std::span(entries).first(kPasses - 1)) some.resize(codes_.size());
  for (std::size_t i = 0; i < codes_.size(); ++i)
    entries[0][place[0][codes_[i] & mask]++] =
        Entry{codes_[i] >> digit} << shift | static_cast<Entry>(i);
  for (int pass = 1; pass + 1 < kPasses; ++pass)
    for (const Entry entry : entries[pass - 1])
      entries[pass][place[pass][entry >> (shift + (pass - 1) * digit) & mask]++] = entry;
  numbers_.resize(codes_.size());
  for (const Entry entry : entries[kPasses - 2])
    numbers_[place[kPasses - 1][entry >> (shift + (kPasses - 2) * digit)]++] =
        chosen[entry & ((Entry{1} << shift) - 1)];
}

/// By codes_[i] of chosen triangle i.
void TriangleOrder::sort_by_code(int sides, const ChosenTriangles& chosen) {
  const int bits = 3 * sides;
  if (sides == kManySides)
    sort_positions<3>(bits, chosen, wide_entries_);
  else if (chosen.count <= std::size_t{1} << (32 - bits / 2))
    sort_positions<2>(bits, chosen, entries_);
  else
    sort_positions<2>(bits, chosen, wide_entries_);
}

/// After the sort the places are where each digit ends, the last digits being those of large cubes.
/// The grid is over the whole body: of one that is far smaller than what lies around it, all is in
/// few cells, in the order of the mesh.
template <class SumOf>
void TriangleOrder::sort_crowds(int sides, const ChosenTriangles& chosen, const SumOf& sum_of) {
  constexpr std::size_t kFewTriangles = 2048;
  const std::size_t passes = sides == kManySides ? 3 : 2, digits = places_.size() / (passes + 1);
  if (chosen.count <= kFewTriangles ||
      !are_concentrated(std::span(places_).subspan(digits * (passes - 1), digits)))
    return;
  std::vector<std::uint32_t> code;  // by the numbers of triangles
  for (std::size_t i = 0; i < chosen.count; ++i) {
    if (chosen[i] >= code.size()) code.resize(chosen[i] + std::size_t{1});
    code[chosen[i]] = codes_[i];
  }
  for_each_crowd([&](std::size_t i) { return code[numbers_[i]]; }, numbers_.size(),
                 [&](std::size_t begin, std::size_t end) {
                   sort_along_curve(std::span(numbers_).subspan(begin, end - begin), sum_of);
                 });
}

void TriangleOrder::find_boxes(const MeshView& mesh, std::span<const VertexRow> vertices) {
  using Eigen::Array4d, Eigen::Array4f;
  boxes_.resize(numbers_.size());
  middles_.resize(numbers_.size());
  parallel_for_each_index(numbers_.size(), kWorthOthers, [&, view = mesh](std::size_t i) {
    const Triangle v = view.triangle(numbers_[i]);
    const Array4d a = Array4d::MapAligned(vertices[v[0]].x);
    const Array4d b = Array4d::MapAligned(vertices[v[1]].x);
    const Array4d c = Array4d::MapAligned(vertices[v[2]].x);
    const Array4f low = a.min(b).min(c).cast<float>(), high = a.max(b).max(c).cast<float>();
    Array4f::MapAligned(boxes_[i].low.x) = low;
    Array4f::MapAligned(boxes_[i].high.x) = high;
    Array4f::MapAligned(middles_[i].x) = low + high;
    middles_[i].x[3] = std::bit_cast<float>(static_cast<std::uint32_t>(i));
  });
}

/// Puts those first that `is_first` holds for, without branches, which nothing could predict.
TriangleOrder::Middle* TriangleOrder::partition(Middle* begin, Middle* end, auto is_first) {
  Middle* low = begin;
  for (Middle* at = begin; at != end; ++at) {
    const Middle middle = *at;
    *at = *low;
    *low = middle;
    low += is_first(middle) ? 1 : 0;
  }
  return low;
}

/// Puts the `count` smallest by a coordinate first: quickselect. A pivot is the median of three. Of
/// many, the three are at pseudo-random places: the order of a mesh, such as a cone's, may make
/// first, middle and last bad pivots again and again. Equal ones are taken together, as each of
/// them would be a bad pivot.
void TriangleOrder::select_smallest(std::span<Middle> middles, std::size_t count, int axis) {
  Middle *begin = middles.data(), *end = begin + middles.size();
  Middle* const cut = begin + count;
  constexpr std::uint64_t kMoreThanFew = 64;
  Random random(0);
  while (begin < cut && cut < end) {
    const auto size = static_cast<std::uint64_t>(end - begin);
    Middle* const last = end - 1;
    Middle *low_one = begin, *between = begin + size / 2, *high_one = last;
    if (size > kMoreThanFew)
      for (Middle** one : {&low_one, &between, &high_one})
        *one = begin + ((random.next() >> 32) * size >> 32);
    if (between->x[axis] < low_one->x[axis]) std::swap(between, low_one);
    if (high_one->x[axis] < between->x[axis]) std::swap(between, high_one);
    if (between->x[axis] < low_one->x[axis]) std::swap(between, low_one);
    std::swap(*between, *last);
    const float pivot = last->x[axis];
    PLIMSOLL_ASSERT(pivot == pivot, "middles are numbers");
    if (pivot != pivot) return;  // what is equal to nothing would never be passed
    Middle* const low = partition(begin, last, [=](const Middle& m) { return m.x[axis] < pivot; });
    if (low == begin) {
      begin = partition(begin, end, [=](const Middle& m) { return m.x[axis] == pivot; });
    } else if (cut <= low) {
      end = low;
    } else {
      begin = low;
    }
  }
}

/// Along which the middles reach farthest.
int TriangleOrder::longest_axis(std::span<const Middle> middles) {
  using Eigen::Array4f;
  Array4f low = Array4f::MapAligned(middles.front().x), high = low;
  for (const Middle& middle : middles) {
    low = low.min(Array4f::MapAligned(middle.x));
    high = high.max(Array4f::MapAligned(middle.x));
  }
  int axis = 0;
  (high - low).head<3>().maxCoeff(&axis);
  return axis;
}

/// The box around all boxes.
TriangleOrder::FloatExtent TriangleOrder::extent(std::span<const Middle> middles) const {
  using Eigen::Array4f;
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  Array4f low = Array4f::Constant(kInfinite), high = -low;
  for (const Middle& middle : middles) {
    const FloatExtent& box = boxes_[std::bit_cast<std::uint32_t>(middle.x[3])];
    low = low.min(Array4f::MapAligned(box.low.x));
    high = high.max(Array4f::MapAligned(box.high.x));
  }
  FloatExtent all;
  Array4f::MapAligned(all.low.x) = low;
  Array4f::MapAligned(all.high.x) = high;
  return all;
}

/// Of the box around two.
float TriangleOrder::diagonal(const FloatExtent& one, const FloatExtent& other) {
  using Row = Eigen::Map<const Eigen::Array4f, Eigen::Aligned16>;
  return (Row(one.high.x).max(Row(other.high.x)) - Row(one.low.x).min(Row(other.low.x)))
      .head<3>()
      .matrix()
      .norm();
}

/// Along the axis for which the diagonals of the two parts add up to least; the longest comes last,
/// as it is most often the one. Where triangles reach across the whole, parts are as large as that
/// whichever the axis: then along the longest, so that those come together that lie together.
void TriangleOrder::halve_where_tightest(std::span<Middle> middles, std::size_t half) const {
  const int longest = longest_axis(middles);
  int best = longest;
  float least = std::numeric_limits<float>::infinity();
  for (const int axis : {(longest + 1) % 3, (longest + 2) % 3, longest}) {
    select_smallest(middles, half, axis);
    const FloatExtent one = extent(middles.first(half)), other = extent(middles.subspan(half));
    const float both = diagonal(one, one) + diagonal(other, other);
    if (axis == longest && std::min(least, both) > (2 - kLeastGain) * diagonal(one, other)) return;
    if (both > least) continue;
    least = both;
    best = axis;
  }
  if (best != longest) select_smallest(middles, half, best);
}

/// Puts a half first that is a whole power of two of leaves, and returns its size; 0 for one leaf.
std::size_t TriangleOrder::halve(std::span<Middle> middles, TreeQuality quality) const {
  if (middles.size() <= TriangleTree::kLeafTriangles) return 0;
  std::size_t half = TriangleTree::kLeafTriangles;
  while (2 * half < middles.size()) half *= 2;
  if (quality == TreeQuality::kTight)
    halve_where_tightest(middles, half);
  else
    select_smallest(middles, half, longest_axis(middles));
  return half;
}

/// All of them, all the way up.
std::vector<std::span<TriangleOrder::Middle>> TriangleOrder::halve_to_blocks() {
  std::vector<std::span<Middle>> blocks{middles_}, halves;
  std::vector<std::size_t> half;
  while (blocks.front().size() > kBlock) {  // none is larger
    half.assign(blocks.size(), 0);
    parallel_for_each_index(blocks.size(), [&](std::size_t i) {
      if (blocks[i].size() > kBlock) half[i] = halve(blocks[i], TreeQuality::kTight);
    });
    halves.clear();
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (half[i] > 0) halves.push_back(blocks[i].first(half[i]));
      halves.push_back(blocks[i].subspan(half[i]));
    }
    blocks.swap(halves);
  }
  return blocks;
}

/// Again and again, down to leaves.
void TriangleOrder::halve_down(std::span<Middle> middles, TreeQuality quality) const {
  const std::size_t half = halve(middles, quality);
  if (half == 0) return;
  halve_down(middles.first(half), quality);
  halve_down(middles.subspan(half), quality);
}

std::span<const std::uint32_t> TriangleOrder::along_curve(const MeshView& mesh,
                                                          std::span<const FloatRow> vertices,
                                                          double reach,
                                                          const ChosenTriangles& chosen) {
  const CornerWords words(reach);
  words_.resize(vertices.size());
  parallel_for_each_index(vertices.size(), kWorthOthers,
                          [&](std::size_t v) { words_[v] = words.word(vertices[v]); });
  codes_.resize(chosen.count);
  const auto sort = [&]<int kOfAxis>(std::integral_constant<int, kOfAxis>) {
    parallel_for_each_index(chosen.count, kWorthOthers, [&, view = mesh](std::size_t i) {
      const Triangle v = view.triangle(chosen[i]);
      codes_[i] = kHilbertCurve.number<kOfAxis>(words_[v[0]] + words_[v[1]] + words_[v[2]]);
    });
    sort_by_code(kOfAxis, chosen);
    sort_crowds(kOfAxis, chosen, [&, view = mesh](std::uint32_t number) {
      return sum_of_corners(vertices, view.triangle(number));
    });
  };
  if (chosen.count <= kFew)
    sort(std::integral_constant<int, kFewSides>());
  else if (chosen.count <= kMany)
    sort(std::integral_constant<int, kSides>());
  else
    sort(std::integral_constant<int, kManySides>());
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
    codes_.resize(chosen.count);
    for (std::size_t i = 0; i < chosen.count; ++i)
      codes_[i] = cells.code(sum_of_corners(vertices, mesh.triangle(chosen[i])));
    sort_by_code(kSides, chosen);
    sort_crowds(kSides, chosen, [&](std::uint32_t number) {
      return Eigen::Array4f(sum_of_corners(vertices, mesh.triangle(number)).cast<float>());
    });
  }
  find_boxes(mesh, vertices);
  std::vector<std::span<Middle>> blocks;
  if (quality == TreeQuality::kTight) {
    blocks = halve_to_blocks();
  } else {
    for (std::size_t i = 0; i < middles_.size(); i += kBlock)
      blocks.push_back(std::span(middles_).subspan(i, std::min(kBlock, middles_.size() - i)));
  }
  parallel_for_each_index(blocks.size(), kWorthwhile,
                          [&](std::size_t b) { halve_down(blocks[b], quality); });
  halved_.resize(middles_.size());
  for (std::size_t i = 0; i < middles_.size(); ++i)
    halved_[i] = numbers_[std::bit_cast<std::uint32_t>(middles_[i].x[3])];
  numbers_.swap(halved_);
  return numbers_;
}

}  // namespace plimsoll
