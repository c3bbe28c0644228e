// How the bodies of a World meet: which may in a step, how short its parts have to be for them, and
// the forces that follow from where they are.
//
// Bodies that may meet are at one time: those of an island, linked by boxes that meet somewhere
// within the step, take equally many parts. How many follows from how stiff their contacts are. A
// step in which a contact turns out to be stiffer than its parts follow is done again, with more.
#pragma once

#include <plimsoll/body_id.h>
#include <plimsoll/contact.h>
#include <plimsoll/forces.h>
#include <plimsoll/result.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "contact/pair_contact.h"
#include "dynamics/world_body.h"

namespace plimsoll {

/// Two bodies by their slots, a < b.
struct SlotPair {
  std::uint32_t a = 0, b = 0;
  friend auto operator<=>(const SlotPair&, const SlotPair&) = default;
};

/// Two bodies that overlap, and what they did to each other when that was last asked.
struct BodyMeeting {
  SlotPair pair;
  double part = 0;         // of the step, at whose end it was asked [s]
  bool is_impact = false;  // energy flows into the potential, or out of it
  PairContact memory;
  PairForces forces;
};

/// What lasts from step to step.
struct ContactData {
  std::optional<ContactLaw> law;                   // none: bodies pass through each other
  std::vector<std::pair<BodyId, BodyId>> ignored;  // ascending, and in each pair
  std::vector<BodyMeeting> meetings;               // ascending
  bool is_stale = false;  // a body came or was put elsewhere since `meetings` were found

  /// Forgets how a body met others: it was put elsewhere, or goes.
  void forget(std::uint32_t slot);
  /// Whether two bodies are not to meet.
  [[nodiscard]] bool leaves_out(const WorldBody& a, const WorldBody& b) const;
};

/// Parts of a step, by slot; 0 for what does not take any.
using StepParts = std::vector<double>;

/// The pairs of bodies in a step of `h`.
class ContactStep {
 public:
  using Bodies = std::span<const BodySlot>;

  /// Looks for the pairs that may meet in the step: bodies go at most `reach` times, above 1, as
  /// far as their velocities and gravity say, and some share of their size. O(n log n + pairs).
  void begin(const ContactData& data, Bodies bodies, double h, double gravity, double reach);

  /// Marks all bodies of the islands of which a body is marked, or may meet a kinematic one that
  /// is.
  void spread(Bodies bodies, std::vector<char>& marks) const;

  /// Raises `parts` to what the contacts that are known need, and to equal ones in each island.
  void raise(const ContactLaw& law, Bodies bodies, StepParts& parts) const;

  /// Finds what the pairs of which a body moves in the k-th part do to each other, where they are
  /// now; bodies that are told to move are where they are at its end.
  [[nodiscard]] Result<void> meet(const ContactLaw& law, Bodies bodies, const StepParts& parts,
                                  double k);
  /// Before bodies are kicked at the beginning of the k-th part: forces as they are, and the power
  /// that they have.
  void start_part(Bodies bodies, const StepParts& parts, double k);
  /// Whether a contact is so stiff that its bodies need more parts.
  [[nodiscard]] bool is_too_long(const ContactLaw& law, Bodies bodies,
                                 const StepParts& parts) const;
  /// Whether a body has gone farther than it was thought to.
  [[nodiscard]] bool has_left() const { return has_left_; }

  /// The sums over all contacts of a body.
  [[nodiscard]] bool touches(std::uint32_t slot) const { return of_body_[slot].touches; }
  [[nodiscard]] const BodyForce& elastic(std::uint32_t slot) const {
    return of_body_[slot].elastic;
  }
  [[nodiscard]] const BodyForce& resisting(std::uint32_t slot) const {
    return of_body_[slot].resisting;
  }

  /// Calls take(slot, power, lost) for each contact of a body that is told to move with one that
  /// moves freely and takes part in the k-th part, of which `passed` parts have passed: what the
  /// contact takes from the body that is told [W], and what of that is by what resists.
  template <class Take>
  void for_each_told(Bodies bodies, const StepParts& parts, double k, double passed,
                     const Take& take) const {
    for (const Pair& pair : pairs_) {
      const PairForces* forces = pair.now();
      if (forces == nullptr) continue;
      const bool is_a = bodies[pair.slots.a].body->now.is_kinematic;
      const std::uint32_t told = is_a ? pair.slots.a : pair.slots.b;
      const std::uint32_t other = is_a ? pair.slots.b : pair.slots.a;
      if (!(parts[other] > k) || !is_told_to_move(*bodies[told].body)) continue;
      const MovingSolid moving = now_of(*bodies[told].body, h_ * passed / parts[other]);
      const auto power = [&](const PairForce& force) {
        return pair.share * ((is_a ? 1 : -1) * force.force.dot(moving.velocity) +
                             (is_a ? force.torque_a : force.torque_b).dot(moving.angular_velocity));
      };
      const double lost = power(forces->resisting);
      take(other, power(forces->elastic) + lost, lost);
    }
  }

  /// Those of now, ascending.
  [[nodiscard]] std::vector<BodyMeeting> meetings() const;
  /// What is held where bodies are now; no number where that could not be found [J]. It is that of
  /// the potential, and of friction's springs, less what the leapfrog's velocities at the ends of
  /// parts lack, or have too much, of it: h^2 / 8 F^T M^-1 F of all forces on a body, less that of
  /// gravity alone.
  [[nodiscard]] double energy(const ContactLaw& law, Bodies bodies, double gravity);

 private:
  struct Pair {
    SlotPair slots;
    double least_parts = 1;  // of the step, so that neither passes through the other unseen
    std::optional<BodyMeeting> meeting;
    /// Of the forces, in the kick at hand. What begins or ends within a part acts for a part of it:
    /// ask() in world_contact.cpp.
    double share = 1;
    double power = 0;                // of the elastic forces, at the beginning of the part [W]
    double enough = 1;               // times as many parts keep the energy
    std::optional<PairForces> past;  // of a meeting that ended in this part, where bodies are now
    Result<void> done;

    /// What acts, by its share; null where nothing does.
    [[nodiscard]] const PairForces* now() const {
      return meeting ? &meeting->forces : past ? &*past : nullptr;
    }
  };
  struct OfBody {
    BodyForce elastic, resisting;
    bool touches = false;
    bool is_hit = false;       // in an impact
    double fastest = 0;        // that its contacts let it oscillate: a bound [rad/s]
    double part = 0;           // the shortest of its meetings' [s]
    Box3 reach;                // it stays in there, or has_left_
    std::uint32_t island = 0;  // the least slot of its island
  };

  double h_ = 0;
  std::vector<Pair> pairs_;      // ascending
  std::vector<OfBody> of_body_;  // by slot
  bool has_left_ = false;

  // Reused from part to part.
  std::vector<std::size_t> asked_;  // numbers of pairs
  std::vector<PairContactSearch> searches_;

  [[nodiscard]] static MovingSolid now_of(const WorldBody& body, double passed);
  [[nodiscard]] double least_parts(const WorldBody& a, const WorldBody& b) const;
  void find_pairs(const ContactData& data, Bodies bodies);
  void find_islands(Bodies bodies);
  void sum_up(Bodies bodies);
  [[nodiscard]] double needed(const ContactLaw& law, std::uint32_t slot) const;
  /// Of pairs, in a step of so many parts.
  [[nodiscard]] double queries_in(const StepParts& parts) const;
  void ask(const ContactLaw& law, Bodies bodies, double part, double passed, double max_time,
           Pair& pair, PairContactSearch& search) const;
};

}  // namespace plimsoll
