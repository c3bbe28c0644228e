// What acts on the bodies of a World: gravity, a fluid, and whatever models of forces are added.
// World coordinates, z up, gravity along -z.
#pragma once

#include <plimsoll/fluid_surface.h>
#include <plimsoll/result.h>
#include <plimsoll/rigid_body.h>

#include <memory>
#include <optional>
#include <span>

namespace [[gnu::visibility("default")]] plimsoll {

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

/// A body at one time, as a model of forces sees it.
struct BodyNow {
  BodyId id;
  bool is_kinematic = false;  ///< What acts on it does not matter.
  Pose world_from_body = Pose::Identity();
  Vec3 center_of_mass = Vec3::Zero();    ///< In the world [m].
  Vec3 velocity = Vec3::Zero();          ///< Of the center of mass [m/s].
  Vec3 angular_velocity = Vec3::Zero();  ///< In the world [rad/s].
  double mass = 0;                       ///< Without the added mass [kg].
  double size = 0;                       ///< The cube root of its volume [m].
  Buoyancy buoyancy;                     ///< Of kinematic bodies, at the beginning of the step.
};

/// In the world.
struct BodyForce {
  Vec3 force = Vec3::Zero();   ///< [N]
  Vec3 torque = Vec3::Zero();  ///< About the center of mass [N m].
};

/// What resists a body: the force -(linear + quadratic |u|) u at `center`, u the velocity there
/// against the fluid's, and the torque -angular w. A step ends with an error where a coefficient is
/// below 0 or a number is not finite.
struct Resistance {
  double linear = 0;                   ///< [kg/s]
  double quadratic = 0;                ///< [kg/m]
  double angular = 0;                  ///< [kg m^2/s]
  Vec3 center = Vec3::Zero();          ///< In the world [m].
  Vec3 fluid_velocity = Vec3::Zero();  ///< [m/s]
};

/// Bodies of a world that are at one time, and what is around them. Everything that it refers to
/// lives as long as the call that it is given to.
struct WorldNow {
  double time = 0;  ///< [s]
  const Environment& environment;
  const SurfaceNow& surface;
  std::span<const BodyNow* const> bodies;
};

/// A force, or something that resists: what gravity, buoyancy and drag are to a World, and what a
/// program may add. It is asked at every kick of the leapfrog, twice in a substep, once before the
/// bodies have moved and once after. Bodies that take substeps of different lengths are asked about
/// apart, each with those that are at the same time and all kinematic bodies, which are there too.
/// A world calls it from the thread that steps the world.
class ForceModel {
 public:
  virtual ~ForceModel() = default;

  /// Adds to `forces`, one for each body; nothing, where this is not overridden. Errors end the
  /// step; the world is then as before it.
  [[nodiscard]] virtual Result<void> push(const WorldNow& now, std::span<BodyForce> forces);

  /// Sets what resists the bodies, one for each, each absent before; nothing, where this is not
  /// overridden. It is solved by itself along its direction, so that it only ever takes energy,
  /// however long the step.
  [[nodiscard]] virtual Result<void> resist(const WorldNow& now,
                                            std::span<std::optional<Resistance>> resistances);

  /// What the model remembers from call to call, for snapshots of the world. Null where it
  /// remembers nothing that matters, as here.
  struct Memory {
    virtual ~Memory() = default;
  };
  [[nodiscard]] virtual std::shared_ptr<const Memory> save() const;
  /// Back to what save() of this model gave.
  virtual void restore(const std::shared_ptr<const Memory>& memory);
};

}  // namespace plimsoll
