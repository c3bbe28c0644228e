#include "swept_sphere_tree.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace plimsoll::bench {
namespace {

double clamped(double x, double high) { return std::min(std::max(x, 0.0), high); }

/// Rectangles [0, a0] x [0, a1] in z = 0 and the same of b, taken to a's frame by `map`.
///
/// P and Q are nearest points if P is the point of a nearest to Q and Q that of b nearest to P:
/// both are convex. So a pair of edges has them, if its own nearest points are such that each
/// rectangle's edge faces the other point [Larsen1999]. Edges that the whole other rectangle lies
/// behind are passed over. Where no pair has them, the nearest points are a corner and a point of a
/// face, or common: then a face's plane keeps the rectangles exactly as far apart as they are.
class RectangleGap {
 public:
  RectangleGap(const RigidMap& map, const double (&a)[2], const double (&b)[2])
      : r_(map.turn), t_(map.shift), a_(a), b_(b) {
    for (int j = 0; j < 3; ++j) of_b_[j] = t_.dot(r_.col(j));
    for (int i = 0; i < 3; ++i) {
      const double b0 = r_(i, 0) * b[0], b1 = r_(i, 1) * b[1];
      b_low_[i] = t_[i] + std::min(0.0, b0) + std::min(0.0, b1);
      b_high_[i] = t_[i] + std::max(0.0, b0) + std::max(0.0, b1);
      const double a0 = r_(0, i) * a[0], a1 = r_(1, i) * a[1];
      a_low_[i] = -of_b_[i] + std::min(0.0, a0) + std::min(0.0, a1);
      a_high_[i] = -of_b_[i] + std::max(0.0, a0) + std::max(0.0, a1);
    }
  }

  [[nodiscard]] double distance() {
    if (edges<0, 0>() || edges<0, 1>() || edges<1, 0>() || edges<1, 1>())
      return std::sqrt(squared_);
    return std::max({0.0, b_low_[2], -b_high_[2], a_low_[2], -a_high_[2]});
  }

 private:
  /// The four pairs of an edge of a along its axis I and one of b along its axis J.
  template <int I, int J>
  bool edges() {
    constexpr int K = 1 - I, L = 1 - J;  // the axes across
    const bool faces_b[2] = {b_low_[K]<0, b_high_[K]> a_[K]};
    const bool faces_a[2] = {a_low_[L]<0, a_high_[L]> b_[L]};
    if (!(faces_b[0] || faces_b[1]) || !(faces_a[0] || faces_a[1])) return false;
    const double cosine = r_(I, J);
    const double squared_sine = 1 - cosine * cosine;
    const double inverse = squared_sine > 0 ? 1 / squared_sine : 0;
    for (int u = 0; u < 2; ++u)
      for (int v = 0; v < 2; ++v)
        if (faces_b[u] && faces_a[v] && edge_pair<I, J>(u, v, cosine, inverse)) return true;
    return false;
  }

  template <int I, int J>
  bool edge_pair(int u, int v, double cosine, double inverse) {
    constexpr int K = 1 - I, L = 1 - J;
    const double across_a = u * a_[K], across_b = v * b_[L];
    // From the beginning of a's edge to that of b's, along both.
    const double along_a = t_[I] + across_b * r_(I, L);
    const double along_b = of_b_[J] - across_a * r_(K, J);
    const double first = clamped((along_a - cosine * along_b) * inverse, a_[I]);
    const double s = clamped(first * cosine - along_b, b_[J]);
    const double t = clamped(s * cosine + along_a, a_[I]);
    const double d_across_a = t_[K] + across_b * r_(K, L) + s * r_(K, J) - across_a;
    if (u == 1 ? d_across_a < 0 : d_across_a > 0) return false;
    const double d_across_b = of_b_[L] + across_b - across_a * r_(K, L) - t * r_(I, L);
    if (v == 1 ? d_across_b > 0 : d_across_b < 0) return false;
    const double d_along = along_a + s * cosine - t;
    const double d_up = t_[2] + across_b * r_(2, L) + s * r_(2, J);
    squared_ = d_along * d_along + d_across_a * d_across_a + d_up * d_up;
    return true;
  }

