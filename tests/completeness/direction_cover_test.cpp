// What a proof that no pose is missing stands on: the inequality of the energy, the bound of how
// far the waterplane's moments change, and what follows for poses and cells. Against brute force.
#include "completeness/direction_cover.h"
#include "stability/equilibrium_search.h"

#include <doctest/doctest.h>
#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/parallel.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "completeness/isolation.h"
#include "completeness/neutral_curve.h"
#include "core/random.h"
#include "support/campaign.h"
#include "support/checked.h"
#include "support/floating_bodies.h"
#include "support/random_mesh.h"

namespace plimsoll {
namespace {

using test::homogeneous;

/// Convex ones and others, coarse and fine, long and flat.
std::vector<TriangleMesh> bodies() {
  std::vector<TriangleMesh> meshes = {
      make_box({1, 0.7, 0.4}), make_box({20, 1, 1.3}),   make_torus(1, 0.4, 24, 12),
      make_cone(1, 2, 5),      make_cylinder(1, 0.3, 7), make_bumpy_sphere(1, 0.4, 20, 31)};
  for (Vec3& v : meshes.back().vertices) v[0] *= 3;
  return meshes;
}

Vec3 random_direction(Random& random) { return test::random_vector(random).normalized(); }

/// `up` turned by `angle` in a random direction.
Vec3 nearby(Random& random, const Vec3& up, double angle) {
  const Vec3 across = up.cross(test::random_vector(random)).normalized();
  return std::cos(angle) * up + std::sin(angle) * across;
}

// Any other way of taking the same volume out of a solid has its center higher. Both sides are
// known to state_error().
TEST_CASE("no direction's energy is below what another direction's centers make of it") {
  Random random(3);
  for (const TriangleMesh& mesh : bodies())
    for (const double density : {0.03, 0.3, 0.5, 0.9}) {
      const FloatingBody body = homogeneous(mesh, density);
      for (int i = 0; i < test::campaign(400); ++i) {
        const FloatingState n = float_upright(body, random_direction(random));
        const FloatingState m = float_upright(body, random_direction(random));
        const Vec3 apart = m.righting_arm + m.energy * m.up;
        CHECK(n.up.dot(apart) <= n.energy + state_error(body, n) + state_error(body, m));
      }
    }
}

/// S (DF(y) - H) S by its definition, DF = (1 + y y^T) C(y) / V - (q . n) 1 in heel axes, C(y) from
/// the waterplane there seen along n.
Mat2 change_at(const FloatingBody& body, const FloatingState& at, const LevelChart& chart,
               const Vec2& z) {
  const Mat2 s = chart.axes() * at.heel_axes.transpose();
  const Vec2 y = s * z;
  const Vec3 lean = at.up + at.heel_axes.transpose() * y;
  const FloatingState there = float_upright(body, lean.normalized(), at.level);
  const WaterSection& section = there.wet.waterplane;
  // Lengths along the plane there are seen along `up`; areas are smaller by its slope.
  const Mat2 seen = at.heel_axes * section.axes.transpose();
  const Mat2 moments = seen * section.second_moments * seen.transpose() * there.up.dot(at.up);
  const Vec3 q = there.righting_arm + there.energy * there.up;
  const Mat2 jacobian = (Mat2::Identity() + y * y.transpose()) * moments / body.displacement -
                        q.dot(at.up) * Mat2::Identity();
  const Mat2 hessian = at.metacentric_heights.asDiagonal();
  return s * (jacobian - hessian) * s;
}

// The bound is compared with planes that lean by up to the slope. Moments are known to 1e-13 of the
// whole; 1e-9 leaves room for draughts where the waterplane is small.
TEST_CASE("the Hessian changes by no more than the surface between the planes allows") {
  Random random(5);
  int told = 0;
  for (const TriangleMesh& mesh : bodies())
    for (int i = 0; i < test::campaign(300); ++i) {
      const FloatingBody body = homogeneous(mesh, random.uniform(0.05, 0.95));
      const FloatingState at = float_upright(body, random_direction(random));
      const LevelChart chart(at);
      const double slope = std::pow(10.0, random.uniform(-4, -0.5));
      const double bound = curvature_change(body, at, chart, slope);
      if (!std::isfinite(bound)) continue;
      ++told;
      for (int k = 0; k < 8; ++k) {
        const double turn = random.uniform(0, 7);
        const Vec2 z =
            slope * (k < 4 ? 1 : random.uniform(0, 1)) * Vec2(std::cos(turn), std::sin(turn));
        const double change = change_at(body, at, chart, z).operatorNorm();
        CHECK(change <= bound + 1e-9 * chart.largest());
      }
    }
  CHECK(told >= test::campaign(600));  // of 1800: the others lean by too much
}

// To first order both grow as the slope, and the bound is an integral of absolute values: for a
// convex body within a factor that does not depend on the slope.
TEST_CASE("the bound of the Hessian's change falls with the slope") {
  const FloatingBody body = homogeneous(make_box({1, 0.7, 0.4}), 0.3);
  const FloatingState at = float_upright(body, Vec3(0.5, 0.3, 0.8).normalized());
  const LevelChart chart(at);
  const double far = curvature_change(body, at, chart, 1e-3);
  const double near = curvature_change(body, at, chart, 1e-6);
  CHECK(near > 0);
  CHECK(near <= 1.1e-3 * far);
}

// Upright, the walls are vertical and the waterplane's image does not change at all as long as the
// water stays between the ends: what is left is the slope's square. The pose of a box 1 x 0.7 x 0.4
// with a heavy keel so is isolated until the water reaches a corner.
TEST_CASE("an upright box is isolated until the water reaches an edge") {
  FloatingBody body = homogeneous(make_box({1, 0.7, 0.4}), 0.5);
  body.center_of_mass = {0, 0, -0.15};
  const FloatingState at = float_upright(body, {0, 0, 1});
  const IsolatedPose pose = isolated_pose(body, at);
  // In the chart half the longer side is as far as half the shorter one, where the water rises 0.2
  // at the slope 0.2 / 0.35; offset and sectors take less than two thirds of that.
  CHECK(pose.slope > 0.2 / 0.35 / 3);
  CHECK(pose.holds({0, 0.1, 1}));
  CHECK_FALSE(pose.holds({0, 1, 0.1}));
  CHECK_FALSE(pose.holds({0, 0, -1}));
}

TEST_CASE("what is isolated holds no other pose at rest") {
  Random random(7);
  for (const TriangleMesh& mesh : bodies()) {
    const FloatingBody body = homogeneous(mesh, 0.4);
    const auto rest = search_rest(body, kDown, 1e-12, random_direction(random));
    REQUIRE(rest);
    const IsolatedPose pose = isolated_pose(body, *rest);
    if (pose.slope == 0) continue;
    for (int i = 0; i < test::campaign(200); ++i)
      for (const SearchSigns& signs : {kDown, kUp, kToSaddle}) {
        const Vec3 up = nearby(random, rest->up, random.uniform(0, 2) * std::atan(pose.slope));
        const auto other = search_rest(body, signs, 1e-12, up);
        // Searches end within an arm of 1e-12 over a metacentric height of more than 1e-5.
        if (other && pose.holds(other->up)) CHECK(angle_between(other->up, rest->up) <= 1e-6);
      }
  }
}

// Poses at rest are in open cells or isolated, whatever the round.
TEST_CASE("a cover settles no cell that holds a pose at rest") {
  Random random(11);
  for (const TriangleMesh& mesh : bodies()) {
    const FloatingBody body = homogeneous(mesh, 0.35);
    std::vector<Vec3> at_rest;
    for (int i = 0; i < 12; ++i)
      for (const SearchSigns& signs : {kDown, kUp, kToSaddle})
        if (const auto end = search_rest(body, signs, 1e-12, random_direction(random)))
          at_rest.push_back(end->up);
    DirectionCover cover(body);
    for (int round = 0; round < 6; ++round) {
      cover.settle({});
      for (const Vec3& up : at_rest) {
        const auto holds = [&](const DirectionCover::Cell& cell) {
          const auto& [a, b, c] = cell.corner;
          const double room = -1e-9;
          return a.cross(b).dot(up) > room && b.cross(c).dot(up) > room &&
                 c.cross(a).dot(up) > room;
        };
        CHECK(std::any_of(cover.open().begin(), cover.open().end(), holds));
      }
      cover.split();
    }
  }
}

// A gradient field has the index of its zeros: a minimum and a maximum 1, a saddle -1, and an arc
// of a cube's neutral poses, between two hills, -1.
TEST_CASE("the gradient turns round a pose as often as its index says") {
  const FloatingBody box = homogeneous(make_box({1, 0.7, 0.4}), 0.5);
  const auto index = [&](const Vec3& up) { return index_around(box, {{up}, false}, 0, 0.05); };
  CHECK(index({0, 0, 1}) == 1);
  CHECK(index({0, 1, 0}) == -1);
  CHECK(index({1, 0, 0}) == 1);
  CHECK(index(Vec3(1, 1, 1).normalized()) == 0);  // nothing is at rest there
}

TEST_CASE("the list of poses is the same for any number of threads") {
  const FloatingBody body = homogeneous(make_bumpy_sphere(1, 0.4, 12, 19), 0.4);
  std::vector<Equilibria> lists(2);
  for (const int threads : {1, 4})
    with_threads(threads, [&] { lists[threads == 1 ? 0 : 1] = find_equilibria(body); });
  CHECK(lists[0].complete == lists[1].complete);
  REQUIRE(lists[0].found.size() == lists[1].found.size());
  for (std::size_t i = 0; i < lists[0].found.size(); ++i) {
    CHECK(lists[0].found[i].state.up == lists[1].found[i].state.up);
    CHECK(lists[0].found[i].state.energy == lists[1].found[i].state.energy);
  }
}

}  // namespace
}  // namespace plimsoll
