// The distance f_t from a triangle t is a convex function with the gradient g_t, of length 1, away
// from the nearest point. So at a point x = m + v, |v| <= D, of a block with the middle m
//
//   f_t(x) >= f_t + g_t v,   f_u(x) <= |x - nearest point of u| <= f_u + g_u v + D^2 / (2 f_u),
//
// and t is nowhere in the block nearer than u where f_t - f_u > D |g_t - g_u| + D^2 / (2 f_u), nor
// where it is more than 2 D. The first bound is what helps deep inside: there many triangles are
// nearly as near, but in other directions. It holds for any lower bound f_t and its gradient: what
// a block measures bounds distances in its children, and few triangles are measured again.
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

/// A triangle, and a linear function of points that its distance is not below.
struct TriangleBound {
  std::uint32_t triangle = 0;
  double constant = 0;
  Vec3 gradient = Vec3::Zero();

  [[nodiscard]] double at(const Vec3& point) const { return constant + gradient.dot(point); }
};

class Distances {
 public:
  using Candidate = TriangleBound;

  Distances(std::span<const LatticeTriangle> triangles, std::vector<std::uint32_t>& nearest)
      : triangles_(triangles), nearest_(nearest) {}

  void narrow(const Vec3& middle, double reach, std::span<const Candidate> from,
              std::vector<Candidate>& kept) {
    const Place place{middle, reach, rounding_at(middle)};
    const Measured first = measured(from[find_lowest(middle, from)], middle);
    Measured least = first;
    measured_.clear();
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (!may_be_nearer(from[i], bounds_[i], first, place)) continue;
      measured_.push_back(measured(from[i], middle));
      if (measured_.back().distance < least.distance) least = measured_.back();
    }
    for (const Measured& t : measured_)
      if (may_be_nearer(t.bound, t.distance, least, place)) kept.push_back(t.bound);
  }

  void settle(const Vec3& center, std::span<const Candidate> candidates, std::uint32_t cube) {
    std::uint32_t nearest = candidates[find_lowest(center, candidates)].triangle;
    double squared = triangles_[nearest].offset(center).squaredNorm();
    double limit = std::sqrt(squared) + rounding_at(center);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (bounds_[i] > limit) continue;
      const std::uint32_t t = candidates[i].triangle;
      const double next = triangles_[t].offset(center).squaredNorm();
      if (next > squared || (next == squared && t > nearest)) continue;
      nearest = t;
      squared = next;
      limit = std::sqrt(squared) + rounding_at(center);
    }
    nearest_[cube] = nearest;
  }

 private:
  struct Place {
    Vec3 middle;
    double reach;
    double rounding;  // of distances
  };

  static double rounding_at(const Vec3& point) { return 1e-12 * (point.norm() + 1); }

  struct Measured {
    Candidate bound;
    double distance;
  };

  /// Fills the bounds at a point, and tells which is the least.
  std::size_t find_lowest(const Vec3& point, std::span<const Candidate> candidates) {
    bounds_.resize(candidates.size());
    for (std::size_t i = 0; i < candidates.size(); ++i) bounds_[i] = candidates[i].at(point);
    return static_cast<std::size_t>(std::min_element(bounds_.begin(), bounds_.end()) -
                                    bounds_.begin());
  }

  [[nodiscard]] Measured measured(const Candidate& t, const Vec3& point) const {
    const Vec3 offset = triangles_[t.triangle].offset(point);
    const double distance = offset.norm();
    if (!(distance > 0)) return {{t.triangle, 0, Vec3::Zero()}, 0};
    const Vec3 gradient = offset / distance;
    return {{t.triangle, distance - gradient.dot(point), gradient}, distance};
  }

  /// Whether t, of which a lower bound in the middle is given, may be nearer than u somewhere in
  /// the place.
  static bool may_be_nearer(const Candidate& t, double bound, const Measured& u,
                            const Place& place) {
    const double excess = bound - u.distance - place.rounding;
    if (excess > 2 * place.reach) return false;
    if (!(u.distance > place.rounding)) return true;
    const double left = excess - place.reach * place.reach / (2 * u.distance);
    if (left <= 0) return true;
    // left <= reach |g_t - g_u|, squared
    return left * left <=
           place.reach * place.reach * ((t.gradient - u.bound.gradient).squaredNorm() + 1e-12);
  }

  std::span<const LatticeTriangle> triangles_;
  std::vector<std::uint32_t>& nearest_;
  std::vector<double> bounds_;
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
  std::vector<TriangleBound> all(triangles.size());
  for (std::uint32_t t = 0; t < all.size(); ++t) all[t].triangle = t;
  search_blocks<TriangleBound>(voxels, all, [&] { return Distances(triangles, nearest); });
  return nearest;
}

}  // namespace plimsoll
