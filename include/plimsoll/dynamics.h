// Rigid bodies afloat: gravity, buoyancy, drag. World coordinates, z up, gravity along -z.
#pragma once

#include <plimsoll/buoyancy.h>
#include <plimsoll/fluid_surface.h>
#include <plimsoll/mass.h>
#include <plimsoll/result.h>
#include <plimsoll/shape.h>
#include <plimsoll/types.h>
#include <plimsoll/water_image.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace plimsoll {

/// The fluid's resistance to a body of volume V of which V_sub is submerged: the force
/// -(linear + quadratic |v|) rho V_sub v at the center of buoyancy, v its velocity relative to the
/// fluid, and the torque -angular rho V_sub L^2 w, L the cube root of V. [Kim2006, sec. 5.3] has
/// `quadratic` alone.
struct Drag {
  double linear = 0;  ///< [1/s]
  /// [1/m]; 1 / L where absent, so that it fits any size.
  std::optional<double> quadratic = std::nullopt;
  double angular = 0.5;  ///< [1/s]
};

/// The water that a body moves along with it, as multiples of the water W that it displaces at rest
/// (all of it for a body that sinks): added to its mass, `linear` W; and to its inertia, which
/// grows by `angular` W / mass of itself. Constant: for bodies that stay afloat.
struct AddedMass {
  double linear = 0;
  double angular = 0;
};

enum class FluidForce {
  kWeight,    ///< The weight of the displaced fluid, vertical, at its center [Kim2006, sec. 5.1].
              ///< On a slope it turns bodies too far: a raft by BM / GM times the slope.
  kPressure,  ///< The integral of the pressure rho g (h - z) over the wetted surface: on a slope it
              ///< also pushes down it. The same as kWeight on still water, bit by bit.
};

/// What is around the bodies.
struct Environment {
  double gravity = 9.80665;                 ///< Downward; not negative [m/s^2].
  double fluid_density = kSeawaterDensity;  ///< 0 for no fluid [kg/m^3].
  FluidSurface surface = StillWater{};
  FluidForce force = FluidForce::kPressure;
  Drag drag;
  AddedMass added_mass;
};

/// What a body weighs that is not evenly filled. Lengths are those of the body's own frame: a pose
/// that scales the body by s scales its center by s and its inertia by s^2; its mass stays.
struct GivenMass {
  double mass = 1;  ///< [kg]
  /// The centroid of the volume where absent [m].
  std::optional<Vec3> center_of_mass = std::nullopt;
  /// About the center of mass, in the body's axes, negative products off the diagonal [kg m^2].
  /// Where absent, that of the body evenly filled, about its own center.
  std::optional<Mat3> inertia = std::nullopt;
};

/// Checks that a mass is positive and finite, a center finite, and an inertia symmetric, positive
/// definite, and that of some body: no principal moment larger than the sum of the others. To 1e-6
/// of the largest moment, for numbers printed with six digits.
/// Errors: `InvalidArgument`; `where` is the member.
[[nodiscard]] Result<void> check_given_mass(const GivenMass& given);

/// A body, and how it moves at the beginning.
struct RigidBody {
  std::string name;
  Shape shape;                               ///< Evenly filled, unless `mass` is given.
  double density = 500;                      ///< [kg/m^3]
  std::optional<GivenMass> mass;             ///< Then the density is not looked at.
  bool is_fixed = false;                     ///< Stays; its velocities are not looked at.
  Similarity pose = Similarity::Identity();  ///< world_from_body; may scale the body.
  Vec3 velocity = Vec3::Zero();              ///< Of the body's origin [m/s].
  Vec3 angular_velocity = Vec3::Zero();      ///< In the world [rad/s].
};

/// Where a body is and how it moves.
struct BodyState {
  Pose pose = Pose::Identity();          ///< world_from_body, of the scaled body.
  Vec3 velocity = Vec3::Zero();          ///< Of the body's origin [m/s].
  Vec3 angular_velocity = Vec3::Zero();  ///< In the world [rad/s].
  Vec3 center_of_mass = Vec3::Zero();    ///< In the world [m].
  Buoyancy buoyancy;                     ///< All zero without a fluid.
};

/// One question of a step: where is the body, of the given index, and what does the fluid do to it?
struct BuoyancyQuery {
  std::size_t body = 0;
  Pose world_from_body = Pose::Identity();
};

/// Answers the queries of a step, all at one time. `answers` are as many as `queries`.
using BuoyancyEngine =
    std::function<Result<void>(std::span<const BuoyancyQuery> queries, const SurfaceNow& surface,
                               std::span<Buoyancy> answers)>;

/// The engine of exact integrals. Still water: meshes by SubmersionTree, shared by bodies of one
/// mesh, and the first of them, as long as those fit a cache, by a SubmersionTracker each;
/// primitives as submersion(Shape), patches as triangles within 1e-4 of their size. Other
/// surfaces: triangles as buoyancy(), flat to 1e-3 of the body's size, primitives as triangles
/// within 1e-3 of the cube root of their volume, grown to have that volume: exact when wholly wet,
/// partly so off by up to 9e-4 of the volume for a thin torus, 3e-4 for others. Bodies in parallel;
/// of one call no body may be asked twice. `shapes` are in the frames of their bodies. Errors: as
/// check_shape and to_triangles; `Unavailable` for formulas and Booleans. The engine:
/// `ResourceLimit` for surfaces so rough that the pieces would be beyond number.
[[nodiscard]] Result<BuoyancyEngine> exact_buoyancy(std::span<const Shape> shapes);

