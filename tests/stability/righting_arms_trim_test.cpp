// The trim that a heeled body takes: the stable one, which it follows until it is no more. Against
// an oracle that knows energies only.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/righting_arms.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "support/approx.h"
#include "support/campaign.h"
#include "support/checked.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

TriangleMesh tetrahedron() {
  TriangleMesh mesh;
  mesh.vertices = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  mesh.triangles = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
  return mesh;
}

FloatingBody afloat(const TriangleMesh& mesh, double relative_density, const Vec3& com) {
  const SolidTree tree(test::checked(mesh));
  return floating_body(tree, com, relative_density * std::abs(tree.signed_volume()));
}

Heeling about(const Vec3& axis) {
  Heeling heeling;
  heeling.axis = axis.normalized();
  return heeling;
}

/// What a body does that is heeled slowly: at every heel the trim slides downhill, in small steps,
/// by the energy alone.
class SlowHeel {
 public:
  SlowHeel(const FloatingBody& body, const Heeling& heeling) : body_(body), heeling_(heeling) {}

  [[nodiscard]] double energy(double heel, double trim) const {
    // The body turns about its axis, then about the horizontal line across the axis: in the body's
    // frame the water turns the other way, and in the opposite order.
    const Vec3 up = Eigen::AngleAxisd(-heel, heeling_.axis) * heeling_.up;
    const Vec3 across = up.cross(heeling_.axis).normalized();
    return float_upright(body_, Eigen::AngleAxisd(trim, across) * up).energy;
  }

  /// The trim of the first minimum downhill, to 1e-7; nothing beyond 1.4 rad.
  [[nodiscard]] std::optional<double> slide(double heel, double trim) const {
    constexpr double kStep = 0.1 * kDegree;
    const double here = energy(heel, trim);
    const double step = energy(heel, trim + kStep) < here ? kStep : -kStep;
    double low = here;
    for (double next = energy(heel, trim + step); next < low; next = energy(heel, trim + step)) {
      trim += step;
      low = next;
      if (std::abs(trim) > 1.4) return std::nullopt;
    }
    double a = trim - kStep, b = trim + kStep;
    while (b - a > 1e-8) {
      const double third = (b - a) / 3;
      (energy(heel, a + third) < energy(heel, b - third) ? b : a) =
          energy(heel, a + third) < energy(heel, b - third) ? b - third : a + third;
    }
    return (a + b) / 2;
  }

 private:
  FloatingBody body_;
  Heeling heeling_;
};

// Thirds find the trim to the root of the rounding of energies, 1e-8, and the energy to rounding.
// Its difference over 2e-3 rad is off by d^2 / 6 of the third derivative of the energy. Heels
// within a step and a half of a jump, or of a fork, where trims move like roots, are left out.
std::size_t compare(const FloatingBody& body, const Heeling& heeling, double last_deg) {
  const SlowHeel oracle(body, heeling);
  constexpr double kStep = 0.25 * kDegree, kApart = 1e-3;
  std::vector<double> heels;
  for (int i = 0; i * 0.25 <= std::abs(last_deg); ++i)
    heels.push_back(std::copysign(i * kStep, last_deg));
  const RightingArms arms = righting_arms(body, heeling, heels);
  const std::optional<double> start = oracle.slide(0, 1e-9);
  CHECK(start.has_value() == arms.upright.has_value());
  if (!start || !arms.upright) return 0;
  CHECK(std::abs(*start - arms.upright->trim) <= 1e-5);
  double trim = *start, area = 0;
  std::size_t jumps = 0, compared = 0, slid = 0;
  for (std::size_t i = 1; i < heels.size(); ++i) {
    const double heel = heels[i];
    const std::optional<double> found = oracle.slide(heel, trim);
    // Both end where the axis comes near the vertical, the oracle within its step of 0.1 degrees.
    constexpr double kSteep = 1.39;
    if (!found || !arms.states[i]) {
      CHECK(std::abs(found.value_or(kSteep)) >= kSteep);
      if (arms.states[i]) CHECK(std::abs(arms.states[i]->trim) >= kSteep);
      break;
    }
    const HeeledState &before = *arms.states[i - 1], &here = *arms.states[i];
    INFO("heel ", heel / kDegree, " trim ", *found / kDegree, " and ", here.trim / kDegree);
    const bool has_jumped = here.piece != before.piece;
    jumps += has_jumped ? 1 : 0;
    if (has_jumped) CHECK(std::abs(*found - trim) > 1e-4);
    CHECK(std::abs(*found - here.trim) <= 1e-5);
    const double ahead = heel + kApart, behind = heel - kApart;
    const auto trim_ahead = oracle.slide(ahead, *found), trim_behind = oracle.slide(behind, *found);
    const bool is_smooth = trim_ahead && trim_behind && !has_jumped &&
                           std::abs(*trim_ahead - 2 * *found + *trim_behind) <= 1e-4;
    if (is_smooth) {
      const double arm =
          (oracle.energy(ahead, *trim_ahead) - oracle.energy(behind, *trim_behind)) / (2 * kApart);
      CHECK(std::abs(arm - here.righting_arm) <= 2e-5);
      ++compared;
    }
    // Trapezoids, of pieces that end at the jumps.
    if (!has_jumped) {
      area += (heel - before.heel) * (here.righting_arm + before.righting_arm) / 2;
    } else {
      const TrimJump& jump =
          *std::find_if(arms.jumps.begin(), arms.jumps.end(),
                        [&](const auto& j) { return j.after.piece == here.piece; });
      area +=
          (jump.before.heel - before.heel) * (jump.before.righting_arm + before.righting_arm) / 2 +
          (heel - jump.after.heel) * (here.righting_arm + jump.after.righting_arm) / 2;
    }
    CHECK(std::abs(area - here.area) <= 1e-4);
    trim = *found;
    ++slid;
  }
  CHECK(jumps == arms.jumps.size());
  CHECK(5 * compared >= 4 * slid);  // the tolerances are not what left them out
  return jumps;
}

