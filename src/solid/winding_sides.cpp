#include "solid/winding_sides.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/predicates.h"
#include "pairs/triangle_pair.h"

// The winding number of a point is the number of sheets that a ray from it to infinity leaves
// through less those it enters through. The ray runs along a coordinate axis, so that all but one
// question about it is one in the plane. The point o = sum w_i v_i / sum w_i is rational; for any
// p, q,
//
//   orient2d(o, p, q) = sum w_i orient2d(v_i, p, q) / sum w_i
//
// and likewise in space, so that exact signs are sums of integer determinants of the vertices.
// A filter on the rounded point answers nearly always.

namespace plimsoll {
namespace {

using exact::Integer;

constexpr double kRounding = 0x1p-53;
constexpr double kUnderflow = 0x1p-1000;

// The weights as doubles of sum near 1, each with a relative error below 4 u.
Vec3 shares(const Weights& weights) {
  const Integer sum = weights[0] + weights[1] + weights[2];
  const auto excess = static_cast<int>(msb(sum)) - 62;
  const auto shortened = [excess](const Integer& w) {
    return (excess > 0 ? Integer(w >> excess) : w).convert_to<double>();
  };
  return Vec3(shortened(weights[0]), shortened(weights[1]), shortened(weights[2])) / shortened(sum);
}

Box3 box_of(const MeshView& mesh, std::uint32_t triangle) {
  Box3 box;
  for (const Vec3& p : corners_of(mesh, triangle).point) box.extend(p);
  return box;
}

class SideRay {
 public:
  SideRay(const WindingScene& scene, std::uint32_t triangle, const Weights& weights,
          std::span<const std::uint32_t> ignored)
      : scene_(scene),
        triangle_(triangle),
        corners_(corners_of(scene.mesh, triangle)),
        weights_(weights),
        ignored_(ignored),
        axis_(projection_axis(corners_)),
        turn_(orient2d(corners_.point[0], corners_.point[1], corners_.point[2], axis_)) {
    const Vec3 share = shares(weights);
    for (int k = 0; k < 3; ++k) {
      const double a = corners_.point[0][k], b = corners_.point[1][k], c = corners_.point[2][k];
      // The point is in the hull whatever the rounding. Shares cut off at 62 bits are off by
      // 2^-60 of their sum, all else by 8 u of the largest coordinate; 32 u cover both.
      at_[k] = std::clamp(share[0] * a + share[1] * b + share[2] * c, std::min({a, b, c}),
                          std::max({a, b, c}));
      error_[k] = 32 * kRounding * std::max({std::fabs(a), std::fabs(b), std::fabs(c)}) + 0x1p-1060;
    }
  }

  [[nodiscard]] bool meets(const Box3& box) const {
    const int u = (axis_ + 1) % 3, v = (axis_ + 2) % 3;
    return box.max()[axis_] >= at_[axis_] - error_[axis_] && box.min()[u] <= at_[u] + error_[u] &&
           box.max()[u] >= at_[u] - error_[u] && box.min()[v] <= at_[v] + error_[v] &&
           box.max()[v] >= at_[v] - error_[v];
  }

  void pass(std::uint32_t t) {
    if (t == triangle_ || degenerate_) return;
    const std::uint32_t shell = scene_.shell_of_triangle[t];
    if (std::binary_search(ignored_.begin(), ignored_.end(), shell)) return;
    const Passage passage = passage_of(corners_of(scene_.mesh, t));
    if (passage.here != 0 || passage.ahead != 0)
      met_.push_back({shell, passage.ahead, passage.here});
  }

  /// As pass(), of sheets that may be the nearest only; those of its own part are passed.
  void pass_near(std::uint32_t t, bool is_own) {
    if (t == triangle_ || degenerate_) return;
    const Corners u = corners_of(scene_.mesh, t);
    const Passage passage = passage_of(u);
    sheets_ += passage.here;
    if (passage.ahead == 0) return;
    const Interval place = place_along(u);
    (is_own ? own_ : near_).push_back({t, passage.ahead, place});
    if (!is_own) nearest_ = std::min(nearest_, place.high);
  }
  /// Whether all in the box is farther than what was met.
  [[nodiscard]] bool is_beyond(const Box3& box) const { return box.min()[axis_] > nearest_; }
  /// How soon a node of hulls may be met, about.
  [[nodiscard]] double rank(const HullTree& tree, std::size_t node) const {
    return (tree.middle(node) - at_).squaredNorm();
  }
  /// Boxes whose hull holds the ray up to what was met, or to where `whole` ends.
  [[nodiscard]] std::array<Box3, 2> ends(const Box3& whole) const {
    Vec3 end = at_;
    end[axis_] = std::max(at_[axis_], std::min(nearest_, whole.max()[axis_]));
    return {Box3(at_ - error_, at_ + error_), Box3(end - error_, end + error_)};
  }

