#include <plimsoll/contact.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "contact/depth_samples.h"
#include "contact/inner_parts.h"
#include "contact/surface_depth.h"
#include "core/gauss_rules.h"
#include "core/number_text.h"
#include "overlap/curve_search.h"
#include "pairs/pair_finder.h"

namespace plimsoll {
namespace {

double diagonal_of(const PosedTree& posed) {
  return posed.world_from_mesh.linear().col(0).stableNorm() * posed.tree->box.sizes().stableNorm();
}

}  // namespace

struct ContactSearch::State : CurveSearch {
  InnerParts inner;
  std::vector<DepthSample> samples;
  std::size_t of_a = 0;  // samples of A's surface: the first

  /// Where contact is, and how wide: the middle of the curve and its radius of gyration; of bodies
  /// of which one lies in the other, those of the smaller one's box.
  [[nodiscard]] std::pair<Vec3, double> place_of_contact() const {
    Vec3 first = Vec3::Zero();
    double length = 0, spread = 0;
    const auto add = [&](const Vec3& center, const auto& term) {
      for (const CurveSegment& segment : segments) {
        const Vec3 p = segment.from.at - center, q = segment.to.at - center;
        term(p, q, (q - p).norm());
      }
    };
    add(Vec3::Zero(), [&](const Vec3& p, const Vec3& q, double l) {
      first += l / 2 * (p + q);
      length += l;
    });
    if (length > 0) {
      const Vec3 center = first / length;
      add(center, [&](const Vec3& p, const Vec3& q, double l) {
        spread += l / 3 * (p.squaredNorm() + p.dot(q) + q.squaredNorm());
      });
      return {local.origin + local.meters(center, 1), local.meters(std::sqrt(spread / length), 1)};
    }
    const PosedTree& smaller = diagonal_of(a.posed) < diagonal_of(b.posed) ? a.posed : b.posed;
    return {smaller.world_from_mesh * smaller.tree->box.center(), diagonal_of(smaller) / 2};
  }

  void find_samples(ContactPotential potential, SurfaceDepth& in_a, SurfaceDepth& in_b) {
    constexpr double kCell = 1.0 / 3;
    const auto [place, width] = place_of_contact();
    const EdgeKnots knots({&a, &b}, segments, local);
    samples.clear();
    inner.find(*this, knots, 0, kCell * width, place);
    PressureDepth on_a(potential, in_a, in_b), on_b(potential, in_b, in_a);
    add_depth_samples(inner, on_a, samples);
    of_a = samples.size();
    inner.find(*this, knots, 1, kCell * width, place);
    add_depth_samples(inner, on_b, samples);
  }

  void push(bool points, ContactForces& result) const {
    const Vec3 origin_a = a.posed.world_from_mesh.translation();
    const Vec3 origin_b = b.posed.world_from_mesh.translation();
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const DepthSample& sample = samples[i];
      const bool is_of_a = i < of_a;
      const ContactPoint point{sample.at,
                               is_of_a ? Vec3(-sample.normal) : sample.normal,
                               sample.area / 2,
                               sample.area / 2 * sample.depth,
                               sample.area / 4 * sample.square,
                               is_of_a ? sample.growth : Vec3(-sample.growth)};
      const Vec3 force = point.push * point.way;
      result.force_a += force;
      result.torque_a += (point.at - origin_a).cross(force);
      result.torque_b -= (point.at - origin_b).cross(force);
      result.area += point.area;
      if (points) result.points.push_back(point);
    }
    result.force_b = -result.force_a;
  }

