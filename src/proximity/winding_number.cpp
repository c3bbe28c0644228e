#include "proximity/winding_number.h"

#include <array>
#include <cmath>
#include <cstddef>

#include "core/predicates.h"
#include "mesh/posed_vertex.h"
#include "pairs/triangle_pair.h"
#include "tree/leaf_walk.h"

namespace plimsoll {
namespace {

int sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

/// The side of the line from a to b on which the moved point is, seen from +z; 0 where both are one
/// above the other.
int side_of(const Vec3& a, const Vec3& b, const Vec3& p) {
  if (const int side = orient2d(a, b, p, 2); side != 0) return side;
  // The determinant (b - a) x (p - a) changes by -(b - a)_y e + (b - a)_x e^2.
  return a[1] != b[1] ? sign_of(a[1] - b[1]) : sign_of(b[0] - a[0]);
}

}  // namespace

int passed_by_line(const std::array<Vec3, 3>& t, const Vec3& p) {
  const int side = side_of(t[0], t[1], p);
  return side_of(t[1], t[2], p) == side && side_of(t[2], t[0], p) == side ? side : 0;
}

int times_passed(const std::array<Vec3, 3>& t, const Vec3& p) {
  const int side = passed_by_line(t, p);
  return side != 0 && orient3d(t[0], t[1], t[2], p) * side < 0 ? side : 0;
}

namespace {

/// Calls visit(corners) for the posed triangles in boxes of which meets(apart, reach) tells that
/// they matter: `apart` is where the middle of a box is from p, `reach` half its size and a little
/// more.
template <class Meets, class Visit>
void visit_posed(const PosedTree& posed, const Vec3& p, const Meets& meets, const Visit& visit) {
  constexpr double kRoom = 0x1p-44;  // of posing, of the boxes and of the differences
  const TriangleTree& tree = *posed.tree;
  if (tree.triangles == 0) return;
  const Similarity& pose = posed.world_from_mesh;
  const Mat3 linear = pose.linear() * std::ldexp(1.0, tree.frame.exponent);
  const Vec3 offset = posed_center(posed);
  const Vec3 room = Vec3::Constant(kRoom * (largest_coordinate(posed) + p.cwiseAbs().maxCoeff()));
  visit_leaves(
      tree,
      [&](const Vec3& center, const Vec3& half) {
        return meets(Vec3(linear * center + offset - p), Vec3(linear.cwiseAbs() * half + room));
      },
      [&](std::size_t leaf) {
        for (std::size_t t = 0; t < tree.size_of(leaf); ++t) {
          std::array<Vec3, 3> corners = tree.corners(leaf, t);
          for (Vec3& corner : corners) corner = posed_vertex(corner, pose);
          visit(corners);
        }
      });
}

}  // namespace

int winding_number(const PosedTree& posed, const Vec3& p) {
  int winding = 0;
  visit_posed(
      posed, p,
      [](const Vec3& apart, const Vec3& reach) {
        return std::abs(apart[0]) <= reach[0] && std::abs(apart[1]) <= reach[1] &&
               -apart[2] <= reach[2];
      },
      [&](const std::array<Vec3, 3>& corners) { winding += times_passed(corners, p); });
  return winding;
}

bool is_on_surface(const PosedTree& posed, const Vec3& p) {
  bool is_on = false;
  visit_posed(
      posed, p,
      [&](const Vec3& apart, const Vec3& reach) {
        return !is_on && (apart.cwiseAbs().array() <= reach.array()).all();
      },
      [&](const std::array<Vec3, 3>& corners) {
        is_on = is_on || meeting_of({p, p, p}, corners) != Meeting::kApart;
      });
  return is_on;
}

}  // namespace plimsoll
