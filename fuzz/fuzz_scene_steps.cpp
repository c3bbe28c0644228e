// A scene from a document becomes a world of few bodies that takes a few short steps. It is refused
// with its reason, or stays within the numbers, and the same steps have the same bits: in a second
// world, on one thread, and from a snapshot.
#include <plimsoll/engines.h>
#include <plimsoll/interpenetrations.h>
#include <plimsoll/parallel.h>
#include <plimsoll/scene.h>
#include <plimsoll/world.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "check_answer.h"

namespace {

using namespace plimsoll;
using fuzz::Choices;
using fuzz::is_answered;
using fuzz::is_at_most;
using fuzz::require;

// ---- which scenes take little time

/// Solids that are not boxes become triangles, as many as they are thin; formulas and Booleans are
/// weighed by large images.
bool takes_little_time(const Shape& shape) {
  constexpr double kLongest = 8;
  if (std::holds_alternative<BoxSolid>(shape.solid)) return true;
  if (std::holds_alternative<Boolean>(shape.solid) ||
      std::holds_alternative<ImplicitSolid>(shape.solid) ||
      std::holds_alternative<PatchSolid>(shape.solid) ||
      std::holds_alternative<MeshSolid>(shape.solid))
    return false;
  const Vec3 sizes = bounding_box(Shape{shape.solid}).sizes();
  return sizes.maxCoeff() <= kLongest * sizes.minCoeff();
}

bool is_box(const RigidBody& body) { return std::holds_alternative<BoxSolid>(body.shape.solid); }

/// Whether a body of that size is cut into few pieces over which the surface is flat.
bool is_smooth(const FluidSurface& surface, double size) {
  if (const auto* waves = std::get_if<Waves>(&surface)) {
    constexpr std::size_t kMost = 4;
    constexpr double kCurved = 4;
    double curvature = 0;
    for (const WaveComponent& wave : waves->components) {
      const double k = 2 * std::numbers::pi / wave.wavelength;
      curvature += wave.amplitude * k * k;
    }
    return waves->components.size() <= kMost && curvature * size <= kCurved;
  }
  if (const auto* grid = std::get_if<HeightGrid>(&surface)) {
    constexpr std::size_t kMost = 16;
    constexpr double kSteep = 0.1;
    const auto [lowest, highest] = std::minmax_element(grid->heights.begin(), grid->heights.end());
    return grid->heights.size() <= kMost && *highest - *lowest <= kSteep * grid->spacing.minCoeff();
  }
  return true;
}

bool takes_little_time(const Scene& scene) {
  constexpr std::size_t kMostBodies = 4, kMostOverHeights = 2, kMostRound = 3;
  const FluidSurface& surface = scene.environment.surface;
  if (scene.bodies.size() > kMostBodies) return false;
  if (std::holds_alternative<HeightGrid>(surface) && scene.bodies.size() > kMostOverHeights)
    return false;
  if (std::count_if(scene.bodies.begin(), scene.bodies.end(), is_box) + kMostRound <
      scene.bodies.size())
    return false;
  return std::all_of(scene.bodies.begin(), scene.bodies.end(), [&](const RigidBody& body) {
    const double size =
        body.pose.linear().norm() * bounding_box(body.shape).diagonal().stableNorm();
    return takes_little_time(body.shape) && is_smooth(surface, size);
  });
}

/// As the law says, but for what takes long: spheres and depths of round bodies, many spheres, and
/// dampers that need many parts of a step.
ContactLaw in_little_time(ContactLaw law, const Scene& scene) {
  constexpr std::size_t kMostSpheres = 6, kMostPacked = 2;
  constexpr double kHardest = 4;
  const bool is_much = law.method == ContactMethod::kSpheres && scene.bodies.size() > kMostPacked;
  if (is_much || !std::all_of(scene.bodies.begin(), scene.bodies.end(), is_box))
    law.method = ContactMethod::kVolume;
  law.spheres = std::min(law.spheres, kMostSpheres);
  law.damping = std::min(law.damping, kHardest);
  return law;
}

/// The most that a contact of bodies in `world` may be stiff [N/m^3].
double stiffness_of(const World& world, const ContactLaw& law) {
  if (law.stiffness) return *law.stiffness;
  double stiffest = 0;
  for (const BodyId id : world.ids()) {
    const MassProperties mass = *world.mass(id);
    if (!world.is_kinematic(id))
      stiffest = std::max(stiffest, mass.mass * 9.80665 / (1e-4 * mass.volume));
  }
  return stiffest;
}

/// A step that no body takes in more than a few parts [s]; 0 where there is none.
double short_step(const World& world, const std::optional<ContactLaw>& law) {
  double h = 0.01;
  const auto limit = [&](double to) { h = std::isnan(to) ? 0 : std::min(h, to); };
  double thinnest = std::numeric_limits<double>::infinity(), fastest = 0;  // any may meet any
  for (const BodyId id : world.ids()) {
    const BodyState state = *world.body(id);
    const Vec3 sizes = bounding_box(*world.shape(id)).sizes();
    const double thin = sizes.minCoeff(), wide = sizes.stableNorm();
    const double speed = state.velocity.stableNorm() + wide * state.angular_velocity.stableNorm();
    limit(2 / world.substeps(id, 1));
    thinnest = std::min(thinnest, thin);
    fastest = std::max(fastest, speed);
    if (world.is_kinematic(id)) continue;
    if (world.environment().gravity > 0) limit(0.1 * std::sqrt(thin / world.environment().gravity));
    if (!law) continue;
    // Of springs on all of its surface, against a shift and a turn.
    const MassProperties mass = *world.mass(id);
    const double along = 24 * wide * wide * stiffness_of(world, *law);
    const double least = principal_axes(mass.inertia).moments[0];
    limit(1 / (64 * std::sqrt(along / mass.mass + along * wide * wide / least)));
  }
  if (fastest > 0) limit(0.05 * thinnest / fastest);
  return h;
}

// ---- what holds of worlds

/// Whether numbers are so usual that products of some of them are numbers.
bool is_usual(const World& world) {
  constexpr double kLarge = 1e50;
  const Environment& environment = world.environment();
  if (environment.gravity > kLarge || environment.fluid_density > kLarge) return false;
  for (const BodyId id : world.ids()) {
    const BodyState state = *world.body(id);
    const MassProperties mass = *world.mass(id);
    for (const double x : {state.velocity.norm(), state.angular_velocity.norm(),
                           state.center_of_mass.norm(), mass.mass, mass.volume, mass.inertia.norm(),
                           bounding_box(*world.shape(id)).diagonal().norm()})
      if (!(x < kLarge)) return false;
  }
  return true;
}

void check_body(const World& world, BodyId id) {
  const std::optional<BodyState> state = world.body(id);
  require(state.has_value(), "a body that the world does not know");
  require(state->pose.matrix().allFinite() && state->center_of_mass.allFinite(),
          "a body that is nowhere");
  require(state->velocity.allFinite() && state->angular_velocity.allFinite(),
          "a velocity that is no number");
  const Buoyancy& wet = state->buoyancy;
  require(std::isfinite(wet.volume) && wet.center.allFinite() && wet.lift.allFinite() &&
              wet.lift_moment.allFinite(),
          "a buoyancy that is no number");
  require(wet.volume >= 0 && is_at_most(wet.volume, (1 + 1e-9) * world.mass(id)->volume),
          "another volume under water than a part of the whole");
}

void check_energy(const World& world) {
  if (!is_usual(world)) return;
  const Energy energy = world.energy();
  require(std::isfinite(energy.kinetic) && energy.kinetic >= 0, "a wrong kinetic energy");
  require(std::isfinite(energy.gravity) && std::isfinite(energy.water),
          "an energy that is no number");
  require(!std::isinf(energy.contact), "an infinite energy of contacts");
  require(std::isfinite(world.dissipated()) && std::isfinite(world.work()),
          "a work that is no number");
}

/// Returns whether the world came that far.
bool step(World& world, double h) {
  const double time = world.time();
  const std::uint64_t hash = world.state_hash();
  const Result<void> done = world.step(h);
  if (!is_answered(done)) {
    require(world.time() == time && world.state_hash() == hash,
            "a step that failed and changed the world");
    return false;
  }
  require(world.time() > time, "a step in which no time passed");
  for (const BodyId id : world.ids()) check_body(world, id);
  return true;
}

/// What is made and done the same way twice.
struct Course {
  Scene scene;
  bool by_image = false;
  int steps = 3;
};

Result<World> world_of(const Course& course) {
  std::shared_ptr<BuoyancyEngine> engine = exact_buoyancy();
  if (course.by_image) engine = image_buoyancy({.width = 4, .height = 3});
  Result<World> world =
      World::create(course.scene.environment, course.scene.bodies, std::move(engine));
  if (!world) return world;
  if (const Result<void> applied = apply_contact(course.scene, *world); !applied)
    return applied.error();
  return world;
}

/// The state after each step, the beginning's first. What fails ends it.
std::vector<std::uint64_t> run(World& world, double h, int steps) {
  std::vector<std::uint64_t> hashes{world.state_hash()};
  while (steps-- > 0 && step(world, h)) hashes.push_back(world.state_hash());
  return hashes;
}

/// The first step, a snapshot, the others; then from the snapshot again.
std::vector<std::uint64_t> run_twice(World& world, double h, int steps) {
  std::vector<std::uint64_t> hashes = run(world, h, 1);
  if (hashes.size() == 1) return hashes;
  const WorldSnapshot then = world.snapshot();
  const double time = world.time();
  const std::vector<std::uint64_t> rest = run(world, h, steps - 1);
  require(world.restore(then).has_value(), "a snapshot that the world does not take back");
  require(world.time() == time, "another time than that of the snapshot");
  require(run(world, h, steps - 1) == rest, "other steps after the snapshot");
  hashes.insert(hashes.end(), rest.begin() + 1, rest.end());
  return hashes;
}

/// Volumes that bodies share, or where they pass through each other.
void look_at_pairs(World& world) {
  const std::vector<BodyId> ids = world.ids();
  if (ids.size() < 2) return;
  if (world.contact()) {
    const Result<double> shared = world.shared_volume(ids[0], ids[1]);
    if (is_answered(shared)) require(*shared >= 0, "a shared volume below 0, or none");
    for (const BodyContact& contact : world.contacts())
      require(contact.a != contact.b && contact.depth >= 0, "a contact of no two bodies");
    return;
  }
  Result<InterpenetrationSearch> search = InterpenetrationSearch::create(world);
  if (!is_answered(search)) return;
  const Result<Interpenetrations> found = search->find(world);
  if (!is_answered(found)) return;
  require(found->count <= ids.size() * (ids.size() - 1) / 2, "more pairs than there are");
  require(found->first.size() == found->count, "pairs that have no names");
  for (const Interpenetration& pair : found->first)
    require(pair.a < pair.b && pair.at.allFinite(), "a common point that is nowhere");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span input(data, size);
  Result<Scene> scene = read_scene(std::as_bytes(input), "input", {});
  if (!scene || !takes_little_time(*scene)) return 0;
  Choices choices(input);
  Course course{*std::move(scene), choices.one_in(3)};
  std::optional<ContactLaw>& law = course.scene.contact;
  if (law && choices.one_in(4)) law.reset();
  if (law) law = in_little_time(*law, course.scene);
  const bool takes_long = (law && law->method == ContactMethod::kLesserDepth) ||
                          std::holds_alternative<HeightGrid>(course.scene.environment.surface);
  if (takes_long) course.steps = 1;

  Result<World> world = world_of(course);
  if (!is_answered(world)) {
    require(world_of(course).error().message == world.error().message,
            "another reason the second time");
    return 0;
  }
  require(world->body_count() == course.scene.bodies.size(), "a wrong count");
  const double h = short_step(*world, law);
  if (!(h > 0)) return 0;
  const std::vector<std::uint64_t> hashes = run_twice(*world, h, course.steps);
  check_energy(*world);
  if (choices.one_in(2)) look_at_pairs(*world);

  const auto repeat = [&] {
    Result<World> same = world_of(course);
    require(same.has_value(), "a world the first time only");
    require(run(*same, h, course.steps) == hashes, "other steps of the same scene");
  };
  choices.one_in(2) ? with_threads(1, repeat) : repeat();
  return 0;
}
