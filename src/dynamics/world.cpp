#include <plimsoll/world.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "core/number_text.h"
#include "dynamics/world_checks.h"
#include "dynamics/world_state.h"
#include "shape/similarity_parts.h"

namespace plimsoll {
namespace {

class Fnv {
 public:
  void add(double number) {
    const auto bits = std::bit_cast<std::uint64_t>(number);
    for (int byte = 0; byte < 8; ++byte) {
      hash_ ^= (bits >> (8 * byte)) & 0xFF;
      hash_ *= 0x100000001B3u;
    }
  }
  template <class Vector>
  void add_all(const Vector& numbers) {
    for (int i = 0; i < numbers.size(); ++i) add(numbers[i]);
  }
  [[nodiscard]] std::uint64_t hash() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xCBF29CE484222325u;
};

Result<FreeSurface> checked_surface(const Environment& environment) {
  if (Result<void> usable = check_environment(environment); !usable) return usable.error();
  Result<FreeSurface> surface = FreeSurface::create(environment.surface);
  if (surface) return surface;
  Error error = surface.error();
  error.where = "fluid.surface." + error.where;
  return error;
}

Result<void> check_push(const Vec3& a, const char* a_name, const Vec3& b, const char* b_name) {
  if (Result<void> fine = check_finite(a, a_name); !fine) return fine;
  return check_finite(b, b_name);
}

}  // namespace

Result<World> World::create(const Environment& environment, std::span<const RigidBody> bodies,
                            std::shared_ptr<BuoyancyEngine> engine, double start_time) {
  Result<FreeSurface> surface = checked_surface(environment);
  if (!surface) return surface.error();
  if (Result<SurfaceNow> now = surface->at(start_time, environment.gravity); !now)
    return now.error();
  auto state = std::make_unique<State>();
  state->environment = environment;
  state->surface = *std::move(surface);
  state->time = start_time;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    Result<WorldBody> body = weigh_body(bodies[i], environment);
    if (!body) return in_body(body.error(), i);
    state->place(static_cast<std::uint32_t>(i), *std::move(body));
  }
  if (Result<void> taken = state->use(engine ? std::move(engine) : exact_buoyancy()); !taken)
    return taken.error();
  return World(std::move(state));
}

World::World(std::unique_ptr<State> state) : state_(std::move(state)) {}
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;
World::~World() = default;

Result<void> World::step(double h) {
  if (!is_positive(h))
    return Error{ErrorCode::kInvalidArgument,
                 "found a step of " + digits(h) + " s, expected it positive and finite", "h"};
  Result<void> done = state_->advance(h);
  if (!done) state_->bring_back_motion();
  return done;
}

// ---- how it is

double World::time() const { return state_->time; }
const Environment& World::environment() const { return state_->environment; }
SurfaceNow World::surface() const {
  return *state_->surface.at(state_->time, state_->environment.gravity);
}
std::size_t World::body_count() const { return state_->present.size(); }
double World::buoyancy_seconds() const { return state_->buoyancy_seconds; }
double World::contact_seconds() const { return state_->contact_seconds; }
const std::optional<ContactLaw>& World::contact() const { return state_->contact.law; }

std::vector<BodyContact> World::contacts() const {
  std::vector<BodyContact> found;
  for (const BodyMeeting& meeting : state_->contact.meetings) {
    constexpr double kDeep = 0.4;
    const PairForces& forces = meeting.forces;
    const double thin = std::min(state_->body(meeting.pair.a).contact.thickness,
                                 state_->body(meeting.pair.b).contact.thickness);
    const BodyNow& a = state_->body(meeting.pair.a).now;
    const Vec3 force = forces.elastic.force + forces.resisting.force;
    const Vec3 torque = forces.elastic.torque_a + forces.resisting.torque_a -
                        (forces.center - a.center_of_mass).cross(force);
    found.push_back({a.id, state_->body(meeting.pair.b).now.id, force, forces.center, torque,
                     forces.depth, forces.depth > kDeep * thin});
  }
  return found;
}

