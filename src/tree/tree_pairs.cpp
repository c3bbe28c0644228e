// How boxes are compared. Points of a are taken to the frame of b, both relative to the centers of
// their frames and in their units, by y = L x + t; the box with center c and half sizes h goes into
// the one with center L c + t and half sizes |L| h. Boxes of b are taken to the frame of a as well:
// two meet only if they do in both frames, that is if no axis of either separates them.
//
// What rounding may do, in units of the frame that boxes are taken to: with m a bound of the posed
// coordinates, posed() moves each coordinate by less than 4 x 2^-53 m [Higham2002, sec. 3.1], for a
// and for b, and computing L and t costs less than 2^-48 of their terms. As floats L, t and the box
// are off by 2^-24 each, and computing L c + t, |L| h and what the comparison does with them by
// less than 16 x 2^-24 of |L| r + |t| + r', r and r' being the reaches of the frames; floats of the
// boxes of the trees themselves are rounded outward. kDoubleRoom and kFloatRoom are more than that
// together.
#include "tree/tree_pairs.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace plimsoll {
namespace {

constexpr double kDoubleRoom = 0x1p-44, kFloatRoom = 0x1p-19;
/// Sums and products of numbers up to these neither overflow floats nor, where they count, fall
/// below the smallest.
constexpr double kLargeReach = 1e33, kFar = 1e36, kSteep = 1e37, kFlat = 0x1p-100;

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
  const Mat3 turn =
      inverse * from.world_from_mesh.linear() * std::ldexp(1.0, a.exponent - b.exponent);
  // From the world's point nearest to b's center, so that b's distance from the origin cancels.
  const Vec3 apart = from.world_from_mesh * a.to_meters(Vec3::Zero()) -
                     to.world_from_mesh * b.to_meters(Vec3::Zero());
  const Vec3 shift =
      (inverse * apart).unaryExpr([&](double x) { return std::ldexp(x, -b.exponent); });
  const double world = largest_coordinate(from) + largest_coordinate(to);
  const double reach = turn.cwiseAbs().rowwise().sum().maxCoeff() * a.reach + b.reach;
  const double rounded =
      std::ldexp(inverse.cwiseAbs().rowwise().sum().maxCoeff() * world, -b.exponent);
  const double hidden = kDoubleRoom * rounded + kFloatRoom * (shift.cwiseAbs().maxCoeff() + reach);
  const double steepness = turn.cwiseAbs().maxCoeff();
  const bool holds = steepness >= kFlat && steepness <= kSteep && reach <= kLargeReach &&
                     hidden <= kLargeReach && b.reach >= kFlat;  // not if one is not a number
  if (!holds) {
    room = static_cast<float>(kFar);
    return;
  }
  room = static_cast<float>(hidden);
  for (int i = 0; i < 3; ++i) {
    // Whatever is farther away than that is as far away as that.
    offset[i] = static_cast<float>(std::clamp(shift[i], -kFar, kFar));
    for (int j = 0; j < 3; ++j) linear[i][j] = static_cast<float>(turn(i, j));
  }
}

void PairWalk::start(const PosedTree& a, const PosedTree& b) {
  state_.a = a;
  state_.b = b;
  state_.found.clear();
  state_.waiting.clear();
  if (a.tree->triangles == 0 || b.tree->triangles == 0) return;
  state_.b_from_a = BoxMap(a, b);
  state_.a_from_b = BoxMap(b, a);
  state_.waiting.push_back({0, 0, 0, 0});
}

std::span<const LeafPair> PairWalk::next() {
  constexpr std::size_t kTogether = 512;
  state_.found.clear();
  walk_on(state_, kTogether);
  return state_.found;
}

std::span<const LeafPair> PairWalk::leaf_pairs(const PosedTree& a, const PosedTree& b) {
  start(a, b);
  walk_on(state_, std::numeric_limits<std::size_t>::max());
  return state_.found;
}

}  // namespace plimsoll