  const Eigen::Matrix3d& r_;
  const Vec3& t_;
  const double (&a_)[2];
  const double (&b_)[2];
  double of_b_[3];               // from a's origin to b's, in b's frame
  double b_low_[3], b_high_[3];  // what b takes up in a's frame
  double a_low_[3], a_high_[3];  // what a takes up in b's frame
  double squared_ = 0;
};

/// Nearest points of two edges, whose parameters are clamped one after the other.
TriangleGap edge_gap(const Vec3& p, const Vec3& a, double aa, const Vec3& q, const Vec3& b,
                     double bb) {
  const Vec3 w = q - p;
  const double ab = a.dot(b), aw = a.dot(w), bw = b.dot(w);
  const double determinant = aa * bb - ab * ab;
  const double first = determinant > 0 ? clamped((aw * bb - bw * ab) / determinant, 1) : 0;
  const double s = bb > 0 ? clamped((first * ab - bw) / bb, 1) : 0;
  const double t = aa > 0 ? clamped((s * ab + aw) / aa, 1) : 0;
  const Vec3 on_a = p + t * a, on_b = q + s * b;
  return {(on_b - on_a).squaredNorm(), on_a, on_b};
}

/// Where all corners of `other` are on one side of the plane of `face`, and the nearest is over the
/// face: that corner and its foot, the squared distance with them. `apart` tells of the first.
bool face_gap(const Corners& face, const Vec3 (&edge)[3], const Corners& other, bool& apart,
              TriangleGap& found) {
  const Vec3 normal = edge[0].cross(edge[1]);
  const double squared = normal.squaredNorm();
  if (!(squared > 0)) return false;
  double height[3];
  for (std::size_t i = 0; i < 3; ++i) height[i] = normal.dot(other[i] - face[0]);
  const bool above = height[0] > 0 && height[1] > 0 && height[2] > 0;
  const bool below = height[0] < 0 && height[1] < 0 && height[2] < 0;
  if (!above && !below) return false;
  apart = true;
  std::size_t nearest = 0;
  for (std::size_t i = 1; i < 3; ++i)
    if (std::abs(height[i]) < std::abs(height[nearest])) nearest = i;
  for (std::size_t i = 0; i < 3; ++i)
    if ((other[nearest] - face[i]).dot(normal.cross(edge[i])) < 0) return false;
  found.on_b = other[nearest];
  found.on_a = other[nearest] - height[nearest] / squared * normal;
  found.distance = height[nearest] * height[nearest] / squared;
  return true;
}

}  // namespace

/// Nearest points of two edges are those of the triangles if no third corner lies ahead of its own
/// triangle's; else a corner and a face have them, or the triangles meet [Larsen1999].
TriangleGap triangle_gap(const Corners& a, const Corners& b) {
  const Vec3 of_a[3] = {a[1] - a[0], a[2] - a[1], a[0] - a[2]};
  const Vec3 of_b[3] = {b[1] - b[0], b[2] - b[1], b[0] - b[2]};
  const double aa[3] = {of_a[0].squaredNorm(), of_a[1].squaredNorm(), of_a[2].squaredNorm()};
  const double bb[3] = {of_b[0].squaredNorm(), of_b[1].squaredNorm(), of_b[2].squaredNorm()};
  const auto root = [](TriangleGap gap) {
    gap.distance = std::sqrt(gap.distance);
    return gap;
  };
  TriangleGap best;
  bool apart = false;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const TriangleGap gap = edge_gap(a[i], of_a[i], aa[i], b[j], of_b[j], bb[j]);
      if (gap.distance > best.distance) continue;
      best = gap;
      const Vec3 d = gap.on_b - gap.on_a;
      const double a_ahead = (a[(i + 2) % 3] - gap.on_a).dot(d);
      const double b_ahead = (b[(j + 2) % 3] - gap.on_b).dot(d);
      if (a_ahead <= 0 && b_ahead >= 0) return root(best);
      if (gap.distance - std::max(a_ahead, 0.0) + std::min(b_ahead, 0.0) > 0) apart = true;
    }
  TriangleGap found;
  if (face_gap(a, of_a, b, apart, found)) return root(found);
  if (face_gap(b, of_b, a, apart, found)) {
    std::swap(found.on_a, found.on_b);
    return root(found);
  }
  if (!apart) best.distance = 0;
  return root(best);
}

