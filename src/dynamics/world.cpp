#include <plimsoll/assert.h>
#include <plimsoll/dynamics.h>
#include <plimsoll/image.h>
#include <plimsoll/mass_properties.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>

#include "core/parallel.h"
#include "dynamics/digits.h"
#include "dynamics/rigid_motion.h"
#include "shape/similarity_parts.h"

namespace plimsoll {
namespace {

constexpr double kMostSubsteps = 10'000;
constexpr std::size_t kGroup = 32;  // bodies, of some kilobyte each

/// What changes from step to step.
struct Moving {
  RigidMotion motion;
  Buoyancy wet;
  double dissipated = 0;
};

struct Body : Moving {
  // What a step asks for stands together: many bodies are read through the caches.
  Inertia inertia;               // with the added mass
  Mat3 axes = Mat3::Identity();  // principal_from_body
  double fastest = 0;            // that it can bob or roll [rad/s]
  double length = 0;             // the cube root of its volume
  bool is_fixed = false;
  MassProperties mass;
  Box3 box;  // of the shape
  std::string name;
  Shape shape;

  [[nodiscard]] Pose pose() const {
    Pose pose = Pose::Identity();
    pose.linear() = motion.turn.toRotationMatrix() * axes;
    pose.translation() = motion.center - pose.linear() * mass.center_of_mass;
    return pose;
  }
  [[nodiscard]] Vec3 angular_velocity() const { return motion.turn * motion.rates(inertia); }
};

std::string place(std::size_t i, const char* what) {
  return "bodies[" + std::to_string(i) + "]" + (*what != '\0' ? "." : "") + what;
}

Error at(Error error, std::size_t i) {
  error.where = place(i, error.where.c_str());
  return error;
}

bool is_positive(double x) { return x > 0 && std::isfinite(x); }
bool is_not_negative(double x) { return x >= 0 && std::isfinite(x); }

Result<void> check(const Environment& environment) {
  const std::pair<double, const char*> numbers[] = {
      {environment.gravity, "gravity"},
      {environment.fluid_density, "fluid.density"},
      {environment.drag.linear, "drag.linear"},
      {environment.drag.quadratic.value_or(0), "drag.quadratic"},
      {environment.drag.angular, "drag.angular"},
      {environment.added_mass.linear, "added_mass.linear"},
      {environment.added_mass.angular, "added_mass.angular"}};
  for (const auto& [number, name] : numbers)
    if (!is_not_negative(number))
      return Error{ErrorCode::kInvalidArgument,
                   "found " + digits(number) + ", expected a finite number not below 0", name};
  Result<void> surface = check_fluid_surface(environment.surface);
  if (surface) return {};
  Error error = surface.error();
  error.where = "fluid.surface." + error.where;
  return error;
}

Result<MassProperties> weigh(const Shape& shape, double density) {
  const Result<ShapeMass> exact = mass_properties(shape, {.density = density});
  if (exact) return exact->body.properties;
  if (exact.error().code != ErrorCode::kUnavailable) return exact.error();
  ImageOptions options;
  options.density = density;
  const Result<ImageMass> image = image_mass_properties(shape, options);
  if (!image) return image.error();
  return image->properties;
}

Result<void> check(const MassProperties& mass, const RigidBody& given) {
  if (!is_positive(mass.volume) || !is_positive(mass.mass))
    return Error{ErrorCode::kInvalidArgument,
                 "found a body without volume, which has no mass to move", "shape"};
  if (given.mass && given.mass->inertia) return {};  // check_given_mass looked at it
  if (!mass.inertia.allFinite() || !is_physical(mass.inertia) ||
      !(principal_axes(mass.inertia).moments[0] > 0))
    return Error{
        ErrorCode::kInvalidArgument,
        "found moments of inertia that are not those of a body: it is too thin, or the mesh "
        "does not bound a solid",
        "shape"};
  return {};
}

/// 1 where it is 1 but for rounding: what is not scaled keeps its bits.
double scale_of(const Similarity& pose) {
  const double scale = std::cbrt(pose.linear().determinant());
  return std::fabs(scale - 1) > 1e-9 ? scale : 1;
}

/// `even`, of whatever density, with the mass that is given, and with its center and inertia where
/// they are. The body is scaled by `scale`.
MassProperties loaded(const MassProperties& even, const GivenMass& given, double scale) {
  MassProperties loaded = with_density_times(given.mass / even.mass, {even, {}}).properties;
  loaded.mass = given.mass;
  if (given.center_of_mass) loaded.center_of_mass = scale * *given.center_of_mass;
  if (given.inertia)
    loaded.inertia = scale * scale / 2 * (*given.inertia + given.inertia->transpose());
  if (given.center_of_mass) loaded.error_bound.center_of_mass = 0;
  if (given.inertia) loaded.error_bound.inertia = 0;
  return loaded;
}

Result<MassProperties> weigh(const Shape& shape, const RigidBody& given) {
  if (!given.mass) return weigh(shape, given.density);
  Result<MassProperties> even = weigh(shape, 1);
  if (!even || !is_positive(even->mass)) return even;
  return loaded(*even, *given.mass, scale_of(given.pose));
}

Result<void> check_weight(const RigidBody& given) {
  if (given.mass) return check_given_mass(*given.mass);
  if (is_positive(given.density)) return {};
  return Error{ErrorCode::kInvalidArgument,
               "found the density " + digits(given.density) + ", expected it positive", "density"};
}

/// Shape and mass; how it moves comes later.
Result<Body> make_body(const RigidBody& given) {
  if (Result<void> usable = check_weight(given); !usable) return usable.error();
  if (!given.velocity.allFinite() || !given.angular_velocity.allFinite())
    return Error{ErrorCode::kInvalidArgument, "expected a finite velocity", "velocity"};
  if (Result<void> usable = check_pose(given.pose); !usable)
    return Error{usable.error().code, usable.error().message, "pose"};
  Body body;
  body.name = given.name;
  body.shape = scaled_shapes({&given, 1})[0];
  body.is_fixed = given.is_fixed;
  if (Result<void> usable = check_shape(body.shape); !usable) return usable.error();
  Result<MassProperties> mass = weigh(body.shape, given);
  if (!mass) return mass.error();
  if (Result<void> usable = check(*mass, given); !usable) return usable.error();
  body.mass = *std::move(mass);
  body.box = bounding_box(body.shape);
  body.length = std::cbrt(body.mass.volume);
  return body;
}

/// The stiffness of the water against heave is rho g A, A the waterplane, no larger than the widest
/// section of the body's box. Against a turn about principal axis i it is at most
/// rho g (A r^2 + V r), r the greatest distance from that axis: the waterplane's second moment, and
/// the moment of buoyancy and weight about each other. Over mass and moments of inertia these are
/// the diagonal of a matrix whose largest eigenvalue is omega^2, no more than its trace.
double fastest_of(const Body& body, const Environment& environment) {
  const Vec3 size = body.box.sizes();
  const double area = Vec3(size[1] * size[2], size[2] * size[0], size[0] * size[1]).norm();
  const double weight = environment.fluid_density * environment.gravity;
  double trace = weight * area / body.inertia.mass;
  for (int axis = 0; axis < 3; ++axis) {
    double reach = 0;
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 p = body.box.corner(static_cast<Box3::CornerType>(corner));
      const Vec3 arm = body.axes * (p - body.mass.center_of_mass);
      reach = std::max(reach, std::hypot(arm[(axis + 1) % 3], arm[(axis + 2) % 3]));
    }
    trace +=
        weight * (area * reach * reach + body.mass.volume * reach) / body.inertia.moments[axis];
  }
  return std::sqrt(trace);
}

/// What depends on the density of the body and on its environment.
void set_inertia(Body& body, const Environment& environment) {
  const PrincipalAxes principal = principal_axes(body.mass.inertia);
  const double displaced = std::min(body.mass.mass, environment.fluid_density * body.mass.volume);
  body.inertia.mass = body.mass.mass + environment.added_mass.linear * displaced;
  body.inertia.moments =
      principal.moments * (1 + environment.added_mass.angular * displaced / body.mass.mass);
  body.fastest = fastest_of(body, environment);
}

void set_motion(Body& body, const RigidBody& given, const Environment& environment) {
  body.axes = principal_axes(body.mass.inertia).axes;
  set_inertia(body, environment);
  const SimilarityParts pose(given.pose);
  RigidMotion& motion = body.motion;
  motion.turn = Eigen::Quaterniond(Mat3(pose.rotation * body.axes.transpose())).normalized();
  motion.center = pose.translation + pose.rotation * body.mass.center_of_mass;
  if (body.is_fixed) return;
  motion.velocity = given.velocity + given.angular_velocity.cross(motion.center - pose.translation);
  motion.spin =
      (motion.turn.conjugate() * given.angular_velocity).cwiseProduct(body.inertia.moments);
}

/// Of a solid, rounding apart, nothing changes; of a mesh that bounds none, no force grows beyond
/// what its volume can displace.
Buoyancy within_reason(Buoyancy wet, const Body& body, const Pose& pose) {
  const double most = body.mass.volume;
  if (!(wet.volume > 0)) return {};
  if (wet.volume > most) {
    wet.lift *= most / wet.volume;
    wet.lift_moment *= most / wet.volume;
    wet.volume = most;
  }
  const Vec3 inside =
      (pose.inverse() * wet.center).cwiseMax(body.box.min()).cwiseMin(body.box.max());
  if ((pose * inside - wet.center).norm() > 1e-9 * body.box.diagonal().norm())
    wet.center = pose * inside;
  return wet;
}

void half_kick(Body& body, const Environment& environment, double time) {
  const double pressure = environment.fluid_density * environment.gravity;
  const bool is_weight = environment.force == FluidForce::kWeight ||
                         std::holds_alternative<StillWater>(environment.surface);
  const Vec3 lift = pressure * (is_weight ? Vec3(0, 0, body.wet.volume) : body.wet.lift);
  Vec3 torque = (body.wet.center - body.motion.center).cross(lift);
  if (!is_weight) torque += pressure * body.wet.lift_moment;
  if (body.wet.volume == 0) torque.setZero();
  const Vec3 force = lift - Vec3(0, 0, body.mass.mass * environment.gravity);
  kick(body.motion, body.inertia, time * force, time * torque);
}

void half_resist(Body& body, const Environment& environment, const SurfaceNow& surface,
                 double time) {
  if (body.wet.volume == 0) return;
  const double displaced = environment.fluid_density * body.wet.volume;
  const Drag& drag = environment.drag;
  const double quadratic = drag.quadratic.value_or(1 / body.length);
  const Resistance resistance{drag.linear * displaced, quadratic * displaced,
                              drag.angular * displaced * body.length * body.length, body.wet.center,
                              surface.velocity(body.wet.center)};
  body.dissipated += resist(body.motion, body.inertia, resistance, time);
}

bool is_finite(const Body& body) {
  return body.motion.center.allFinite() && body.motion.velocity.allFinite() &&
         body.motion.spin.allFinite() && body.motion.turn.coeffs().allFinite();
}

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

}  // namespace