Result<double> World::shared_volume(BodyId a, BodyId b) {
  const Result<WorldBody*> found_a = state_->found(a), found_b = state_->found(b);
  if (!found_a) return found_a.error();
  if (!found_b) return found_b.error();
  if (!state_->contact.law)
    return Error{ErrorCode::kInvalidArgument,
                 "found bodies that pass through each other, expected "
                 "a world with contact",
                 "contact"};
  const WorldBody &body_a = **found_a, &body_b = **found_b;
  return state_->volumes.shared(body_a.contact, Similarity(body_a.now.world_from_body),
                                body_b.contact, Similarity(body_b.now.world_from_body),
                                state_->contact.law->max_time);
}

std::vector<BodyId> World::ids() const {
  std::vector<BodyId> ids;
  ids.reserve(state_->present.size());
  for (const std::uint32_t slot : state_->present) ids.push_back(state_->body(slot).now.id);
  return ids;
}

std::optional<BodyId> World::find(std::string_view name) const {
  for (const std::uint32_t slot : state_->present)
    if (state_->body(slot).name == name) return state_->body(slot).now.id;
  return std::nullopt;
}

std::optional<BodyState> World::body(BodyId id) const {
  const WorldBody* body = state_->find(id);
  return body != nullptr ? std::optional(body->state()) : std::nullopt;
}

std::optional<std::string> World::name(BodyId id) const {
  const WorldBody* body = state_->find(id);
  return body != nullptr ? std::optional(body->name) : std::nullopt;
}

std::optional<MassProperties> World::mass(BodyId id) const {
  const WorldBody* body = state_->find(id);
  return body != nullptr ? std::optional(body->mass) : std::nullopt;
}

std::optional<MassError> World::mass_estimate(BodyId id) const {
  const WorldBody* body = state_->find(id);
  if (body == nullptr || !body->is_estimated) return std::nullopt;
  return mass_at(*body, body->mass.density).error;
}

std::optional<Shape> World::shape(BodyId id) const {
  const WorldBody* body = state_->find(id);
  return body != nullptr ? std::optional(body->shape) : std::nullopt;
}

bool World::is_kinematic(BodyId id) const {
  const WorldBody* body = state_->find(id);
  return body != nullptr && body->now.is_kinematic;
}

bool World::is_asleep(BodyId id) const {
  const WorldBody* body = state_->find(id);
  return body != nullptr && !body->now.is_kinematic && body->rest.is_asleep;
}

Energy World::energy() const {
  const Environment& environment = state_->environment;
  const SurfaceNow water = surface();
  Energy sum;
  for (const std::uint32_t slot : state_->present) {
    const WorldBody& body = state_->body(slot);
    if (body.now.is_kinematic) continue;
    sum.kinetic += kinetic_energy(body.motion, body.inertia);
    sum.gravity += body.mass.mass * environment.gravity * body.motion.center[2];
    const Buoyancy& wet = body.now.buoyancy;
    if (water.is_plane())
      sum.water += environment.fluid_density * environment.gravity * wet.volume *
                   (water.highest() - wet.center[2]);
  }
  if (state_->contact.law) sum.contact = state_->contact_energy();
  return sum;
}

double World::dissipated() const {
  double sum = state_->former_dissipated;
  for (const std::uint32_t slot : state_->present) sum += state_->body(slot).dissipated;
  // Friction's springs took this too, and still have it: Energy::contact.
  for (const BodyMeeting& meeting : state_->contact.meetings) sum -= meeting.forces.held;
  return sum;
}

double World::work() const {
  double sum = state_->former_work;
  for (const std::uint32_t slot : state_->present) sum += state_->body(slot).work;
  return sum;
}

std::uint64_t World::state_hash() const {
  Fnv hash;
  hash.add(state_->time);
  for (const std::uint32_t slot : state_->present) {
    const RigidMotion& motion = state_->body(slot).motion;
    hash.add_all(motion.center);
    hash.add_all(motion.velocity);
    hash.add_all(motion.turn.coeffs());
    hash.add_all(motion.spin);
  }
  return hash.hash();
}

