// The distance f_t from a triangle t is a convex function with the gradient g_t, of length 1, away
// from the nearest point. So at a point x = m + v, |v| <= D, of a block with the middle m
//
//   f_t(x) >= f_t + g_t v,   f_u(x) <= |x - nearest point of u| <= f_u + g_u v + D^2 / (2 f_u),
//
// and t is nowhere in the block nearer than u where f_t - f_u > D |g_t - g_u| + D^2 / (2 f_u), nor
// where it is more than 2 D. The first bound is what helps deep inside: there many triangles are
// nearly as near, but those in one direction are not near each other's distance for long.
#include "spheres/nearest_triangles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "spheres/cube_blocks.h"

namespace plimsoll {
namespace {

/// A triangle in the frame of the lattice.
class LatticeTriangle {
 public:
  LatticeTriangle(const Vec3& a, const Vec3& b, const Vec3& c) : a_(a), b_(b - a), c_(c - a) {
    const double bb = b_.squaredNorm(), bc = b_.dot(c_), cc = c_.squaredNorm();
    const double area = bb * cc - bc * bc;
    // NaN where there is no area: then edges alone count.
    along_b_ = (cc * b_ - bc * c_) / area;
    along_c_ = (bb * c_ - bc * b_) / area;
  }

  /// From its nearest point to p.
  [[nodiscard]] Vec3 offset(const Vec3& p) const {
    const Vec3 off = p - a_;
    const double v = along_b_.dot(off), w = along_c_.dot(off);
    if (v >= 0 && w >= 0 && v + w <= 1) return off - v * b_ - w * c_;
    const Vec3 on_b = from_edge(off, b_), on_c = from_edge(off, c_);
    const Vec3 on_far = from_edge(off - b_, c_ - b_);
    const double to_b = on_b.squaredNorm(), to_c = on_c.squaredNorm();
    const double to_far = on_far.squaredNorm();
    if (to_b <= to_c && to_b <= to_far) return on_b;
    return to_c <= to_far ? on_c : on_far;
  }

 private:
  /// From the nearest point of the segment from 0 to `edge`.
  static Vec3 from_edge(const Vec3& off, const Vec3& edge) {
    const double along = edge.dot(off), squared = edge.squaredNorm();
    if (!(along > 0)) return off;
    if (along >= squared) return off - edge;
    return off - (along / squared) * edge;
  }

  Vec3 a_, b_, c_;
  Vec3 along_b_, along_c_;  // coordinates along b and c are products with these
};

class Distances {
 public:
  Distances(std::span<const LatticeTriangle> triangles, std::vector<std::uint32_t>& nearest)
      : triangles_(triangles), nearest_(nearest) {}

  void narrow(const Vec3& middle, double reach, std::span<const std::uint32_t> from,
              std::vector<std::uint32_t>& kept) {
    measured_.resize(from.size());
    std::size_t least = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
      const Vec3 offset = triangles_[from[i]].offset(middle);
      measured_[i] = {offset, offset.norm()};
      if (measured_[i].distance < measured_[least].distance) least = i;
    }
    const double rounding = 1e-12 * (reach + middle.norm() + 1);
    for (std::size_t i = 0; i < from.size(); ++i)
      if (may_be_nearer(measured_[i], measured_[least], reach, rounding)) kept.push_back(from[i]);
  }

  void settle(const Vec3& center, std::span<const std::uint32_t> candidates,
              std::uint32_t cube) const {
    double least = std::numeric_limits<double>::infinity();
    for (const std::uint32_t t : candidates) {
      const double squared = triangles_[t].offset(center).squaredNorm();
      if (!(squared < least)) continue;
      least = squared;
      nearest_[cube] = t;
    }
  }

 private:
  struct Measured {
    Vec3 offset;
    double distance;
  };

  /// Whether t may be nearer than u within `reach` of where they are measured.
  static bool may_be_nearer(const Measured& t, const Measured& u, double reach, double rounding) {
    const double excess = t.distance - u.distance - rounding;
    if (excess > 2 * reach) return false;
    if (!(u.distance > rounding)) return true;
    const double left = excess - reach * reach / (2 * u.distance);
    if (left <= 0) return true;
    // left <= reach |g_t - g_u|, squared
    const double cosine = t.offset.dot(u.offset) / (t.distance * u.distance);
    return left * left <= reach * reach * (2 - 2 * cosine + 1e-12);
  }

  std::span<const LatticeTriangle> triangles_;
  std::vector<std::uint32_t>& nearest_;
  std::vector<Measured> measured_;
};

}  // namespace

std::vector<std::uint32_t> nearest_triangles(const SolidVoxels& voxels, const ClosedMesh& mesh) {
  const MeshView& view = mesh.view();
  std::vector<LatticeTriangle> triangles;
  triangles.reserve(view.triangle_count());
  for (std::size_t t = 0; t < view.triangle_count(); ++t) {
    const Triangle v = view.triangle(t);
    triangles.emplace_back(voxels.to_cubes(view.vertex(v[0])), voxels.to_cubes(view.vertex(v[1])),
                           voxels.to_cubes(view.vertex(v[2])));
  }
  std::vector<std::uint32_t> nearest(voxels.cube_count);
  search_blocks(voxels, triangles.size(), [&] { return Distances(triangles, nearest); });
  return nearest;
}

}  // namespace plimsoll
