// The best pair of parts first: a heap of pairs, each with a number that no two points of them are
// nearer than. The nearest pair is opened, the larger of its parts, and its eight children are
// compared with the other at once; two leaves are measured triangle by triangle. The search ends
// where the nearest pair left is farther apart than two triangles that were measured, so that no
// search that knows these bounds alone opens fewer.
//
// Bounds are of boxes that lie as their triangles do (oriented_boxes.h), less what posing the
// vertices may round. Triangles whose boxes along the world's axes meet are asked exactly whether
// they have a point in common.
#include <plimsoll/distance.h>
#include <plimsoll/shape.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/no_index.h"
#include "core/power_of_two.h"
#include "proximity/leaf_kernel.h"
#include "proximity/triangle_distance.h"
#include "shape/number_text.h"
#include "tree/frame_map.h"
#include "tree/oriented_boxes.h"
#include "tree/triangle_pair.h"

namespace plimsoll {
namespace {

constexpr std::size_t kChildren = TriangleTree::kChildren, kLeaf = TriangleTree::kLeafTriangles;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// A node of a tree, or below the last level a leaf.
struct Part {
  std::uint32_t level = 0, number = 0;
};

struct PartPair {
  double bound = 0;                  // [units]
  Part part[2];                      // of a and of b
  float size[2] = {kWhole, kWhole};  // of their boxes, squared [units^2]

  static constexpr float kWhole = std::numeric_limits<float>::infinity();

  /// For a heap with the nearest on top.
  friend bool operator<(const PartPair& x, const PartPair& y) { return x.bound > y.bound; }
};

/// One of the two bodies.
struct Side {
  PosedTree posed;
  const std::vector<OrientedBoxes>* boxes;
  FrameMap to_other;
  double unit;  // of the frame [units]
};

}  // namespace

struct DistanceSearch::State {
  std::vector<PartPair> waiting;
  PosedLeaves leaves[2];
};

namespace {

/// One search: the units are meters times a power of two, so that no square of a size over- or
/// underflows.
class Search {
 public:
  Search(const PosedTree& a, const std::vector<OrientedBoxes>& a_boxes, const PosedTree& b,
         const std::vector<OrientedBoxes>& b_boxes, std::vector<PartPair>& waiting,
         PosedLeaves (&leaves)[2])
      : sides_{Side{a, &a_boxes, FrameMap(a, b), unit_of(a)},
               Side{b, &b_boxes, FrameMap(b, a), unit_of(b)}},
        waiting_(waiting),
        leaves_(leaves) {
    leaves_[0].start(a);
    leaves_[1].start(b);
    const double size =
        std::max(sides_[0].unit * a.tree->frame.reach, sides_[1].unit * b.tree->frame.reach);
    exponent_ = frame_exponent(size);
    for (Side& side : sides_) side.unit = times_power_of_two(side.unit, -exponent_);
  }

  /// Surfaces farther apart than that do not matter [m].
  void limit(double farthest) {
    best_ = limit_ = times_power_of_two(farthest, -exponent_);
    best_squared_ = limit_ * limit_;
  }

  /// Measures two leaves before all others, if the trees have them.
  void begin_with(std::size_t a_leaf, std::size_t b_leaf) {
    if (a_leaf < tree(0).leaf_count() && b_leaf < tree(1).leaf_count()) measure(a_leaf, b_leaf);
  }

  void run() {
    waiting_.assign(1, PartPair());
    while (!waiting_.empty() && contact_ != SurfaceContact::kCrosses) {
      std::pop_heap(waiting_.begin(), waiting_.end());
      const PartPair top = waiting_.back();
      waiting_.pop_back();
      if (is_too_far(top.bound)) return;
      const bool opens[2] = {is_node(0, top.part[0]), is_node(1, top.part[1])};
      if (!opens[0] && !opens[1]) {
        measure(top.part[0].number, top.part[1].number);
      } else {
        open(top, !opens[0] || (opens[1] && top.size[1] > top.size[0]) ? 1 : 0);
      }
    }
  }