/// What the images of all steps so far were made of.
struct ImageTally {
  int most_peels = 0;            ///< n of [Kim2006], of any body in any step.
  std::size_t fragments = 0;     ///< All together.
  std::size_t lost_columns = 0;  ///< Unbalanced or undecided, all together.

  void add(const WaterImage& image) {
    most_peels = std::max(most_peels, image.peels);
    fragments += image.fragments;
    lost_columns += image.unbalanced_columns + image.undecided_columns;
  }
};

/// The engine of columns on the processor, for any shape: WaterColumns of each body, without
/// estimates. Bodies in parallel. Of one call no body may be asked twice. `tally` is
/// added to with each call. gl_dynamics.h has the
/// same on graphics hardware. Errors: as WaterColumns::create.
[[nodiscard]] Result<BuoyancyEngine> image_buoyancy(std::span<const Shape> shapes,
                                                    const WaterImageOptions& options = {},
                                                    std::shared_ptr<ImageTally> tally = {});

/// Energies of all bodies that move [J].
struct Energy {
  double kinetic = 0;  ///< With that of the added mass.
  double gravity = 0;  ///< Above z = 0.
  double water = 0;  ///< Of the water lifted out of the way, on still water: rho g V_sub times the
                     ///< depth of its center.
  [[nodiscard]] double total() const { return kinetic + gravity + water; }
};

/// Bodies that move in a fluid and through each other.
///
/// Steps are those of the leapfrog, kick - drift - kick, with the rotation split about the three
/// principal axes and back [DullweberEtAl1997]: symplectic and reversible, so that without drag the
/// energy only oscillates, by (omega h)^2 / 4 of that of the motion and less. Drag is solved by
/// itself along its direction before and after each kick: it only ever takes energy, whatever the
/// step. A body that bobs faster than the step can follow takes several of its own:
/// substeps(). One query of its buoyancy per body and substep. The same bits for any number of
/// threads.
class World {
 public:
  /// Weighs the bodies: meshes, primitives and patches exactly, formulas and Booleans by image at
  /// 256 x 256. Errors: `InvalidArgument` for numbers out of range, and for bodies without volume;
  /// those of check_shape, check_fluid_surface, mass_properties and exact_buoyancy; `where` is
  /// "bodies[2].density".
  [[nodiscard]] static Result<World> create(const Environment& environment,
                                            std::span<const RigidBody> bodies);
  /// The same with another engine, which has the bodies under the same indices.
  [[nodiscard]] static Result<World> create(const Environment& environment,
                                            std::span<const RigidBody> bodies,
                                            BuoyancyEngine engine);

  World(World&&) noexcept;
  World& operator=(World&&) noexcept;
  ~World();

  /// Advances by `h` > 0 [s]. Errors: of the engine; `ResourceLimit` beyond 10,000 substeps, saying
  /// for which body; the world is then as before the step.
  [[nodiscard]] Result<void> step(double h);

  /// Parts of a step of `h` that body `i` takes: those of 1/2 over the fastest that it can bob, by
  /// a bound for all its poses, or of 1/2 over its angular velocity.
  [[nodiscard]] double substeps(std::size_t i, double h) const;

  [[nodiscard]] double time() const;  ///< [s]
  [[nodiscard]] std::size_t body_count() const;
  [[nodiscard]] BodyState body(std::size_t i) const;
  [[nodiscard]] const MassProperties& mass(std::size_t i) const;  ///< In the frame of the body.
  [[nodiscard]] const Shape& shape(std::size_t i) const;          ///< The same.
  [[nodiscard]] bool is_fixed(std::size_t i) const;
  [[nodiscard]] const Environment& environment() const;

  [[nodiscard]] Energy energy() const;
  /// What drag took from the bodies so far; on waves it may also give [J].
  [[nodiscard]] double dissipated() const;
  /// Of time, poses and motion of all bodies, bit by bit: FNV-1a, 64 bits.
  [[nodiscard]] std::uint64_t state_hash() const;
  /// Wall time spent by the engine so far [s].
  [[nodiscard]] double buoyancy_seconds() const;

  // ---- taking part

  /// Other water, gravity or drag from now on. Errors: as create; the world is then as before.
  [[nodiscard]] Result<void> set_environment(const Environment& environment);
  /// Mass and inertia grow with the density, which of a body of given mass is that over its volume.
  /// Errors: `InvalidArgument` unless it is positive and finite.
  [[nodiscard]] Result<void> set_density(std::size_t i, double density);
  /// Changes momentum by `impulse` [N s], given at `point` of the world.
  void push(std::size_t i, const Vec3& impulse, const Vec3& point);

 private:
  struct State;
  explicit World(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// The shapes of bodies in the frames of World: scaled, where their poses scale. For engines.
[[nodiscard]] std::vector<Shape> scaled_shapes(std::span<const RigidBody> bodies);

}  // namespace plimsoll