struct World::State {
  Environment environment;
  BuoyancyEngine engine;
  std::vector<Body> bodies;
  double time = 0;
  double buoyancy_seconds = 0;

  [[nodiscard]] SurfaceNow surface_at(double when) const {
    return {environment.surface, when, environment.gravity};
  }
  [[nodiscard]] bool is_moving_surface() const {
    return std::holds_alternative<Waves>(environment.surface);
  }

  /// Asks the engine about the bodies of the given indices.
  Result<void> immerse(std::span<const std::size_t> which, const SurfaceNow& surface) {
    if (!(environment.fluid_density > 0) || which.empty()) return {};
    queries.clear();
    for (const std::size_t i : which) queries.push_back({i, bodies[i].pose()});
    answers.assign(queries.size(), {});
    const auto start = std::chrono::steady_clock::now();
    const Result<void> answered = engine(queries, surface, answers);
    buoyancy_seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!answered) return answered;
    for (std::size_t k = 0; k < queries.size(); ++k) {
      Body& body = bodies[queries[k].body];
      if (!std::isfinite(answers[k].volume) || !answers[k].center.allFinite() ||
          !answers[k].lift.allFinite())
        return Error{ErrorCode::kResourceLimit,
                     "found buoyancy of \"" + body.name + "\" beyond the range of numbers",
                     place(queries[k].body, "")};
      body.wet = within_reason(answers[k], body, queries[k].world_from_body);
    }
    return {};
  }

  Result<void> immerse_all() {
    std::vector<std::size_t> all(bodies.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    return immerse(all, surface_at(time));
  }

  /// Parts of `h` for each body, 0 for what is fixed. On waves all take as many, so that they are
  /// at one time.
  Result<std::vector<double>> parts_of(double h, const World& world) const {
    std::vector<double> parts(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (bodies[i].is_fixed) continue;
      parts[i] = world.substeps(i, h);
      if (!(parts[i] <= kMostSubsteps))
        return Error{ErrorCode::kResourceLimit,
                     "found that \"" + bodies[i].name + "\" moves so fast that a step of " +
                         digits(h) + " s needs " + digits(parts[i]) +
                         " parts, expected at most 10,000: take a shorter step",
                     place(i, "")};
    }
    if (is_moving_surface() && !parts.empty()) {
      const double most = *std::max_element(parts.begin(), parts.end());
      for (double& n : parts)
        if (n > 0) n = most;
    }
    return parts;
  }

  /// Bodies in groups that stay in the first cache while one motion after the other is done with
  /// them: a body's own arithmetic waits for itself, that of its neighbors fills the time.
  template <class Work>
  static void for_each_group(std::span<const std::size_t> all, const Work& work) {
    parallel_for_each_index((all.size() + kGroup - 1) / kGroup, [&](std::size_t i) {
      work(all.subspan(kGroup * i, std::min(kGroup, all.size() - kGroup * i)));
    });
  }

  /// The k-th part of a step of all bodies that have as many.
  Result<void> substep(double h, double k, std::span<const double> parts) {
    std::vector<std::size_t> active;
    for (std::size_t i = 0; i < bodies.size(); ++i)
      if (parts[i] > k) active.push_back(i);
    const SurfaceNow before =
        surface_at(time + (is_moving_surface() ? h * k / parts[active[0]] : 0));
    for_each_group(active, [&](std::span<const std::size_t> group) {
      std::array<Drifting, kGroup> drifting;
      for (const std::size_t i : group)
        half_resist(bodies[i], environment, before, h / parts[i] / 2);
      for (const std::size_t i : group) half_kick(bodies[i], environment, h / parts[i] / 2);
      for (std::size_t j = 0; j < group.size(); ++j) {
        Body& body = bodies[group[j]];
        drifting[j] = {&body.motion, &body.inertia, h / parts[group[j]]};
      }
      drift({drifting.data(), group.size()});
    });
    const SurfaceNow after =
        surface_at(time + (is_moving_surface() ? h * (k + 1) / parts[active[0]] : h));
    if (Result<void> answered = immerse(active, after); !answered) return answered;
    std::atomic<bool> all_finite = true;
    for_each_group(active, [&](std::span<const std::size_t> group) {
      for (const std::size_t i : group) half_kick(bodies[i], environment, h / parts[i] / 2);
      for (const std::size_t i : group)
        half_resist(bodies[i], environment, after, h / parts[i] / 2);
    });
    for (const std::size_t i : active) {
      if (!is_finite(bodies[i]))
        return Error{ErrorCode::kResourceLimit,
                     "found \"" + bodies[i].name + "\" to move beyond the range of numbers",
                     place(i, "")};
    }
    return {};
  }

  Result<void> advance(double h, std::span<const double> parts) {
    const double most = parts.empty() ? 0 : *std::max_element(parts.begin(), parts.end());
    for (double k = 0; k < most; ++k)
      if (Result<void> done = substep(h, k, parts); !done) return done;
    time += h;
    return immerse_fixed();
  }

  /// Waves pass bodies that stay, too.
  Result<void> immerse_fixed() {
    std::vector<std::size_t> fixed;
    for (std::size_t i = 0; i < bodies.size() && is_moving_surface(); ++i)
      if (bodies[i].is_fixed) fixed.push_back(i);
    return immerse(fixed, surface_at(time));
  }

  // Room that is kept from step to step.
  std::vector<BuoyancyQuery> queries;
  std::vector<Buoyancy> answers;
  std::vector<Moving> saved;
};