// ---- taking part

Result<BodyId> World::add(const RigidBody& body) {
  Result<WorldBody> weighed = weigh_body(body, state_->environment);
  if (!weighed) return weighed.error();
  if (state_->contact.law) {
    Result<ContactSolid> solid =
        state_->solids.of(weighed->shape, weighed->now.is_kinematic, *state_->contact.law);
    if (!solid) return solid.error();
    weighed->contact = *std::move(solid);
  }
  const std::uint32_t slot = state_->next_slot();
  if (Result<void> added = state_->engine->add(slot, weighed->shape); !added) return added.error();
  const BodyId id = state_->place(slot, *std::move(weighed));
  if (Result<void> answered = state_->immerse({&slot, 1}); !answered) {
    state_->remove(slot);
    --state_->slots[slot].generation;  // the id was never given away
    return answered.error();
  }
  return id;
}

Result<void> World::remove(BodyId id) {
  if (Result<WorldBody*> found = state_->found(id); !found) return found.error();
  state_->remove(id.index);
  return {};
}

Result<void> World::set_environment(const Environment& environment) {
  Result<FreeSurface> surface = checked_surface(environment);
  if (!surface) return surface.error();
  if (Result<SurfaceNow> now = surface->at(state_->time, environment.gravity); !now)
    return now.error();
  const WorldData before = *state_;
  state_->environment = environment;
  state_->surface = *std::move(surface);
  for (const std::uint32_t slot : state_->present) {
    set_inertia(state_->body(slot), environment);
    state_->body(slot).now.buoyancy = {};
  }
  Result<void> answered = state_->immerse(state_->present);
  if (!answered)
    static_cast<WorldData&>(*state_) = before;
  else
    state_->wake_all();
  return answered;
}

Result<void> World::set_engine(std::shared_ptr<BuoyancyEngine> engine) {
  return state_->use(engine ? std::move(engine) : exact_buoyancy());
}

Result<void> World::set_contact(const std::optional<ContactLaw>& law) {
  if (law) {
    if (Result<void> usable = check_contact(*law); !usable) return usable;
    std::vector<ContactSolid> made;
    for (const std::uint32_t slot : state_->present) {
      Result<ContactSolid> solid =
          state_->solids.of(state_->body(slot).shape, state_->body(slot).now.is_kinematic, *law);
      if (!solid) return in_body(solid.error(), slot);
      made.push_back(*std::move(solid));
    }
    for (std::size_t i = 0; i < made.size(); ++i)
      state_->body(state_->present[i]).contact = std::move(made[i]);
  }
  state_->contact.law = law;
  state_->contact.meetings.clear();
  state_->contact.is_stale = true;
  state_->wake_all();
  return {};
}

Result<void> World::ignore(BodyId a, BodyId b, bool is_ignored) {
  for (const BodyId id : {a, b})
    if (Result<WorldBody*> found = state_->found(id); !found) return found.error();
  const std::pair<BodyId, BodyId> pair = std::minmax(a, b);
  auto& ignored = state_->contact.ignored;
  const auto place = std::lower_bound(ignored.begin(), ignored.end(), pair);
  const bool was = place != ignored.end() && *place == pair;
  if (is_ignored && !was) ignored.insert(place, pair);
  if (!is_ignored && was) ignored.erase(place);
  for (const BodyId id : {a, b}) state_->wake(id.index);
  state_->contact.forget(a.index);
  return {};
}

Result<void> World::set_group(BodyId id, std::uint32_t group) {
  const Result<WorldBody*> found = state_->found(id);
  if (!found) return found.error();
  (*found)->contact_group = group;
  state_->wake_around(id.index);
  state_->contact.forget(id.index);
  return {};
}

