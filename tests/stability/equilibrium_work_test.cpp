// What looking for poses at rest takes, in triangles that are looked at, and what a limit leaves.
#include <doctest/doctest.h>
#include <plimsoll/equilibrium.h>
#include <plimsoll/mesh_generators.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>

#include "hydro/water_work.h"
#include "stability/equilibrium_list.h"
#include "support/floating_bodies.h"

namespace plimsoll {
namespace {

/// A ball of triangles that are about as large as each other.
FloatingBody scan(int rings) { return test::homogeneous(make_sphere(1, rings, 2 * rings), 0.4); }

FloatingBody lying_cylinder(int slices) {
  return test::homogeneous(make_cylinder(1, 2.3, slices), 0.5);
}

/// Triangles that are clipped, and those that leaning planes may pass, for one state.
struct Looks {
  double clipped, passed;
};
Looks looks(const FloatingBody& given) {
  WaterWork work;
  const FloatingBody body = counted(given, work);
  const Vec3 up(1, 0, 0);
  const FloatingState at = float_upright(body, up);
  const FloatingState same = float_upright(given, up);
  CHECK(at.energy == same.energy);
  CHECK(at.level == same.level);
  const LeaningPlanes planes{at.wet.waterplane.center, at.wet.waterplane.axes, 0.01, 0.5};
  const ProjectedSurface near = body.solid->surface_between({up, at.level}, planes, 1e300);
  CHECK(near.second == given.solid->surface_between({up, same.level}, planes, 1e300).second);
  CHECK(work.questions() >= 2);
  CHECK(work.microseconds() > 0);
  return {static_cast<double>(work.clipped()) / static_cast<double>(work.questions() - 1),
          static_cast<double>(work.passed())};
}

// Water cuts a share of a cylinder's triangles, those around its two ends; of a scan a ring.
TEST_CASE("what is looked at grows as the triangles that the water cuts") {
  const Looks few = looks(scan(20)), many = looks(scan(40));
  CHECK(many.clipped <= 2.5 * few.clipped);
  CHECK(many.passed <= 2.5 * few.passed);
  const Looks slivers = looks(lying_cylinder(200)), more = looks(lying_cylinder(800));
  CHECK(more.clipped >= 3 * slivers.clipped);
  CHECK(more.clipped <= 5 * slivers.clipped);
  CHECK(more.passed <= 5 * slivers.passed);
}

// Of a ring a millionth as thick as it is wide, rounding finds poses and curves of them by the
// hundred: to compare these takes longer than to ask for states.
TEST_CASE("looking along the curves of poses that are listed counts as work") {
  const FloatingBody cube = test::homogeneous(make_box({1, 1, 1}), 0.245);
  const Equilibria all = find_equilibria(cube);
  const auto arc = std::find_if(all.found.begin(), all.found.end(),
                                [](const Equilibrium& found) { return found.arc.size() > 1; });
  REQUIRE(arc != all.found.end());
  EquilibriumList list(cube);
  list.add(arc->state, 1);
  const double before = list.work();
  CHECK(!list.knows(-arc->state.up, 1e-3));
  const auto pieces = static_cast<double>(list.sorted().front().arc.size() - 1);
  CHECK(pieces > 0);
  CHECK(list.work() - before >= 0.99 * 0.05 * pieces);
}

/// A solid of a program, which counts what it is asked.
class AskedSolid final : public FloatingSolid {
 public:
  explicit AskedSolid(std::shared_ptr<const FloatingSolid> solid) : solid_(std::move(solid)) {}
  Submersion submersion(const WaterPlane& water) const override {
    ++questions;
    return solid_->submersion(water);
  }
  bool knows_surface() const override { return true; }
  ProjectedSurface surface_between(const WaterPlane& water, const LeaningPlanes& planes,
                                   double enough) const override {
    ++questions;
    return solid_->surface_between(water, planes, enough);
  }

  mutable std::atomic<int> questions{0};

 private:
  std::shared_ptr<const FloatingSolid> solid_;
};

TEST_CASE("a search ends where it may not take more work, and says so") {
  FloatingBody body = lying_cylinder(31);
  const Equilibria all = find_equilibria(body);
  CHECK(!all.out_of_work);
  CHECK(all.complete == Completeness::kProven);
  const auto solid = std::make_shared<const AskedSolid>(body.solid);
  body.solid = solid;
  std::size_t found = 0;  // with less work
  for (const double max_work : {0.0, 1e2, 2e3, 5e3, 1e4}) {
    solid->questions = 0;
    const Equilibria some = find_equilibria(body, {.max_work = max_work});
    // A round that has begun is ended; such searches take a hundred questions each.
    INFO("work ", max_work);
    CHECK(solid->questions <= 2 * max_work + (max_work > 0 ? 64 * 200 : 0));
    CHECK(some.out_of_work);
    CHECK(some.complete != Completeness::kProven);
    CHECK(some.found.size() >= found);
    CHECK((max_work == 0) == some.found.empty());
    found = some.found.size();
  }
  CHECK(found <= all.found.size());
  const Equilibria rest = find_equilibria(body, {.max_work = 1e9});
  CHECK(!rest.out_of_work);
  CHECK(rest.found.size() == all.found.size());
}

TEST_CASE("where only starts are let go, a search that had the work for all of them says nothing") {
  const FloatingBody body = lying_cylinder(31);
  CHECK(!find_equilibria(body, {.all_kinds = false}).out_of_work);
  const Equilibria cut = find_equilibria(body, {.starts = 200, .all_kinds = false, .max_work = 1});
  CHECK(cut.out_of_work);
  CHECK(cut.found.size() == 1);
}

}  // namespace
}  // namespace plimsoll
