// A step of a world: the leapfrog, in parts for bodies that are too fast for the whole. On waves
// all take as many parts, so that they are at one time; else they share nothing but forces that a
// program adds, which see those together that are.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/number_text.h"
#include "core/parallel.h"
#include "dynamics/world_checks.h"
#include "dynamics/world_state.h"

namespace plimsoll {
namespace {

constexpr double kMaxSubsteps = 10'000;

/// Bodies that are stepped one after the other by one thread: few enough to stay in its cache.
constexpr std::size_t kTogether = 64;

/// -0 is what changes no number, not even 0, when it is added.
const BodyForce kNoForce{Vec3::Constant(-0.0), Vec3::Constant(-0.0)};

double parts_of_body(const WorldBody& body, double h) {
  if (body.now.is_kinematic) return 1;
  const double turning = body.motion.rates(body.inertia).norm();
  return std::max(1.0, std::ceil(2 * h * std::max(body.fastest, turning)));
}

Error beyond_numbers(const WorldBody& body) {
  return {ErrorCode::kResourceLimit,
          "found \"" + body.name + "\" to move beyond the range of numbers",
          body_place(body.now.id.index, "")};
}

}  // namespace

double World::substeps(BodyId id, double h) const {
  const WorldBody* body = state_->find(id);
  return body != nullptr ? parts_of_body(*body, h) : 0;
}

/// Keeps what the step changes, to go back to.
void World::State::keep_motion() {
  time_before_ = time;
  before_.resize(present.size());
  parallel_for_each_index(present.size(), kTogether, [&](std::size_t i) {
    const WorldBody& kept = body(present[i]);
    before_[i] = {kept.motion, kept.now.buoyancy, kept.dissipated, kept.work, kept.rest};
  });
}

/// Counts the parts of each body; 0 for what does not move.
Result<World::State::Parts> World::State::begin_step(double h) {
  if (contact.law) {
    contact_step_.begin(contact, slots, h, environment.gravity, reach_);
    wake_islands();
  }
  Parts parts(slots.size());
  parallel_for_each_index(present.size(), kTogether, [&](std::size_t i) {
    const WorldBody& counted = body(present[i]);
    if (!counted.now.is_kinematic && !counted.rest.is_asleep)
      parts[present[i]] = parts_of_body(counted, h);
  });
  if (contact.law) {
    for (const std::uint32_t slot : present)
      parts[slot] = std::max(parts[slot], least_parts_[slot]);
    contact_step_.raise(*contact.law, slots, parts);
  }
  double max_parts = 0;
  for (const std::uint32_t slot : present) {
    if (!(parts[slot] <= kMaxSubsteps))
      return Error{
          ErrorCode::kResourceLimit,
          "found that \"" + body(slot).name +
              "\" moves so fast, or meets others so hard, that a step of " + digits(h) +
              " s needs " + digits(parts[slot]) +
              " parts, expected at most 10,000: a shorter step or softer contacts need fewer",
          body_place(slot, "")};
    max_parts = std::max(max_parts, parts[slot]);
  }
  if (surface.is_moving())
    for (double& n : parts)
      if (n > 0) n = max_parts;
  return parts;
}

/// The models of the library look at each body by itself, so that it does not matter to them who
/// else is in the group, nor whether all are at one time.
std::vector<World::State::Slots> World::State::groups_of(std::vector<std::uint32_t>& active,
                                                         const Parts& parts) const {
  const auto is_fewer = [&](std::uint32_t a, std::uint32_t b) { return parts[a] < parts[b]; };
  if (!models.empty())
    std::sort(active.begin(), active.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(parts[a], a) < std::pair(parts[b], b);
    });
  std::vector<Slots> groups;
  for (std::size_t begin = 0, end; begin < active.size(); begin = end) {
    end = std::min(begin + kTogether, active.size());
    if (!models.empty())
      end = static_cast<std::size_t>(
          std::upper_bound(active.begin(), active.end(), active[begin], is_fewer) - active.begin());
    groups.push_back(Slots(active).subspan(begin, end - begin));
  }
  return groups;
}

