#include "proximity/ray_triangle.h"

#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

#include "core/double_double.h"
#include "core/expansion.h"
#include "core/predicates.h"
#include "proximity/triangle_distance.h"

namespace plimsoll {
namespace {

using Quad = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<113, boost::multiprecision::digit_base_2>,
    boost::multiprecision::et_off>;
using Rational = boost::multiprecision::cpp_rational;

template <class Real>
Triple<Real> from_to(const Vec3& a, const Vec3& b) {
  Triple<Real> d;
  for (int i = 0; i < 3; ++i) d[static_cast<std::size_t>(i)] = Real(b[i]) - Real(a[i]);
  return d;
}

/// The same as along_of in numbers of 106 bits, where nothing of it cancels to less than 2^-30:
/// then errors, below 2^-96 of the terms, are below 2^-60 of it. Nothing else.
std::optional<double> along_where_sharp(const RayPoints& ray, const std::array<Vec3, 3>& triangle) {
  constexpr double kSharp = 0x1p-30, kLeast = 0x1p-90, kMost = 0x1p90;
  const auto difference = [](const Vec3& a, const Vec3& b) {
    Triple<Parts> d;
    for (int i = 0; i < 3; ++i) d[static_cast<std::size_t>(i)] = exact_sum(b[i], -a[i]);
    return d;
  };
  const auto size = [](const Triple<Parts>& x) {
    return std::max({std::fabs(x[0].high), std::fabs(x[1].high), std::fabs(x[2].high)});
  };
  const Triple<Parts> d = difference(ray.from, ray.through);
  const double length = size(d);
  TripleCorners<Parts> corner;
  double farthest = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    corner[k] = difference(ray.from, triangle[k]);
    farthest = std::max(farthest, size(corner[k]));
  }
  if (!(length > kLeast && length < kMost && farthest > kLeast && farthest < kMost))
    return std::nullopt;
  Parts sum{0, 0}, along{0, 0};
  for (std::size_t k = 0; k < 3; ++k) {
    const Parts weight = dot(d, cross(corner[(k + 1) % 3], corner[(k + 2) % 3]));
    sum = sum + weight;
    along = along + weight * dot(corner[k], d);
  }
  const double largest = 18 * length * farthest * farthest;  // what the terms of the sum add up to
  if (!(std::fabs(sum.high) > kSharp * largest) ||
      !(std::fabs(along.high) > kSharp * largest * 3 * farthest * length))
    return std::nullopt;
  const Parts there = along / (sum * dot(d, d));
  return std::max(0.0, there.high + there.low);
}

/// The line passes the inside or an edge, and is not in the plane. The triangle's point there has
/// weights in proportion to the determinants of the line and the opposite edges, which are off by
/// less than 2^-108 of their terms: where these cancel to less than 2^-50, the line being nearly in
/// the plane, quotients of whole numbers are taken.
double along_of(const RayPoints& ray, const std::array<Vec3, 3>& triangle) {
  if (const std::optional<double> along = along_where_sharp(ray, triangle)) return *along;
  const Triple<Quad> d = from_to<Quad>(ray.from, ray.through);
  TripleCorners<Quad> corner;
  for (std::size_t k = 0; k < 3; ++k) corner[k] = from_to<Quad>(ray.from, triangle[k]);
  Quad sum = 0, along = 0, terms = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const Triple<Quad>&p = corner[(k + 1) % 3], &q = corner[(k + 2) % 3];
    const Quad weight = dot(d, cross(p, q));
    sum += weight;
    along += weight * dot(corner[k], d);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, l = (i + 2) % 3;
      terms += abs(d[i]) * (abs(p[j] * q[l]) + abs(p[l] * q[j]));
    }
  }
  if (abs(sum) > terms * 0x1p-50)
    return std::max(0.0, static_cast<double>(Quad(along / (sum * dot(d, d)))));
  const Triple<Rational> a = from_to<Rational>(ray.from, triangle[0]);
  const Triple<Rational> normal = cross(from_to<Rational>(triangle[0], triangle[1]),
                                        from_to<Rational>(triangle[0], triangle[2]));
  const Triple<Rational> line = from_to<Rational>(ray.from, ray.through);
  return static_cast<double>(Rational(dot(normal, a) / dot(normal, line)));
}

/// The least x >= 0 at which a ray from 0 along d meets the segment from p to q. The line through
/// the ray and the segment are in one plane.
std::optional<Rational> along_of_segment(const Triple<Rational>& d, const Triple<Rational>& p,
                                         const Triple<Rational>& q) {
  const Triple<Rational> e = q - p;
  const Triple<Rational> n = cross(d, e), off = cross(p, d);
  const Rational dd = dot(d, d), nn = dot(n, n);
  if (nn > 0) {
    const Rational on_segment = dot(off, n) / nn;
    const Rational along = dot(cross(p, e), n) / nn;
    if (on_segment < 0 || on_segment > 1 || along < 0) return std::nullopt;
    return along;
  }
  if (dot(off, off) != 0) return std::nullopt;  // beside the line
  const Rational first = dot(p, d) / dd, last = dot(q, d) / dd;
  if (first < 0 && last < 0) return std::nullopt;
  return std::max(Rational(0), Rational(std::min(first, last)));
}

