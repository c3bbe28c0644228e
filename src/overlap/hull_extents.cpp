#include "overlap/hull_extents.h"

#include <algorithm>

#include "hydro/moment_tree.h"
#include "mesh/posed_vertex.h"

namespace plimsoll {
namespace {

std::vector<Vec3> posed_vertices(const TriangleTree& tree, const Similarity& pose) {
  std::vector<Vec3> posed;
  for (const TriangleTree::Vertex& vertex : tree.vertices)
    posed.push_back(posed_vertex(tree.frame.to_meters(Vec3::Map(vertex.x)), pose));
  return posed;
}

}  // namespace

HullExtents::HullExtents(const SolidTree& a, const Similarity& world_from_a, const SolidTree& b,
                         const Similarity& world_from_b)
    : a_(posed_vertices(triangles_of(a), world_from_a)),
      b_(posed_vertices(triangles_of(b), world_from_b)) {}

Vec3 HullExtents::difference(const Vec3& direction) const {
  const auto by_height = [&](const Vec3& x, const Vec3& y) {
    return x.dot(direction) < y.dot(direction);
  };
  return *std::max_element(b_.begin(), b_.end(), by_height) -
         *std::min_element(a_.begin(), a_.end(), by_height);
}

}  // namespace plimsoll
