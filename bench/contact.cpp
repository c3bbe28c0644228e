// What contact costs: a step of many bodies at rest on a floor, awake and asleep; and what a tool
// in a hand feels where its queries end in time, beside exact surfaces. Prints a CSV to stdout;
// README.md tells how to read it.
//
//   contact growth      a step of 10 to 10,000 bodies
//   contact basin       fifty bodies in a basin of water, with contact and without
//   contact deadlines   two paths of a tool by spheres, at budgets of 50 us and more
//   contact laws        the laws of contact on paths along which the right force is known
//   contact findings    cups in each other, a nut on a bolt, a bracket on a post
#include <plimsoll/haptics.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/parallel.h>
#include <plimsoll/scene.h>
#include <plimsoll/world.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "clocks.h"
#include "contact_findings.h"
#include "contact_laws.h"
#include "got.h"

namespace plimsoll::bench {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();

// ---- growth

RigidBody cube(const Vec3& at) {
  RigidBody made;
  made.shape = {BoxSolid{{1, 1, 1}}};
  made.density = 500;
  made.pose.translation() = at;
  return made;
}

/// Stacks of two cubes on a floor, as deep in each other as they rest.
World stacks(int count, double sleep_after) {
  Environment air;
  air.fluid_density = 0;
  const int side = static_cast<int>(std::ceil(std::sqrt(count / 2)));
  RigidBody floor;
  floor.shape = {BoxSolid{{4.0 * side, 4.0 * side, 1}}};
  floor.is_kinematic = true;
  floor.pose.translation() = Vec3(1.5 * side, 1.5 * side, -0.5);
  std::vector<RigidBody> bodies{floor};
  for (int i = 0; i < count / 2; ++i)
    for (const double height : {0.4998, 1.4997})
      bodies.push_back(cube({3.0 * (i % side), 3.0 * (i / side), height}));
  World world = got(World::create(air, bodies), "bodies");
  ContactLaw law;
  law.sleep_after = sleep_after;
  got(world.set_contact(law), "contact");
  return world;
}

void measure_step(int count, bool sleeps, int threads) {
  constexpr double kStep = 0.005;
  World world = stacks(count, sleeps ? 0.02 : kForever);
  const auto step = [&] { got(world.step(kStep), "a step"); };
  with_threads(threads, [&] {
    for (int i = 0; i < (sleeps ? 8 : 2); ++i) step();
    if (sleeps && !world.is_asleep(world.ids()[1])) {
      std::fputs("contact: the stacks do not sleep\n", stderr);
      std::exit(1);
    }
    const double contact = world.contact_seconds();
    double wall = 0;
    std::vector<double> seconds;
    for (int i = 0; i < (sleeps ? 11 : 3); ++i) {
      const Times taken = time_calls(step, 1);
      seconds.push_back(taken.wall);
      wall += taken.wall;
    }
    std::printf("%d,%s,%d,%.4g,%.4g,%.3f\n", count, sleeps ? "asleep" : "awake", threads,
                1e3 * median(seconds), 1e6 * median(seconds) / count,
                (world.contact_seconds() - contact) / wall);
  });
}

int growth() {
  std::puts("bodies,state,threads,step_ms,step_us_per_body,contact_share");
  for (const int count : {10, 100, 1000, 10'000})
    for (const bool sleeps : {false, true})
      for (const int threads : {1, 2})
        if (!(sleeps && threads > 1)) measure_step(count, sleeps, threads);
  return 0;
}

// ---- basin

/// The first two seconds of the scene, in steps of 5 ms.
void measure_basin(const Scene& scene, const char* name, const std::optional<ContactLaw>& law,
                   int threads) {
  constexpr double kStep = 0.005;
  constexpr int kSteps = 400;
  World world = got(World::create(scene.environment, scene.bodies), "bodies");
  got(world.set_contact(law), "contact");
  double pairs = 0;
  with_threads(threads, [&] {
    const Times taken = time_calls(
        [&] {
          for (int i = 0; i < kSteps; ++i) {
            got(world.step(kStep), "a step");
            pairs += static_cast<double>(world.contacts().size()) / kSteps;
          }
        },
        1);
    std::printf("%s,%d,%.4g,%.3f,%.3f,%.1f\n", name, threads, kSteps / taken.wall,
                world.buoyancy_seconds() / taken.wall, world.contact_seconds() / taken.wall, pairs);
  });
}

int basin() {
  const Scene scene = got(read_scene("scenes/kim2006_basin.json"), "scenes/kim2006_basin.json");
  std::puts("contact,threads,steps_per_second,buoyancy_share,contact_share,mean_pairs");
  ContactLaw volume = *scene.contact;
  volume.method = ContactMethod::kVolume;
  for (const int threads : {1, 2}) {
    measure_basin(scene, "none", {}, threads);
    measure_basin(scene, "exact", scene.contact, threads);
    measure_basin(scene, "volume", volume, threads);
  }
  return 0;
}

// ---- deadlines

struct Scenario {
  std::string name;
  Scene scene;
  std::vector<Pose> path;
};

Scenario drag() {
  Scenario made{"drag", got(read_scene("scenes/drag.json"), "scenes/drag.json"),
                got(read_device_path("scenes/drag.csv"), "scenes/drag.csv")};
  return made;
}

/// A torus goes 40 % of its tube's radius into a bumpy ball, turns and slides there, and comes out:
/// round on round, of some thousands of triangles each.
Scenario ring() {
  constexpr double kMajor = 0.03, kMinor = 0.01, kRadius = 0.05;
  Scenario made;
  made.name = "ring";
  made.scene.environment.gravity = 0;
  made.scene.environment.fluid_density = 0;
  RigidBody torus, ball;
  torus.shape = {MeshSolid{std::make_shared<TriangleMesh>(make_torus(kMajor, kMinor, 64, 32))}};
  torus.density = 1200;
  ball.shape = {
      MeshSolid{std::make_shared<TriangleMesh>(make_bumpy_sphere(kRadius, 0.05, 48, 96, 9))}};
  ball.is_kinematic = true;
  made.scene.bodies = {torus, ball};
  made.scene.contact = ContactLaw{.stiffness = 2e6};
  const double start = kRadius + 1.6 * kMinor;
  for (int k = 0; k < 1500; ++k) {
    const double share = k / 1499.0;
    const double down = 1.2 * kMinor * std::min({1.0, 4 * share, 4 * (1 - share)});
    Pose pose = Pose::Identity();
    pose.linear() =
        Eigen::AngleAxisd(share * std::numbers::pi / 2, Vec3::UnitZ()).toRotationMatrix();
    pose.translation() = Vec3(0.01 * std::sin(4 * std::numbers::pi * share), 0, start - down);
    made.path.push_back(pose);
  }
  return made;
}

std::vector<HapticTick> follow(const Scenario& scenario, const ContactLaw& law, double budget) {
  World world = got(World::create(scenario.scene.environment, scenario.scene.bodies), "bodies");
  got(world.set_contact(law), "contact");
  const BodyId tool = world.ids().front();
  HapticLoop loop = got(HapticLoop::create(std::move(world), tool, scenario.path.front(),
                                           {.limits = limits_of(scenario.path), .budget = budget}),
                        "a loop");
  std::vector<HapticTick> ticks;
  for (const Pose& pose : scenario.path) ticks.push_back(got(loop.tick(pose), "a tick"));
  return ticks;
}

/// Compares the forces of all ticks of more than a tenth of the largest exact force.
void print_row(const Scenario& scenario, const std::string& engine, double budget,
               const std::vector<HapticTick>& ticks, const std::vector<HapticTick>& exact) {
  double largest = 0;
  for (const HapticTick& tick : exact) largest = std::max(largest, tick.contact.force.norm());
  std::vector<double> missing, angles, queries;
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    const Vec3 &f = ticks[i].contact.force, &right = exact[i].contact.force;
    if (right.norm() < largest / 10) continue;
    queries.push_back(1e6 * ticks[i].query_seconds);
    missing.push_back(1 - f.norm() / right.norm());
    angles.push_back(180 / std::numbers::pi * std::atan2(f.cross(right).norm(), f.dot(right)));
  }
  std::printf("%s,%s,%.4g,%.3f,%.3g,%.3g,%.4g,%.4g\n", scenario.name.c_str(), engine.c_str(),
              1e6 * budget, median(missing), median(angles), quantile(angles, 0.99),
              median(queries), quantile(queries, 0.99));
  std::fflush(stdout);
}

int deadlines() {
  std::puts("scene,engine,budget_us,force_missing,angle_deg,angle_99_deg,query_us,query_99_us");
  with_threads(1, [&] {
    for (const Scenario& scenario : {drag(), ring()}) {
      ContactLaw law = *scenario.scene.contact;
      law.method = ContactMethod::kExact;
      const std::vector<HapticTick> exact = follow(scenario, law, kForever);
      print_row(scenario, "exact", kForever, exact, exact);
      law.method = ContactMethod::kSpheres;
      for (const bool on_surface : {false, true})
        for (const std::size_t spheres : {2'000, 50'000}) {
          law.exact_fixed = on_surface;
          law.spheres = spheres;
          for (const double budget : {50e-6, 100e-6, 200e-6, 500e-6, kForever})
            print_row(scenario,
                      "spheres " + std::to_string(spheres) + (on_surface ? " on the surface" : ""),
                      budget, follow(scenario, law, budget), exact);
        }
    }
  });
  return 0;
}

}  // namespace
}  // namespace plimsoll::bench

int main(int argc, char** argv) {
  using namespace plimsoll::bench;
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // a program that is stopped leaves whole rows
  const std::string_view part = argc == 2 ? argv[1] : "";
  if (part == "growth") return growth();
  if (part == "basin") return basin();
  if (part == "deadlines") return deadlines();
  if (part == "laws") return laws();
  if (part == "findings") return findings();
  std::fprintf(stderr, "usage: %s growth|basin|deadlines|laws|findings\n", argv[0]);
  return 2;
}
