// In which order a tree takes the triangles of a mesh: four by four they make its leaves, 32 by 32
// the nodes above these, and so on.
//
// The Morton codes of the centers put neighbors near each other in O(n). But where the curve jumps,
// four that follow each other may lie far apart. Medians of the longer sides, within blocks of 256
// or all the way up, have no such places, and take five times as long and more.
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

class TriangleOrder {
 public:
  /// The triangles `chosen` in their order; good until the next call. `vertices` are those of the
  /// mesh, none of the chosen triangles' farther from 0 than the reach. The same at any number of
  /// threads.
  [[nodiscard]] std::span<const std::uint32_t> sorted(const MeshView& mesh,
                                                      std::span<const VertexRow> vertices,
                                                      double reach, TreeQuality quality,
                                                      std::span<const std::uint32_t> chosen);

 private:
  /// A triangle's center; the fourth number holds the bits of the triangle's own number, so that
  /// the four are one vector.
  struct Center {
    alignas(16) float x[4];
  };
  struct Key {
    std::uint32_t code, triangle;
  };
  class Cells;

  void find_codes(const MeshView& mesh, std::span<const VertexRow> vertices, const Cells& cells,
                  std::span<const std::uint32_t> chosen);
  void sort_by_code(int bits);
  void find_centers(const MeshView& mesh, std::span<const VertexRow> vertices);
  static Center* partition(Center* begin, Center* end, auto is_first);
  static void select_smallest(Center* begin, Center* end, std::size_t count, int axis);
  static void split(Center* begin, Center* end);

  std::vector<Key> keys_, sorted_;
  std::vector<std::uint32_t> numbers_;
  std::vector<Center> centers_;
};

}  // namespace plimsoll