Result<void> check_given_mass(const GivenMass& given) {
  constexpr double kPrinted = 1e-6;
  const auto refused = [](const std::string& message, const char* where) {
    return Error{ErrorCode::kInvalidArgument, message, where};
  };
  if (!is_positive(given.mass))
    return refused("found the mass " + digits(given.mass) + ", expected it positive", "mass");
  if (given.center_of_mass && !given.center_of_mass->allFinite())
    return refused("expected a finite center of mass", "center_of_mass");
  if (!given.inertia) return {};
  const Mat3& inertia = *given.inertia;
  if (!inertia.allFinite()) return refused("expected finite moments", "inertia");
  const double size = inertia.cwiseAbs().maxCoeff();
  const double skew = (inertia - inertia.transpose()).cwiseAbs().maxCoeff();
  if (!(skew <= kPrinted * size))
    return refused("found entries across the diagonal that differ by " + digits(skew) +
                       ", expected a symmetric tensor",
                   "inertia");
  const Vec3 moments = principal_axes((inertia + inertia.transpose()) / 2).moments;
  const std::string found = "found the principal moments " + digits(moments[0]) + ", " +
                            digits(moments[1]) + " and " + digits(moments[2]);
  if (!(moments[0] > 0))
    return refused(found + ", expected them positive: products stand off the diagonal as -int x y",
                   "inertia");
  if (!(moments[2] <= moments[0] + moments[1] + kPrinted * moments[2]))
    return refused(found + ", expected none larger than the sum of the others, as in any body",
                   "inertia");
  return {};
}