  [[nodiscard]] SurfaceDistance result() const {
    SurfaceDistance found;
    found.contact = contact_;
    const auto meters = [&](double x) { return times_power_of_two(x, exponent_); };
    if (contact_ != SurfaceContact::kApart) {
      found.distance = found.lower = found.upper = 0;
    } else if (pair_) {
      found.distance = meters(best_);
      found.lower = meters(std::min(lower_, best_));
      found.upper = meters(upper_);
    } else {
      found.lower = meters(limit_);
    }
    if (pair_ && contact_ != SurfaceContact::kCrosses) found.nearest = points();
    return found;
  }

 private:
  struct Place {
    std::size_t leaf, triangle;
  };
  /// Two triangles.
  struct Pair {
    Place place[2];
    TripleCorners<double> corners[2];
    NearestPoints<double> nearest;
  };

  [[nodiscard]] const TriangleTree& tree(int side) const { return *sides_[side].posed.tree; }
  [[nodiscard]] bool is_node(int side, const Part& part) const {
    return part.level < tree(side).levels();
  }
  /// Where surfaces touch, all that may meet is looked at: they may cross elsewhere.
  [[nodiscard]] bool is_too_far(double bound) const {
    return bound > 0 && (contact_ == SurfaceContact::kTouches || bound >= best_);
  }

  /// The box around a part; around all a cube.
  [[nodiscard]] OrientedBox box_of(int side, const Part& part) const {
    const TriangleTree& in = tree(side);
    if (part.level == 0) {
      const auto reach = static_cast<float>(1.000001 * in.frame.reach);
      return {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {reach, reach, reach}};
    }
    return (*sides_[side].boxes)[in.first[part.level - 1] + part.number / kChildren]
                                [part.number % kChildren];
  }

  /// The box in the other body's frame.
  [[nodiscard]] static OrientedBox mapped(const FrameMap& map, const OrientedBox& box) {
    OrientedBox there;
    const auto set = [](float(&to)[3], const Vec3& from) {
      for (int i = 0; i < 3; ++i) to[i] = static_cast<float>(from[i]);
    };
    const auto vector = [](const float(&x)[3]) { return Vec3(x[0], x[1], x[2]); };
    set(there.center, map.linear * vector(box.center) + map.offset);
    set(there.half, map.scale * vector(box.half));
    for (int j = 0; j < 3; ++j) set(there.axis[j], map.linear * vector(box.axis[j]) / map.scale);
    return there;
  }

  /// Replaces a pair by those of the children of one of its parts.
  void open(const PartPair& pair, int side) {
    constexpr double kAlike = 1 - 0x1p-28;  // similarities hold lengths to 1e-9
    const Side& other = sides_[1 - side];
    const TriangleTree& in = tree(side);
    const Part part = pair.part[side];
    const OrientedBoxes& boxes = (*sides_[side].boxes)[in.first[part.level] + part.number];
    float gaps[kChildren];
    gaps_from_below(mapped(other.to_other, box_of(1 - side, pair.part[1 - side])), boxes, gaps);
    const std::size_t begin = kChildren * part.number;
    const std::size_t count = std::min(kChildren, in.width(part.level + 1) - begin);
    const double unit = sides_[side].unit;
    for (std::size_t k = 0; k < count; ++k) {
      // The room holds along each axis.
      const double gap = (gaps[k] - 1.75 * other.to_other.room) * kAlike;
      PartPair below = pair;
      below.bound = std::max(pair.bound, gap * unit);
      if (is_too_far(below.bound)) continue;
      below.part[side] = {part.level + 1, static_cast<std::uint32_t>(begin + k)};
      const double half[3] = {boxes.half[0][k], boxes.half[1][k], boxes.half[2][k]};
      below.size[side] = static_cast<float>(
          (half[0] * half[0] + half[1] * half[1] + half[2] * half[2]) * unit * unit);
      waiting_.push_back(below);
      std::push_heap(waiting_.begin(), waiting_.end());
    }
  }

  /// In units.
  [[nodiscard]] PosedLeaf leaf(int side, std::size_t number) {
    PosedLeaf posed = leaves_[side].posed(static_cast<std::uint32_t>(number));
    if (exponent_ == 0) return posed;
    const auto scale = [&](auto&... values) {
      ((values = times_power_of_two(values, -exponent_)), ...);
    };
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t t = 0; t < kLeaf; ++t)
        scale(posed.corner[0][i][t], posed.corner[1][i][t], posed.corner[2][i][t], posed.low[i][t],
              posed.high[i][t]);
    return posed;
  }

