// Submersion by another road: every triangle clipped as a polygon in long double, one corner after
// another, the waterplane from the area vectors. Shares no code with the library.
#pragma once

#include <plimsoll/mesh.h>
#include <plimsoll/submersion.h>

#include <array>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <vector>

#include "support/checked.h"

namespace plimsoll::test {

using Long = long double;
using Long3 = Eigen::Matrix<Long, 3, 1>;

struct OracleSubmersion {
  Long volume = 0;
  Long3 first = Long3::Zero();  // about the middle of the box
  Long wetted_area = 0;
  Long waterplane_area = 0;
  Long absolute = 0;  // the absolute terms that the volume is a sum of
  Long3 middle = Long3::Zero();
};

inline std::vector<Long3> clipped(const std::array<Long3, 3>& corners, const Long3& normal,
                                  Long offset) {
  std::vector<Long3> polygon;
  for (int i = 0; i < 3; ++i) {
    const Long3 &from = corners[i], &to = corners[(i + 1) % 3];
    const Long h = normal.dot(from) - offset, k = normal.dot(to) - offset;
    if (h <= 0) polygon.push_back(from);
    if ((h < 0 && k > 0) || (h > 0 && k < 0)) polygon.push_back(from + (to - from) * (h / (h - k)));
  }
  return polygon;
}

/// The terms of |p . (e x f)| for the corner p and the edges e, f.
inline Long absolute_terms(const Long3& p, const Long3& e, const Long3& f) {
  Long sum = 0;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    sum += std::abs(p[i]) * (std::abs(e[j] * f[k]) + std::abs(e[k] * f[j]));
  }
  return sum;
}

/// offset - normal . x: it cancels far from the origin, where a long double has too few digits.
inline Long level_over(const WaterPlane& water, const Vec3& x) {
  using Quad = boost::multiprecision::cpp_bin_float_quad;
  Quad level = water.offset;
  for (int i = 0; i < 3; ++i) level -= Quad(water.normal[i]) * Quad(x[i]);
  return static_cast<Long>(level);
}

inline OracleSubmersion oracle_submersion(const MeshView& mesh, const WaterPlane& water) {
  OracleSubmersion wet;
  const Box3 box = bounding_box(test::checked(mesh));
  const Vec3 middle = box.min() / 2 + box.max() / 2;
  wet.middle = middle.cast<Long>();
  const Long3 normal = water.normal.cast<Long>();
  const Long offset = level_over(water, middle);
  const Long3 unit = normal / normal.norm();
  const Long3 apex = normal * (offset / normal.squaredNorm());
  Long3 area_vector = Long3::Zero();
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    std::array<Long3, 3> corners;
    for (int k = 0; k < 3; ++k)
      corners[k] = mesh.vertex(mesh.triangle(t)[k]).cast<Long>() - wet.middle;
    wet.absolute +=
        absolute_terms(corners[0] - apex, corners[1] - corners[0], corners[2] - corners[0]) / 6;
    const std::vector<Long3> polygon = clipped(corners, normal, offset);
    for (std::size_t i = 2; i < polygon.size(); ++i) {
      const Long3 &a = polygon[0], &b = polygon[i - 1], &c = polygon[i];
      const Long3 n = (b - a).cross(c - a);
      const Long volume = (a - apex).dot(n) / 6;
      wet.volume += volume;
      wet.first += volume * (a + b + c + apex) / 4;
      wet.wetted_area += n.norm() / 2;
      area_vector += n / 2;
    }
  }
  wet.waterplane_area = -unit.dot(area_vector);
  return wet;
}

}  // namespace plimsoll::test
