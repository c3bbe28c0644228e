// Rigid bodies afloat: gravity, buoyancy, drag. World coordinates, z up, gravity along -z.
#pragma once

#include <plimsoll/contact.h>
#include <plimsoll/engines.h>
#include <plimsoll/forces.h>
#include <plimsoll/mass.h>
#include <plimsoll/result.h>
#include <plimsoll/rigid_body.h>
#include <plimsoll/shape.h>
#include <plimsoll/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace [[gnu::visibility("default")]] plimsoll {

/// Energies of all bodies that move freely [J].
struct Energy {
  double kinetic = 0;  ///< With that of the added mass.
  double gravity = 0;  ///< Above z = 0.
  double water = 0;  ///< Of the water lifted out of the way, on still water: rho g V_sub times the
                     ///< depth of its center.
  /// Of bodies that are pressed into each other, and of friction's springs; off by about the depth
  /// over the width of a contact. Less h^2/8 F^T M^-1 F, of the forces F of contacts and gravity
  /// and the part h of the step, as the leapfrog counts it. No number where it took more work than
  /// PairSearch::kMaxWork.
  double contact = 0;
  [[nodiscard]] double total() const { return kinetic + gravity + water + contact; }
};

/// Two bodies that overlap, and what they do to each other.
struct BodyContact {
  BodyId a, b;
  Vec3 force = Vec3::Zero();   ///< On A, and its opposite on B: with damping and friction [N].
  Vec3 center = Vec3::Zero();  ///< The middle of the pressure, in the world [m].
  Vec3 torque = Vec3::Zero();  ///< On A about the center, and its opposite on B [N m].
  /// Of the deepest point of either surface that was looked at; with spheres about half of what
  /// two of them overlap by, at most [m].
  double depth = 0;
  /// That is more than two fifths of the least side of the thinner body's box: little is left until
  /// it is nearer to the other side, and is pushed out there.
  bool is_deep = false;
};

/// All that a world was at one time. Copies share it.
class WorldSnapshot {
 public:
  WorldSnapshot(const WorldSnapshot&) = default;
  WorldSnapshot& operator=(const WorldSnapshot&) = default;

 private:
  friend class World;
  struct Data;
  explicit WorldSnapshot(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  std::shared_ptr<const Data> data_;
};

/// Bodies that move in a fluid, and that push each other where they meet or pass through each other
/// as set_contact() says.
///
/// Steps are those of the leapfrog, kick - drift - kick, with the rotation split about the three
/// principal axes and back [DullweberEtAl1997]: symplectic and reversible, so that without drag the
/// energy only oscillates, by (omega h)^2 / 4 of that of the motion and less. Drag is solved by
/// itself along its direction before and after each kick: it only ever takes energy, whatever the
/// step. A body that bobs faster than the step can follow takes several of its own:
/// substeps(). One query of its buoyancy per body and substep. The same bits for any number of
/// threads.
///
/// Bodies that may meet in a step take it in equally many parts, as their contacts need: parts of
/// 1/2 over a bound of the frequency on their springs, and no longer than that they go by a quarter
/// of the thinner one's least side. A step in which contacts turn out to be stiffer begins again.
/// Elastic forces are minus the gradient of a potential, so that without damping and friction the
/// energy only oscillates in contact too (docs/theory/contact.md).
///
/// Bodies are named by ids. Where an id names no body, because the body was removed or never was,
/// what would change it gives `InvalidArgument` and what would tell of it gives nothing. A world
/// that was moved from may only be assigned to or destroyed.
class World {
 public:
  /// Weighs the bodies: meshes, primitives and patches exactly, formulas and Booleans by image at
  /// 256 x 256, whose estimate mass_estimate() tells. Whether a mesh bounds a solid is not looked
  /// at: examine() tells. They get ids in their order. `engine` is empty and of this world alone;
  /// none is exact_buoyancy. After an error it is empty again. Errors: `InvalidArgument` for
  /// numbers out of range, and for bodies without volume; those of check_shape,
  /// check_fluid_surface, mass_properties and the engine; `where` is "bodies[2].density".
  [[nodiscard]] static Result<World> create(const Environment& environment,
                                            std::span<const RigidBody> bodies = {},
                                            std::shared_ptr<BuoyancyEngine> engine = {},
                                            double start_time = 0);

  World(World&&) noexcept;
  World& operator=(World&&) noexcept;
  ~World();

  /// Advances by `h` [s]. Errors: `InvalidArgument` unless h is positive and finite; of the engine
  /// and of force models; `ResourceLimit` beyond 10,000 substeps and for a body whose numbers go
  /// out of range, with its name; of contacts as ContactSearch::forces. The world is then as before
  /// the step, but for what its engine remembers, which matters to the last bits of answers.
  [[nodiscard]] Result<void> step(double h);

  /// Parts of a step of `h` that a body takes where it meets none: those of 1/2 over the fastest
  /// that it can bob, by a bound for all its poses, or of 1/2 over its angular velocity. 0 for no
  /// body.
  [[nodiscard]] double substeps(BodyId id, double h) const;

  [[nodiscard]] double time() const;  ///< [s]
  [[nodiscard]] const Environment& environment() const;
  [[nodiscard]] SurfaceNow surface() const;  ///< At time().