/// Calls work(number of the group, its Asked): in parallel, but for models of a program, which are
/// asked by one thread. The error is that of the first group.
template <class Work>
Result<void> World::State::for_each_group(const std::vector<Slots>& groups, const Work& work) {
  if (asked_.size() < groups.size()) asked_.resize(groups.size());
  std::vector<Result<void>> done(groups.size());
  const std::size_t worthwhile = models.empty() ? 2 : groups.size() + 1;
  parallel_for_each_index(groups.size(), worthwhile,
                          [&](std::size_t i) { done[i] = work(i, asked_[i]); });
  for (const Result<void>& one : done)
    if (!one) return one;
  return {};
}

/// Kinematic bodies are looked at by added models alone.
WorldNow World::State::look_at(Slots group, double when, const SurfaceNow& surface_now,
                               Asked& asked) {
  asked.bodies.clear();
  for (const std::uint32_t slot : group) {
    if (!models.empty()) body(slot).update_velocity();
    asked.bodies.push_back(&body(slot).now);
  }
  if (!models.empty()) {
    asked.kinematic.clear();
    for (const std::uint32_t slot : present) {
      if (!body(slot).now.is_kinematic) continue;
      if (!is_told_to_move(body(slot))) {
        asked.kinematic.push_back(body(slot).now);
        continue;
      }
      WorldBody there = body(slot);
      there.motion = told_motion(there, when - step_start_);
      there.update_pose();
      there.update_velocity();
      asked.kinematic.push_back(there.now);
    }
    for (const BodyNow& there : asked.kinematic) asked.bodies.push_back(&there);
  }
  return {when, environment, surface_now, asked.bodies};
}

Result<void> World::State::ask_forces(Slots group, const WorldNow& now, Asked& asked) {
  asked.forces.assign(now.bodies.size(), kNoForce);
  if (Result<void> pushed = lift_.push(now, asked.forces); !pushed) return pushed;
  if (Result<void> pushed = gravity_.push(now, asked.forces); !pushed) return pushed;
  for (std::size_t i = 0; i < group.size() && contact.law; ++i) {
    if (!contact_step_.touches(group[i])) continue;
    asked.forces[i].force += contact_step_.elastic(group[i]).force;
    asked.forces[i].torque += contact_step_.elastic(group[i]).torque;
  }
  const auto is_pushed = [&](std::uint32_t slot) { return body(slot).is_pushed; };
  asked.has_outside = !models.empty() || std::any_of(group.begin(), group.end(), is_pushed);
  if (!asked.has_outside) return {};
  asked.outside.assign(now.bodies.size(), kNoForce);
  for (std::size_t i = 0; i < group.size(); ++i)
    if (is_pushed(group[i])) asked.outside[i] = body(group[i]).outside;
  for (const auto& model : models)
    if (Result<void> pushed = model->push(now, asked.outside); !pushed) return pushed;
  return {};
}

/// For half of the part. An impulse takes the velocity from v to v' and does the work (v + v') / 2
/// times itself; it is shared between the forces as the impulse is.
void World::State::kick_all(const GroupPart& part, const Asked& asked) {
  for (std::size_t i = 0; i < part.group.size(); ++i) {
    WorldBody& kicked = body(part.group[i]);
    const double half = part.span(i) / 2;
    const BodyForce& own = asked.forces[i];
    const bool is_resisted = contact.law && contact_step_.touches(part.group[i]);
    if (!asked.has_outside && !is_resisted) {
      kick(kicked.motion, kicked.inertia, half * own.force, half * own.torque);
      continue;
    }
    const BodyForce& outside = asked.has_outside ? asked.outside[i] : kNoForce;
    const BodyForce& resisting = is_resisted ? contact_step_.resisting(part.group[i]) : kNoForce;
    const Vec3 velocity = kicked.motion.velocity, turning = kicked.angular_velocity();
    kick(kicked.motion, kicked.inertia, half * (own.force + outside.force + resisting.force),
         half * (own.torque + outside.torque + resisting.torque));
    const auto work_of = [&](const BodyForce& force) {
      return half / 2 *
             (force.force.dot(velocity + kicked.motion.velocity) +
              force.torque.dot(turning + kicked.angular_velocity()));
    };
    kicked.work += work_of(outside);
    kicked.dissipated -= work_of(resisting);
  }
}

