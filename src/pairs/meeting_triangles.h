// The triangles of a mesh that meet others, and from which sides they are met.
#pragma once

#include <plimsoll/mesh.h>

#include <cstdint>
#include <span>
#include <vector>

#include "pairs/self_intersection.h"

namespace plimsoll {

/// A triangle that comes to the interior of another in more than a point.
struct CuttingTriangle {
  std::uint32_t triangle = 0;
  bool lies_in_plane = false;  ///< It lies on the other; else it comes to its plane in a segment.
};

/// A triangle that meets others elsewhere than in a vertex or edge they share.
struct MeetingTriangle {
  std::uint32_t triangle = 0;
  std::vector<CuttingTriangle> cutting;  ///< The others that may cut it, ascending.
  bool in_front = false;                 ///< One comes to its interior from in front,
  bool behind = false;                   ///< one from behind.
  bool doubled = false;                  ///< One lies on it, turned the same way.
  std::uint8_t touched_edges = 0;        ///< Bit i: the edge from corner i is met between its ends
                                         ///< (or, in the plane, perhaps at an end).
  std::uint32_t cuts = 0;                ///< By how many segments the others may cut it.

  /// Whether the winding number may differ from part to part on both its sides.
  [[nodiscard]] bool is_entangled() const { return (in_front && behind) || doubled; }
};

/// One for each triangle in `pairs`, which ascend, by triangle. Each pair is decided once. In
/// parallel.
[[nodiscard]] std::vector<MeetingTriangle> meeting_triangles(const MeshView& mesh,
                                                             std::span<const MeetingPair> pairs);

/// That of `triangle`, or null. `meetings` ascend by triangle.
[[nodiscard]] const MeetingTriangle* meeting_triangle_at(std::span<const MeetingTriangle> meetings,
                                                         std::uint32_t triangle);

}  // namespace plimsoll
