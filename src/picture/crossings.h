// The curves in which the surfaces of bodies that touch cross, as bodies are drawn.
#pragma once

#include <plimsoll/mesh.h>
#include <plimsoll/overlap.h>
#include <plimsoll/result.h>
#include <plimsoll/solid_tree.h>

#include <array>
#include <map>
#include <memory>
#include <vector>

#include "picture/placed_mesh.h"

namespace plimsoll::picture {

/// Keeps a tree for each mesh that it was asked about, and the mesh.
class Crossings {
 public:
  /// The segments of the curve of two bodies, in the world. Work beyond 20 ms is not done.
  /// Errors: as OverlapSearch::overlap.
  [[nodiscard]] Result<std::vector<std::array<Vec3, 2>>> of(const PlacedMesh& a,
                                                            const PlacedMesh& b);

 private:
  struct Made {
    std::shared_ptr<const TriangleMesh> mesh;
    SolidTree tree;
  };
  const SolidTree& tree_of(const std::shared_ptr<const TriangleMesh>& mesh);

  OverlapSearch search_;
  std::map<const TriangleMesh*, Made> made_;
};

}  // namespace plimsoll::picture