  /// The common part is made of cones from a point to the samples: of one to an area S with normal
  /// n at x, the integral of a function f is S n . (x - p) times that of t^2 f(p + t (x - p)).
  double energy(ContactPotential potential, SurfaceDepth& in_a, SurfaceDepth& in_b) const {
    const auto density = [&](const Vec3& x) {
      const double below_a = in_a.at(x), below_b = in_b.at(x);
      return potential == ContactPotential::kLesserDepth ? 2 * std::min(below_a, below_b)
                                                         : (below_a + below_b) / 2;
    };
    static const GaussRule rule = gauss_legendre(8);
    Vec3 first = Vec3::Zero();
    double area = 0;
    for (const DepthSample& sample : samples) {
      first += sample.area * sample.middle;
      area += sample.area;
    }
    if (!(area > 0)) return 0;
    const Vec3 apex = first / area;
    double sum = 0;
    for (const DepthSample& sample : samples) {
      const Vec3 way = sample.middle - apex;
      double mean = 0;
      for (std::size_t k = 0; k < rule.nodes.size(); ++k) {
        const double t = rule.nodes[k];
        mean += rule.weights[k] * t * t * density(apex + t * way);
      }
      sum += sample.area * sample.normal.dot(way) * mean;
    }
    return sum;
  }
};

Result<void> check_contact(const ContactLaw& law) {
  const auto refused = [](double found, const char* what, const char* where) {
    return Error{ErrorCode::kInvalidArgument,
                 "found " + digits(found) + ", expected a number " + what, where};
  };
  if (law.stiffness && !(*law.stiffness > 0 && std::isfinite(*law.stiffness)))
    return refused(*law.stiffness, "above 0 [N/m^3]", "contact.stiffness");
  if (!(law.damping >= 0 && std::isfinite(law.damping)))
    return refused(law.damping, "not below 0", "contact.damping");
  if (!(law.friction >= 0 && std::isfinite(law.friction)))
    return refused(law.friction, "not below 0", "contact.friction");
  constexpr std::size_t kMostSpheres = 1'000'000;
  if (law.spheres < 1 || law.spheres > kMostSpheres)
    return refused(static_cast<double>(law.spheres), "from 1 to a million", "contact.spheres");
  if (!(law.max_time > 0)) return refused(law.max_time, "above 0 [s]", "contact.max_time");
  if (law.method != ContactMethod::kSpheres && std::isfinite(law.max_time))
    return refused(law.max_time, "without end: only spheres end in time", "contact.max_time");
  if (!(law.sleep_after > 0)) return refused(law.sleep_after, "above 0 [s]", "contact.sleep_after");
  return {};
}

ContactSearch::ContactSearch() : state_(std::make_unique<State>()) {}
ContactSearch::ContactSearch(ContactSearch&&) noexcept = default;
ContactSearch& ContactSearch::operator=(ContactSearch&&) noexcept = default;
ContactSearch::~ContactSearch() = default;

Result<ContactForces> ContactSearch::forces(const SolidTree& a, const Similarity& world_from_a,
                                            const SolidTree& b, const Similarity& world_from_b,
                                            const ContactOptions& options, double max_work) {
  if (Result<void> usable = check_solids(*a.tree_, world_from_a, *b.tree_, world_from_b); !usable)
    return usable.error();
  if (Result<void> usable = check_max_work(max_work); !usable) return usable.error();
  ContactForces result;
  if (options.energy) result.energy = 0;
  if (a.triangle_count() == 0 || b.triangle_count() == 0) return result;
  State& state = *state_;
  state.start(*a.tree_, world_from_a, *b.tree_, world_from_b);
  const auto is_over = [&](double work) {
    return work > max_work + static_cast<double>(state.crossings);
  };
  if (!state.follow_curve({.curve = true}, is_over)) return too_much_pair_work(max_work);
  state.add_roots();
  result.overlaps =
      state.crossings > 0 || !state.a.sums.whole.is_empty || !state.b.sums.whole.is_empty;
  if (!result.overlaps) return result;
  SurfaceDepth in_a(state.a.posed, state.a.sign), in_b(state.b.posed, state.b.sign);
  state.find_samples(options.potential, in_a, in_b);
  state.push(options.points, result);
  if (options.energy) result.energy = state.energy(options.potential, in_a, in_b);
  return result;
}

}  // namespace plimsoll
