// How boxes are compared. Points of a are taken to the frame of b, both relative to the centers of
// their frames and in their units, by y = L x + t; the box with center c and half sizes h goes into
// the one with center L c + t and half sizes |L| h.
//
// What rounding may do, in units of b's frame: with m a bound of the posed coordinates, posed()
// moves each coordinate by less than 4 x 2^-53 m [Higham2002, sec. 3.1], for a and for b, and
// computing L and t costs less than 2^-48 of their terms. Floats hold centers and half sizes to
// 2^-24, outward rounding included in the boxes of the trees themselves. kDoubleRoom and kFloatRoom
// are more than that together.
#include "tree/tree_pairs.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace plimsoll {
namespace {

constexpr double kDoubleRoom = 0x1p-44, kFloatRoom = 0x1p-20;
/// Units of b's frame. Boxes larger than that are taken for endless, and all that is farther away
/// for that far away, so that no float overflows.
constexpr double kEndless = 1e15, kFar = 1e30;

/// The boxes that hold a part's own, and its place among them.
const ChildBoxes& boxes_of_parent(const TriangleTree& tree, std::uint32_t level,
                                  std::uint32_t part) {
  return tree.boxes[tree.first[level - 1] + part / TriangleTree::kChildren];
}

}  // namespace

double largest_coordinate(const PosedTree& posed) {
  const Box3& box = posed.tree->box;
  const Vec3 largest = box.min().cwiseAbs().cwiseMax(box.max().cwiseAbs());
  const Vec3 sums = posed.world_from_mesh.linear().cwiseAbs() * largest +
                    posed.world_from_mesh.translation().cwiseAbs();
  return sums.maxCoeff();
}

BoxMap::BoxMap(const PosedTree& from, const PosedTree& to) {
  const BodyFrame &a = from.tree->frame, &b = to.tree->frame;
  const double size = to.world_from_mesh.linear().cwiseAbs().maxCoeff();
  const Mat3 inverse = Mat3(to.world_from_mesh.linear() / size).inverse() / size;
  const Vec3 center = from.world_from_mesh * a.to_meters(Vec3::Zero());
  linear_ = inverse * from.world_from_mesh.linear() * std::ldexp(1.0, a.exponent - b.exponent);
  // From the world's point nearest to b's center, so that b's distance from the origin cancels.
  const Vec3 apart = center - to.world_from_mesh * b.to_meters(Vec3::Zero());
  offset_ = (inverse * apart).unaryExpr([&](double x) { return std::ldexp(x, -b.exponent); });
  const double world = largest_coordinate(from) + largest_coordinate(to);
  const double reach = linear_.cwiseAbs().rowwise().sum().maxCoeff() * a.reach + b.reach;
  const double rounded =
      std::ldexp(inverse.cwiseAbs().rowwise().sum().maxCoeff() * world, -b.exponent);
  room_ = kDoubleRoom * rounded + kFloatRoom * (offset_.cwiseAbs().maxCoeff() + reach);
}

FloatBox BoxMap::operator()(const ChildBoxes& boxes, std::size_t k) const {
  const Vec3 center(boxes.center[0][k], boxes.center[1][k], boxes.center[2][k]);
  const Vec3 half(boxes.half[0][k], boxes.half[1][k], boxes.half[2][k]);
  const Vec3 c = linear_ * center + offset_;
  const Vec3 h = linear_.cwiseAbs() * half + Vec3::Constant(room_);
  FloatBox box;
  for (int i = 0; i < 3; ++i) {
    const bool is_endless = !(h[i] <= kEndless);  // or not a number
    box.center[i] = is_endless ? 0 : static_cast<float>(std::clamp(c[i], -kFar, kFar));
    box.half[i] = static_cast<float>(is_endless ? 4 * kFar : h[i]);
  }
  return box;
}

void PairWalk::start(const PosedTree& a, const PosedTree& b) {
  a_ = a;
  b_ = b;
  found_.clear();
  waiting_.clear();
  if (a.tree->triangles == 0 || b.tree->triangles == 0) return;
  map_ = BoxMap(a, b);
  waiting_.push_back({0, 0, 0, 0});
}

std::span<const LeafPair> PairWalk::next() {
  constexpr std::size_t kTogether = 512;
  found_.clear();
  find(kTogether);
  return found_;
}

std::span<const LeafPair> PairWalk::leaf_pairs(const PosedTree& a, const PosedTree& b) {
  start(a, b);
  find(std::numeric_limits<std::size_t>::max());
  return found_;
}

void PairWalk::find(std::size_t enough) {
  const TriangleTree &in_a = *a_.tree, &in_b = *b_.tree;
  constexpr std::uint32_t kChildren = TriangleTree::kChildren;
  const auto a_leaves = static_cast<std::uint32_t>(in_a.levels());
  const auto b_leaves = static_cast<std::uint32_t>(in_b.levels());
  while (!waiting_.empty() && found_.size() < enough) {
    const Parts top = waiting_.back();
    waiting_.pop_back();
    const bool opens_a = top.a_level < a_leaves, opens_b = top.b_level < b_leaves;
    if (!opens_a && !opens_b) {
      found_.push_back({top.a, top.b});
      continue;
    }
    const ChildBoxes& a_boxes = opens_a ? in_a.boxes[in_a.first[top.a_level] + top.a]
                                        : boxes_of_parent(in_a, top.a_level, top.a);
    const ChildBoxes& b_boxes = opens_b ? in_b.boxes[in_b.first[top.b_level] + top.b]
                                        : boxes_of_parent(in_b, top.b_level, top.b);
    const std::uint32_t a_begin = opens_a ? 0 : top.a % kChildren;
    const std::uint32_t a_end = opens_a ? kChildren : a_begin + 1;
    for (std::uint32_t i = a_begin; i < a_end; ++i) {
      if (!a_boxes.is_there(i)) continue;
      unsigned bits = meeting(map_(a_boxes, i), b_boxes);
      if (!opens_b) bits &= 1U << (top.b % kChildren);
      for (std::uint32_t k = 0; bits != 0; ++k, bits >>= 1)
        if ((bits & 1U) != 0)
          waiting_.push_back(
              {opens_a ? top.a_level + 1 : top.a_level, opens_a ? kChildren * top.a + i : top.a,
               opens_b ? top.b_level + 1 : top.b_level, opens_b ? kChildren * top.b + k : top.b});
    }
  }
}

}  // namespace plimsoll
