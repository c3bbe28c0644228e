#include "contact_findings.h"

#include <plimsoll/mesh_generators.h>
#include <plimsoll/parallel.h>
#include <plimsoll/world.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

#include "clocks.h"
#include "got.h"
#include "support/revolved.h"
#include "support/threads.h"

namespace plimsoll::bench {
namespace {

constexpr double kPi = std::numbers::pi, kGravity = 9.80665;

RigidBody body_of(TriangleMesh mesh, double density, const Vec3& at) {
  RigidBody body;
  body.shape = {MeshSolid{std::make_shared<const TriangleMesh>(std::move(mesh))}};
  body.density = density;
  body.pose.translation() = at;
  return body;
}

RigidBody fixed(RigidBody body) {
  body.is_kinematic = true;
  return body;
}

World world_of(const std::vector<RigidBody>& bodies, const ContactLaw& law) {
  Environment air;
  air.gravity = kGravity;
  air.fluid_density = 0;
  World world = got(World::create(air, bodies), "bodies");
  got(world.set_contact(law), "contact");
  return world;
}

/// What steps took, for each second of the scene.
class Clock {
 public:
  void run(World& world, double seconds, double step) {
    for (int i = 0; i < static_cast<int>(std::lround(seconds / step)); ++i) {
      const Times taken = time_calls([&] { got(world.step(step), "a step"); }, 1);
      cpu_ += taken.cpu;
      simulated_ += step;
    }
  }
  [[nodiscard]] double ratio() const { return cpu_ / simulated_; }

