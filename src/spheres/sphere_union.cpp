// With the divergence theorem, for a monomial f of degree k,
//
//     (k + 3) int_U f dV = sum_i int_{E_i} f(x) (x . u) dA,    x = c_i + r_i u,
//
// E_i the part of the unit sphere whose points are on the union's boundary: what the caps
// { a . u > b } that other balls cut off leave. The moments T0, T1, T2, T3 = int 1, u, u u^T, ...
// dA of E follow from integrals along its border, arcs of the caps' circles, by the divergence
// theorem on the sphere, int div V dA = int V . n dl + 2 int V . u dA, n the outward normal of the
// border in the sphere:
//
//     2 T1 = - int n dl,   3 T2 = T0 1 - int u n^T dl,
//     4 T3 c = T1 c^T + c T1^T - int u u^T (n . c) dl.
//
// T0, the area: the form (1 - cos h) dp, h the angle from a pole that E need not contain and p the
// longitude, has the area as its derivative but at the opposite pole, which is put into a cap.
// Along an arc it integrates to how far the tangent turns in the stereographic projection from
// there, less the geodesic curvature. Projected, the arc is one of a circle, whose tangent turns by
// twice the angle between two chords.
#include <plimsoll/elementary.h>
#include <plimsoll/sphere_union.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/mass_from_moments.h"
#include "core/parallel.h"

namespace plimsoll {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

/// What another ball cuts off of a unit sphere: { u : axis . u > height }.
struct Cap {
  Vec3 axis;
  double height, radius;  // of its circle
  Vec3 across[2];         // with the axis a right-handed frame
  [[nodiscard]] Vec3 at(double angle) const {
    const auto [sine, cosine] = elementary::sin_cos(angle);
    return height * axis + radius * (cosine * across[0] + sine * across[1]);
  }
};

Cap cap_of(const Vec3& axis, double height) {
  const Vec3 across = axis.unitOrthogonal();
  return {axis, height, std::sqrt(1 - height * height), {across, axis.cross(across)}};
}

/// A part of a circle, counterclockwise about the axis of its cap.
struct Arc {
  double begin, end;
  [[nodiscard]] double length() const { return end - begin; }
};

/// The parts of the cap's circle that no other cap cuts off. Of caps with one circle the first has
/// it.
std::vector<Arc> free_arcs(const std::vector<Cap>& caps, std::size_t number) {
  const Cap& cap = caps[number];
  std::vector<Arc> covered;
  for (std::size_t k = 0; k < caps.size(); ++k) {
    if (k == number) continue;
    const Cap& other = caps[k];
    const double x = cap.radius * other.axis.dot(cap.across[0]);
    const double y = cap.radius * other.axis.dot(cap.across[1]);
    const double most = std::hypot(x, y);
    const double needed = other.height - cap.height * other.axis.dot(cap.axis);
    if (needed > most || (needed == most && (most > 0 || k > number))) continue;
    if (needed <= -most) return {};
    const double middle = elementary::atan2(y, x), half = elementary::acos(needed / most);
    double begin = middle - half;
    if (begin < 0) begin += kTurn;
    covered.push_back({begin, begin + 2 * half});
  }
  if (covered.empty()) return {{0, kTurn}};
  std::sort(covered.begin(), covered.end(),
            [](const Arc& a, const Arc& b) { return a.begin < b.begin; });
  // From the first that is covered once around to it again; some may reach around beyond it.
  std::vector<Arc> free;
  double reached = covered.front().end;
  for (const Arc& arc : covered) reached = std::max(reached, arc.end - kTurn);
  for (const Arc& arc : covered) {
    if (arc.begin > reached) free.push_back({reached, arc.begin});
    reached = std::max(reached, arc.end);
  }
  const double again = covered.front().begin + kTurn;
  if (again > reached) free.push_back({reached, again});
  return free;
}

/// int cos^i sin^j of an angle up to that.
struct AngleIntegrals {
  double one, c, s, cc, cs, ss, ccc, ccs, css, sss;

  explicit AngleIntegrals(double angle) : one(angle) {
    const auto [sine, cosine] = elementary::sin_cos(angle);
    c = sine;
    s = -cosine;
    cc = (angle + sine * cosine) / 2;
    ss = (angle - sine * cosine) / 2;
    cs = sine * sine / 2;
    ccc = sine - sine * sine * sine / 3;
    ccs = -cosine * cosine * cosine / 3;
    css = sine * sine * sine / 3;
    sss = -cosine + cosine * cosine * cosine / 3;
  }
};

/// Integrals over a part of the unit sphere; `third` is T3 contracted with a vector.
struct SphereMoments {
  double area = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero(), third = Mat3::Zero();
};

/// Of what the caps leave; `along` is the vector.
class FreePart {
 public:
  FreePart(const std::vector<Cap>& caps, const Vec3& along) : caps_(caps), along_(along) {}

