// The rim of an open surface, and how often the surface winds around a point all the same.
//
// Closed with a fan of triangles from each edge of its rim to one point, it winds around p a whole
// number of times, k(p). Less what the fan is seen under, that is the generalized winding number
// [Jacobson2013]: the solid angle of the surface over 4 pi,
//
//     w(p) = k(p) - sum_f W_f(p) / (4 pi),
//
// k decided exactly by a ray, W_f in closed form: so its cost goes with the rim, not with the
// surface.
#pragma once

#include <plimsoll/types.h>

#include <vector>

#include "tree/frame_map.h"

namespace plimsoll {

class OpenRim {
 public:
  /// Of the surface as posed() rounds it. O(rim), but for the first time that the tree is asked for
  /// its open edges.
  explicit OpenRim(const PosedTree& posed);

  /// Every edge of a triangle has a partner that runs the other way.
  [[nodiscard]] bool is_closed() const { return edges_.empty(); }
  [[nodiscard]] std::size_t size() const { return edges_.size(); }

  /// Rounded by some 1e-15 of the number of edges. Precondition: the point is not on the surface.
  [[nodiscard]] double winding_number(const PosedTree& posed, const Vec3& point) const;

 private:
  struct Edge {
    Vec3 from, to;  // as it runs in the fan
    int times;
  };
  std::vector<Edge> edges_;
  Vec3 apex_ = Vec3::Zero();
};

}  // namespace plimsoll
