// The triangles near a water plane, packed to be clipped again and again while the plane moves
// little.
//
// Each triangle is taken for what it nearly is: that with one corner wet at most, dry but for what
// is wet of it; any other, wet but for what is dry of it. Of both kinds only the small piece at one
// corner is left to be found, and its corner is known beforehand. Of a body of which
// nothing is wet for certain all triangles are of the first kind, so that no whole is taken off
// another.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hydro/moment_tree.h"

namespace plimsoll {

/// What a body is for all planes within a margin of one of them.
struct WaterlineBand {
  /// Eight triangles from the corner that is nearest to the other side: corner k's coordinate i,
  /// relative to the center of the frame; N = (b - a) x (c - a), and a . N.
  struct Group {
    alignas(64) double corner[3][3][kLanes];
    double normal[3][kLanes];
    double first[kLanes];
  };
  /// Triangles taken for dry, or for wet.
  struct Kind {
    SurfaceMoments whole;       ///< Of all triangles in the groups.
    std::vector<Group> groups;  ///< Those first of which a second corner is nearest to the plane.
    /// How far the plane may move before any triangle of the group is cut; negative where one is.
    std::vector<float> clearance;
  };
  struct Found {
    std::uint32_t triangle;  ///< In the order of the leaves.
    std::uint32_t corner;    ///< The first of the group's.
    float second;            ///< The height of the second to change sides; negative if two are wet.
    float clearance;         ///< How far the first is from changing sides.
  };

  SurfaceMoments wet;  ///< Of what is wet for all planes.
  bool some_is_wet = false;
  std::size_t additions = 0;
  std::array<Kind, 2> kinds;
  std::vector<Found> found;  ///< In the order of the tree.
};

/// Fills `band` with what the planes within `margin` of `plane` everywhere in the body may cut.
/// Precondition: the tree has triangles.
void capture(const MomentTree& tree, const ClipPlane& plane, double margin, WaterlineBand& band);

/// As sum_wet_parts, from the band, for a plane that has moved by `moved` over the body at most.
/// Precondition: that is within its margin.
void sum_band(const WaterlineBand& band, const ClipPlane& plane, double moved, bool area,
              bool section, TreeTotals& totals);

}  // namespace plimsoll
