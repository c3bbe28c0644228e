// Moments of solids bounded by patches.
//
// For f homogeneous of degree k about the apex, div (x f) = (k + 3) f, so that
//
//   int f dV = 1 / (k + 3)  sum over patches  int int f(S) S . (S_u x S_v) du dv
//
// with S relative to the apex; k is 0, 1, 2 for 1, x and x x^T. For a polynomial patch of degree n
// in u the integrand has the degree 3 n - 1, 4 n - 1 or 5 n - 1 in u: one Gauss-Legendre rule of
// half as many nodes is exact. Rational integrands and the area, int int |S_u x S_v| du dv, are
// analytic wherever the normal is not zero, and Gauss-Legendre converges exponentially there; the
// cell with the worst estimate is halved until all are good enough.
#include "patch/patch_moments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "core/gauss_rules.h"
#include "patch/homogeneous_net.h"

namespace plimsoll {
namespace {

constexpr double kRoundoff = std::numeric_limits<double>::epsilon() / 2;

// Volume, first moments, second moments xx yy zz xy yz zx, area, and the vector area.
constexpr std::size_t kFirst = 1, kSecond = 4, kArea = 10, kNormal = 11, kTerms = 14;
using Terms = std::array<double, kTerms>;

/// How far S, S_u and S_v are from zero at the nodes.
struct Extent {
  double radius = 0, du = 0, dv = 0;

  void cover(const Extent& other) {
    radius = std::max(radius, other.radius);
    du = std::max(du, other.du);
    dv = std::max(dv, other.dv);
  }
};

struct Sums {
  Terms value{};
  Terms magnitude{};  ///< The same with each term taken absolute.
  Extent extent;

  void add(const Sums& other) {
    extent.cover(other.extent);
    for (std::size_t i = 0; i < kTerms; ++i) {
      value[i] += other.value[i];
      magnitude[i] += other.magnitude[i];
    }
  }
};

Terms integrand(const SurfacePoint& at) {
  const Vec3& x = at.position;
  const Vec3 normal = at.du.cross(at.dv);
  const double cone = x.dot(normal);
  const double third = cone / 3, fourth = cone / 4, fifth = cone / 5;
  return {third,
          fourth * x[0],
          fourth * x[1],
          fourth * x[2],
          fifth * x[0] * x[0],
          fifth * x[1] * x[1],
          fifth * x[2] * x[2],
          fifth * x[0] * x[1],
          fifth * x[1] * x[2],
          fifth * x[2] * x[0],
          normal.norm(),
          normal[0],
          normal[1],
          normal[2]};
}

struct Cell {
  double u = 0, v = 0, width = 1, height = 1;  // a rectangle of the unit square
};

class Rules {
 public:
  const GaussRule& of_size(int size) {
    const auto [at, added] = rules_.try_emplace(size);
    if (added) at->second = gauss_legendre(size);
    return at->second;
  }

 private:
  std::map<int, GaussRule> rules_;
};

// The tensor rule over one cell. Lines are summed one by one, which keeps rounding errors down.
Sums integrate(const HomogeneousNet& net, const Cell& cell, const GaussRule& rule_u,
               const GaussRule& rule_v) {
  std::vector<Bernstein> basis, lower_basis;
  for (const double node : rule_v.nodes) {
    basis.push_back(bernstein(net.degree_v, cell.v + node * cell.height));
    lower_basis.push_back(bernstein(net.degree_v - 1, cell.v + node * cell.height));
  }
  Sums sums;
  for (std::size_t i = 0; i < rule_u.nodes.size(); ++i) {
    const LineOfConstantU line(net, cell.u + rule_u.nodes[i] * cell.width);
    Sums of_line;
    for (std::size_t j = 0; j < rule_v.nodes.size(); ++j) {
      const SurfacePoint at = line.at(basis[j], lower_basis[j]);
      of_line.extent.cover({at.position.norm(), at.du.norm(), at.dv.norm()});
      const Terms terms = integrand(at);
      for (std::size_t k = 0; k < kTerms; ++k) {
        const double term = rule_v.weights[j] * cell.height * terms[k];
        of_line.value[k] += term;
        of_line.magnitude[k] += std::abs(term);
      }
    }
    for (std::size_t k = 0; k < kTerms; ++k) {
      of_line.value[k] *= rule_u.weights[i] * cell.width;
      of_line.magnitude[k] *= rule_u.weights[i] * cell.width;
    }
    sums.add(of_line);
  }
  return sums;
}

// A cell with its integrals by the higher of two orders, and how much they differ from those with
// the lower order in u, and in v. These differences are about the error of the lower orders, far
// above that of the higher ones.
struct Estimate {
  Cell cell;
  Sums sums;
  Terms error_u{}, error_v{};
};

struct PatchIntegrals {
  Sums sums;
  Terms error{};
  bool converged = true;
};

class AdaptiveQuadrature {
 public:
  // Only the terms from `first` to `last` (past the end) have to converge.
  AdaptiveQuadrature(const HomogeneousNet& net, std::size_t first, std::size_t last, Rules& rules)
      : net_(net), first_(first), last_(last), rules_(rules) {}