/// In the plane of the triangle, or of one without area, in whole numbers.
std::optional<double> along_in_plane_exactly(const RayPoints& ray,
                                             const std::array<Vec3, 3>& triangle) {
  const Triple<Rational> d = from_to<Rational>(ray.from, ray.through);
  TripleCorners<Rational> corner;
  for (std::size_t k = 0; k < 3; ++k) corner[k] = from_to<Rational>(ray.from, triangle[k]);
  std::optional<Rational> first;
  bool is_ahead = false, is_back = false;
  for (std::size_t k = 0; k < 3; ++k) {
    const Triple<Rational>&p = corner[k], &q = corner[(k + 1) % 3];
    const std::optional<Rational> along = along_of_segment(d, p, q);
    const Triple<Rational> minus_d{-d[0], -d[1], -d[2]};
    is_ahead = is_ahead || along.has_value();
    is_back = is_back || along_of_segment(minus_d, p, q).has_value();
    if (along && (!first || *along < *first)) first = along;
  }
  if (!first) return std::nullopt;
  // With edges before and behind it, it begins within the triangle.
  return is_ahead && is_back ? 0.0 : static_cast<double>(*first);
}

/// A number, and the most that it is off by.
struct Rounded {
  Quad value, error;

  /// -1, 1, or 0 where that is not known.
  [[nodiscard]] int sign() const { return value > error ? 1 : value < -error ? -1 : 0; }
  /// The double next to the true number, where that is known.
  [[nodiscard]] std::optional<double> nearest() const {
    const auto low = static_cast<double>(Quad(value - error));
    if (low == static_cast<double>(Quad(value + error))) return low;
    return std::nullopt;
  }
};

/// What a ray and a triangle with area, in one plane, have in common.
struct InPlane {
  bool is_known;                ///< Else rounding leaves it open.
  std::optional<double> along;  ///< Nothing where they are apart.
};

/// Corners that are not all on one side of the line, `sides`, and where the line passes the edges
/// between them. With c_p = (d x p)_axis in the plane, the line passes pq at
///
///   along = (c_p q_m - c_q p_m) / (d_m (c_p - c_q)),
///
/// m the axis along which d is longest, and c_p, c_q of different signs, so that only c_p, c_q and
/// the numerator cancel. All is rounded to 2^-113 of its terms some ten times over.
InPlane along_in_plane_rounded(const RayPoints& ray, const std::array<Vec3, 3>& triangle, int axis,
                               const std::array<int, 3>& sides) {
  constexpr double kRounding = 0x1p-108;
  const std::size_t u = (static_cast<std::size_t>(axis) + 1) % 3, v = (u + 1) % 3;
  const Triple<Quad> d = from_to<Quad>(ray.from, ray.through);
  const std::size_t m = abs(d[u]) > abs(d[v]) ? u : v;
  TripleCorners<Quad> corner;
  std::array<Rounded, 3> cross;
  for (std::size_t k = 0; k < 3; ++k) {
    corner[k] = from_to<Quad>(ray.from, triangle[k]);
    const Quad left = d[u] * corner[k][v], right = d[v] * corner[k][u];
    cross[k] = {left - right, kRounding * (abs(left) + abs(right))};
  }
  std::optional<Rounded> first, last;  // with the error of that which is least known
  const auto add = [&](Rounded along) {
    if (first) along.error = std::max(along.error, first->error);
    first = {first ? std::min(first->value, along.value) : along.value, along.error};
    last = {last ? std::max(last->value, along.value) : along.value, along.error};
  };
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t l = (k + 1) % 3;
    const Quad p = corner[k][m], q = corner[l][m];
    if (sides[k] == 0) add({p / d[m], kRounding * abs(p / d[m])});
    if (sides[k] * sides[l] >= 0) continue;
    const Quad sum = cross[k].value - cross[l].value;
    const Quad sum_error = cross[k].error + cross[l].error;
    if (!(abs(sum) > 2 * sum_error)) return {false, std::nullopt};
    const Quad along = (cross[k].value * q - cross[l].value * p) / (d[m] * sum);
    const Quad error =
        (cross[k].error * abs(q) + cross[l].error * abs(p)) / abs(d[m] * sum) +
        abs(along) * sum_error / abs(sum) +
        kRounding * (abs(cross[k].value * q) + abs(cross[l].value * p)) / abs(d[m] * sum);
    add({along, 4 * error});
  }
  if (last->sign() < 0) return {true, std::nullopt};
  if (last->sign() == 0 || first->sign() == 0) return {false, std::nullopt};
  if (first->sign() < 0) return {true, 0.0};
  const std::optional<double> along = first->nearest();
  return {along.has_value(), along};
}

