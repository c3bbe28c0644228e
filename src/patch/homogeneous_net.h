// A patch in homogeneous coordinates, (w (p - origin), w), where a rational patch is the image of a
// polynomial one and its derivatives follow from the quotient rule.
#pragma once

#include <plimsoll/patches.h>

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "patch/bernstein.h"

namespace plimsoll {

struct HomogeneousNet {
  int degree_u = 1;
  int degree_v = 1;
  std::vector<Vec4> points;  ///< (degree_u + 1) x (degree_v + 1), v fastest.

  [[nodiscard]] std::size_t rows() const { return static_cast<std::size_t>(degree_u) + 1; }
  [[nodiscard]] std::size_t columns() const { return static_cast<std::size_t>(degree_v) + 1; }
  [[nodiscard]] const Vec4& at(std::size_t i, std::size_t j) const {
    return points[i * columns() + j];
  }
  [[nodiscard]] Vec4& at(std::size_t i, std::size_t j) { return points[i * columns() + j]; }
};

[[nodiscard]] HomogeneousNet homogeneous_net(const BezierPatch& patch, const Vec3& origin);

/// The halves u <= 1/2 and u >= 1/2, each again from 0 to 1, by de Casteljau's construction.
[[nodiscard]] std::pair<HomogeneousNet, HomogeneousNet> halves_in_u(const HomogeneousNet& net);

/// The same surface with u and v exchanged.
[[nodiscard]] HomogeneousNet transposed(const HomogeneousNet& net);

/// The line of the patch at one u: a Bezier curve in v, with its derivative to u.
class LineOfConstantU {
 public:
  LineOfConstantU(const HomogeneousNet& net, double u);

  /// The point at v, given bernstein(degree_v, v) and bernstein(degree_v - 1, v). With S = A / w,
  ///   S_u = (A_u - w_u S) / w,   S_v = (A_v - w_v S) / w.
  [[nodiscard]] SurfacePoint at(const Bernstein& basis, const Bernstein& lower_basis) const;

 private:
  std::size_t columns_;
  std::array<Vec4, kMaxPatchDegree + 1> points_;
  std::array<Vec4, kMaxPatchDegree + 1> du_;
};

}  // namespace plimsoll