  PatchIntegrals run() {
    // Differences below rounding say nothing; 1e-13 in all is what is asked for.
    constexpr double kAim = 64 * kRoundoff, kEnough = 1e-13;
    constexpr std::size_t kMaxCells = 300;  // a cusp in a corner is halved again and again
    cells_ = {estimate({})};
    double worst = total_error();
    while (worst > kAim && cells_.size() < kMaxCells) {
      split_worst();
      worst = total_error();
    }
    PatchIntegrals result;
    for (const Estimate& cell : cells_) {
      result.sums.add(cell.sums);
      for (std::size_t k = first_; k < last_; ++k)
        result.error[k] += cell.error_u[k] + cell.error_v[k];
    }
    result.converged = worst <= kEnough;
    return result;
  }

 private:
  Estimate estimate(const Cell& cell) {
    const int u = order(net_.degree_u), v = order(net_.degree_v);
    const GaussRule &low_u = rules_.of_size(u), &low_v = rules_.of_size(v);
    const GaussRule &high_u = rules_.of_size(u + kStep), &high_v = rules_.of_size(v + kStep);
    Estimate result{cell, integrate(net_, cell, high_u, high_v), {}, {}};
    const Sums lower_u = integrate(net_, cell, low_u, high_v);
    const Sums lower_v = integrate(net_, cell, high_u, low_v);
    for (std::size_t k = first_; k < last_; ++k) {
      result.error_u[k] = std::abs(result.sums.value[k] - lower_u.value[k]);
      result.error_v[k] = std::abs(result.sums.value[k] - lower_v.value[k]);
    }
    return result;
  }

  // Enough for a polynomial; weights and roots add to the degree what the step has to show.
  static int order(int degree) { return gauss_size(5 * degree - 1) + 4; }

  // The greatest error relative to the magnitude of that term in the whole patch.
  double share(const Terms& error, const Terms& magnitude) const {
    double worst = 0;
    for (std::size_t k = first_; k < last_; ++k)
      if (magnitude[k] > 0) worst = std::max(worst, error[k] / magnitude[k]);
    return worst;
  }
  double share(const Estimate& cell, const Terms& magnitude) const {
    return share(cell.error_u, magnitude) + share(cell.error_v, magnitude);
  }

  Terms magnitudes() const {
    Sums sums;
    for (const Estimate& cell : cells_) sums.add(cell.sums);
    return sums.magnitude;
  }

  double total_error() const {
    const Terms magnitude = magnitudes();
    double sum = 0;
    for (const Estimate& cell : cells_) sum += share(cell, magnitude);
    return sum;
  }

  // Halves the worst cell across the direction that it is worse in.
  void split_worst() {
    const Terms magnitude = magnitudes();
    const auto worst =
        std::max_element(cells_.begin(), cells_.end(), [&](const Estimate& a, const Estimate& b) {
          return share(a, magnitude) < share(b, magnitude);
        });
    Cell lower = worst->cell, upper = worst->cell;
    if (share(worst->error_u, magnitude) >= share(worst->error_v, magnitude)) {
      lower.width = upper.width = upper.width / 2;
      upper.u += upper.width;
    } else {
      lower.height = upper.height = upper.height / 2;
      upper.v += upper.height;
    }
    *worst = estimate(lower);
    cells_.push_back(estimate(upper));
  }

  static constexpr int kStep = 8;