  [[nodiscard]] SphereMoments moments() {
    if (caps_.empty())
      return {2 * kTurn, Vec3::Zero(), 2 * kTurn / 3 * Mat3::Identity(), Mat3::Zero()};
    largest_ = *std::min_element(caps_.begin(), caps_.end(),
                                 [](const Cap& a, const Cap& b) { return a.height < b.height; });
    bool has_border = false;
    for (std::size_t k = 0; k < caps_.size(); ++k)
      for (const Arc& arc : free_arcs(caps_, k)) {
        add(caps_[k], arc);
        has_border = true;
      }
    if (!has_border) return {};
    SphereMoments part;
    part.area = area_;
    part.first = -normal_ / 2;
    part.second = (area_ * Mat3::Identity() - (by_normal_ + by_normal_.transpose()) / 2) / 3;
    part.third =
        (part.first * along_.transpose() + along_ * part.first.transpose() - by_along_) / 4;
    return part;
  }

 private:
  /// From the middle of the largest cap, the pole, onto the plane across its axis.
  [[nodiscard]] std::complex<double> projected(const Vec3& u) const {
    return std::complex(u.dot(largest_.across[0]), u.dot(largest_.across[1])) /
           (1 - u.dot(largest_.axis));
  }

  void add(const Cap& cap, const Arc& arc) {
    add_area(cap, arc);
    const AngleIntegrals from(arc.begin), to(arc.end);
    const double b = cap.height, s = cap.radius;
    const Vec3 &a = cap.axis, &p = cap.across[0], &q = cap.across[1];
    const double length = arc.length();
    const Vec3 j1 = (to.c - from.c) * p + (to.s - from.s) * q;
    const Mat3 pq = p * q.transpose() + q * p.transpose();
    const Mat3 pp = p * p.transpose(), qq = q * q.transpose(), aa = a * a.transpose();
    const Mat3 j2 = (to.cc - from.cc) * pp + (to.cs - from.cs) * pq + (to.ss - from.ss) * qq;
    const double x = along_.dot(p), y = along_.dot(q), z = along_.dot(a);
    const double ccc = to.ccc - from.ccc, ccs = to.ccs - from.ccs;
    const double css = to.css - from.css, sss = to.sss - from.sss;
    const Mat3 j3 = (x * ccc + y * ccs) * pp + (x * ccs + y * css) * pq + (x * css + y * sss) * qq;
    const Vec3 j2_along = j2 * along_;
    const Mat3 aj = a * j1.transpose() + j1 * a.transpose();
    // u = b a + s e, n = s a - b e, dl = s dp, e the direction across the axis
    normal_ += s * (s * length * a - b * j1);
    by_normal_ += s * (b * s * length * aa - b * b * a * j1.transpose() +
                       s * s * j1 * a.transpose() - s * b * j2);
    by_along_ +=
        s * (s * z * (b * b * length * aa + b * s * aj + s * s * j2) -
             b * (b * b * j1.dot(along_) * aa +
                  b * s * (a * j2_along.transpose() + j2_along * a.transpose()) + s * s * j3));
  }

  void add_area(const Cap& cap, const Arc& arc) {
    const double side =
        cap.axis.dot(largest_.axis) - cap.height;  // above 0: the pole is in the cap
    // Against the angle, so that the part lies to the left.
    area_ += std::copysign(turn(cap, arc, std::fabs(side)), side) + cap.height * arc.length();
  }

  /// How far the tangent turns: the rate is `side` / (1 - u . pole).
  [[nodiscard]] double turn(const Cap& cap, const Arc& arc, double side) const {
    if (arc.length() >= kTurn) return kTurn;
    const Vec3 u = cap.at(arc.begin + arc.length() / 2);
    constexpr double kShort = 1e-4;  // below, chords have no direction, and the rate hardly changes
    if (arc.length() < kShort) return side * arc.length() / (1 - u.dot(largest_.axis));
    const std::complex<double> middle = projected(u);
    const std::complex<double> bend =
        (projected(cap.at(arc.begin)) - middle) * std::conj(middle - projected(cap.at(arc.end)));
    return 2 * std::fabs(elementary::atan2(bend.imag(), bend.real()));
  }