  [[nodiscard]] std::optional<FirstMet> first() const {
    if (degenerate_) return std::nullopt;
    FirstMet met{turn_ > 0, sheets_, 0, {}};
    double begin = nearest_;
    for (const Near& sheet : near_) begin = std::min(begin, sheet.place.low);
    for (const Near& sheet : own_) {
      if (sheet.place.low > nearest_) continue;
      if (!(sheet.place.high < begin)) return std::nullopt;
      met.own += sheet.left;
    }
    for (const Near& sheet : near_) {
      if (sheet.place.low > nearest_) continue;
      if (!met.nearest.empty() &&
          sides_of_corners(corners_of(scene_.mesh, met.nearest.front().triangle),
                           corners_of(scene_.mesh, sheet.triangle)) != std::array{0, 0, 0})
        return std::nullopt;
      met.nearest.push_back({sheet.triangle, sheet.left});
    }
    return met;
  }

  [[nodiscard]] std::optional<WindingSides> sides() {
    if (degenerate_) return std::nullopt;
    std::sort(met_.begin(), met_.end(),
              [](const Met& x, const Met& y) { return x.shell < y.shell; });
    WindingSides all = beside(0, 1);
    for (std::size_t i = 0; i < met_.size();) {
      const std::uint32_t shell = met_[i].shell;
      int left = 0, sheets = 0;
      for (; i < met_.size() && met_[i].shell == shell; ++i) {
        left += met_[i].left;
        sheets += met_[i].sheets;
      }
      const WindingSides own = beside(left, sheets);
      all.front += own.front;
      all.back += own.back;
      if (shell != scene_.shell_of_triangle[triangle_] && own.front != 0 && own.back != 0)
        all.enclosed = true;
    }
    all.at = at_;
    return all;
  }

  [[nodiscard]] int axis() const { return axis_; }
  [[nodiscard]] const Vec3& at() const { return at_; }
  [[nodiscard]] const Vec3& error() const { return error_; }
  /// Along the axis, of what was met.
  [[nodiscard]] double nearest() const { return nearest_; }

 private:
  struct Met {
    std::uint32_t shell;
    int left;    // +1 where the ray leaves through it, -1 where it enters
    int sheets;  // where it lies on the triangle: +1 if turned the same way, else -1
  };

  struct Interval {
    double low, high;
  };
  struct Near {
    std::uint32_t triangle;
    int left;
    Interval place;  // along the axis
  };

  // Where along the axis the ray meets the plane of `u`: with n = (b - a) x (c - a),
  // a_k - (n_u (o - a)_u + n_v (o - a)_v) / n_k. Each difference and product is off by u of itself,
  // so that |n_i| is by 4 u of its two products' absolute values; twice that covers what follows.
  [[nodiscard]] Interval place_along(const Corners& t) const {
    const auto& [a, b, c] = t.point;
    const auto [low, high] = std::minmax({a[axis_], b[axis_], c[axis_]});
    const Vec3 ab = b - a, ac = c - a, ao = at_ - a;
    Vec3 n, off;
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      const double left = ab[i] * ac[j], right = ab[j] * ac[i];
      n[k] = left - right;
      off[k] = 8 * kRounding * (std::fabs(left) + std::fabs(right)) + kUnderflow;
    }
    const double least = std::fabs(n[axis_]) - off[axis_];
    if (!(least > 0)) return {low, high};
    double rise = 0, error = kUnderflow;
    for (const int k : {(axis_ + 1) % 3, (axis_ + 2) % 3}) {
      rise += n[k] * ao[k];
      error += (std::fabs(n[k]) + off[k]) * (error_[k] + 8 * kRounding * std::fabs(ao[k])) +
               off[k] * std::fabs(ao[k]);
    }
    const double far = rise / n[axis_];
    const double place = a[axis_] - far;
    const double room = 2 * ((error + std::fabs(far) * off[axis_]) / least +
                             8 * kRounding * (std::fabs(far) + std::fabs(a[axis_])));
    if (!std::isfinite(room)) return {low, high};
    return {std::max(low, place - room), std::min(high, place + room)};
  }

