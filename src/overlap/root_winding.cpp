#include "overlap/root_winding.h"

#include <limits>

#include "mesh/posed_vertex.h"
#include "tree/leaf_walk.h"

namespace plimsoll {
namespace {

/// 1 where the segment passes the triangle from behind to in front, -1 the other way, else 0.
int passed(const MovedPoint& from, const MovedPoint& to, const CrossingTriangle& u) {
  if (u.names_a_vertex_twice()) return 0;
  const MovedPoint a = u.moved(0), b = u.moved(1), c = u.moved(2);
  const int ends = moved_orient3d(a, b, c, to);
  if (moved_orient3d(a, b, c, from) == ends) return 0;
  const int side = moved_orient3d(from, to, a, b);
  const bool is_through =
      moved_orient3d(from, to, b, c) == side && moved_orient3d(from, to, c, a) == side;
  return is_through ? ends : 0;
}

}  // namespace

RootWindings::RootWindings(const PosedSolid& inner, const PosedSolid& outer)
    : inner_(inner), outer_(outer), map_(inner.posed, outer.posed) {
  const TriangleTree& tree = *outer.posed.tree;
  const Vec3 room = Vec3::Constant(4 * map_.room);
  low_ = tree.frame.from_center(tree.box.min()) - room;
  high_ = tree.frame.from_center(tree.box.max()) + room;
}

Vec3 RootWindings::in_outer(std::uint32_t vertex) const {
  return map_.linear * Vec3::Map(inner_.posed.tree->vertices[vertex].x) + map_.offset;
}

RootWindings::Witness RootWindings::witness_of(const SpanningMoments::Component& component) const {
  Witness best{component.root, false, std::numeric_limits<double>::infinity(), 0, 0};
  for (const std::uint32_t vertex : component.extreme) {
    const Vec3 at = in_outer(vertex);
    if ((at.array() < low_.array()).any() || (at.array() > high_.array()).any())
      return {vertex, true, 0, 0, 0};
    for (int axis = 0; axis < 3; ++axis) {
      const double size = high_[axis] - low_[axis];
      const double down = at[axis] - low_[axis], up = high_[axis] - at[axis];
      if (down < best.distance) best = {vertex, false, down, axis, low_[axis] - size / 8};
      if (up < best.distance) best = {vertex, false, up, axis, high_[axis] + size / 8};
    }
  }
  return best;
}

// The other surface winds 0 times around the end of the segment.
int RootWindings::around(const Witness& witness) const {
  if (witness.is_outside) return 0;
  const TriangleTree& tree = *outer_.posed.tree;
  const Vec3 at = in_outer(witness.vertex);
  Vec3 beyond = at;
  beyond[witness.axis] = witness.end;
  const auto world = [](const PosedSolid& solid, const Vec3& x) {
    return posed_vertex(solid.posed.tree->frame.to_meters(x), solid.posed.world_from_mesh);
  };
  const MovedPoint from{world(inner_, Vec3::Map(inner_.posed.tree->vertices[witness.vertex].x)),
                        inner_.ties->way(witness.vertex)};
  const MovedPoint to{world(outer_, beyond), Vec3::Zero()};
  int winding = 0;
  const Vec3 half = (beyond - at).cwiseAbs() / 2 + Vec3::Constant(4 * map_.room);
  const Vec3 middle = (at + beyond) / 2;
  const auto meets = [&](const Vec3& center, const Vec3& half_of_box) {
    return ((center - middle).cwiseAbs().array() <= (half_of_box + half).array()).all();
  };
  visit_leaves(tree, meets, [&](std::size_t leaf) {
    for (std::size_t t = 0; t < tree.size_of(leaf); ++t) {
      CrossingTriangle u{tree.corners(leaf, t), {}, outer_.ties};
      for (std::size_t k = 0; k < 3; ++k) {
        u.at[k] = posed_vertex(u.at[k], outer_.posed.world_from_mesh);
        u.vertex[k] = outer_.spanning->same[tree.leaves[leaf].corner[k][t]];
      }
      winding += passed(from, to, u);
    }
  });
  return winding;
}

int RootWindings::of_root(const SpanningMoments::Component& component,
                          std::span<const WindingStep> steps) const {
  const Witness witness = witness_of(component);
  const SpanningMoments::Range& range = inner_.spanning->range[witness.vertex];
  int winding = around(witness);
  for (const WindingStep& step : steps)
    if (inner_.spanning->range[step.child].contains(range)) winding -= step.by;
  return winding;
}

}  // namespace plimsoll
