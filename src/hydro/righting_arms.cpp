// Righting arms as derivatives of the energy E(n) = n . (G - B) (equilibrium.cpp). Heeling the body
// by phi about its axis a turns the water's normal, seen from the body, the other way: n0(phi) is
// `up` turned by -phi about a. Trimming by tau tilts the axis under the water:
//
//   n(phi, tau) = cos tau n0 + sin tau e,   e = a - (a . n0) n0, of unit length.
//
// Free trim is dE / dtau = 0, found by Newton's method with the Hessian of E. By the envelope
// theorem GZ = dE / dphi then needs no derivative of the trim, and the area under the curve is the
// energy itself. With M / V = H + E 1, H the Hessian of E on the tangent plane, and subscripts for
// derivatives by heel or trim,
//
//   E_x = (G - B) . n_x,   E_xy = n_x . (M / V) n_y + (G - B) . n_xy.
#include <plimsoll/righting_arms.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace plimsoll {
namespace {

constexpr double kStep = std::numbers::pi / 180;  // between angles that follow each other
constexpr double kMostTrim = 1.4;                 // [rad]; at pi / 2 heel has no meaning

/// The normal and its derivatives by heel and trim.
struct Normal {
  Vec3 n, by_heel, by_trim, heel_heel, heel_trim, trim_trim;
};

class Heeler {
 public:
  Heeler(const FloatingBody& body, const Heeling& heeling) : body_(body), heeling_(heeling) {}

  /// The state at that heel, the trim found from the one given.
  [[nodiscard]] std::optional<HeeledState> at(double heel, double trim,
                                              std::optional<double> level) const {
    HeeledState found;
    found.heel = heel;
    found.trim = trim;
    constexpr int kMostSteps = 60;
    for (int step = 0; step < kMostSteps; ++step) {
      const Normal normal = normal_at(heel, found.trim);
      found.state = float_upright(body_, normal.n, level);
      if (!found.state.righting_arm.allFinite()) return std::nullopt;  // of no solid
      level = found.state.level;
      const Slopes slopes = slopes_of(found.state, normal);
      found.righting_arm = slopes.by_heel;
      if (!heeling_.free_trim) {
        found.slope = slopes.heel_heel;
        return found;
      }
      found.slope = slopes.heel_heel - slopes.heel_trim * slopes.heel_trim / slopes.trim_trim;
      if (std::fabs(slopes.by_trim) <= 1e-13 * std::cbrt(body_.volume)) return found;
      // Downhill where the curve bends up, else along the slope.
      const double curvature =
          std::max(std::fabs(slopes.trim_trim), 1e-6 * std::cbrt(body_.volume));
      const double move = std::clamp(-slopes.by_trim / curvature, -0.1, 0.1);
      if (std::fabs(found.trim + move) > kMostTrim) return std::nullopt;
      if (std::fabs(move) <= 1e-15) return found;
      found.trim += move;
    }
    return std::nullopt;
  }

 private:
  struct Slopes {
    double by_heel, by_trim, heel_heel, heel_trim, trim_trim;
  };

  [[nodiscard]] Normal normal_at(double heel, double trim) const {
    const Vec3& a = heeling_.axis;
    const Vec3 n0 = Eigen::AngleAxisd(-heel, a) * heeling_.up;
    const Vec3 d0 = -a.cross(n0);           // by heel
    const Vec3 dd0 = a.cross(a.cross(n0));  // twice by heel
    const double along = a.dot(n0);         // does not change
    const double across = std::sqrt(1 - along * along);
    const Vec3 e = (a - along * n0) / across;
    const Vec3 de = -along / across * d0;
    const Vec3 dde = -along / across * dd0;
    const double c = std::cos(trim), s = std::sin(trim);
    return {c * n0 + s * e,    c * d0 + s * de,  -s * n0 + c * e,
            c * dd0 + s * dde, -s * d0 + c * de, -c * n0 - s * e};
  }

  [[nodiscard]] Slopes slopes_of(const FloatingState& state, const Normal& normal) const {
    const Vec3 apart = state.righting_arm + state.energy * state.up;  // G - B
    Mat3 hessian = Mat3::Zero();
    for (int k = 0; k < 2; ++k) {
      const Vec3 axis = state.heel_axes.row(k);
      hessian += state.metacentric_heights[k] * axis * axis.transpose();
    }
    const auto second = [&](const Vec3& x, const Vec3& y, const Vec3& xy) {
      return x.dot(hessian * y) + apart.dot(xy) + state.energy * x.dot(y);
    };
    return {apart.dot(normal.by_heel), apart.dot(normal.by_trim),
            second(normal.by_heel, normal.by_heel, normal.heel_heel),
            second(normal.by_heel, normal.by_trim, normal.heel_trim),
            second(normal.by_trim, normal.by_trim, normal.trim_trim)};
  }

  const FloatingBody& body_;
  const Heeling& heeling_;
};

/// Follows the branch of trims from upright to `heel`, in steps of a degree.
class Branch {
 public:
  Branch(const FloatingBody& body, const Heeling& heeling) : heeler_(body, heeling) {
    last_ = heeler_.at(0, 0, std::nullopt);
  }

  std::optional<HeeledState> to(double heel) {
    while (last_ && std::fabs(heel - last_->heel) > kStep)
      step_to(last_->heel + std::copysign(kStep, heel - last_->heel));
    if (last_) step_to(heel);
    return last_;
  }

 private:
  void step_to(double heel) { last_ = heeler_.at(heel, last_->trim, last_->state.level); }

  Heeler heeler_;
  std::optional<HeeledState> last_;
};

}  // namespace

std::vector<std::optional<HeeledState>> righting_arms(const FloatingBody& body,
                                                      const Heeling& heeling,
                                                      std::span<const double> heels) {
  std::vector<std::size_t> order(heels.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::fabs(heels[a]) < std::fabs(heels[b]);
  });
  std::vector<std::optional<HeeledState>> states(heels.size());
  Branch forward(body, heeling), backward(body, heeling);
  for (const std::size_t i : order)
    states[i] = heels[i] < 0 ? backward.to(heels[i]) : forward.to(heels[i]);
  return states;
}

std::optional<double> vanishing_angle(const FloatingBody& body, const Heeling& heeling,
                                      double end) {
  // A body at rest has an arm of rounding size.
  const double noise = 1e-12 * std::cbrt(body.volume);
  Branch branch(body, heeling);
  bool was_positive = false, has_changed = false;
  std::optional<HeeledState> before;
  const int steps = static_cast<int>(std::ceil(end / kStep));
  for (int i = 0; i <= steps && !has_changed; ++i) {
    const std::optional<HeeledState> here = branch.to(std::min(i * kStep, end));
    if (!here) return std::nullopt;
    has_changed = was_positive && here->righting_arm <= 0;
    was_positive = was_positive || here->righting_arm > noise;
    if (!has_changed) before = here;
  }
  if (!has_changed) return std::nullopt;
  const Heeler heeler(body, heeling);
  double low = before->heel, high = std::min(low + kStep, end);
  while (high - low > 1e-11) {
    const double middle = (low + high) / 2;
    const auto here = heeler.at(middle, before->trim, before->state.level);
    if (!here) return std::nullopt;
    (here->righting_arm > 0 ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace plimsoll
