// Bounds on second derivatives from the control net.
//
// The derivatives of A = (w x, w y, w z) and of w are Bezier patches again, whose points are the
// differences of the net, so their lengths are bounded by those of the longest difference:
//
//   |A_u| <= n max |d_u A|,   |A_uu| <= n (n - 1) max |d_u d_u A|,   |A_uv| <= n m max |d_u d_v A|.
//
// From S = A / w by the quotient rule, with |S| <= R, the farthest control point,
//
//   |S_u|  <= (|A_u| + |w_u| R) / w,
//   |S_uu| <= (|A_uu| + 2 |w_u| |S_u| + |w_uu| R) / w,
//   |S_uv| <= (|A_uv| + |w_u| |S_v| + |w_v| |S_u| + |w_uv| R) / w.
//
// For equal weights what is left is the classical bound. For others the terms cancel in part: there
// the numerators over w^3 are multiplied out,
//
//   S_uu w^3 = w (A_uu w - A w_uu) - 2 w_u (A_u w - A w_u),
//   S_uv w^3 = w (A_uv w - A_u w_v - A_v w_u - A w_uv) + 2 A w_u w_v,
//
// and bounded by their own coefficients. Taking the patch in 4 x 4 parts, each about its own
// middle, makes what is lost small.
#include "patch/derivative_bounds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "patch/bernstein_polynomial.h"
#include "patch/homogeneous_net.h"

namespace plimsoll {
namespace {

struct Length {
  double point = 0;   ///< Of the difference of (w x, w y, w z).
  double weight = 0;  ///< Of that of w.

  void cover(const Vec4& difference) {
    point = std::max(point, difference.head<3>().norm());
    weight = std::max(weight, std::abs(difference.w()));
  }
  void scale(double factor) {
    point *= factor;
    weight *= factor;
  }
};

Length first_in_u(const HomogeneousNet& net) {
  Length length;
  for (std::size_t i = 0; i + 1 < net.rows(); ++i)
    for (std::size_t j = 0; j < net.columns(); ++j) length.cover(net.at(i + 1, j) - net.at(i, j));
  length.scale(net.degree_u);
  return length;
}

Length second_in_u(const HomogeneousNet& net) {
  Length length;
  for (std::size_t i = 0; i + 2 < net.rows(); ++i)
    for (std::size_t j = 0; j < net.columns(); ++j)
      length.cover(net.at(i + 2, j) - 2 * net.at(i + 1, j) + net.at(i, j));
  length.scale(net.degree_u * (net.degree_u - 1.0));
  return length;
}

Length mixed(const HomogeneousNet& net) {
  Length length;
  for (std::size_t i = 0; i + 1 < net.rows(); ++i)
    for (std::size_t j = 0; j + 1 < net.columns(); ++j)
      length.cover((net.at(i + 1, j + 1) - net.at(i, j + 1)) - (net.at(i + 1, j) - net.at(i, j)));
  length.scale(static_cast<double>(net.degree_u) * net.degree_v);
  return length;
}

// About the mean of its corners, which is near enough to the middle.
HomogeneousNet centered(HomogeneousNet net) {
  Vec3 center = Vec3::Zero();
  for (const std::size_t i : {std::size_t{0}, net.rows() - 1})
    for (const std::size_t j : {std::size_t{0}, net.columns() - 1})
      center += net.at(i, j).head<3>() / net.at(i, j).w() / 4;
  for (Vec4& point : net.points) point.head<3>() -= point.w() * center;
  return net;
}

SecondDerivatives bounds_by_terms(const HomogeneousNet& net, double radius, double w) {
  const HomogeneousNet turned = transposed(net);
  const Length u = first_in_u(net), v = first_in_u(turned);
  const Length uu = second_in_u(net), vv = second_in_u(turned), uv = mixed(net);
  const double s_u = (u.point + u.weight * radius) / w;
  const double s_v = (v.point + v.weight * radius) / w;
  return {(uu.point + 2 * u.weight * s_u + uu.weight * radius) / w,
          (uv.point + u.weight * s_v + v.weight * s_u + uv.weight * radius) / w,
          (vv.point + 2 * v.weight * s_v + vv.weight * radius) / w};
}

// A polynomial with its first and second derivatives.
struct Jet {
  BernsteinPolynomial f, u, v, uu, uv, vv;