std::vector<Shape> scaled_shapes(std::span<const RigidBody> bodies) {
  std::vector<Shape> shapes;
  for (const RigidBody& body : bodies) {
    shapes.push_back(body.shape);
    const double scale = scale_of(body.pose);
    if (scale != 1) shapes.back().pose = Eigen::UniformScaling<double>(scale) * body.shape.pose;
  }
  return shapes;
}

Result<World> World::create(const Environment& environment, std::span<const RigidBody> bodies) {
  const std::vector<Shape> shapes = scaled_shapes(bodies);
  Result<BuoyancyEngine> engine = exact_buoyancy(shapes);
  if (!engine) return engine.error();
  return create(environment, bodies, *std::move(engine));
}

Result<World> World::create(const Environment& environment, std::span<const RigidBody> bodies,
                            BuoyancyEngine engine) {
  if (Result<void> usable = check(environment); !usable) return usable.error();
  auto state = std::make_unique<State>();
  state->environment = environment;
  state->engine = std::move(engine);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    Result<Body> body = make_body(bodies[i]);
    if (!body) return at(body.error(), i);
    set_motion(*body, bodies[i], environment);
    state->bodies.push_back(*std::move(body));
  }
  if (Result<void> answered = state->immerse_all(); !answered) return answered.error();
  return World(std::move(state));
}