  const HomogeneousNet& net_;
  std::size_t first_, last_;
  Rules& rules_;
  std::vector<Estimate> cells_;
};

bool is_polynomial(const BezierPatch& patch) {
  return std::all_of(patch.points.begin(), patch.points.end(), [&](const WeightedPoint& point) {
    return point.w() == patch.points.front().w();
  });
}

// Evaluation rounds S, S_u and S_v by a few units per degree, relative to their extents, products
// and sums by some 20 more; the errors of nodes, of either sign, add up like a few.
void add_rounding(const HomogeneousNet& net, const Extent& extent, Terms& error) {
  const double unit = kRoundoff * (3.0 * (net.degree_u + net.degree_v) + 20);
  const double area = unit * extent.du * extent.dv;
  error[0] += area * extent.radius / 3;
  for (std::size_t k = kFirst; k < kSecond; ++k)
    error[k] += area * extent.radius * extent.radius / 4;
  for (std::size_t k = kSecond; k < kArea; ++k)
    error[k] += area * extent.radius * extent.radius * extent.radius / 5;
  for (std::size_t k = kArea; k < kTerms; ++k) error[k] += area;
}

PatchIntegrals integrate_patch(const HomogeneousNet& net, bool polynomial, Rules& rules) {
  if (!polynomial) {
    PatchIntegrals result = AdaptiveQuadrature(net, 0, kTerms, rules).run();
    add_rounding(net, result.sums.extent, result.error);
    return result;
  }
  PatchIntegrals result = AdaptiveQuadrature(net, kArea, kNormal, rules).run();
  const Sums exact = integrate(net, {}, rules.of_size(gauss_size(5 * net.degree_u - 1)),
                               rules.of_size(gauss_size(5 * net.degree_v - 1)));
  for (std::size_t k = 0; k < kTerms; ++k)
    if (k != kArea) result.sums.value[k] = exact.value[k];
  add_rounding(net, result.sums.extent, result.error);
  return result;
}

VolumeMoments moments_of(const Terms& terms) {
  VolumeMoments moments;
  moments.volume = terms[0];
  moments.first = {terms[1], terms[2], terms[3]};
  moments.second << terms[4], terms[7], terms[9],  //
      terms[7], terms[5], terms[8],                //
      terms[9], terms[8], terms[6];
  return moments;
}

// What moving the moments by t makes of their errors: the same sums with every term absolute. The
// sums themselves round by about four units.
VolumeMoments moved_error(const VolumeMoments& moments, const VolumeMoments& error, const Vec3& t) {
  if (t.isZero(0)) return error;
  const auto rounded = [](double value) { return 4 * kRoundoff * std::abs(value); };
  const double volume = error.volume + rounded(moments.volume);
  const Vec3 first = error.first + moments.first.unaryExpr(rounded);
  const Vec3 by = t.cwiseAbs();
  return {error.volume, first + volume * by,
          error.second + moments.second.unaryExpr(rounded) + first * by.transpose() +
              by * first.transpose() + volume * by * by.transpose()};
}

}  // namespace

PatchMoments patch_moments(const PatchSurface& surface, const Vec3& origin) {
  PatchMoments result;
  if (surface.patches.empty()) return result;
  const Vec3 apex = bounding_box(surface).center();
  Rules rules;
  Sums sums;
  Terms error{};
  for (const BezierPatch& patch : surface.patches) {
    const bool polynomial = is_polynomial(patch);
    const PatchIntegrals integrals =
        integrate_patch(homogeneous_net(patch, apex), polynomial, rules);
    sums.add(integrals.sums);
    for (std::size_t k = 0; k < kTerms; ++k) error[k] += integrals.error[k];
    result.polynomial &= polynomial;
    result.converged &= integrals.converged;
  }
  const VolumeMoments about_apex = moments_of(sums.value);
  const Vec3 move = apex - origin;
  result.moments = transformed(about_apex, Similarity(Eigen::Translation3d(move)));
  result.error = moved_error(about_apex, moments_of(error), move);
  result.area = sums.value[kArea];
  result.area_error = error[kArea];
  if (result.area > 0)
    result.closure =
        Vec3(sums.value[kNormal], sums.value[kNormal + 1], sums.value[kNormal + 2]).norm() /
        result.area;
  return result;
}

}  // namespace plimsoll