  const std::vector<Cap>& caps_;
  Vec3 along_;
  Cap largest_;
  double area_ = 0;
  Vec3 normal_ = Vec3::Zero();                               // int n dl
  Mat3 by_normal_ = Mat3::Zero(), by_along_ = Mat3::Zero();  // int u n^T dl, int u u^T (n . c) dl
};

/// The caps that other balls cut off of a ball's surface; nothing if one contains all of it. Of
/// equal balls the first has the surface.
std::optional<std::vector<Cap>> caps_of(std::span<const PlacedSphere> spheres, std::size_t number) {
  const PlacedSphere& ball = spheres[number];
  std::vector<Cap> caps;
  for (std::size_t k = 0; k < spheres.size(); ++k) {
    if (k == number) continue;
    const PlacedSphere& other = spheres[k];
    const Vec3 off = other.center - ball.center;
    const double distance = off.norm(), r = ball.radius, other_r = other.radius;
    if (distance >= r + other_r) continue;
    if (distance + r <= other_r) {
      if (distance + other_r <= r && k > number) continue;
      return std::nullopt;
    }
    if (distance + other_r <= r) continue;
    const double height = (distance + (r - other_r) * (r + other_r) / distance) / (2 * r);
    if (height >= 1) continue;
    if (height <= -1) return std::nullopt;
    caps.push_back(cap_of(off / distance, height));
  }
  return caps;
}

/// A ball's part of (k + 3) int f dV. `c` is its center.
VolumeMoments part_of(std::span<const PlacedSphere> spheres, std::size_t number) {
  const std::optional<std::vector<Cap>> caps = caps_of(spheres, number);
  if (!caps) return {};
  const Vec3& c = spheres[number].center;
  const double r = spheres[number].radius;
  const SphereMoments part = FreePart(*caps, c).moments();
  const double flux = c.dot(part.first) + r * part.area;
  const Vec3 second_c = part.second * c;
  const Mat3 mixed = c * (r * second_c + r * r * part.first).transpose();
  return {r * r / 3 * flux, r * r / 4 * (flux * c + r * second_c + r * r * part.first),
          r * r / 5 *
              (flux * c * c.transpose() + mixed + mixed.transpose() +
               r * r * (part.third + r * part.second))};
}

Result<void> check_spheres(std::span<const PlacedSphere> spheres) {
  if (spheres.empty())
    return Error{ErrorCode::kInvalidArgument, "found no spheres, expected one or more", "spheres"};
  constexpr double kMost = 1e100;
  for (std::size_t k = 0; k < spheres.size(); ++k) {
    const PlacedSphere& sphere = spheres[k];
    if (sphere.center.cwiseAbs().maxCoeff() <= kMost && sphere.radius > 0 &&
        sphere.radius <= kMost && sphere.center.allFinite())
      continue;
    return Error{ErrorCode::kInvalidArgument,
                 "found a center or a radius that is no finite number or beyond 1e100, or a radius "
                 "that is not above 0",
                 "sphere " + std::to_string(k)};
  }
  return {};
}

}  // namespace

Result<MassProperties> union_mass_properties(std::span<const PlacedSphere> spheres) {
  if (Result<void> usable = check_spheres(spheres); !usable) return usable.error();
  // About their middle, in units of their size, so that nothing is lost far from the origin.
  Box3 box;
  double largest = 0;
  for (const PlacedSphere& sphere : spheres) {
    box.extend(sphere.center);
    largest = std::max(largest, sphere.radius);
  }
  const double size = std::max(box.sizes().maxCoeff(), largest);
  Similarity frame = Similarity::Identity();
  frame.linear() *= size;
  frame.translation() = box.center();
  std::vector<PlacedSphere> balls;
  for (const PlacedSphere& sphere : spheres)
    balls.push_back({(sphere.center - box.center()) / size, sphere.radius / size});
  std::vector<VolumeMoments> parts(balls.size());
  parallel_for_each_index(balls.size(), 8, [&](std::size_t k) { parts[k] = part_of(balls, k); });
  VolumeMoments all;
  for (const VolumeMoments& part : parts) all = all + part;
  MassProperties mass = mass_from_moments(all, frame, 1, 0);
  const double unknown = std::numeric_limits<double>::infinity();
  mass.error_bound = {};
  mass.error_bound.volume = unknown;
  return mass;
}

}  // namespace plimsoll
