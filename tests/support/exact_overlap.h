// The overlap of two closed meshes in whole numbers: an oracle that shares nothing with the
// library.
//
// With a fixed point o, the winding number of a closed mesh around almost every x is the sum over
// its triangles T of the sign of the tetrahedron (o, T), where that contains x. So the integral of
// the product of two winding numbers is
//
//   sum over T of one and U of the other of sign(o, T) sign(p, U) |tet(o, T) and tet(p, U)|,
//
// in every pose, degenerate or not. Two tetrahedra have in common a convex polyhedron, each of
// whose corners is a corner of one, or a point where an edge of one passes the plane of a face of
// the other: a quotient of whole numbers of bounded length. All signs are those of whole numbers;
// quotients are taken to 512 bits.
#pragma once

#include <plimsoll/mesh.h>

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace plimsoll::test {

struct ExactOverlap {
  double volume = 0;           ///< The integral of the product of the winding numbers, rounded.
  Vec3 center = Vec3::Zero();  ///< Where the volume is not 0.
};

namespace exact_overlap_parts {

namespace mp = boost::multiprecision;
using Whole = mp::number<mp::cpp_int_backend<>, mp::et_off>;
using Wide = mp::number<mp::cpp_bin_float<512, mp::digit_base_2>, mp::et_off>;

/// The point at / weight.
struct Point {
  std::array<Whole, 3> at;
  Whole weight = 1;
};

/// Points in front have heights above 0.
struct Plane {
  std::array<Whole, 3> normal;
  Whole offset;

  [[nodiscard]] Whole height(const Point& p) const {
    Whole sum = offset * p.weight;
    for (int i = 0; i < 3; ++i) sum += normal[i] * p.at[i];
    return sum;
  }
};

inline std::array<Whole, 3> minus(const Point& a, const Point& b) {
  return {a.at[0] - b.at[0], a.at[1] - b.at[1], a.at[2] - b.at[2]};
}

inline std::array<Whole, 3> cross(const std::array<Whole, 3>& u, const std::array<Whole, 3>& v) {
  return {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
}

inline Whole dot(const std::array<Whole, 3>& u, const std::array<Whole, 3>& v) {
  return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

/// Six times the volume of a, b, c, d, whose weights are 1.
inline Whole volume_x6(const Point& a, const Point& b, const Point& c, const Point& d) {
  return dot(minus(b, a), cross(minus(c, a), minus(d, a)));
}

/// Of positive volume; the weights of its corners are 1. Face k is opposite of corner k.
struct Tetrahedron {
  std::array<Point, 4> corner;
  std::array<Plane, 4> plane;  ///< Of the faces; what is inside is in front.
  int sign = 1;
};

/// Corners of a face, counter-clockwise from outside.
inline constexpr int kFace[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

inline Tetrahedron tetrahedron_of(const Point& o, const Point& a, const Point& b, const Point& c) {
  Tetrahedron tet{{o, a, b, c}, {}, volume_x6(o, a, b, c) > 0 ? 1 : -1};
  if (tet.sign < 0) std::swap(tet.corner[2], tet.corner[3]);
  for (int k = 0; k < 4; ++k) {
    const auto& [p, q, r] = kFace[k];
    const Point& at = tet.corner[p];
    tet.plane[k].normal = cross(minus(tet.corner[r], at), minus(tet.corner[q], at));
    tet.plane[k].offset = -dot(tet.plane[k].normal, at.at);
  }
  return tet;
}

/// Where the line through p and q passes the plane.
inline Point passing(const Point& p, const Point& q, const Plane& plane) {
  const Whole over = plane.height(p), under = plane.height(q);
  Point at{{}, over - under};
  for (int i = 0; i < 3; ++i) at.at[i] = over * q.at[i] - under * p.at[i];
  if (at.weight < 0) {
    at.weight = -at.weight;
    for (Whole& x : at.at) x = -x;
  }
  return at;
}

/// A corner of a polygon, and which line the edge from it to the next lies on: edge `line` of the
/// face that was clipped, or where plane `line - 3` of the other tetrahedron passes it.
struct PolygonCorner {
  Point at;
  int line;
};
using Polygon = std::vector<PolygonCorner>;

/// The part of face `number` of `of` that lies in `other`.
inline Polygon face_within(const Tetrahedron& of, int number, const Tetrahedron& other) {
  const auto& corners = kFace[number];
  Polygon polygon;
  for (int k = 0; k < 3; ++k) polygon.push_back({of.corner[corners[k]], k});
  for (int j = 0; j < 4; ++j) {
    const auto crossed = [&](int line) {
      if (line < 3)
        return passing(of.corner[corners[line]], of.corner[corners[(line + 1) % 3]],
                       other.plane[j]);
      std::array<Point, 2> edge;  // of the other: on planes j and line - 3
      std::size_t count = 0;
      for (int k = 0; k < 4; ++k)
        if (k != j && k != line - 3) edge[count++] = other.corner[k];
      return passing(edge[0], edge[1], of.plane[number]);
    };
    Polygon kept;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const PolygonCorner &here = polygon[i], &next = polygon[(i + 1) % polygon.size()];
      const Whole from = other.plane[j].height(here.at), to = other.plane[j].height(next.at);
      if (from > 0 || (from == 0 && to >= 0)) kept.push_back(here);
      if (from == 0 && to < 0) kept.push_back({here.at, j + 3});
      if (from > 0 && to < 0) kept.push_back({crossed(here.line), j + 3});
      if (from < 0 && to > 0) kept.push_back({crossed(here.line), here.line});
    }
    polygon = std::move(kept);
  }
  return polygon;
}

struct Sums {
  Wide volume_x6 = 0, size_x6 = 0;
  std::array<Wide, 3> first_x24{};

  /// Adds the pyramid from the apex, of weight 1, to the polygon.
  void add(int sign, const Point& apex, const Polygon& polygon) {
    std::vector<std::array<Whole, 3>> side;  // from the apex, times the weight
    for (const PolygonCorner& corner : polygon) {
      side.push_back(corner.at.at);
      for (int i = 0; i < 3; ++i) side.back()[i] -= corner.at.weight * apex.at[i];
    }
    for (std::size_t k = 2; k < polygon.size(); ++k) {
      const std::array<const Point*, 3> p{&polygon[0].at, &polygon[k - 1].at, &polygon[k].at};
      const Whole volume = dot(side[0], cross(side[k - 1], side[k]));
      if (volume == 0) continue;
      const Wide part = sign * Wide(volume) / Wide(p[0]->weight * p[1]->weight * p[2]->weight);
      volume_x6 += part;
      size_x6 += abs(part);
      for (int i = 0; i < 3; ++i) {
        Wide sum(apex.at[i]);
        for (const Point* corner : p) sum += Wide(corner->at[i]) / Wide(corner->weight);
        first_x24[i] += part * sum;
      }
    }
  }
};

/// Adds what two tetrahedra have in common. Where faces of both lie in one plane, that of x counts.
inline void add_common(const Tetrahedron& x, const Tetrahedron& y, Sums& sums) {
  const auto is_parted = [](const Tetrahedron& of, const Tetrahedron& other) {
    return std::any_of(of.plane.begin(), of.plane.end(), [&](const Plane& plane) {
      return std::all_of(other.corner.begin(), other.corner.end(),
                         [&](const Point& p) { return plane.height(p) <= 0; });
    });
  };
  if (is_parted(x, y) || is_parted(y, x)) return;
  const int sign = x.sign * y.sign;
  sums.add(sign, x.corner[0], face_within(x, 0, y));  // the others hold the apex
  for (int k = 0; k < 4; ++k) {
    const bool is_common = std::any_of(x.plane.begin(), x.plane.end(), [&](const Plane& plane) {
      return std::all_of(std::begin(kFace[k]), std::end(kFace[k]),
                         [&](int c) { return plane.height(y.corner[c]) == 0; });
    });
    if (!is_common) sums.add(sign, x.corner[0], face_within(y, k, x));
  }
}

/// mantissa * 2^exponent; the mantissa is odd.
struct Dyadic {
  std::int64_t mantissa;
  int exponent;
};

/// Precondition: finite and not 0.
inline Dyadic dyadic(double x) {
  const int lowest = std::ilogb(x) - 52;
  Dyadic parts{static_cast<std::int64_t>(std::scalbn(x, -lowest)), lowest};
  for (; parts.mantissa % 2 == 0; ++parts.exponent) parts.mantissa /= 2;
  return parts;
}

/// Coordinates in units of 2^exponent, the largest that makes all of them whole.
struct Lattice {
  int exponent = std::numeric_limits<int>::max();

  explicit Lattice(const std::array<const TriangleMesh*, 2>& meshes) {
    for (const TriangleMesh* mesh : meshes)
      for (const Vec3& v : mesh->vertices)
        for (const double x : v)
          if (x != 0) exponent = std::min(exponent, dyadic(x).exponent);
  }
  [[nodiscard]] Point point(const Vec3& v) const {
    Point p;
    for (int i = 0; i < 3; ++i) {
      if (v[i] == 0) continue;
      const Dyadic x = dyadic(v[i]);
      p.at[i] = Whole(x.mantissa) << (x.exponent - exponent);
    }
    return p;
  }
  [[nodiscard]] double meters(const Wide& x, int power) const {
    return ldexp(x, power * exponent).convert_to<double>();
  }
};

/// A tetrahedron, and the box of its corners.
struct BoxedTetrahedron {
  Tetrahedron tet;
  Box3 box;
};

/// From the vertex that leaves the fewest.
inline std::vector<BoxedTetrahedron> tetrahedra_of(const TriangleMesh& mesh,
                                                   const Lattice& lattice) {
  std::vector<Point> points;
  for (const Vec3& v : mesh.vertices) points.push_back(lattice.point(v));
  std::size_t apex = 0, fewest = mesh.triangles.size() + 1;
  for (std::size_t v = 0; v < points.size(); ++v) {
    const auto count = static_cast<std::size_t>(
        std::count_if(mesh.triangles.begin(), mesh.triangles.end(), [&](const Triangle& t) {
          return volume_x6(points[v], points[t[0]], points[t[1]], points[t[2]]) != 0;
        }));
    if (count < fewest) fewest = count, apex = v;
  }
  std::vector<BoxedTetrahedron> found;
  for (const auto& [a, b, c] : mesh.triangles) {
    if (volume_x6(points[apex], points[a], points[b], points[c]) == 0) continue;
    Box3 box;
    for (const std::size_t v : {apex, std::size_t{a}, std::size_t{b}, std::size_t{c}})
      box.extend(mesh.vertices[v]);
    found.push_back({tetrahedron_of(points[apex], points[a], points[b], points[c]), box});
  }
  return found;
}

}  // namespace exact_overlap_parts

/// Precondition: both are closed. O(product of the numbers of triangles).
inline ExactOverlap exact_overlap(const TriangleMesh& a, const TriangleMesh& b) {
  namespace parts = exact_overlap_parts;
  const parts::Lattice lattice({&a, &b});
  const auto of_a = parts::tetrahedra_of(a, lattice), of_b = parts::tetrahedra_of(b, lattice);
  parts::Sums sums;
  for (const parts::BoxedTetrahedron& x : of_a)
    for (const parts::BoxedTetrahedron& y : of_b)
      if ((x.box.min().array() < y.box.max().array()).all() &&
          (y.box.min().array() < x.box.max().array()).all())
        parts::add_common(x.tet, y.tet, sums);
  // What cancels leaves less than the 2^-500 of it that some millions of roundings can make.
  if (abs(sums.volume_x6) <= ldexp(sums.size_x6, -480)) return {};
  ExactOverlap found{lattice.meters(sums.volume_x6 / 6, 3), {}};
  for (int i = 0; i < 3; ++i)
    found.center[i] = lattice.meters(sums.first_x24[i] / (4 * sums.volume_x6), 1);
  return found;
}

}  // namespace plimsoll::test