/// From the root down: rectangles along the axes of the covariance of the corners, parted at their
/// mean along the longest [Larsen1999].
class SweptSphereBuild {
 public:
  SweptSphereBuild(const TriangleMesh& mesh, SweptSphereTree& tree) : tree_(tree) {
    for (const auto& [a, b, c] : mesh.triangles)
      tree_.triangles_.push_back({mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]});
    if (tree_.triangles_.empty()) return;
    tree_.nodes_.reserve(2 * tree_.triangles_.size() - 1);
    tree_.nodes_.emplace_back();
    build(0, 0, tree_.triangles_.size(), RigidMap());
  }

 private:
  using Node = SweptSphereTree::Node;

  void build(std::size_t place, std::size_t from, std::size_t to,
             const RigidMap& mesh_from_parent) {
    const auto [axes, mean] = principal_axes(from, to);
    Node node = fitted(axes, from, to);
    const RigidMap mesh_from_node = node.frame;
    node.frame = {
        mesh_from_parent.turn.transpose() * mesh_from_node.turn,
        mesh_from_parent.turn.transpose() * (mesh_from_node.shift - mesh_from_parent.shift)};
    if (to - from == 1) {
      node.within = -1 - static_cast<std::int32_t>(from);
      tree_.nodes_[place] = node;
      return;
    }
    const std::size_t middle = part(from, to, axes.col(0), mean);
    const std::size_t children = tree_.nodes_.size();
    node.within = static_cast<std::int32_t>(children);
    tree_.nodes_[place] = node;
    tree_.nodes_.resize(children + 2);
    build(children, from, middle, mesh_from_node);
    build(children + 1, middle, to, mesh_from_node);
  }

  struct Axes {
    Eigen::Matrix3d axes;  // the longest first
    Vec3 mean;
  };
  [[nodiscard]] Axes principal_axes(std::size_t from, std::size_t to) const {
    Vec3 mean = Vec3::Zero();
    for (std::size_t i = from; i < to; ++i)
      for (const Vec3& p : tree_.triangles_[i]) mean += p;
    mean /= 3 * static_cast<double>(to - from);
    Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
    for (std::size_t i = from; i < to; ++i)
      for (const Vec3& p : tree_.triangles_[i]) covariance += (p - mean) * (p - mean).transpose();
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(covariance);
    Eigen::Matrix3d axes = solver.eigenvectors().rowwise().reverse();  // they ascend
    axes.col(2) = axes.col(0).cross(axes.col(1));
    return {axes, mean};
  }

  /// Radius and height are those of the slab that the corners are in; the rectangle is then no
  /// larger than the balls on its border need to be, and grows at its corners where they do not
  /// reach. In the frame of the mesh.
  [[nodiscard]] Node fitted(const Eigen::Matrix3d& axes, std::size_t from, std::size_t to) {
    local_.clear();
    for (std::size_t i = from; i < to; ++i)
      for (const Vec3& p : tree_.triangles_[i]) local_.push_back(axes.transpose() * p);
    const auto [lowest, highest] = std::minmax_element(
        local_.begin(), local_.end(), [](const Vec3& p, const Vec3& q) { return p.z() < q.z(); });
    const double z = (lowest->z() + highest->z()) / 2;
    const double radius = (highest->z() - lowest->z()) / 2;
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    double low[2] = {kInfinite, kInfinite}, high[2] = {-kInfinite, -kInfinite};
    const auto squared_reach = [&](const Vec3& p) {
      return std::max(0.0, radius * radius - (p.z() - z) * (p.z() - z));
    };
    for (const Vec3& p : local_) {
      const double reach = std::sqrt(squared_reach(p));
      for (int i = 0; i < 2; ++i) {
        low[i] = std::min(low[i], p[i] + reach);
        high[i] = std::max(high[i], p[i] - reach);
      }
    }
    for (int i = 0; i < 2; ++i)
      if (low[i] > high[i]) low[i] = high[i] = (low[i] + high[i]) / 2;
    for (const Vec3& p : local_) grow_corner(p, squared_reach(p), low, high);
    Node node;
    node.frame = {axes, axes * Vec3(low[0], low[1], z)};
    for (int i = 0; i < 2; ++i) node.side[i] = high[i] - low[i];
    node.radius = radius;
    node.size = static_cast<float>(std::hypot(node.side[0], node.side[1]) + 2 * radius);
    return node;
  }

  /// Beyond a corner by x and y, outward: the corner moves by t along both, (x - t)^2 + (y - t)^2
  /// the squared reach.
  static void grow_corner(const Vec3& p, double squared_reach, double (&low)[2],
                          double (&high)[2]) {
    double beyond[2];
    for (int i = 0; i < 2; ++i) beyond[i] = p[i] > high[i] ? p[i] - high[i] : low[i] - p[i];
    const double difference = beyond[0] - beyond[1];
    if (!(beyond[0] > 0 && beyond[1] > 0)) return;
    const double t = (beyond[0] + beyond[1] -
                      std::sqrt(std::max(0.0, 2 * squared_reach - difference * difference))) /
                     2;
    if (!(t > 0)) return;
    for (int i = 0; i < 2; ++i) (p[i] > high[i] ? high[i] : low[i]) += p[i] > high[i] ? t : -t;
  }

  [[nodiscard]] std::size_t part(std::size_t from, std::size_t to, const Vec3& axis,
                                 const Vec3& mean) {
    const auto begin = tree_.triangles_.begin();
    const auto first = begin + static_cast<std::ptrdiff_t>(from);
    const auto last = begin + static_cast<std::ptrdiff_t>(to);
    const auto middle = std::partition(first, last, [&](const Corners& t) {
      return axis.dot(t[0] + t[1] + t[2]) <= 3 * axis.dot(mean);
    });
    if (middle == first || middle == last) return (from + to) / 2;
    return static_cast<std::size_t>(middle - begin);
  }

  SweptSphereTree& tree_;
  std::vector<Vec3> local_;
};

