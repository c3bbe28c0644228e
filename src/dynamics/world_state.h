// The inside of a World: its bodies, and how they are stepped.
#pragma once

#include <plimsoll/world.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dynamics/contact_solids.h"
#include "dynamics/forces.h"
#include "dynamics/world_body.h"
#include "dynamics/world_contact.h"

namespace plimsoll {

/// What a snapshot copies.
struct WorldData {
  Environment environment;
  FreeSurface surface;  // the environment's
  double time = 0;
  std::vector<BodySlot> slots;
  std::vector<std::uint32_t> present;  // slots with a body, ascending
  std::vector<std::uint32_t> vacant;   // slots without
  double former_dissipated = 0;        // of bodies that were removed
  double former_work = 0;
  std::shared_ptr<BuoyancyEngine> engine;
  std::vector<std::shared_ptr<ForceModel>> models;  // that were added
  ContactData contact;
};

struct WorldSnapshot::Data {
  std::shared_ptr<const char> world;  // whose it is
  WorldData data;
  std::shared_ptr<const BuoyancyEngine::Memory> engine;
  std::vector<std::shared_ptr<const ForceModel::Memory>> models;
};

struct World::State : WorldData {
  std::shared_ptr<const char> identity = std::make_shared<const char>();
  double buoyancy_seconds = 0, contact_seconds = 0;
  ContactSolids solids;
  SharedVolumes volumes;

  [[nodiscard]] WorldBody& body(std::uint32_t slot) { return *slots[slot].body; }
  /// Null for no body.
  [[nodiscard]] WorldBody* find(BodyId id);
  /// The body, or an error that says why there is none.
  [[nodiscard]] Result<WorldBody*> found(BodyId id);

  /// Puts a body that the engine has into a slot.
  BodyId place(std::uint32_t slot, WorldBody body);
  /// Where the next body goes.
  [[nodiscard]] std::uint32_t next_slot() const;
  void remove(std::uint32_t slot);

  /// Has all bodies taken in by another engine, and asks it; the one before lets them go. After an
  /// error both are as before.
  [[nodiscard]] Result<void> use(std::shared_ptr<BuoyancyEngine> other);

  /// Asks the engine about the bodies of these slots.
  [[nodiscard]] Result<void> immerse(std::span<const std::uint32_t> which);
  [[nodiscard]] Result<void> immerse(std::span<const std::uint32_t> which,
                                     const SurfaceNow& surface_now);

  /// Wakes a body, and with it its island in the next step.
  void wake(std::uint32_t slot);
  /// Wakes a body and those that touch it and move freely.
  void wake_around(std::uint32_t slot);
  void wake_all();

  /// Of contacts where bodies are now [J].
  [[nodiscard]] double contact_energy();

  /// Moves all bodies, or fails in the middle; then bring_back_motion().
  [[nodiscard]] Result<void> advance(double h);
  void bring_back_motion();

 private:
  using Slots = std::span<const std::uint32_t>;
  using Parts = StepParts;

  struct Before {
    RigidMotion motion;
    Buoyancy buoyancy;
    double dissipated, work;
    Rest rest;
  };

  /// What is asked about a group of bodies, and the answers; kept from step to step.
  struct Asked {
    std::vector<BodyNow> kinematic;      // where they are at the time
    std::vector<const BodyNow*> bodies;  // the group, then kinematic ones
    std::vector<BodyForce> forces, outside;
    std::vector<std::optional<Resistance>> resistances;
    std::vector<Drifting> drifting;
    std::vector<Resisting> resisting;
    bool has_outside = false;
  };
  /// A group of bodies in the k-th part of a step of `h`. Its queries begin at `first`.
  struct GroupPart {
    Slots group;
    std::size_t first;
    const Parts& parts;
    double h = 0, k = 0;

    [[nodiscard]] double span(std::size_t i) const { return h / parts[group[i]]; }
    /// [s] since the step began, after `done` parts.
    [[nodiscard]] double passed(double done) const { return h * done / parts[group[0]]; }
  };

  [[nodiscard]] Result<SurfaceNow> surface_at(double when) const {
    return surface.at(when, environment.gravity);
  }
  /// Whether a step, or a part of one, has come to its end; it has not where contacts ask for
  /// more parts, which `least_parts_` and `reach_` then are set for.
  using Came = Result<bool>;

  [[nodiscard]] bool may_sleep() const;
  void wake_islands();
  void put_to_sleep();
  void keep_motion();
  [[nodiscard]] Result<void> refresh_contact();
  [[nodiscard]] Result<Parts> begin_step(double h);
  [[nodiscard]] Came go_through(double h);
  [[nodiscard]] std::vector<Slots> groups_of(std::vector<std::uint32_t>& active,
                                             const Parts& parts) const;
  [[nodiscard]] Came substep(double h, double k, const Parts& parts);
  [[nodiscard]] Came meet(double k, const Parts& parts);
  void book_told(double h, double k, double passed, const Parts& parts);
  [[nodiscard]] Result<void> move_kinematic(double h);

  template <class Work>
  [[nodiscard]] Result<void> for_each_group(const std::vector<Slots>& groups, const Work& work);
  void query(std::uint32_t slot, std::size_t k);
  [[nodiscard]] Result<void> ask_engine(const SurfaceNow& surface_now);
  /// False where it is beyond the range of numbers.
  [[nodiscard]] bool take_answer(std::uint32_t slot, std::size_t k);
  [[nodiscard]] Error unusable_answer(std::uint32_t slot);
  [[nodiscard]] Result<void> begin_part(const GroupPart& part, const SurfaceNow& surface_now,
                                        Asked& asked);
  [[nodiscard]] Result<void> end_part(const GroupPart& part, const SurfaceNow& surface_now,
                                      Asked& asked);
  [[nodiscard]] WorldNow look_at(Slots group, double when, const SurfaceNow& surface_now,
                                 Asked& asked);
  [[nodiscard]] Result<void> ask_forces(Slots group, const WorldNow& now, Asked& asked);
  void kick_all(const GroupPart& part, const Asked& asked);
  [[nodiscard]] Result<void> resist_all(const GroupPart& part, const WorldNow& now,
                                        ForceModel& model, Asked& asked);

  FluidLift lift_;
  Gravity gravity_;
  FluidDrag drag_;
  double step_start_ = 0;  // [s]
  ContactStep contact_step_;
  Parts least_parts_;  // of this step, that contacts asked for
  double reach_ = 1;   // ContactStep::begin

  // Reused from step to step.
  std::vector<Before> before_;  // of the bodies that are present
  double time_before_ = 0;
  std::vector<BuoyancyQuery> queries_;
  std::vector<Buoyancy> answers_;
  std::vector<Asked> asked_;  // for each group
};

}  // namespace plimsoll