Result<void> World::set_density(BodyId id, double density) {
  const Result<WorldBody*> found = state_->found(id);
  if (!found) return found.error();
  if (!is_positive(density))
    return Error{ErrorCode::kInvalidArgument,
                 "found the density " + digits(density) + ", expected it positive",
                 body_place(id.index, "density")};
  WorldBody& body = **found;
  const MassProperties mass = mass_at(body, density).properties;
  if (!is_positive(mass.mass) || !mass.inertia.allFinite() ||
      !(principal_axes(mass.inertia).moments[0] > 0))
    return Error{
        ErrorCode::kInvalidArgument,
        "found the density " + digits(density) + ", which makes a mass or moments out of range",
        body_place(id.index, "density")};
  body.mass = mass;
  set_inertia(body, state_->environment);
  state_->wake(id.index);
  return {};
}

Result<void> World::set_state(BodyId id, const Pose& world_from_body, const Vec3& velocity,
                              const Vec3& angular_velocity) {
  const Result<WorldBody*> found = state_->found(id);
  if (!found) return found.error();
  Similarity given;
  given.matrix() = world_from_body.matrix();  // with its last row, which a conversion would mend
  const Result<Pose> pose = nearest_pose(given);
  if (!pose) return Error{pose.error().code, pose.error().message, "pose"};
  if (Result<void> fine = check_push(velocity, "velocity", angular_velocity, "angular_velocity");
      !fine)
    return fine;
  WorldBody& body = **found;
  const WorldBody before = body;
  set_motion(body, pose->linear(), pose->translation(), velocity, angular_velocity);
  Result<void> answered = state_->immerse({&id.index, 1});
  if (!answered) {
    body = before;
  } else {
    state_->wake_around(id.index);
    state_->contact.forget(id.index);
  }
  return answered;
}

Result<void> World::set_force(BodyId id, const Vec3& force, const Vec3& torque) {
  const Result<WorldBody*> found = state_->found(id);
  if (!found) return found.error();
  if (Result<void> fine = check_push(force, "force", torque, "torque"); !fine) return fine;
  (*found)->outside = {force, torque};
  (*found)->is_pushed = !force.isZero(0) || !torque.isZero(0);
  state_->wake(id.index);
  return {};
}

Result<void> World::push(BodyId id, const Vec3& impulse, const Vec3& point) {
  const Result<WorldBody*> found = state_->found(id);
  if (!found) return found.error();
  if (Result<void> fine = check_push(impulse, "impulse", point, "point"); !fine) return fine;
  WorldBody& body = **found;
  if (body.now.is_kinematic) return {};
  const double before = kinetic_energy(body.motion, body.inertia);
  RigidMotion pushed = body.motion;
  kick(pushed, body.inertia, impulse, (point - body.motion.center).cross(impulse));
  if (!std::isfinite(kinetic_energy(pushed, body.inertia)))
    return Error{ErrorCode::kInvalidArgument,
                 "found an impulse that moves the body beyond the range of numbers", "impulse"};
  body.motion = pushed;
  state_->wake(id.index);
  body.work += kinetic_energy(body.motion, body.inertia) - before;
  return {};
}

void World::add_force(std::shared_ptr<ForceModel> model) {
  if (model) state_->models.push_back(std::move(model));
}

void World::remove_force(const std::shared_ptr<ForceModel>& model) {
  std::erase(state_->models, model);
}

WorldSnapshot World::snapshot() const {
  auto data = std::make_shared<WorldSnapshot::Data>();
  data->world = state_->identity;
  data->data = *state_;
  data->engine = state_->engine->save();
  for (const auto& model : state_->models) data->models.push_back(model->save());
  return WorldSnapshot(std::move(data));
}

Result<void> World::restore(const WorldSnapshot& snapshot) {
  const WorldSnapshot::Data& then = *snapshot.data_;
  if (then.world != state_->identity)
    return Error{ErrorCode::kInvalidArgument,
                 "found a snapshot of another world, expected one of this", "snapshot"};
  static_cast<WorldData&>(*state_) = then.data;
  if (then.engine) state_->engine->restore(*then.engine);
  for (std::size_t i = 0; i < then.models.size(); ++i) state_->models[i]->restore(then.models[i]);
  return {};
}

}  // namespace plimsoll
