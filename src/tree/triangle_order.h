// In which order a tree takes the triangles of a mesh: four by four they make its leaves, 32 by 32
// the nodes above these, and so on.
//
// Fast trees take them along the Hilbert curve of their centers, in O(n): four that follow each
// other are near each other, but as the curve goes, not as the surface does. Balanced trees take
// blocks of 256 along the Morton curve, and medians of the longer sides within them. Where a few
// cells have most of the triangles, each of these is parted into cells again. Tight trees
// take medians all the way up, along whichever axis gives halves with the shorter diagonals.
#pragma once

#include <plimsoll/mesh_tree.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace plimsoll {

/// A vertex as trees hold it: in units of a frame, relative to its center.
struct VertexRow {
  alignas(32) double x[4];  // the fourth is there to be loaded
};
/// The same, rounded: half the memory to go through.
struct FloatRow {
  alignas(16) float x[4];
};

/// Triangles of a mesh: some, by their numbers, or all.
struct ChosenTriangles {
  std::size_t count;
  const std::uint32_t* numbers = nullptr;  ///< Null for all.

  [[nodiscard]] std::uint32_t operator[](std::size_t i) const {
    return numbers != nullptr ? numbers[i] : static_cast<std::uint32_t>(i);
  }
};

/// The orders are good until the next call, and the same at any number of threads. `vertices` are
/// those of the mesh, none of the chosen triangles' farther from 0 than the reach.
class TriangleOrder {
 public:
  /// Of a fast tree.
  [[nodiscard]] std::span<const std::uint32_t> along_curve(const MeshView& mesh,
                                                           std::span<const FloatRow> vertices,
                                                           double reach,
                                                           const ChosenTriangles& chosen);
  /// Of a balanced or tight one.
  [[nodiscard]] std::span<const std::uint32_t> split(const MeshView& mesh,
                                                     std::span<const VertexRow> vertices,
                                                     double reach, TreeQuality quality,
                                                     const ChosenTriangles& chosen);

 private:
  /// A triangle's box.
  struct FloatExtent {
    FloatRow low, high;
  };
  /// Twice the middle of a triangle's box; the fourth number holds the bits of a place in boxes_,
  /// so that the four are one vector.
  using Middle = FloatRow;

  template <int kPasses, class Entry>
  void sort_positions(int bits, const ChosenTriangles& chosen, std::vector<Entry> (&entries)[2]);
  void sort_by_code(int sides, const ChosenTriangles& chosen);
  template <class SumOf>
  void sort_crowds(int sides, const ChosenTriangles& chosen, const SumOf& sum_of);
  void find_boxes(const MeshView& mesh, std::span<const VertexRow> vertices);
  static Middle* partition(Middle* begin, Middle* end, auto is_first);
  static void select_smallest(std::span<Middle> middles, std::size_t count, int axis);
  static int longest_axis(std::span<const Middle> middles);
  [[nodiscard]] FloatExtent extent(std::span<const Middle> middles) const;
  static float diagonal(const FloatExtent& one, const FloatExtent& other);
  void halve_where_tightest(std::span<Middle> middles, std::size_t half) const;
  [[nodiscard]] std::size_t halve(std::span<Middle> middles, TreeQuality quality) const;
  [[nodiscard]] std::vector<std::span<Middle>> halve_to_blocks();
  void halve_down(std::span<Middle> middles, TreeQuality quality) const;

  std::vector<std::uint64_t> words_;   // of vertices
  std::vector<std::uint32_t> codes_;   // of triangles
  std::vector<std::uint32_t> places_;  // of digits, pass after pass
  std::vector<std::uint32_t> entries_[2];
  std::vector<std::uint64_t> wide_entries_[2];
  std::vector<std::uint32_t> numbers_, halved_;  // of triangles; the same in another order
  std::vector<FloatExtent> boxes_;
  std::vector<Middle> middles_;
};

}  // namespace plimsoll