TEST_CASE("a tetrahedron falls to a stable trim, and jumps where that ends") {
  const FloatingBody body = afloat(tetrahedron(), 0.2, Vec3::Zero());
  const double quarter[] = {120 * kDegree};
  const RightingArms arms = righting_arms(body, {}, quarter);
  REQUIRE(arms.upright);
  CHECK(arms.upright_trim_is_unstable);
  CHECK_FALSE(
      arms.loll_angle);  // the arm is negative up to 45 degrees, but upright is no pose of rest
  CHECK(arms.upright->trim > 10 * kDegree);
  const SlowHeel oracle(body, {});
  const double trim = arms.upright->trim;
  CHECK(oracle.energy(0, trim) < oracle.energy(0, 0));
  CHECK(oracle.energy(0, trim) < oracle.energy(0, trim + 1e-4));
  CHECK(oracle.energy(0, trim) < oracle.energy(0, trim - 1e-4));
  REQUIRE(arms.jumps.size() == 1);
  const TrimJump& jump = arms.jumps.front();
  // The arm was positive before the jump and is negative after it: there stability ends.
  CHECK(jump.before.righting_arm > 0.05);
  CHECK(jump.after.righting_arm < -0.1);
  REQUIRE(arms.vanishing_angle);
  CHECK(std::abs(*arms.vanishing_angle - jump.after.heel) <= 1e-10);
  CHECK(jump.after.state.energy < jump.before.state.energy);
  CHECK(jump.after.area == test::approx(jump.before.area));
  // Just before, the trim stays where it is; just after, it does not.
  CHECK(std::abs(*oracle.slide(jump.before.heel - 1e-6, jump.before.trim) - jump.before.trim) <
        0.01);
  CHECK(std::abs(*oracle.slide(jump.after.heel + 1e-6, jump.before.trim) - jump.after.trim) < 0.01);
  CHECK(jump.before.piece == 0);
  CHECK(jump.after.piece == 1);
}

TEST_CASE("pieces are counted from upright, up to one side and down to the other") {
  const FloatingBody body = afloat(tetrahedron(), 0.2, Vec3::Zero());
  const double both[] = {-120 * kDegree, 120 * kDegree};
  const RightingArms arms = righting_arms(body, {}, both);
  REQUIRE(arms.jumps.size() >= 2);
  CHECK(arms.jumps.back().after.heel > 0);
  CHECK(arms.jumps.back().after.piece == 1);
  const HeeledState& first = arms.jumps.front().after;
  CHECK(first.heel < 0);
  CHECK(first.piece == arms.jumps.front().before.piece - 1);
  CHECK(first.piece < 0);
}

TEST_CASE("an arm does not depend on the other heels that are asked for") {
  const FloatingBody body = afloat(tetrahedron(), 0.2, Vec3::Zero());
  const double alone[] = {100 * kDegree};
  const std::vector<double> many{0.1, 1.23, 100 * kDegree, 0.7, -1.1, 1.7453};
  const RightingArms one = righting_arms(body, {}, alone), all = righting_arms(body, {}, many);
  CHECK(one.states[0]->righting_arm == all.states[2]->righting_arm);
  CHECK(one.states[0]->trim == all.states[2]->trim);
  CHECK(one.states[0]->area == all.states[2]->area);
  CHECK(one.jumps.front().after.heel == all.jumps.back().after.heel);
}

TEST_CASE("trims and arms are those of a body that is heeled slowly") {
  CHECK(compare(afloat(tetrahedron(), 0.2, Vec3::Zero()), {}, 120) == 1);
  CHECK(compare(afloat(tetrahedron(), 0.2, Vec3::Zero()), {}, -30) == 1);
  CHECK(compare(afloat(make_box({10, 4, 3}), 0.4, {0.3, 0.1, 0.2}), about({1, 0.2, 0}), 60) == 0);
  // A jump of 1.4 degrees alone.
  TriangleMesh uneven = tetrahedron();
  uneven.vertices = {{1.069, 0.918, 0.981},
                     {0.944, -0.933, -0.94},
                     {-1.097, 1.057, -1.021},
                     {-1.049, -0.915, 1.078}};
  const FloatingBody small_jump = afloat(uneven, 0.143, {0.03, 0.045, -0.042});
  CHECK(compare(small_jump, about({0.989, -0.019, -0.148}), -95) == 1);
  Random random(11);
  for (int k = 0; k < (test::kAddressSanitizer ? 2 : 12); ++k) {
    INFO("body ", k);
    TriangleMesh mesh = k % 2 == 0 ? tetrahedron() : make_box({random.uniform(1, 3), 1.6, 1});
    for (Vec3& v : mesh.vertices) v += 0.4 * test::random_vector(random);
    const Vec3 com = 0.15 * test::random_vector(random);
    const double density = random.uniform(0.1, 0.9);
    const Vec3 axis = Vec3(1, 0, 0) + 0.4 * test::random_vector(random);
    compare(afloat(mesh, density, com), about(axis), k % 3 == 0 ? -120 : 120);
  }
}

}  // namespace
}  // namespace plimsoll