SweptSphereTree::SweptSphereTree(const TriangleMesh& mesh) { SweptSphereBuild(mesh, *this); }

void SweptSphereSearch::measure(std::int32_t a_triangle, std::int32_t b_triangle) {
  const Corners& b = b_->triangles_[static_cast<std::size_t>(b_triangle)];
  Corners moved;
  for (std::size_t i = 0; i < 3; ++i) moved[i] = a_from_b_.turn * b[i] + a_from_b_.shift;
  ++best_.triangle_pairs;
  const TriangleGap gap = triangle_gap(a_->triangles_[static_cast<std::size_t>(a_triangle)], moved);
  if (gap.distance >= best_.nearest.distance) return;
  best_.nearest = gap;
  best_.a_triangle = a_triangle;
  best_.b_triangle = b_triangle;
}

bool SweptSphereSearch::opens_a(const Pair& pair) const {
  const Node& a = a_->nodes_[static_cast<std::size_t>(pair.a)];
  const Node& b = b_->nodes_[static_cast<std::size_t>(pair.b)];
  return b.is_leaf() || (!a.is_leaf() && a.size > b.size);
}

SweptSphereSearch::Pair SweptSphereSearch::child_of(const Pair& pair, bool opens_a, int which) {
  const SweptSphereTree& opened = opens_a ? *a_ : *b_;
  const std::int32_t number =
      opened.nodes_[static_cast<std::size_t>(opens_a ? pair.a : pair.b)].within + which;
  const RigidMap& frame = opened.nodes_[static_cast<std::size_t>(number)].frame;
  Pair child;
  child.a = opens_a ? number : pair.a;
  child.b = opens_a ? pair.b : number;
  if (opens_a) {
    child.a_from_b.turn.noalias() = frame.turn.transpose().lazyProduct(pair.a_from_b.turn);
    child.a_from_b.shift.noalias() =
        frame.turn.transpose().lazyProduct(pair.a_from_b.shift - frame.shift);
  } else {
    child.a_from_b.turn.noalias() = pair.a_from_b.turn.lazyProduct(frame.turn);
    child.a_from_b.shift.noalias() =
        pair.a_from_b.turn.lazyProduct(frame.shift) + pair.a_from_b.shift;
  }
  const Node& a = a_->nodes_[static_cast<std::size_t>(child.a)];
  const Node& b = b_->nodes_[static_cast<std::size_t>(child.b)];
  ++best_.node_pairs;
  child.gap = RectangleGap(child.a_from_b, a.side, b.side).distance() - (a.radius + b.radius);
  return child;
}

