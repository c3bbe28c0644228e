#include "tree/corner_hull.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tree/simplex.h"

namespace plimsoll {
namespace {

constexpr std::size_t kBoxes = CornerHull::kBoxes;

/// The corner of a box that reaches farthest along d.
Vec3 farthest_corner(const CornerHull& hull, std::size_t box, const Vec3& d) {
  Vec3 x = hull.center_of(box);
  for (std::size_t j = 0; j < 3; ++j) {
    const auto axis = Vec3::Map(hull.axis[j]);
    x += std::copysign(hull.half[j][box], d.dot(axis)) * axis;
  }
  return x;
}

/// What a hull goes around: middles of boxes, their half sizes along the axes of one of several
/// hulls.
struct Pieces {
  std::span<const Vec3> middles;
  std::span<const CornerHull> hulls;  ///< Of which each has kBoxes of the middles; none for points.

  [[nodiscard]] std::size_t farthest_from(const Vec3& x) const {
    return most([&](const Vec3& p) { return (p - x).squaredNorm(); });
  }
  template <class Measure>
  [[nodiscard]] std::size_t most(const Measure& measure) const {
    std::size_t best = 0;
    double most = -1;
    for (std::size_t i = 0; i < middles.size(); ++i) {
      const double value = measure(middles[i]);
      if (!(value > most)) continue;
      most = value;
      best = i;
    }
    return best;
  }
};

/// Rows: the way between two middles far apart, what is farthest from it, and the normal of both.
Mat3 axes_of(const Pieces& pieces, std::size_t one) {
  const Vec3 from = pieces.middles[one];
  const Vec3 way = pieces.middles[pieces.farthest_from(from)] - from;
  const double length = way.norm();
  if (!(length > 0 && std::isfinite(length))) return Mat3::Identity();
  Mat3 axes;
  axes.row(0) = way / length;
  const auto across = [&](const Vec3& p) {
    const Vec3 x = p - from;
    return Vec3(x - x.dot(axes.row(0)) * axes.row(0).transpose());
  };
  Vec3 second =
      across(pieces.middles[pieces.most([&](const Vec3& p) { return across(p).squaredNorm(); })]);
  if (!(second.norm() > 0x1p-40 * length)) second = Vec3(axes.row(0)).unitOrthogonal();
  second -= second.dot(axes.row(0)) * axes.row(0).transpose();
  axes.row(1) = second.normalized();
  axes.row(2) = axes.row(0).cross(axes.row(1));
  return axes;
}

/// To which of some middles that lie far apart each is nearest [Gonzalez1985]. Returns how many.
std::size_t group_pieces(const Pieces& pieces, std::size_t next, std::span<std::uint8_t> group) {
  std::array<double, CornerHull::kMostPoints> distance;
  distance.fill(std::numeric_limits<double>::infinity());
  for (std::size_t count = 0; count < kBoxes;) {
    const Vec3 seed = pieces.middles[next];
    double farthest = 0;
    for (std::size_t i = 0; i < pieces.middles.size(); ++i) {
      const double from_seed = (pieces.middles[i] - seed).squaredNorm();
      if (from_seed < distance[i]) {
        distance[i] = from_seed;
        group[i] = static_cast<std::uint8_t>(count);
      }
      if (distance[i] > farthest) {
        farthest = distance[i];
        next = i;
      }
    }
    ++count;
    if (!(farthest > 0)) return count;
  }
  return kBoxes;
}

CornerHull hull_around(const Pieces& pieces) {
  std::array<std::uint8_t, CornerHull::kMostPoints> group{};
  const Vec3 origin = pieces.middles[0];
  const std::size_t one = pieces.farthest_from(origin);
  const Mat3 axes = axes_of(pieces, one);
  const std::size_t count = group_pieces(pieces, one, group);
  std::array<Box3, kBoxes> boxes;  // along the axes, from the origin
  for (std::size_t i = 0; i < pieces.middles.size(); ++i) {
    const Vec3 at = axes * (pieces.middles[i] - origin);
    Vec3 half = Vec3::Zero();
    if (!pieces.hulls.empty()) {
      const CornerHull& hull = pieces.hulls[i / kBoxes];
      for (std::size_t j = 0; j < 3; ++j)
        half += hull.half[j][i % kBoxes] * (axes * Vec3::Map(hull.axis[j])).cwiseAbs();
    }
    boxes[group[i]].extend(Vec3(at - half)).extend(Vec3(at + half));
  }
  CornerHull hull;
  hull.reach = 0;
  Vec3 middle = Vec3::Zero();
  for (std::size_t j = 0; j < 3; ++j) Vec3::Map(hull.axis[j]) = axes.row(static_cast<int>(j));
  for (std::size_t i = 0; i < kBoxes; ++i) {
    const Box3& box = boxes[i < count ? i : 0];
    const Vec3 center = origin + axes.transpose() * box.center(), half = box.sizes() / 2;
    for (std::size_t k = 0; k < 3; ++k) {
      hull.center[k][i] = center[static_cast<int>(k)];
      hull.half[k][i] = half[static_cast<int>(k)];
    }
    middle += center / kBoxes;
    hull.reach = std::max(hull.reach, center.cwiseAbs().maxCoeff() + half.sum());
  }
  Vec3::Map(hull.middle) = middle;
  return hull;
}

}  // namespace

CornerHull CornerHull::around(std::span<const Vec3> points) { return hull_around({points, {}}); }

CornerHull CornerHull::around(std::span<const CornerHull> hulls) {
  std::array<Vec3, kMostPoints> middles;
  std::size_t count = 0;
  for (const CornerHull& hull : hulls)
    for (std::size_t i = 0; i < kBoxes; ++i) middles[count++] = hull.center_of(i);
  return hull_around({{middles.data(), count}, hulls});
}

CornerHull CornerHull::posed(const Similarity& pose) const {
  CornerHull hull = *this;
  hull.reach = reach * pose.linear().cwiseAbs().rowwise().sum().maxCoeff() +
               pose.translation().cwiseAbs().maxCoeff();
  Vec3::Map(hull.middle) = pose * Vec3::Map(middle);
  for (std::size_t j = 0; j < 3; ++j) Vec3::Map(hull.axis[j]) = pose.linear() * Vec3::Map(axis[j]);
  for (std::size_t i = 0; i < kBoxes; ++i) {
    const Vec3 at = pose * center_of(i);
    for (std::size_t k = 0; k < 3; ++k) hull.center[k][i] = at[static_cast<int>(k)];
  }
  return hull;
}

// A sum of six products is off by less than 8 u of those of the absolute values, and what is in a
// hull of ten levels may stick out of it by less than 2^-48 of the reach.
bool HullSeparation::are_apart(const CornerHull& a, const CornerHull& b) {
  const double reach = 0x1p-45 * std::max(a.reach, b.reach);
  const auto room_along = [reach](const Vec3& d) { return reach * d.lpNorm<1>() + 0x1p-1000; };
  if (last_ != Vec3::Zero()) {
    const double room_of_last = room_along(last_);
    if (reaches_of(a, b, last_).gap() > room_of_last) return true;
    if (reaches_of(b, a, last_).gap() > room_of_last) return true;
  }
  constexpr int kSteps = 16;
  Vec3 way = Vec3::Map(b.middle) - Vec3::Map(a.middle);
  Vec3 nearest = way;
  std::array<Triple<double>, 4> simplex;  // differences of points, of which `nearest` is the foot
  std::size_t count = 0;
  for (int step = 0; step < kSteps; ++step) {
    const HullReaches reaches = reaches_of(a, b, way);
    if (reaches.gap() > room_along(way)) {
      last_ = way;
      return true;
    }
    const auto& [in_a, in_b] = reaches;
    if (in_a.box >= kBoxes || in_b.box >= kBoxes) return false;
    const Vec3 next = farthest_corner(b, in_b.box, -way) - farthest_corner(a, in_a.box, way);
    const double length = nearest.squaredNorm();
    // Nearer to 0 than `nearest` by less than rounding goes: the hulls touch, or nearly.
    if (step > 0 && !(length - nearest.dot(next) > 0x1p-40 * length)) return false;
    simplex[count++] = {next[0], next[1], next[2]};
    const SimplexFoot foot = foot_of_simplex(std::span(simplex).first(count));
    count = keep_points_of(foot, std::span(simplex).first(count));
    nearest = Vec3::Map(foot.at.data());
    way = Vec3::Map(foot.way.data());
    // No plane parts hulls by more than two points of them are apart.
    if (count == simplex.size() || !(nearest.squaredNorm() > reach * reach)) return false;
  }
  return false;
}

}  // namespace plimsoll