  [[nodiscard]] std::size_t body_count() const;
  /// In ascending order of their indices: as added, as long as none is removed.
  [[nodiscard]] std::vector<BodyId> ids() const;
  /// The first body of this name. O(bodies).
  [[nodiscard]] std::optional<BodyId> find(std::string_view name) const;
  [[nodiscard]] std::optional<BodyState> body(BodyId id) const;
  [[nodiscard]] std::optional<std::string> name(BodyId id) const;
  [[nodiscard]] std::optional<MassProperties> mass(BodyId id) const;  ///< In the frame of the body.
  /// How far mass() may be off, as an image estimates it; nothing of bodies that were weighed
  /// exactly. What was given with the mass is not off.
  [[nodiscard]] std::optional<MassError> mass_estimate(BodyId id) const;
  [[nodiscard]] std::optional<Shape> shape(BodyId id) const;  ///< The same, scaled.
  [[nodiscard]] bool is_kinematic(BodyId id) const;           ///< False for no body.
  /// Whether a body moves freely and sleeps (ContactLaw::sleep_after). False for no body.
  [[nodiscard]] bool is_asleep(BodyId id) const;

  [[nodiscard]] Energy energy() const;
  /// What drag, damping and friction of contacts, and falling asleep took from the bodies so far;
  /// waves may also give [J].
  [[nodiscard]] double dissipated() const;
  /// What set_force, push and added force models gave to the bodies so far, and kinematic bodies to
  /// those that they touched. On still water
  /// energy().total() + dissipated() - work() only oscillates as long as bodies and environment
  /// stay [J].
  [[nodiscard]] double work() const;
  /// Of time, poses and motion of all bodies, bit by bit: FNV-1a, 64 bits.
  [[nodiscard]] std::uint64_t state_hash() const;
  /// Wall time spent by the engine so far [s].
  [[nodiscard]] double buoyancy_seconds() const;
  /// Wall time spent on contacts so far [s].
  [[nodiscard]] double contact_seconds() const;

  [[nodiscard]] const std::optional<ContactLaw>& contact() const;
  /// Which bodies overlapped at the end of the last step, ascending; not those that were put
  /// elsewhere since.
  [[nodiscard]] std::vector<BodyContact> contacts() const;

  /// The volume that two bodies share where they are now: exact, or as their spheres estimate it
  /// where spheres meet, within ContactLaw::max_time [m^3]. Asks anew. Errors: for ids of no body;
  /// `InvalidArgument` in a world without contact; as OverlapSearch::overlap.
  [[nodiscard]] Result<double> shared_volume(BodyId a, BodyId b);

  // ---- taking part. Errors leave the world as it was.

  /// Errors: as create, `where` without the index.
  [[nodiscard]] Result<BodyId> add(const RigidBody& body);
  [[nodiscard]] Result<void> remove(BodyId id);

  /// Other water, gravity or drag from now on. Errors: as create.
  [[nodiscard]] Result<void> set_environment(const Environment& environment);
  /// Another engine, without bodies, in place of the one before, which is left without bodies too.
  /// Errors: as create; the engine is then as before.
  [[nodiscard]] Result<void> set_engine(std::shared_ptr<BuoyancyEngine> engine);
  /// How bodies meet from now on; nothing where they pass through each other, as in a new world.
  /// Kinematic bodies do not meet each other. Meshes have to bound solids: that is not looked at.
  /// Primitives meet as triangles that are off by up to 1e-3 of the cube root of their volume,
  /// patches by 1e-4 of their size. With spheres those triangles are packed. Errors: as
  /// check_contact; `Unavailable` for formulas and Booleans, which have no triangles; with spheres
  /// as pack_spheres, and `NotClosed`. O(triangles), and packings.
  [[nodiscard]] Result<void> set_contact(const std::optional<ContactLaw>& law);
  /// Whether two bodies pass through each other whatever set_contact() says: neighbors in an arm.
  /// Bodies of one group other than 0, which all begin with, do so too. Errors: for ids of no body.
  [[nodiscard]] Result<void> ignore(BodyId a, BodyId b, bool is_ignored = true);
  [[nodiscard]] Result<void> set_group(BodyId id, std::uint32_t group);
  /// Mass and inertia grow with the density, which of a body of given mass is that over its volume.
  /// What it was before does not matter. Errors: `InvalidArgument` unless it is positive and
  /// finite, and mass and moments of inertia are.
  [[nodiscard]] Result<void> set_density(BodyId id, double density);
  /// Puts a body at another place, moving as said: of its origin, and in the world. Errors: unless
  /// all is finite; as nearest_pose, which makes the pose one; of the engine.
  [[nodiscard]] Result<void> set_state(BodyId id, const Pose& world_from_body, const Vec3& velocity,
                                       const Vec3& angular_velocity);
  /// Pushes on at every substep until changed: `force` at the center of mass [N] and `torque` about
  /// it [N m], both in the world. The body follows as long as the step is short beside its own
  /// motion. Errors: unless both are finite.
  [[nodiscard]] Result<void> set_force(BodyId id, const Vec3& force, const Vec3& torque);
  /// Changes momentum by `impulse` [N s], given at `point` of the world. Nothing happens to a
  /// kinematic body. Errors: unless both are finite.
  [[nodiscard]] Result<void> push(BodyId id, const Vec3& impulse, const Vec3& point);
  /// Asks one more model at every kick, after those before, until it is removed.
  void add_force(std::shared_ptr<ForceModel> model);
  void remove_force(const std::shared_ptr<ForceModel>& model);

  /// All that later steps depend on, to the last bit: what the engine and the force models remember
  /// too. O(bodies) and what trackers hold.
  [[nodiscard]] WorldSnapshot snapshot() const;
  /// The world goes on as it did from there, with the bodies, ids, engine and force models of then.
  /// Errors: `InvalidArgument` for a snapshot of another world.
  [[nodiscard]] Result<void> restore(const WorldSnapshot& snapshot);

 private:
  struct State;
  explicit World(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace plimsoll
