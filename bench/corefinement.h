// The volume that two meshes share, by CGAL as its users ask for it: with exact predicates and
// rounded constructions.
#pragma once

#include <plimsoll/mesh.h>
#include <plimsoll/types.h>

#include <memory>
#include <optional>

namespace plimsoll::bench {

/// Of closed manifolds in the world that do not cross themselves.
class Corefinement {
 public:
  /// Takes the meshes over into CGAL's arrays.
  Corefinement(const TriangleMesh& a, const TriangleMesh& b);
  ~Corefinement();
  Corefinement(const Corefinement&) = delete;
  Corefinement& operator=(const Corefinement&) = delete;

  /// Makes what is shared, and returns its volume [m^3]. Once: it divides the meshes. Nothing where
  /// CGAL holds no manifold of a mesh, or makes none of what is shared.
  [[nodiscard]] std::optional<double> shared_volume();

 private:
  struct Meshes;
  std::unique_ptr<Meshes> meshes_;
};

}  // namespace plimsoll::bench