  // What a triangle is to the ray; nothing where the line passes it or meets it behind.
  struct Passage {
    int ahead = 0;  // as Met::left
    int here = 0;   // as Met::sheets
  };
  Passage passage_of(const Corners& u) {
    const int turn = turn_around(u);
    if (turn == 0) return {};
    const int side = side_of(u);
    // Ahead, the plane is met at -side / turn along the axis.
    if (side != 0) return {side * turn < 0 ? turn : 0, 0};
    if (sides_of_corners(corners_, u) == std::array{0, 0, 0}) return {0, turn * turn_};
    degenerate_ = true;  // it comes through the point
    return {};
  }

  // From the winding number along the ray and the sheets at its origin, those of both sides.
  [[nodiscard]] WindingSides beside(int left, int sheets) const {
    WindingSides sides;
    sides.front = turn_ > 0 ? left : left - sheets;
    sides.back = sides.front + sheets;
    return sides;
  }

  // The way in which `u` runs around the ray's line, or 0 where it does not.
  int turn_around(const Corners& u) {
    const auto& [a, b, c] = u.point;
    const int ab = turn_of(a, b);
    const int bc = turn_of(b, c);
    if (ab * bc < 0) return 0;
    const int ca = turn_of(c, a);
    if (ab * ca < 0 || bc * ca < 0) return 0;
    if (ab != 0 && bc != 0 && ca != 0) return ab;
    degenerate_ = true;  // the line meets an edge
    return 0;
  }

  // sign of orient2d(o, p, q)
  [[nodiscard]] int turn_of(const Vec3& p, const Vec3& q) const {
    const int u = (axis_ + 1) % 3, v = (axis_ + 2) % 3;
    const double pu = p[u] - at_[u], pv = p[v] - at_[v], qu = q[u] - at_[u], qv = q[v] - at_[v];
    const double left = pu * qv, right = pv * qu;
    // As in predicates.cpp; o is off by e and f besides, which adds |pu| f + |qv| e + e f and so
    // on.
    const double e = error_[u], f = error_[v];
    const double bound =
        6 * kRounding * (std::fabs(left) + std::fabs(right)) + kUnderflow +
        2 * ((std::fabs(pu) + std::fabs(qu) + e) * f + (std::fabs(pv) + std::fabs(qv) + f) * e);
    if (left - right > bound) return 1;
    if (left - right < -bound) return -1;
    return exact_turn(p, q);
  }

  [[nodiscard]] int exact_turn(const Vec3& p, const Vec3& q) const {
    const auto& [a, b, c] = corners_.point;
    const std::array<int, 3> turns{orient2d(a, p, q, axis_), orient2d(b, p, q, axis_),
                                   orient2d(c, p, q, axis_)};
    if (const std::optional<int> common = common_sign(turns)) return *common;
    const auto x = exact::to_integers<5>({a, b, c, p, q});
    Integer sum = 0;
    for (std::size_t i = 0; i < 3; ++i)
      sum += weights_[i] * exact::orient2d(x[i], x[3], x[4], axis_);
    return sum.sign();
  }

  // sign of orient3d(u, o)
  [[nodiscard]] int side_of(const Corners& u) const {
    const std::array<int, 3> sides = sides_of_corners(u, corners_);
    if (const std::optional<int> common = common_sign(sides)) return *common;
    const auto& [a, b, c] = u.point;
    const Vec3 ab = b - a, ac = c - a, ao = at_ - a;
    double volume = 0, size = 0, slack = 0;
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      const double left = ab[i] * ac[j], right = ab[j] * ac[i];
      const double absolute = std::fabs(left) + std::fabs(right) + kUnderflow;
      volume += ao[k] * (left - right);
      size += std::fabs(ao[k]) * absolute;
      slack += error_[k] * absolute;
    }
    const double bound = 10 * kRounding * size + 2 * slack + kUnderflow;
    if (volume > bound) return 1;
    if (volume < -bound) return -1;
    const auto x =
        exact::to_integers<6>({a, b, c, corners_.point[0], corners_.point[1], corners_.point[2]});
    Integer sum = 0;
    for (std::size_t i = 0; i < 3; ++i)
      sum += weights_[i] * exact::orient3d(x[0], x[1], x[2], x[3 + i]);
    return sum.sign();
  }

  // The sign of every combination with positive weights, where the terms do not disagree.
  static std::optional<int> common_sign(const std::array<int, 3>& terms) {
    const auto [low, high] = std::minmax_element(terms.begin(), terms.end());
    if (*low >= 0) return *high;
    if (*high <= 0) return *low;
    return std::nullopt;
  }