World::World(std::unique_ptr<State> state) : state_(std::move(state)) {}
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;
World::~World() = default;

double World::substeps(std::size_t i, double h) const {
  const Body& body = state_->bodies[i];
  const double turning = body.motion.rates(body.inertia).norm();
  return std::max(1.0, std::ceil(2 * h * std::max(body.fastest, turning)));
}

Result<void> World::step(double h) {
  PLIMSOLL_ASSERT(h > 0, "a step goes forward");
  const Result<std::vector<double>> parts = state_->parts_of(h, *this);
  if (!parts) return parts.error();
  const double time = state_->time;
  std::vector<Moving>& before = state_->saved;
  before.assign(state_->bodies.begin(), state_->bodies.end());
  Result<void> done = state_->advance(h, *parts);
  if (!done) {
    state_->time = time;
    for (std::size_t i = 0; i < before.size(); ++i)
      static_cast<Moving&>(state_->bodies[i]) = before[i];
  }
  return done;
}

double World::time() const { return state_->time; }
std::size_t World::body_count() const { return state_->bodies.size(); }
const MassProperties& World::mass(std::size_t i) const { return state_->bodies[i].mass; }
const Shape& World::shape(std::size_t i) const { return state_->bodies[i].shape; }
bool World::is_fixed(std::size_t i) const { return state_->bodies[i].is_fixed; }
const Environment& World::environment() const { return state_->environment; }
double World::buoyancy_seconds() const { return state_->buoyancy_seconds; }

