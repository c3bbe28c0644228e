// A mesh that does not close, with caps over its rims: then points of space have winding numbers.
//
// A rim is what is left of the edges of each piece of surface where opposite ones cancel; pieces
// whose rims share a vertex have one. The cap of a rim is the cone of its edges over their middle,
// and lies in the convex hull of the rim. Any other cap in there changes no winding number outside
// the hull. So what is found there is true of the mesh itself, whatever closes it.
//
// A plane that has all of the rim on one side has the hull there too: where the rim of a hull is
// dry, the winding numbers of all points under water are those that are found.
#pragma once

#include <plimsoll/mesh.h>

#include <cstdint>
#include <vector>

#include "mesh/edges.h"
#include "mesh/shells.h"
#include "tree/box_tree.h"

namespace plimsoll {

class RimCaps {
 public:
  /// `edges` and `shells` are those of `mesh`.
  RimCaps(const MeshView& mesh, const Edges& edges, const Shells& shells);

  /// The mesh, then the caps, and after its vertices the middles of the rims.
  [[nodiscard]] const TriangleMesh& closed() const { return closed_; }

  /// The shell of each triangle of closed(): a cap's is that of its edge.
  [[nodiscard]] const std::vector<std::uint32_t>& shell_of() const { return shell_of_; }

  /// The patch of each triangle of closed(). Patches end at every edge that does not balance. All
  /// caps have the number patch_count(); UINT32_MAX for triangles that name a vertex twice.
  [[nodiscard]] const std::vector<std::uint32_t>& patch_of() const { return patch_of_; }
  [[nodiscard]] std::size_t patch_count() const { return patch_count_; }

  /// Whether `p` is outside the hull of every rim, for certain. Of points closer to a hull than
  /// some thousandths of its size it may say that they are not.
  [[nodiscard]] bool is_clear_of(const Vec3& p) const;

 private:
  /// Its points relative to the middle, over the size of its box.
  struct Hull {
    Vec3 middle;
    double size = 0;
    std::vector<Vec3> points;
  };

  void add_hulls(const std::vector<std::vector<Vec3>>& rims);

  TriangleMesh closed_;
  std::vector<std::uint32_t> shell_of_, patch_of_;
  std::size_t patch_count_ = 0;
  std::vector<Hull> hulls_;
  BoxTree boxes_;  // of the hulls
};

}  // namespace plimsoll