/// For half of the part.
Result<void> World::State::resist_all(const GroupPart& part, const WorldNow& now, ForceModel& model,
                                      Asked& asked) {
  asked.resistances.assign(now.bodies.size(), std::nullopt);
  if (Result<void> answered = model.resist(now, asked.resistances); !answered) return answered;
  asked.resisting.clear();
  for (std::size_t i = 0; i < part.group.size(); ++i) {
    if (!asked.resistances[i]) continue;
    WorldBody& resisted = body(part.group[i]);
    if (&model != &drag_)
      if (Result<void> fine = check_resistance(*asked.resistances[i], resisted.name); !fine)
        return fine;
    asked.resisting.push_back(
        {&resisted.motion, &resisted.inertia, &*asked.resistances[i], part.span(i) / 2});
  }
  resist(asked.resisting);
  auto answer = asked.resisting.begin();
  for (std::size_t i = 0; i < part.group.size(); ++i)
    if (asked.resistances[i]) body(part.group[i]).dissipated += (answer++)->lost;
  return {};
}

Result<void> World::State::begin_part(const GroupPart& part, const SurfaceNow& surface_now,
                                      Asked& asked) {
  const WorldNow now = look_at(part.group, time + part.passed(part.k), surface_now, asked);
  if (Result<void> answered = ask_forces(part.group, now, asked); !answered) return answered;
  if (Result<void> done = resist_all(part, now, drag_, asked); !done) return done;
  for (const auto& model : models)
    if (Result<void> done = resist_all(part, now, *model, asked); !done) return done;
  kick_all(part, asked);
  asked.drifting.clear();
  for (std::size_t i = 0; i < part.group.size(); ++i) {
    WorldBody& moved = body(part.group[i]);
    asked.drifting.push_back({&moved.motion, &moved.inertia, part.span(i)});
  }
  drift(asked.drifting);
  for (std::size_t i = 0; i < part.group.size(); ++i) {
    WorldBody& moved = body(part.group[i]);
    moved.update_pose();
    if (!is_finite(moved)) return beyond_numbers(moved);
    query(part.group[i], part.first + i);
  }
  return {};
}

Result<void> World::State::end_part(const GroupPart& part, const SurfaceNow& surface_now,
                                    Asked& asked) {
  for (std::size_t i = 0; i < part.group.size() && environment.fluid_density > 0; ++i)
    if (!take_answer(part.group[i], part.first + i)) return unusable_answer(part.group[i]);
  const WorldNow now = look_at(part.group, time + part.passed(part.k + 1), surface_now, asked);
  if (Result<void> answered = ask_forces(part.group, now, asked); !answered) return answered;
  kick_all(part, asked);
  for (auto model = models.rbegin(); model != models.rend(); ++model)
    if (Result<void> done = resist_all(part, now, **model, asked); !done) return done;
  if (Result<void> done = resist_all(part, now, drag_, asked); !done) return done;
  for (const std::uint32_t slot : part.group)
    if (!is_finite(body(slot))) return beyond_numbers(body(slot));
  return {};
}

/// What bodies that are told to move give to those that they touch, for half of the k-th part:
/// what resists takes from them too.
void World::State::book_told(double h, double k, double passed, const Parts& parts) {
  contact_step_.for_each_told(slots, parts, k, passed,
                              [&](std::uint32_t slot, double power, double lost) {
                                const double half = h / parts[slot] / 2;
                                body(slot).work -= half * power;
                                body(slot).dissipated -= half * lost;
                              });
}

/// Finds the contacts at the end of the k-th part.
World::State::Came World::State::meet(double k, const Parts& parts) {
  const auto start = std::chrono::steady_clock::now();
  Result<void> done = contact_step_.meet(*contact.law, slots, parts, k);
  contact_seconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!done) return done.error();
  if (contact_step_.has_left()) {
    reach_ *= 2;
    return false;
  }
  if (!contact_step_.is_too_long(*contact.law, slots, parts)) return true;
  Parts more = parts;
  contact_step_.raise(*contact.law, slots, more);
  least_parts_ = more;
  return false;
}