BodyState World::body(std::size_t i) const {
  const Body& body = state_->bodies[i];
  BodyState state;
  state.pose = body.pose();
  state.angular_velocity = body.angular_velocity();
  state.center_of_mass = body.motion.center;
  state.velocity = body.motion.velocity +
                   state.angular_velocity.cross(state.pose.translation() - body.motion.center);
  state.buoyancy = body.wet;
  return state;
}

Energy World::energy() const {
  const Environment& environment = state_->environment;
  const SurfaceNow surface = state_->surface_at(state_->time);
  Energy sum;
  for (const Body& body : state_->bodies) {
    if (body.is_fixed) continue;
    sum.kinetic += kinetic_energy(body.motion, body.inertia);
    sum.gravity += body.mass.mass * environment.gravity * body.motion.center[2];
    if (surface.is_plane())
      sum.water += environment.fluid_density * environment.gravity * body.wet.volume *
                   (surface.highest() - body.wet.center[2]);
  }
  return sum;
}

double World::dissipated() const {
  double sum = 0;
  for (const Body& body : state_->bodies) sum += body.dissipated;
  return sum;
}

std::uint64_t World::state_hash() const {
  Fnv hash;
  hash.add(state_->time);
  for (const Body& body : state_->bodies) {
    hash.add_all(body.motion.center);
    hash.add_all(body.motion.velocity);
    hash.add_all(body.motion.turn.coeffs());
    hash.add_all(body.motion.spin);
  }
  return hash.hash();
}

Result<void> World::set_environment(const Environment& environment) {
  if (Result<void> usable = check(environment); !usable) return usable;
  const Environment before = state_->environment;
  const std::vector<Body> bodies = state_->bodies;
  state_->environment = environment;
  for (Body& body : state_->bodies) {
    const Vec3 rates = body.motion.rates(body.inertia);
    set_inertia(body, environment);
    body.motion.spin = rates.cwiseProduct(body.inertia.moments);
    body.wet = {};
  }
  Result<void> answered = state_->immerse_all();
  if (!answered) {
    state_->environment = before;
    state_->bodies = bodies;
  }
  return answered;
}

Result<void> World::set_density(std::size_t i, double density) {
  if (!is_positive(density))
    return Error{ErrorCode::kInvalidArgument,
                 "found the density " + digits(density) + ", expected it positive",
                 place(i, "density")};
  Body& body = state_->bodies[i];
  const double ratio = density / body.mass.density;
  const Vec3 rates = body.motion.rates(body.inertia);
  body.mass = with_density_times(ratio, {body.mass, {}}).properties;
  set_inertia(body, state_->environment);
  body.motion.spin = rates.cwiseProduct(body.inertia.moments);
  return {};
}

void World::push(std::size_t i, const Vec3& impulse, const Vec3& point) {
  Body& body = state_->bodies[i];
  if (body.is_fixed) return;
  kick(body.motion, body.inertia, impulse, (point - body.motion.center).cross(impulse));
}

}  // namespace plimsoll