/// Whether both are leaves.
bool SweptSphereSearch::measure_leaves(const Pair& pair) {
  const Node& a = a_->nodes_[static_cast<std::size_t>(pair.a)];
  const Node& b = b_->nodes_[static_cast<std::size_t>(pair.b)];
  if (!a.is_leaf() || !b.is_leaf()) return false;
  measure(-1 - a.within, -1 - b.within);
  return true;
}

void SweptSphereSearch::recurse(const Pair& pair) {
  if (measure_leaves(pair)) return;
  const bool opens = opens_a(pair);
  const Pair children[2] = {child_of(pair, opens, 0), child_of(pair, opens, 1)};
  const int nearer = children[1].gap < children[0].gap ? 1 : 0;
  if (children[nearer].gap < best_.nearest.distance) recurse(children[nearer]);
  if (children[1 - nearer].gap < best_.nearest.distance) recurse(children[1 - nearer]);
}

namespace {
/// Makes std::push_heap keep the least gap on top.
constexpr auto kIsFarther = [](const auto& a, const auto& b) { return a.gap > b.gap; };
}  // namespace

void SweptSphereSearch::wait(const Pair& pair) {
  if (pair.gap >= best_.nearest.distance) return;
  std::uint32_t place = static_cast<std::uint32_t>(pairs_.size());
  if (free_.empty()) {
    pairs_.push_back(pair);
  } else {
    place = free_.back();
    free_.pop_back();
    pairs_[place] = pair;
  }
  heap_.push_back({pair.gap, place});
  std::push_heap(heap_.begin(), heap_.end(), kIsFarther);
}

/// Nothing is left where what waits is no nearer than what was found.
bool SweptSphereSearch::take(Pair& pair) {
  if (heap_.empty() || heap_.front().gap >= best_.nearest.distance) return false;
  const std::uint32_t place = heap_.front().place;
  std::pop_heap(heap_.begin(), heap_.end(), kIsFarther);
  heap_.pop_back();
  pair = pairs_[place];
  free_.push_back(place);
  return true;
}

void SweptSphereSearch::run_queue(Pair pair) {
  pairs_.clear();
  free_.clear();
  heap_.clear();
  for (;;) {
    if (measure_leaves(pair)) {
      if (!take(pair)) return;
      continue;
    }
    const bool opens = opens_a(pair);
    Pair nearer = child_of(pair, opens, 0), farther = child_of(pair, opens, 1);
    if (farther.gap < nearer.gap) std::swap(nearer, farther);
    wait(farther);
    // The nearest of all is opened without having waited.
    if (nearer.gap < best_.nearest.distance && (heap_.empty() || nearer.gap <= heap_.front().gap)) {
      pair = nearer;
    } else {
      wait(nearer);
      if (!take(pair)) return;
    }
  }
}

SweptSphereAnswer SweptSphereSearch::find(const SweptSphereTree& a, const RigidMap& world_from_a,
                                          const SweptSphereTree& b, const RigidMap& world_from_b,
                                          const SweptSphereAnswer* last) {
  a_ = &a;
  b_ = &b;
  const auto between = [](const RigidMap& p, const RigidMap& q) -> RigidMap {
    return {p.turn.transpose() * q.turn, p.turn.transpose() * (q.shift - p.shift)};
  };
  a_from_b_ = between(world_from_a, world_from_b);
  const SweptSphereAnswer begin = last != nullptr ? *last : SweptSphereAnswer();
  best_ = SweptSphereAnswer();
  if (a.nodes_.empty() || b.nodes_.empty()) return best_;
  measure(begin.a_triangle, begin.b_triangle);
  Pair roots;
  roots.a = roots.b = 0;
  const RigidMap& of_b = b.nodes_[0].frame;
  roots.a_from_b = between(a.nodes_[0].frame, {a_from_b_.turn * of_b.turn,
                                               a_from_b_.turn * of_b.shift + a_from_b_.shift});
  roots.gap = -std::numeric_limits<double>::infinity();
  if (order_ == Order::kNearestFirst) {
    run_queue(roots);
  } else {
    recurse(roots);
  }
  SweptSphereAnswer answer = best_;
  answer.nearest.on_a = world_from_a.turn * best_.nearest.on_a + world_from_a.shift;
  answer.nearest.on_b = world_from_a.turn * best_.nearest.on_b + world_from_a.shift;
  return answer;
}

}  // namespace plimsoll::bench