  [[nodiscard]] static TripleCorners<double> triangle(const PosedLeaf& leaf, std::size_t t) {
    TripleCorners<double> corners;
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t i = 0; i < 3; ++i) corners[k][i] = leaf.corner[k][i][t];
    return corners;
  }

  /// Between nearly nearest points of the boxes of two leaves, in the world: of a length of about
  /// 1, or 0 where they cannot be told.
  [[nodiscard]] Triple<double> normal_between(std::size_t a_leaf, std::size_t b_leaf) const {
    const auto leaf_box = [&](int side, std::size_t leaf) {
      const auto level = static_cast<std::uint32_t>(tree(side).levels());
      return box_of(side, {level, static_cast<std::uint32_t>(leaf)});
    };
    const OrientedBox a = mapped(sides_[0].to_other, leaf_box(0, a_leaf));
    const Vec3 n = sides_[1].posed.world_from_mesh.linear() * normal(a, leaf_box(1, b_leaf));
    const double largest = n.cwiseAbs().maxCoeff();
    if (!(largest > 0 && std::isfinite(largest)) || !n.allFinite()) return {0, 0, 0};
    return {n[0] / largest, n[1] / largest, n[2] / largest};
  }

  [[nodiscard]] static Vec3 normal(const OrientedBox& a, const OrientedBox& b) {
    const auto vector = [](const float(&x)[3]) { return Vec3(x[0], x[1], x[2]); };
    const auto nearest = [&](const OrientedBox& box, const Vec3& x) {
      Vec3 point = vector(box.center);
      for (int j = 0; j < 3; ++j) {
        const Vec3 axis = vector(box.axis[j]);
        const double half = box.half[j];
        point += std::clamp(axis.dot(x - vector(box.center)), -half, half) * axis;
      }
      return point;
    };
    Vec3 on_a, on_b = vector(b.center);
    for (int round = 0; round < 2; ++round) {
      on_a = nearest(a, on_b);
      on_b = nearest(b, on_a);
    }
    return on_b - on_a;
  }

  /// All pairs of triangles of two leaves that may be nearer than those before, or meet.
  void measure(std::size_t a_leaf, std::size_t b_leaf) {
    const PosedLeaf a = leaf(0, a_leaf), b = leaf(1, b_leaf);
    const LeafTriangles pairs = near_pairs(a, b, normal_between(a_leaf, b_leaf),
                                           contact_ == SurfaceContact::kApart ? best_ : 0);
    for (std::size_t i = 0; i < tree(0).size_of(a_leaf); ++i) {
      if ((pairs.near >> kLeaf * i & 0xFU) == 0) continue;
      const TripleCorners<double> of_a = triangle(a, i);
      double squared[kLeaf];
      squared_distances(of_a, b, squared);
      for (std::size_t j = 0; j < tree(1).size_of(b_leaf); ++j) {
        const unsigned bit = 1U << (kLeaf * i + j);
        if ((pairs.near & bit) == 0) continue;
        const Pair pair{{{a_leaf, i}, {b_leaf, j}}, {of_a, triangle(b, j)}, {}};
        if ((pairs.may_meet & bit) != 0) find_contact(pair);
        if (contact_ != SurfaceContact::kApart) continue;
        const double rounding = kSquareRounding * squared_size(pair.corners[0], pair.corners[1]);
        if (squared[j] - rounding <= best_squared_) improve(pair);
      }
    }
  }

  void find_contact(Pair pair) {
    const auto in_meters = [&](int side) {
      const Place& place = pair.place[side];
      return leaves_[side].posed(static_cast<std::uint32_t>(place.leaf)).corners(place.triangle);
    };
    const Meeting meeting = meeting_of(in_meters(0), in_meters(1));
    if (meeting == Meeting::kCrosses) contact_ = SurfaceContact::kCrosses;
    if (meeting != Meeting::kTouch || contact_ != SurfaceContact::kApart) return;
    contact_ = SurfaceContact::kTouches;
    pair.nearest = nearest_points(pair.corners[0], pair.corners[1]);
    pair_ = pair;
  }