  explicit Jet(BernsteinPolynomial p)
      : f(std::move(p)),
        u(derivative_in_u(f)),
        v(derivative_in_v(f)),
        uu(derivative_in_u(u)),
        uv(derivative_in_v(u)),
        vv(derivative_in_v(v)) {}
};

Jet jet_of(const HomogeneousNet& net, int coordinate) {
  BernsteinPolynomial p{net.rows() - 1, net.columns() - 1, {}};
  for (const Vec4& point : net.points) p.coefficients.push_back(point[coordinate]);
  return Jet(std::move(p));
}

BernsteinPolynomial numerator(const BernsteinPolynomial& a, const BernsteinPolynomial& a_u,
                              const BernsteinPolynomial& a_uu, const BernsteinPolynomial& w,
                              const BernsteinPolynomial& w_u, const BernsteinPolynomial& w_uu) {
  return sum(w * sum(a_uu * w, -1, a * w_uu), -2, w_u * sum(a_u * w, -1, a * w_u));
}

BernsteinPolynomial mixed_numerator(const Jet& a, const Jet& w) {
  const BernsteinPolynomial inner =
      sum(sum(sum(a.uv * w.f, -1, a.u * w.v), -1, a.v * w.u), -1, a.f * w.uv);
  return sum(w.f * inner, 2, a.f * w.u * w.v);
}

// The greatest length of the vectors that the coefficients of three coordinates make.
double greatest(const std::array<BernsteinPolynomial, 3>& p) {
  double longest = 0;
  const std::size_t count =
      std::max({p[0].coefficients.size(), p[1].coefficients.size(), p[2].coefficients.size()});
  for (std::size_t i = 0; i < count; ++i) {
    Vec3 vector = Vec3::Zero();
    for (int axis = 0; axis < 3; ++axis) {
      const std::vector<double>& c = p[static_cast<std::size_t>(axis)].coefficients;
      if (!c.empty()) vector[axis] = c[i];
    }
    longest = std::max(longest, vector.norm());
  }
  return longest;
}

SecondDerivatives bounds_by_numerators(const HomogeneousNet& net, double least_weight) {
  const Jet w = jet_of(net, 3);
  std::array<BernsteinPolynomial, 3> uu, uv, vv;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Jet a = jet_of(net, static_cast<int>(axis));
    uu[axis] = numerator(a.f, a.u, a.uu, w.f, w.u, w.uu);
    uv[axis] = mixed_numerator(a, w);
    vv[axis] = numerator(a.f, a.v, a.vv, w.f, w.v, w.vv);
  }
  const double cube = least_weight * least_weight * least_weight;
  return {greatest(uu) / cube, greatest(uv) / cube, greatest(vv) / cube};
}

SecondDerivatives bounds_of_part(const HomogeneousNet& part) {
  HomogeneousNet net = centered(part);
  double radius = 0, w = net.points.front().w(), max_weight = w;
  for (const Vec4& point : net.points) {
    radius = std::max(radius, point.head<3>().norm() / point.w());
    w = std::min(w, point.w());
    max_weight = std::max(max_weight, point.w());
  }
  const SecondDerivatives by_terms = bounds_by_terms(net, radius, w);
  // The products of higher degrees take too long for what they save.
  constexpr int kMaxSize = 49;
  if (w == max_weight || (net.degree_u + 1) * (net.degree_v + 1) > kMaxSize) return by_terms;
  for (Vec4& point : net.points) point /= max_weight;  // cubes stay in range
  const SecondDerivatives exact = bounds_by_numerators(net, w / max_weight);
  return {std::min(by_terms.uu, exact.uu), std::min(by_terms.uv, exact.uv),
          std::min(by_terms.vv, exact.vv)};
}

std::vector<HomogeneousNet> halved_in_u(const std::vector<HomogeneousNet>& nets) {
  std::vector<HomogeneousNet> halves;
  for (const HomogeneousNet& net : nets) {
    auto [lower, upper] = halves_in_u(net);
    halves.push_back(std::move(lower));
    halves.push_back(std::move(upper));
  }
  return halves;
}

}  // namespace

SecondDerivatives second_derivative_bounds(const BezierPatch& patch) {
  const Vec3 origin = patch.points.front().head<3>();
  std::vector<HomogeneousNet> parts{homogeneous_net(patch, origin)};
  for (int level = 0; level < 2; ++level) {
    parts = halved_in_u(parts);
    for (HomogeneousNet& part : parts) part = transposed(part);
    parts = halved_in_u(parts);
    for (HomogeneousNet& part : parts) part = transposed(part);
  }
  SecondDerivatives bounds;
  for (const HomogeneousNet& part : parts) {
    const SecondDerivatives here = bounds_of_part(part);
    bounds.uu = std::max(bounds.uu, here.uu);
    bounds.uv = std::max(bounds.uv, here.uv);
    bounds.vv = std::max(bounds.vv, here.vv);
  }
  constexpr double kParts = 4;  // along u and v; a part runs through its own unit square
  return {kParts * kParts * bounds.uu, kParts * kParts * bounds.uv, kParts * kParts * bounds.vv};
}

}  // namespace plimsoll
