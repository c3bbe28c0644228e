// Bodies that have come to rest sleep, island by island: a step leaves them where they are until
// something near them moves, or is changed.
#include <cmath>

#include "dynamics/world_state.h"

namespace plimsoll {
namespace {

/// Share of its size by which a body at rest may move before it sleeps.
constexpr double kStill = 1e-6;

/// Bounds how far a point of the body is from where it was in another pose.
double way_from(const WorldBody& body, const Pose& then) {
  const Pose& now = body.now.world_from_body;
  const Vec3 middle = body.box.center();
  return (now * middle - then * middle).norm() +
         (now.linear() - then.linear()).norm() * body.diagonal / 2;
}

void fall_asleep(WorldBody& body) {
  body.dissipated += kinetic_energy(body.motion, body.inertia);
  body.motion.velocity.setZero();
  body.motion.spin.setZero();
  body.update_velocity();
  body.rest.is_asleep = true;
}

}  // namespace

void World::State::wake(std::uint32_t slot) {
  body(slot).rest = {false, time, body(slot).now.world_from_body};
}

void World::State::wake_around(std::uint32_t slot) {
  wake(slot);
  for (const BodyMeeting& meeting : contact.meetings) {
    const auto& [a, b] = meeting.pair;
    if (a != slot && b != slot) continue;
    const std::uint32_t other = a == slot ? b : a;
    if (!body(other).now.is_kinematic) wake(other);
  }
}

void World::State::wake_all() {
  for (const std::uint32_t slot : present) wake(slot);
}

bool World::State::may_sleep() const {
  return contact.law && std::isfinite(contact.law->sleep_after) && models.empty() &&
         !surface.is_moving();
}

/// Wakes each body whose island has one that is awake, or may meet a kinematic one that moves.
void World::State::wake_islands() {
  std::vector<char> is_restless(slots.size(), 0);
  for (const std::uint32_t slot : present)
    is_restless[slot] = !may_sleep() || !body(slot).rest.is_asleep;
  contact_step_.spread(slots, is_restless);
  for (const std::uint32_t slot : present)
    if (is_restless[slot] && !body(slot).now.is_kinematic && body(slot).rest.is_asleep) wake(slot);
}

/// Puts islands to sleep in which no body has moved for long enough.
void World::State::put_to_sleep() {
  std::vector<char> is_restless(slots.size(), 0);
  for (const std::uint32_t slot : present) {
    WorldBody& here = body(slot);
    if (here.now.is_kinematic) {
      here.rest.is_asleep = !is_told_to_move(here);
    } else if (!here.rest.is_asleep && way_from(here, here.rest.pose) > kStill * here.diagonal) {
      wake(slot);
    }
    is_restless[slot] = !here.rest.is_asleep && (here.now.is_kinematic ||
                                                 time - here.rest.since < contact.law->sleep_after);
  }
  contact_step_.spread(slots, is_restless);
  for (const std::uint32_t slot : present)
    if (!is_restless[slot] && !body(slot).now.is_kinematic && !body(slot).rest.is_asleep)
      fall_asleep(body(slot));
}

}  // namespace plimsoll