  void improve(Pair pair) {
    pair.nearest = nearest_points(pair.corners[0], pair.corners[1]);
    const MeasuredDistance found = measured(pair.corners[0], pair.corners[1], pair.nearest);
    lower_ = std::min(lower_, found.lower);
    if (found.distance >= best_) return;
    best_ = found.distance;
    best_squared_ = found.nearest.squared;
    upper_ = found.upper;
    pair.nearest = found.nearest;
    pair_ = pair;
  }

  [[nodiscard]] SurfaceDistance::Points points() const {
    const auto point = [&](int side, const Triple<double>& weights) {
      NearestPoint at;
      const Triple<double> x = point_of(pair_->corners[side], weights);
      for (int i = 0; i < 3; ++i)
        at.at[i] = times_power_of_two(x[static_cast<std::size_t>(i)], exponent_);
      const Place& place = pair_->place[side];
      at.triangle = tree(side).numbers[kLeaf * place.leaf + place.triangle];
      at.leaf = static_cast<std::uint32_t>(place.leaf);
      const auto none = std::count(weights.begin(), weights.end(), 0.0);
      for (int k = 0; k < 3; ++k) {
        const double w = weights[static_cast<std::size_t>(k)];
        if (none == 2 && w != 0) at.number = k;
        if (none == 1 && w == 0) at.number = (k + 1) % 3;
      }
      at.part = none == 2   ? TrianglePart::kCorner
                : none == 1 ? TrianglePart::kEdge
                            : TrianglePart::kFace;
      return at;
    };
    return {point(0, pair_->nearest.on_a), point(1, pair_->nearest.on_b)};
  }

  std::array<Side, 2> sides_;
  std::vector<PartPair>& waiting_;
  PosedLeaves (&leaves_)[2];
  int exponent_ = 0;
  double limit_ = kInfinite;

  SurfaceContact contact_ = SurfaceContact::kApart;
  double best_ = kInfinite, best_squared_ = kInfinite;
  double upper_ = kInfinite, lower_ = kInfinite;
  std::optional<Pair> pair_;
};

Result<Similarity> pose_of(const Similarity& given, const char* where) {
  Result<Similarity> pose = nearest_similarity(given);
  if (!pose) return Error{pose.error().code, pose.error().message, where};
  return pose;
}

}  // namespace

DistanceTree::DistanceTree(const MeshTree& triangles)
    : tree_(triangles.tree_),
      boxes_(std::make_shared<const std::vector<OrientedBoxes>>(oriented_boxes(*tree_))) {}

Box3 DistanceTree::box() const { return tree_->box; }
std::size_t DistanceTree::triangle_count() const { return tree_->triangles; }
std::size_t DistanceTree::memory() const {
  return memory_of(*tree_) + boxes_->size() * sizeof(OrientedBoxes);
}

DistanceSearch::DistanceSearch() : state_(std::make_unique<State>()) {}
DistanceSearch::DistanceSearch(DistanceSearch&&) noexcept = default;
DistanceSearch& DistanceSearch::operator=(DistanceSearch&&) noexcept = default;
DistanceSearch::~DistanceSearch() = default;

Result<SurfaceDistance> DistanceSearch::find(const DistanceTree& a, const Similarity& world_from_a,
                                             const DistanceTree& b, const Similarity& world_from_b,
                                             const DistanceLimits& limits) {
  const Result<Similarity> a_pose = pose_of(world_from_a, "world_from_a");
  if (!a_pose) return a_pose.error();
  const Result<Similarity> b_pose = pose_of(world_from_b, "world_from_b");
  if (!b_pose) return b_pose.error();
  if (!(limits.farthest >= 0))
    return Error{ErrorCode::kInvalidArgument,
                 "found " + to_text(limits.farthest) + ", expected a number not below 0",
                 "farthest"};
  if (a.triangle_count() == 0 || b.triangle_count() == 0) {
    SurfaceDistance none;
    none.lower = kInfinite;
    return none;
  }
  Search search({a.tree_.get(), *a_pose}, *a.boxes_, {b.tree_.get(), *b_pose}, *b.boxes_,
                state_->waiting, state_->leaves);
  search.limit(limits.farthest);
  if (limits.last != nullptr && limits.last->nearest)
    search.begin_with(limits.last->nearest->on_a.leaf, limits.last->nearest->on_b.leaf);
  search.run();
  return search.result();
}

}  // namespace plimsoll