/// An axis along which a triangle does not project to a line; nothing where it has no area.
std::optional<int> axis_of(const std::array<Vec3, 3>& triangle) {
  for (int axis = 0; axis < 3; ++axis)
    if (orient2d(triangle[0], triangle[1], triangle[2], axis) != 0) return axis;
  return std::nullopt;
}

/// In the plane of the triangle, or of one without area.
std::optional<double> along_in_plane(const RayPoints& ray, const std::array<Vec3, 3>& triangle,
                                     std::size_t* quotients) {
  if (const std::optional<int> axis = axis_of(triangle)) {
    std::array<int, 3> sides;
    for (std::size_t k = 0; k < 3; ++k)
      sides[k] = orient2d(ray.from, ray.through, triangle[k], *axis);
    if (sides[0] != 0 && sides[0] == sides[1] && sides[1] == sides[2]) return std::nullopt;
    const InPlane found = along_in_plane_rounded(ray, triangle, *axis, sides);
    if (found.is_known) return found.along;
  }
  if (quotients != nullptr) ++*quotients;
  return along_in_plane_exactly(ray, triangle);
}

}  // namespace

bool RaySides::is_next_to_line(const Vec3& p) const {
  constexpr double kNext = 0x1p-40;
  const Vec3 d = ray_.through - ray_.from, off = p - ray_.from;
  return d.cross(off).cwiseAbs().maxCoeff() <=
         kNext * d.cwiseAbs().maxCoeff() * off.cwiseAbs().maxCoeff();
}

// c_i = d_j off_k - d_k off_j, of which from_j from_k cancels.
void RaySides::find_moment(const Vec3& p) {
  point_ = p;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    Expansion<12> sum;
    sum.add_product(ray_.through[j], p[k]);
    sum.add_product(-ray_.through[j], ray_.from[k]);
    sum.add_product(-ray_.from[j], p[k]);
    sum.add_product(-ray_.through[k], p[j]);
    sum.add_product(ray_.through[k], ray_.from[j]);
    sum.add_product(ray_.from[k], p[j]);
    moment_[i] = sum.value();
  }
}

// The moment is off by 2 u = 2^-52 of itself, differences by u, products and sums by 3 u; what
// underflows by less than 2^-1000 times the size. Comparisons with what overflowed are false.
int RaySides::side_about(const Vec3& p, const Vec3& q) {
  if (point_ != p) {
    if (!is_next_to_line(p)) return 0;
    find_moment(p);
  }
  const Vec3 off = q - ray_.from;
  const double terms = off.cwiseAbs().dot(moment_.cwiseAbs());
  const double bound = 8 * 0x1p-53 * terms + 0x1p-1000 * (off.cwiseAbs().sum() + 1);
  const double value = off.dot(moment_);
  return value > bound ? 1 : value < -bound ? -1 : 0;
}

int RaySides::of_edge(const Vec3& p, const Vec3& q) {
  const RoundedDeterminant rounded = rounded_orient3d(ray_.from, ray_.through, p, q);
  if (rounded.is_positive()) return 1;
  if (rounded.is_negative()) return -1;
  if (const int side = side_about(p, q); side != 0) return side;
  if (const int side = side_about(q, p); side != 0) return -side;
  ++exact_decisions_;
  return orient3d(ray_.from, ray_.through, p, q);
}

std::optional<RayMeeting> first_meeting(RaySides& sides, const std::array<Vec3, 3>& triangle,
                                        std::size_t* quotients) {
  const RayPoints& ray = sides.ray();
  // The determinants of the line and each edge add up to that of its direction and the normal.
  bool is_left = false, is_right = false;  // of an edge
  for (std::size_t k = 0; k < 3; ++k) {
    const int side = sides.of_edge(triangle[k], triangle[(k + 1) % 3]);
    is_left = is_left || side > 0;
    is_right = is_right || side < 0;
  }
  if (is_left && is_right) return std::nullopt;
  if (!is_left && !is_right) {
    const std::optional<double> along = along_in_plane(ray, triangle, quotients);
    if (!along) return std::nullopt;
    return RayMeeting{*along, false};
  }
  const int front = orient3d(triangle[0], triangle[1], triangle[2], ray.from);
  if (front != 0 && (front > 0) == is_left) return std::nullopt;  // behind where the ray begins
  return RayMeeting{front == 0 ? 0.0 : along_of(ray, triangle), is_left};
}

}  // namespace plimsoll