  const WindingScene& scene_;
  std::uint32_t triangle_;
  Corners corners_;
  const Weights& weights_;
  std::span<const std::uint32_t> ignored_;
  int axis_;  // the ray runs to its positive end
  int turn_;  // of the triangle itself, seen from there: +1 if its front faces along the ray
  Vec3 at_, error_;
  std::vector<Met> met_;
  std::vector<Near> near_, own_;
  double nearest_ = std::numeric_limits<double>::infinity();  // along the axis, of near_
  int sheets_ = 1;
  bool degenerate_ = false;
};

/// The children of a tree's nodes that a ray may meet. In floats, in the tree's frame of reach r,
/// in which the ray begins: coordinates are rounded by 2^-24 r, and so are differences and sums,
/// which are at most 2 r, by that of 2 r.
class BoxesOnRay {
 public:
  BoxesOnRay(const SideRay& ray, const TriangleTree& tree)
      : axis_(ray.axis()), frame_(tree.frame), room_(0x1p-20 * frame_.reach) {
    const Vec3 at = frame_.from_center(ray.at());
    for (int i = 0; i < 3; ++i) {
      at_[i] = static_cast<float>(at[i]);
      wide_[i] = static_cast<float>(1.01 * std::ldexp(ray.error()[i], -frame_.exponent) + room_);
    }
  }

  /// A bit for each child.
  [[nodiscard]] unsigned meeting(const ChildBoxes& boxes) const {
    const int u = (axis_ + 1) % 3, v = (axis_ + 2) % 3;
    int meets[TriangleTree::kChildren];
    for (std::size_t k = 0; k < TriangleTree::kChildren; ++k) {
      const int is_ahead =
          boxes.center[axis_][k] + boxes.half[axis_][k] >= at_[axis_] - wide_[axis_];
      const int in_u = std::fabs(boxes.center[u][k] - at_[u]) <= boxes.half[u][k] + wide_[u];
      const int in_v = std::fabs(boxes.center[v][k] - at_[v]) <= boxes.half[v][k] + wide_[v];
      meets[k] = is_ahead & in_u & in_v;
    }
    unsigned bits = 0;
    for (std::size_t k = 0; k < TriangleTree::kChildren; ++k)
      bits |= static_cast<unsigned>(meets[k]) << k;
    return bits;
  }

  /// Where along the axis a child begins.
  [[nodiscard]] float low(const ChildBoxes& boxes, std::size_t k) const {
    return boxes.center[axis_][k] - boxes.half[axis_][k];
  }
  /// A child that begins behind this is beyond `nearest`.
  [[nodiscard]] float end(double nearest) const {
    const double place = times_power_of_two(nearest, -frame_.exponent) - frame_.center[axis_];
    return static_cast<float>(place + room_);
  }

 private:
  int axis_;
  const BodyFrame& frame_;
  double room_;
  float at_[3], wide_[3];
};

/// Calls visit(t) for the triangles of a leaf that the ray may meet.
template <class Visit>
void visit_leaf(const TriangleTree& tree, std::uint32_t leaf, const MeshView& mesh,
                const SideRay& ray, const Visit& visit) {
  for (std::size_t i = 0; i < tree.size_of(leaf); ++i) {
    const std::uint32_t t = tree.numbers[TriangleTree::kLeafTriangles * leaf + i];
    const Box3 box = box_of(mesh, t);
    if (ray.meets(box) && !ray.is_beyond(box)) visit(t);
  }
}

/// Calls visit(t) for the triangles that the ray may meet, nearer nodes first, so that the others
/// may be beyond what was met.
template <class Visit>
void visit_ahead(const TriangleTree& tree, const MeshView& mesh, const SideRay& ray,
                 const Visit& visit) {
  struct Part {
    float low;
    std::uint32_t level, number;
  };
  const BoxesOnRay on_ray(ray, tree);
  std::vector<Part> waiting;
  if (tree.triangles > 0) waiting.push_back({-std::numeric_limits<float>::infinity(), 0, 0});
  while (!waiting.empty()) {
    const Part top = waiting.back();
    waiting.pop_back();
    if (top.low > on_ray.end(ray.nearest())) continue;
    if (top.level == tree.levels()) {
      visit_leaf(tree, top.number, mesh, ray, visit);
      continue;
    }
    const ChildBoxes& boxes = tree.boxes[tree.first[top.level] + top.number];
    const std::size_t before = waiting.size();
    unsigned bits = on_ray.meeting(boxes);
    for (std::uint32_t k = 0; bits != 0; ++k, bits >>= 1)
      if ((bits & 1U) != 0)
        waiting.push_back({on_ray.low(boxes, k), top.level + 1,
                           static_cast<std::uint32_t>(TriangleTree::kChildren) * top.number + k});
    std::sort(waiting.begin() + static_cast<std::ptrdiff_t>(before), waiting.end(),
              [](const Part& x, const Part& y) {
                return x.low != y.low ? x.low > y.low : x.number > y.number;
              });
  }
}

