// The bodies of a world: coming, going, and in the water.
#include "dynamics/world_state.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "core/generation.h"
#include "dynamics/world_checks.h"

namespace plimsoll {

WorldBody* World::State::find(BodyId id) {
  if (id.index >= slots.size() || slots[id.index].generation != id.generation) return nullptr;
  std::optional<WorldBody>& body = slots[id.index].body;
  return body ? &*body : nullptr;
}

Result<WorldBody*> World::State::found(BodyId id) {
  if (WorldBody* body = find(id)) return body;
  return Error{ErrorCode::kInvalidArgument,
               "found the id " + std::to_string(id.index) + ", generation " +
                   std::to_string(id.generation) +
                   ", expected that of a body of this world: it was removed, or never was",
               "id"};
}

std::uint32_t World::State::next_slot() const {
  return vacant.empty() ? static_cast<std::uint32_t>(slots.size()) : vacant.back();
}

BodyId World::State::place(std::uint32_t slot, WorldBody body) {
  if (slot == slots.size())
    slots.emplace_back();
  else
    vacant.pop_back();
  body.now.id = {slot, ++slots[slot].generation};
  slots[slot].body = std::move(body);
  present.insert(std::lower_bound(present.begin(), present.end(), slot), slot);
  contact.is_stale = true;
  wake(slot);
  return slots[slot].body->now.id;
}

void World::State::remove(std::uint32_t slot) {
  engine->remove(slot);
  former_dissipated += body(slot).dissipated;
  former_work += body(slot).work;
  wake_around(slot);
  contact.forget(slot);
  std::erase_if(contact.ignored, [&](const auto& pair) {
    return pair.first.index == slot || pair.second.index == slot;
  });
  slots[slot].body.reset();
  solids.drop_unused();
  present.erase(std::lower_bound(present.begin(), present.end(), slot));
  if (has_next_generation(slots[slot].generation)) vacant.push_back(slot);
}

Result<void> World::State::immerse(std::span<const std::uint32_t> which) {
  const Result<SurfaceNow> surface_now = surface_at(time);
  return surface_now ? immerse(which, *surface_now) : surface_now.error();
}

Result<void> World::State::immerse(std::span<const std::uint32_t> which,
                                   const SurfaceNow& surface_now) {
  if (!(environment.fluid_density > 0) || which.empty()) return {};
  queries_.resize(which.size());
  for (std::size_t k = 0; k < which.size(); ++k) query(which[k], k);
  if (Result<void> answered = ask_engine(surface_now); !answered) return answered;
  for (std::size_t k = 0; k < which.size(); ++k)
    if (!take_answer(which[k], k)) return unusable_answer(which[k]);
  return {};
}

Result<void> World::State::use(std::shared_ptr<BuoyancyEngine> other) {
  std::size_t added = 0;
  const auto let_go = [&] {
    while (added > 0) other->remove(present[--added]);
  };
  for (; added < present.size(); ++added) {
    const std::uint32_t slot = present[added];
    if (Result<void> taken = other->add(slot, body(slot).shape); !taken) {
      let_go();
      return in_body(taken.error(), slot);
    }
  }
  std::vector<Buoyancy> before;
  for (const std::uint32_t slot : present) before.push_back(body(slot).now.buoyancy);
  std::swap(engine, other);
  Result<void> answered = immerse(present);
  if (!answered) {
    std::swap(engine, other);
    for (std::size_t i = 0; i < before.size(); ++i) body(present[i]).now.buoyancy = before[i];
  } else {
    wake_all();
  }
  if (other) let_go();
  return answered;
}

double World::State::contact_energy() {
  ContactStep here;
  here.begin(contact, slots, 0, 0, 1);
  return here.energy(*contact.law, slots, environment.gravity);
}

void World::State::query(std::uint32_t slot, std::size_t k) {
  queries_[k] = {slot, body(slot).now.world_from_body};
}

Result<void> World::State::ask_engine(const SurfaceNow& surface_now) {
  answers_.assign(queries_.size(), {});
  const auto start = std::chrono::steady_clock::now();
  Result<void> answered = engine->answer(queries_, surface_now, answers_);
  buoyancy_seconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return answered;
}

bool World::State::take_answer(std::uint32_t slot, std::size_t k) {
  const Buoyancy& answer = answers_[k];
  const double sum = answer.volume + answer.center.sum() + answer.lift.sum();
  if (!std::isfinite(sum) &&  // which may have overflowed by itself
      !(std::isfinite(answer.volume) && answer.center.allFinite() && answer.lift.allFinite()))
    return false;
  body(slot).now.buoyancy = within_reason(answer, body(slot));
  return true;
}

Error World::State::unusable_answer(std::uint32_t slot) {
  return {ErrorCode::kResourceLimit,
          "found buoyancy of \"" + body(slot).name + "\" beyond the range of numbers",
          body_place(slot, "")};
}

}  // namespace plimsoll
