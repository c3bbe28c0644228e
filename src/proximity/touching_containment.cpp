// Surfaces that touch. A body of which a corner is outside of the other does not lie in that. The
// other way round that is enough only where the other is convex: it holds every point between its
// own, and so the whole of a body whose corners it holds.
#include <plimsoll/distance.h>
#include <plimsoll/surface_queries.h>

#include <optional>
#include <vector>

#include "core/predicates.h"
#include "mesh/posed_vertex.h"
#include "pairs/pair_finder.h"
#include "tree/triangle_tree.h"

namespace plimsoll {
namespace {

/// What is asked of a body, posed.
struct PosedSurface {
  const MeshTree* tree;
  Similarity world_from_mesh;
  std::vector<Vec3> vertices;  ///< Those that triangles name.
  std::vector<std::array<Vec3, 3>> triangles;
};

PosedSurface posed_surface(const MeshTree& mesh, const Similarity& world_from_mesh) {
  const TriangleTree& tree = triangles_of(mesh);
  PosedSurface surface{&mesh, world_from_mesh, {}, {}};
  std::vector<char> is_known(tree.vertices.size(), 0);
  for (std::size_t leaf = 0; leaf < tree.leaf_count(); ++leaf)
    for (std::size_t t = 0; t < tree.size_of(leaf); ++t) {
      std::array<Vec3, 3> corners = tree.corners(leaf, t);
      for (std::size_t k = 0; k < 3; ++k) {
        corners[k] = posed_vertex(corners[k], world_from_mesh);
        char& known = is_known[tree.leaves[leaf].corner[k][t]];
        if (known == 0) surface.vertices.push_back(corners[k]);
        known = 1;
      }
      surface.triangles.push_back(corners);
    }
  return surface;
}

/// Whether a vertex of `body` was found outside of `other`, and not on its surface.
Result<bool> reaches_out(const PosedSurface& body, const PosedSurface& other) {
  Result<SurfaceProbe> probe = SurfaceProbe::of(*other.tree, other.world_from_mesh);
  if (!probe) return probe.error();
  for (const Vec3& v : body.vertices) {
    const Result<NearestOnSurface> nearest = probe->nearest(v);
    if (!nearest) return nearest.error();
    if (!(nearest->lower > 0)) continue;
    const Result<int> winding = probe->winding_number(v);
    if (!winding) return winding.error();
    if (*winding == 0) return true;
  }
  return false;
}

/// Whether some of the points lie in front of a triangle, and whether some lie behind one.
struct Sides {
  bool front = false, behind = false;
};
Sides sides_of(const PosedSurface& surface, const std::vector<Vec3>& points) {
  Sides sides;
  for (const auto& [a, b, c] : surface.triangles)
    for (const Vec3& p : points) {
      const int side = orient3d(a, b, c, p);
      sides.front = sides.front || side > 0;
      sides.behind = sides.behind || side < 0;
      if (sides.front && sides.behind) return sides;
    }
  return sides;
}

/// Whether `body` lies in `other`; nothing where that was not decided.
Result<std::optional<bool>> lies_in(const PosedSurface& body, const PosedSurface& other) {
  const Result<bool> is_out = reaches_out(body, other);
  if (!is_out) return is_out.error();
  if (*is_out) return std::optional<bool>(false);
  // Half a second of predicates.
  constexpr std::size_t kMaxTests = 20'000'000;
  const std::size_t points = body.vertices.size() + other.vertices.size();
  if (other.triangles.size() > kMaxTests / points) return std::optional<bool>();
  const Sides own = sides_of(other, other.vertices);
  if (own.front == own.behind) return std::optional<bool>();  // not convex, or flat
  const Sides of_body = sides_of(other, body.vertices);
  return std::optional<bool>(!(own.behind ? of_body.front : of_body.behind));
}

}  // namespace

Result<std::optional<Containment>> touching_containment(const MeshTree& a,
                                                        const Similarity& world_from_a,
                                                        const MeshTree& b,
                                                        const Similarity& world_from_b) {
  if (Result<void> usable = check_posed({&triangles_of(a), world_from_a}, "world_from_a"); !usable)
    return usable.error();
  if (Result<void> usable = check_posed({&triangles_of(b), world_from_b}, "world_from_b"); !usable)
    return usable.error();
  const PosedSurface of_a = posed_surface(a, world_from_a), of_b = posed_surface(b, world_from_b);
  const Result<std::optional<bool>> a_in_b = lies_in(of_a, of_b);
  if (!a_in_b) return a_in_b.error();
  if (*a_in_b == true) return std::optional(Containment::kAInB);
  const Result<std::optional<bool>> b_in_a = lies_in(of_b, of_a);
  if (!b_in_a) return b_in_a.error();
  if (*b_in_a == true) return std::optional(Containment::kBInA);
  if (!*a_in_b || !*b_in_a) return std::optional<Containment>();
  return std::optional(Containment::kNone);
}

}  // namespace plimsoll