/// The same by hulls.
template <class Visit>
void visit_ahead(const HullTree& tree, const SideRay& ray, const Visit& visit) {
  const BoxTree& boxes = tree.boxes();
  std::vector<std::size_t> waiting{0};
  while (!waiting.empty()) {
    const std::size_t node = waiting.back();
    waiting.pop_back();
    if (!ray.meets(boxes.box(node)) || ray.is_beyond(boxes.box(node))) continue;
    if (tree.is_apart_from(node, ray.ends(boxes.box(0)))) continue;
    if (!boxes.is_leaf(node)) {
      std::size_t near = 2 * node + 1, far = near + 1;
      if (ray.rank(tree, far) < ray.rank(tree, near)) std::swap(near, far);
      waiting.push_back(far);
      waiting.push_back(near);
      continue;
    }
    for (std::size_t slot = boxes.first_slot(node); slot < boxes.first_slot(node + 1); ++slot)
      if (ray.meets(boxes.item_box(slot)) && !ray.is_beyond(boxes.item_box(slot)))
        visit(tree.triangle(boxes.item(slot)));
  }
}

/// Calls visit(t) for each triangle whose box the ray meets.
template <class Visit>
void visit_all(const WindingScene& scene, const SideRay& ray, const Visit& visit) {
  if (const auto* tree = std::get_if<const TriangleTree*>(&scene.triangles))
    return visit_ahead(**tree, scene.mesh, ray, visit);
  if (const auto* tree = std::get_if<const HullTree*>(&scene.triangles))
    return visit_items((*tree)->boxes(), [&](const Box3& box) { return ray.meets(box); },
                       [&](std::uint32_t item) { visit((*tree)->triangle(item)); });
  for (const std::uint32_t t : std::get<std::span<const std::uint32_t>>(scene.triangles))
    if (ray.meets(box_of(scene.mesh, t))) visit(t);
}

}  // namespace

std::optional<FirstMet> first_met(const WindingScene& scene, std::uint32_t triangle,
                                  const Weights& at, std::span<const std::uint32_t> part) {
  SideRay ray(scene, triangle, at, {});
  std::uint64_t looks = 0;
  const auto visit = [&](std::uint32_t t) {
    ++looks;
    ray.pass_near(t, !part.empty() && part[t] == part[triangle]);
  };
  if (const auto* tree = std::get_if<const TriangleTree*>(&scene.triangles))
    visit_ahead(**tree, scene.mesh, ray, visit);
  else
    visit_ahead(*std::get<const HullTree*>(scene.triangles), ray, visit);
  if (scene.looks != nullptr) scene.looks->add(looks);
  return ray.first();
}

std::optional<FirstMet> first_met(const WindingScene& scene, std::uint32_t triangle,
                                  const TriangleCells& cells, std::size_t cell) {
  constexpr std::uint64_t kTries = 8;
  for (std::uint64_t choice = 0; choice < kTries; ++choice)
    if (auto met = first_met(scene, triangle, cells.interior_point(cell, choice))) return met;
  return std::nullopt;
}

std::optional<WindingSides> winding_sides(const WindingScene& scene, std::uint32_t triangle,
                                          const Weights& at,
                                          std::span<const std::uint32_t> ignored) {
  SideRay ray(scene, triangle, at, ignored);
  std::uint64_t looks = 0;
  visit_all(scene, ray, [&](std::uint32_t t) {
    ++looks;
    ray.pass(t);
  });
  if (scene.looks != nullptr) scene.looks->add(looks);
  return ray.sides();
}

std::optional<WindingSides> winding_sides(const WindingScene& scene, std::uint32_t triangle,
                                          const TriangleCells& cells, std::size_t cell,
                                          std::span<const std::uint32_t> ignored) {
  constexpr std::uint64_t kTries = 64;
  for (std::uint64_t choice = 0; choice < kTries; ++choice)
    if (const auto sides =
            winding_sides(scene, triangle, cells.interior_point(cell, choice), ignored))
      return sides;
  return std::nullopt;
}

}  // namespace plimsoll
