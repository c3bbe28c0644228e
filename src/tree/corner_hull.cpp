#include "tree/corner_hull.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace plimsoll {
namespace {

constexpr std::size_t kBoxes = CornerHull::kBoxes;

/// One to four points. reduce() keeps those that the point nearest to 0 lies between.
class Simplex {
 public:
  void add(const Vec3& point) { point_[count_++] = point; }

  /// The point of the simplex that is nearest to 0; 0 where that is inside.
  Vec3 reduce() {
    if (count_ == 1) return point_[0];
    if (count_ == 2) return reduce_segment();
    return count_ == 3 ? reduce_triangle() : reduce_tetrahedron();
  }

 private:
  Vec3 keep(const Vec3& a) {
    point_[0] = a;
    count_ = 1;
    return a;
  }
  Vec3 reduce_segment() {
    const Vec3 a = point_[0], b = point_[1], edge = b - a;
    const double at = -a.dot(edge), length = edge.squaredNorm();
    if (!(at > 0)) return keep(a);
    if (at >= length) return keep(b);
    return a + at / length * edge;
  }
  Vec3 reduce_to(const Vec3& a, const Vec3& b) {
    point_[0] = a;
    point_[1] = b;
    count_ = 2;
    return reduce_segment();
  }
  /// Beyond which edges 0 is; of two, the nearer.
  Vec3 reduce_triangle() {
    const std::array<Vec3, 3> p{point_[0], point_[1], point_[2]};
    const Vec3 normal = (p[1] - p[0]).cross(p[2] - p[0]);
    Simplex best;
    double least = std::numeric_limits<double>::infinity();
    Vec3 nearest = Vec3::Zero();
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 &a = p[i], &b = p[(i + 1) % 3];
      if (normal.cross(b - a).dot(a) < 0) continue;  // 0 is on the inner side
      Simplex edge;
      const Vec3 x = edge.reduce_to(a, b);
      if (!(x.squaredNorm() < least)) continue;
      least = x.squaredNorm();
      nearest = x;
      best = edge;
    }
    if (std::isfinite(least)) {
      *this = best;
      return nearest;
    }
    return normal * (normal.dot(p[0]) / normal.squaredNorm());
  }
  Vec3 reduce_tetrahedron() {
    const std::array<Vec3, 4> p = point_;
    Simplex best;
    double least = std::numeric_limits<double>::infinity();
    Vec3 nearest = Vec3::Zero();
    for (std::size_t out = 0; out < 4; ++out) {
      const Vec3 &a = p[(out + 1) % 4], &b = p[(out + 2) % 4], &c = p[(out + 3) % 4];
      const Vec3 normal = (b - a).cross(c - a);
      if (normal.dot(a) * normal.dot(a - p[out]) > 0) continue;  // 0 is on the inner side
      Simplex face;
      face.add(a);
      face.add(b);
      face.add(c);
      const Vec3 x = face.reduce_triangle();
      if (!(x.squaredNorm() < least)) continue;
      least = x.squaredNorm();
      nearest = x;
      best = face;
    }
    *this = best;
    return nearest;
  }

  std::array<Vec3, 4> point_{Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  std::size_t count_ = 0;
};

double largest(const double (&x)[kBoxes]) {
  return std::max(std::max(std::max(x[0], x[4]), std::max(x[1], x[5])),
                  std::max(std::max(x[2], x[6]), std::max(x[3], x[7])));
}

/// How far each box reaches along d.
struct Support {
  double value[kBoxes];

  Support(const CornerHull& hull, const Vec3& d) {
    double along[3];
    for (std::size_t j = 0; j < 3; ++j) along[j] = std::fabs(d.dot(Vec3::Map(hull.axis[j])));
    for (std::size_t i = 0; i < kBoxes; ++i)
      value[i] = ((d[0] * hull.center[0][i] + along[0] * hull.half[0][i]) +
                  (d[1] * hull.center[1][i] + along[1] * hull.half[1][i])) +
                 (d[2] * hull.center[2][i] + along[2] * hull.half[2][i]);
  }
  [[nodiscard]] double most() const { return largest(value); }
  /// The point that reaches farthest.
  [[nodiscard]] Vec3 farthest(const CornerHull& hull, const Vec3& d) const {
    const auto i = static_cast<std::size_t>(std::max_element(value, value + kBoxes) - value);
    Vec3 x(hull.center[0][i], hull.center[1][i], hull.center[2][i]);
    for (std::size_t j = 0; j < 3; ++j) {
      const auto axis = Vec3::Map(hull.axis[j]);
      x += std::copysign(hull.half[j][i], d.dot(axis)) * axis;
    }
    return x;
  }
};

double gap_along(const CornerHull& a, const CornerHull& b, const Vec3& d) {
  return -Support(b, -d).most() - Support(a, d).most();
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
  for (std::size_t j = 0; j < 3; ++j) Vec3::Map(hull.axis[j]) = axes.row(static_cast<int>(j));
  for (std::size_t i = 0; i < kBoxes; ++i) {
    const Box3& box = boxes[i < count ? i : 0];
    const Vec3 center = origin + axes.transpose() * box.center(), half = box.sizes() / 2;
    for (std::size_t k = 0; k < 3; ++k) {
      hull.center[k][i] = center[static_cast<int>(k)];
      hull.half[k][i] = half[static_cast<int>(k)];
    }
    hull.reach = std::max(hull.reach, center.cwiseAbs().maxCoeff() + half.sum());
  }
  return hull;
}

}  // namespace

CornerHull CornerHull::around(std::span<const Vec3> points) { return hull_around({points, {}}); }

CornerHull CornerHull::around(std::span<const CornerHull> hulls) {
  std::array<Vec3, kMostPoints> middles;
  std::size_t count = 0;
  for (const CornerHull& hull : hulls)
    for (std::size_t i = 0; i < kBoxes; ++i)
      middles[count++] = {hull.center[0][i], hull.center[1][i], hull.center[2][i]};
  return hull_around({{middles.data(), count}, hulls});
}

CornerHull CornerHull::posed(const Similarity& pose) const {
  CornerHull hull = *this;
  hull.reach = reach * pose.linear().cwiseAbs().rowwise().sum().maxCoeff() +
               pose.translation().cwiseAbs().maxCoeff();
  for (std::size_t j = 0; j < 3; ++j) Vec3::Map(hull.axis[j]) = pose.linear() * Vec3::Map(axis[j]);
  for (std::size_t i = 0; i < kBoxes; ++i) {
    const Vec3 at = pose * Vec3(center[0][i], center[1][i], center[2][i]);
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
    if (gap_along(a, b, last_) > room_of_last || gap_along(b, a, last_) > room_of_last) return true;
  }
  constexpr int kSteps = 16;
  Vec3 way = Vec3::Zero();
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t i = 0; i < kBoxes; ++i)
      way[static_cast<int>(k)] += (b.center[k][i] - a.center[k][i]) / kBoxes;
  Simplex simplex;
  for (int step = 0; step < kSteps; ++step) {
    const Support of_a(a, way), of_b(b, -way);
    if (-of_b.most() - of_a.most() > room_along(way)) {
      last_ = way;
      return true;
    }
    // Nearer to 0 than `way` by less than rounding goes: the hulls touch, or nearly.
    const Vec3 next = of_b.farthest(b, -way) - of_a.farthest(a, way);
    const double length = way.squaredNorm();
    if (step > 0 && !(length - way.dot(next) > 0x1p-40 * length)) return false;
    simplex.add(next);
    way = simplex.reduce();
    if (!(way.squaredNorm() > 0)) return false;
  }
  return false;
}

}  // namespace plimsoll