/// The k-th part of a step of all bodies that have as many.
World::State::Came World::State::substep(double h, double k, const Parts& parts) {
  std::vector<std::uint32_t> active;
  for (const std::uint32_t slot : present)
    if (parts[slot] > k) active.push_back(slot);
  const std::vector<Slots> groups = groups_of(active, parts);
  const auto part_of = [&](std::size_t i) {
    const auto first = static_cast<std::size_t>(groups[i].data() - active.data());
    return GroupPart{groups[i], first, parts, h, k};
  };
  queries_.resize(active.size());
  const bool moves = surface.is_moving();
  const double first_parts = parts[active[0]];
  const Result<SurfaceNow> before = surface_at(time + (moves ? h * k / first_parts : 0));
  if (!before) return before.error();
  if (contact.law) {
    contact_step_.start_part(slots, parts, k);
    book_told(h, k, k, parts);
  }
  Result<void> done = for_each_group(
      groups, [&](std::size_t i, Asked& asked) { return begin_part(part_of(i), *before, asked); });
  if (!done) return done.error();
  const Result<SurfaceNow> after = surface_at(time + (moves ? h * (k + 1) / first_parts : h));
  if (!after) return after.error();
  if (environment.fluid_density > 0)
    if (Result<void> answered = ask_engine(*after); !answered) return answered.error();
  if (contact.law) {
    if (const Came came = meet(k, parts); !came || !*came) return came;
    book_told(h, k, k + 1, parts);
  }
  done = for_each_group(
      groups, [&](std::size_t i, Asked& asked) { return end_part(part_of(i), *after, asked); });
  if (!done) return done.error();
  return true;
}

/// Waves pass bodies that stay, too.
Result<void> World::State::move_kinematic(double h) {
  std::vector<std::uint32_t> wetted;
  for (const std::uint32_t slot : present) {
    WorldBody& told = body(slot);
    if (!told.now.is_kinematic) continue;
    const bool moves = is_told_to_move(told);
    if (moves || surface.is_moving()) wetted.push_back(slot);
    if (!moves) continue;
    told.motion = told_motion(told, h);
    told.update_pose();
    told.update_velocity();
    if (!is_finite(told)) return beyond_numbers(told);
  }
  return immerse(wetted);
}

/// Contacts of bodies that came or were put elsewhere since the last step.
Result<void> World::State::refresh_contact() {
  contact_step_.begin(contact, slots, 0, 0, 1);
  const Parts one(slots.size(), 1);
  if (Result<void> done = contact_step_.meet(*contact.law, slots, one, 0); !done) return done;
  contact.meetings = contact_step_.meetings();
  contact.is_stale = false;
  return {};
}

World::State::Came World::State::go_through(double h) {
  const Result<Parts> parts = begin_step(h);
  if (!parts) return parts.error();
  step_start_ = time;
  const double max_parts = parts->empty() ? 0 : *std::max_element(parts->begin(), parts->end());
  for (double k = 0; k < max_parts; ++k)
    if (const Came came = substep(h, k, *parts); !came || !*came) return came;
  return true;
}

Result<void> World::State::advance(double h) {
  keep_motion();
  if (contact.law && contact.is_stale)
    if (Result<void> done = refresh_contact(); !done) return done;
  least_parts_.assign(slots.size(), 0);
  reach_ = 1.25;
  for (bool came = false; !came;) {
    const Came end = go_through(h);
    if (!end) return end.error();
    came = *end;
    if (!came) bring_back_motion();
  }
  time += h;
  if (Result<void> moved = move_kinematic(h); !moved) return moved;
  if (contact.law) contact.meetings = contact_step_.meetings();
  if (may_sleep()) put_to_sleep();
  return {};
}

void World::State::bring_back_motion() {
  time = time_before_;
  for (std::size_t i = 0; i < present.size(); ++i) {
    WorldBody& kept = body(present[i]);
    kept.motion = before_[i].motion;
    kept.now.buoyancy = before_[i].buoyancy;
    kept.dissipated = before_[i].dissipated;
    kept.work = before_[i].work;
    kept.rest = before_[i].rest;
    kept.update_pose();
    kept.update_velocity();
  }
}

}  // namespace plimsoll