 private:
  double cpu_ = 0, simulated_ = 0;
};

BodyState state(const World& world, std::size_t i) { return *world.body(world.ids()[i]); }

void print(const char* scene, const char* quantity, double found, const char* expected,
           const Clock& clock) {
  std::printf("%s,%s,%.4g,%s,%.3g\n", scene, quantity, found, expected, clock.ratio());
}
void print(const char* scene, const char* quantity, double found, double expected,
           const Clock& clock) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.4g", expected);
  print(scene, quantity, found, text, clock);
}

// ---- cups

/// Of paper, but thicker: 2 mm of wall, which gets wider by 1 mm in 10.
TriangleMesh cup() {
  constexpr double kWall = 0.002, kBottom = 0.003, kHeight = 0.1;
  const auto radius = [](double z) { return 0.03 + z / 10; };
  const std::vector<Vec2> section = {{0, 0},
                                     {radius(0), 0},
                                     {radius(kHeight), kHeight},
                                     {radius(kHeight) - kWall, kHeight},
                                     {radius(kBottom) - kWall, kBottom},
                                     {0, kBottom}};
  return test::revolved(24, section);
}

/// Cups in each other: walls of one bear the next, 20 mm higher.
void cups(int count) {
  constexpr double kStep = 0.02;  // where walls of the same slope touch
  RigidBody ground = fixed(body_of(make_box({1, 1, 0.1}), 500, {0, 0, -0.05}));
  std::vector<RigidBody> bodies = {ground};
  for (int i = 0; i < count; ++i) {
    bodies.push_back(body_of(cup(), 900, {0, 0, 1e-4 + i * (kStep + 2e-4)}));
    // No cup's corners over another's.
    bodies.back().pose.linear() = Eigen::AngleAxisd(0.37 * i, Vec3::UnitZ()).toRotationMatrix();
  }
  World world = world_of(bodies, {.stiffness = 1e8});
  Clock clock;
  clock.run(world, 1, 0.005);
  double lean = 0, aside = 0, fastest = 0;
  for (int i = 1; i <= count; ++i) {
    const BodyState now = state(world, static_cast<std::size_t>(i));
    const Vec3 up = now.pose.linear().col(2);
    lean = std::max(lean, 180 / kPi * std::atan2(up.head<2>().norm(), up.z()));
    aside = std::max(aside, 1e3 * now.pose.translation().head<2>().norm());
    fastest = std::max(fastest, 1e3 * now.velocity.norm());
  }
  print("32 cups", "lean after 1 s [deg]", lean, 0.0, clock);
  print("32 cups", "farthest aside [mm]", aside, 0.0, clock);
  print("32 cups", "fastest [mm/s]", fastest, 0.0, clock);
}

// ---- nut and bolt

/// Lets the nut go on a bolt that stands. By the thread's mean radius r, its lead's angle a and an
/// angle b of friction, tan b = mu / cos 45 degrees, it falls with g / (1 + I / (m r^2 tan a
/// tan(a - b))); where b > a it stays.
void nut_on_bolt(double friction) {
  const test::Thread thread;
  constexpr double kClearance = 3e-4, kStep = 0.001, kHeight = 0.08;
  World world = world_of({fixed(body_of(test::bolt(thread, 144), 7800, Vec3::Zero())),
                          body_of(test::nut(thread, 24, kClearance, 0.02), 7800, {0, 0, kHeight})},
                         {.stiffness = 1e11, .friction = friction});
  Clock clock;
  clock.run(world, 0.02, kStep);  // it falls by the clearance first
  const BodyState start = state(world, 1);
  constexpr int kSteps = 100;
  double turned = 0, off = 0, speeds = 0, weights = 0;
  Mat3 before = start.pose.linear();
  for (int i = 0; i < kSteps; ++i) {
    clock.run(world, kStep, kStep);
    const BodyState now = state(world, 1);
    const Mat3 turn = now.pose.linear() * before.transpose();
    turned += std::atan2(turn(1, 0), turn(0, 0));
    before = now.pose.linear();
    const double fallen = now.pose.translation().z() - start.pose.translation().z();
    off = std::max(off, std::fabs(fallen - thread.lead * turned / (2 * kPi)));
    // By least squares, of speeds that jump as it bounces between flanks.
    const double when = i - (kSteps - 1) / 2.0;
    speeds -= when * now.velocity.z();
    weights += when * when * kStep;
  }
  const MassProperties mass = *world.mass(world.ids()[1]);
  const double r = (thread.least + thread.largest) / 2;
  const double lead = std::atan(thread.lead / (2 * kPi * r));
  const double held = std::atan(friction / std::cos(kPi / 4));
  const double inertia = mass.inertia(2, 2) / (mass.mass * r * r);
  const double expected =
      held < lead ? kGravity / (1 + inertia / (std::tan(lead) * std::tan(lead - held))) : 0;
  char scene[48];
  std::snprintf(scene, sizeof(scene), "nut with friction %g", friction);
  print(scene, "acceleration down [m/s^2]", speeds / weights, expected, clock);
  print(scene, "off the thread [mm]", 1e3 * off, "0.6 (the clearance)", clock);
}

// ---- bracket

/// A ring round a post, of a length L, whose weight is so far from the axis: where that is more
/// than L / (2 mu), friction at two edges holds it. It begins leaning by half as much again as it
/// has room for, and what springs give back of that is damped away, or it would rattle down.
void bracket(double share) {
  constexpr double kPost = 0.01, kClearance = 1e-4, kLength = 0.04, kFriction = 0.25;
  constexpr double kTime = 0.5;
  const double out = share * kLength / (2 * kFriction);
  RigidBody ring =
      body_of(test::washer(kPost + kClearance, 2 * kPost, kLength, 64), 7800, {0, 0, 0.5});
  ring.pose.linear() =
      Eigen::AngleAxisd(1.5 * 2 * kClearance / kLength, Vec3::UnitY()).toRotationMatrix();
  ring.mass = GivenMass{
      .mass = 1, .center_of_mass = Vec3(out, 0, 0), .inertia = Mat3(1e-3 * Mat3::Identity())};
  World world = world_of({fixed(body_of(make_cylinder(kPost, 2, 64), 7800, {0, 0, 0})), ring},
                         {.stiffness = 1e10, .damping = 1, .friction = kFriction});
  Clock clock;
  clock.run(world, kTime, 0.001);
  const BodyState now = state(world, 1);
  char scene[48];
  std::snprintf(scene, sizeof(scene), "bracket at %g L / 2 mu", share);
  print(scene, "fallen after 0.5 s [mm]", 1e3 * (0.5 - now.pose.translation().z()),
        share > 1 ? "held" : "slides", clock);
  print(scene, "then as fast as [mm/s]", 1e3 * now.velocity.norm(), share > 1 ? "held" : "slides",
        clock);
}

}  // namespace

int findings() {
  std::puts("scene,quantity,found,expected,cpu_s_per_s");
  with_threads(1, [&] {
    for (const double share : {0.5, 0.8, 1.25, 2.0}) bracket(share);
    for (const double friction : {0.0, 0.1, 0.3, 0.6}) nut_on_bolt(friction);
    cups(32);
  });
  return 0;
}

}  // namespace plimsoll::bench
