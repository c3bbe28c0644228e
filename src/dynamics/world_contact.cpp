#include "dynamics/world_contact.h"

#include <plimsoll/parallel.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ranges>

#include "core/disjoint_sets.h"
#include "core/parallel.h"
#include "dynamics/world_checks.h"
#include "tree/box_tree.h"

namespace plimsoll {
namespace {

/// Of the least side of the thinner body that two bodies may go towards each other in a part.
constexpr double kBite = 0.25;

/// Of its size, that a body may go by in a step though its velocity says less.
constexpr double kHit = 0.01;

/// What rounding may move a posed corner by, of the sizes that went into it.
constexpr double kRounding = 0x1p-48;

Box3 box_of(const MovingSolid& now) {
  const Box3 box = now.solid->box();
  if (box.isEmpty()) return {};
  const Vec3 middle = now.world_from_solid * box.center();
  const Vec3 half = now.world_from_solid.linear().cwiseAbs() * (box.sizes() / 2);
  const double room = kRounding * (middle.cwiseAbs().maxCoeff() + half.maxCoeff());
  const Vec3 around = half + Vec3::Constant(room);
  return {middle - around, middle + around};
}

/// The farthest from the center of mass that a point of the body may be.
double radius_of(const WorldBody& body) {
  const Vec3 center = body.mass.center_of_mass;
  return (center - body.contact.box.min()).cwiseMax(body.contact.box.max() - center).norm();
}

double speed_of(const WorldBody& body) {
  return body.motion.velocity.norm() + body.motion.rates(body.inertia).norm() * radius_of(body);
}

/// The stiffness that `law` leaves out.
double own_stiffness(const WorldBody& body) {
  constexpr double kGravity = 9.80665, kSink = 1e-4;
  return body.now.is_kinematic ? 0 : body.mass.mass * kGravity / (kSink * body.mass.volume);
}

PairLaw law_of(const ContactLaw& law, const WorldBody& a, const WorldBody& b) {
  const double own = std::max(own_stiffness(a), own_stiffness(b));
  return {law.stiffness.value_or(own), law.damping, law.friction, law.method};
}

/// Bounds how fast the body oscillates on springs that resist shifts with `along` and turns with
/// `turning`, by the matrix norms of both over its mass and moments of inertia.
double fastest_on(const WorldBody& body, double along, const Mat3& turning) {
  const Mat3 principal = body.motion.turn.conjugate().toRotationMatrix() * turning *
                         body.motion.turn.toRotationMatrix();
  const Vec3 root = body.inertia.moments.cwiseSqrt();
  const Mat3 over_inertia = principal.cwiseQuotient(root * root.transpose());
  return std::sqrt(along / body.inertia.mass + over_inertia.norm());
}

double power_of(const PairForce& force, const MovingSolid& a, const MovingSolid& b) {
  return force.force.dot(a.velocity - b.velocity) + force.torque_a.dot(a.angular_velocity) +
         force.torque_b.dot(b.angular_velocity);
}

/// F^T M^-1 G / 2: what a force that acts for a while at rest gives, of two that act together. A
/// body that moves as it is told takes nothing.
double energy_of(const BodyForce& f, const BodyForce& g, const WorldBody& body) {
  if (body.now.is_kinematic) return 0;
  const auto along_axes = [&](const Vec3& torque) { return body.motion.turn.conjugate() * torque; };
  return (f.force.dot(g.force) / body.inertia.mass +
          along_axes(f.torque).dot(along_axes(g.torque).cwiseQuotient(body.inertia.moments))) /
         2;
}

/// The share of a half kick with which it gives the energy `wanted`, from none of it to all:
/// `gives` is what it would give at the velocity before it, `own` what it would give at rest. Where
/// none gives as much, the share that comes nearest.
double share_of_kick(double gives, double own, double wanted) {
  // own s^2 + gives s = wanted, by the root that is 0 where nothing is wanted
  const double root = std::sqrt(std::max(0.0, gives * gives + 4 * own * wanted));
  const double below = gives + std::copysign(root, gives);
  return below != 0 ? std::clamp(2 * wanted / below, 0.0, 1.0) : 1;
}

/// How many times shorter parts have to be for a contact that becomes stiffer or softer within one.
/// The leapfrog conserves the energy plus h^2 v^2 k / 12, v being the speed along the push and k
/// the stiffness, to higher orders: what a change of k in a part adds to that is to be less than
/// kStray of the bodies' kinetic energy.
double times_shorter(double change, double speed, double part, double kinetic) {
  constexpr double kStray = 3e-6;
  const double stray = change * (part * speed) * (part * speed) / 12;
  return stray > kStray * kinetic ? std::cbrt(stray / (kStray * kinetic)) : 1;
}

/// Parts that are longer by that are followed, too.
constexpr double kTooLong = 1.25;
/// Times the stray of energy: it grows with the third power.
constexpr double kTooMuch = 1.25;

}  // namespace

void ContactData::forget(std::uint32_t slot) {
  std::erase_if(meetings, [&](const BodyMeeting& meeting) {
    return meeting.pair.a == slot || meeting.pair.b == slot;
  });
  is_stale = true;
}

bool ContactData::leaves_out(const WorldBody& a, const WorldBody& b) const {
  if (a.contact_group != 0 && a.contact_group == b.contact_group) return true;
  const std::pair<BodyId, BodyId> ids = std::minmax(a.now.id, b.now.id);
  return std::binary_search(ignored.begin(), ignored.end(), ids);
}

MovingSolid ContactStep::now_of(const WorldBody& body, double passed) {
  const bool is_told = is_told_to_move(body) && passed != 0;
  const RigidMotion motion = is_told ? told_motion(body, passed) : body.motion;
  const Pose pose = is_told ? body.pose_in(motion) : body.now.world_from_body;
  MovingSolid now{body.contact.solid.get(), body.contact.spheres.get()};
  now.world_from_solid.matrix() = pose.matrix() * body.contact.body_from_solid.matrix();
  now.center = motion.center;
  now.velocity = motion.velocity;
  now.angular_velocity = motion.turn * motion.rates(body.inertia);
  now.inverse_mass = body.now.is_kinematic ? 0 : 1 / body.inertia.mass;
  return now;
}

double ContactStep::least_parts(const WorldBody& a, const WorldBody& b) const {
  const double thin = std::min(a.contact.thickness, b.contact.thickness);
  const Vec3 approach = a.motion.velocity - b.motion.velocity;
  const double turning = a.motion.rates(a.inertia).norm() * radius_of(a) +
                         b.motion.rates(b.inertia).norm() * radius_of(b);
  const double way = h_ * (approach.norm() + turning);
  return way > kBite * thin ? std::ceil(way / (kBite * thin)) : 1;
}

void ContactStep::find_pairs(const ContactData& data, Bodies bodies) {
  std::vector<Box3> boxes;
  std::vector<std::uint32_t> slots;
  for (std::uint32_t slot = 0; slot < bodies.size(); ++slot) {
    if (of_body_[slot].reach.isEmpty()) continue;
    boxes.push_back(of_body_[slot].reach);
    slots.push_back(slot);
  }
  pairs_.clear();
  if (boxes.size() < 2) return;
  const BoxTree tree(boxes);
  const auto never = [](std::size_t, std::size_t) { return false; };
  visit_pairs_below(tree, {0, 0}, never, [&](std::size_t i, std::size_t j) {
    const auto [a, b] = std::minmax(slots[tree.item(i)], slots[tree.item(j)]);
    const WorldBody &of_a = *bodies[a].body, &of_b = *bodies[b].body;
    if (of_a.now.is_kinematic && of_b.now.is_kinematic) return;
    if (data.leaves_out(of_a, of_b)) return;
    pairs_.emplace_back().slots = {a, b};
    pairs_.back().least_parts = least_parts(of_a, of_b);
  });
  std::sort(pairs_.begin(), pairs_.end(),
            [](const Pair& x, const Pair& y) { return x.slots < y.slots; });
  auto met = data.meetings.begin();
  for (Pair& pair : pairs_) {
    while (met != data.meetings.end() && met->pair < pair.slots) ++met;
    if (met != data.meetings.end() && met->pair == pair.slots) pair.meeting = *met;
  }
}

void ContactStep::find_islands(Bodies bodies) {
  DisjointSets sets(bodies.size());
  for (const Pair& pair : pairs_)
    if (!bodies[pair.slots.a].body->now.is_kinematic &&
        !bodies[pair.slots.b].body->now.is_kinematic)
      sets.join(pair.slots.a, pair.slots.b);
  for (std::uint32_t slot = 0; slot < bodies.size(); ++slot)
    of_body_[slot].island = sets.find(slot);
}

void ContactStep::spread(Bodies bodies, std::vector<char>& marks) const {
  std::vector<char> is_marked(bodies.size(), 0);  // by island
  for (std::uint32_t slot = 0; slot < bodies.size(); ++slot)
    if (marks[slot] && !bodies[slot].body->now.is_kinematic) is_marked[of_body_[slot].island] = 1;
  for (const auto& [a, b] : pairs_ | std::views::transform(&Pair::slots))
    if (marks[a] || marks[b])
      for (const std::uint32_t slot : {a, b}) is_marked[of_body_[slot].island] = 1;
  for (std::uint32_t slot = 0; slot < bodies.size(); ++slot)
    if (bodies[slot].body && !bodies[slot].body->now.is_kinematic)
      marks[slot] = is_marked[of_body_[slot].island];
}

/// Each body feels a contact with one that moves too as if it were twice as stiff: so does their
/// motion against each other, of equal bodies.
void ContactStep::sum_up(Bodies bodies) {
  struct Springs {
    double along = 0;
    Mat3 turning = Mat3::Zero();
  };
  std::vector<Springs> springs(bodies.size());
  for (OfBody& sum : of_body_) {
    sum.elastic = sum.resisting = {};
    sum.touches = sum.is_hit = false;
    sum.fastest = sum.part = 0;
  }
  for (const Pair& pair : pairs_) {
    const PairForces* now = pair.now();
    if (now == nullptr) continue;
    const PairForces& forces = *now;
    const auto& [a, b] = pair.slots;
    const bool both_move = !bodies[a].body->now.is_kinematic && !bodies[b].body->now.is_kinematic;
    const auto add = [&](std::uint32_t slot, double sign, Vec3 PairForce::* torque,
                         const Mat3& turning) {
      OfBody& sum = of_body_[slot];
      sum.touches = true;
      sum.is_hit = sum.is_hit || (pair.meeting && pair.meeting->is_impact);
      if (pair.meeting)
        sum.part = sum.part > 0 ? std::min(sum.part, pair.meeting->part) : pair.meeting->part;
      sum.elastic.force += sign * pair.share * forces.elastic.force;
      sum.elastic.torque += pair.share * (forces.elastic.*torque);
      sum.resisting.force += sign * pair.share * forces.resisting.force;
      sum.resisting.torque += pair.share * (forces.resisting.*torque);
      springs[slot].along += (both_move ? 2 : 1) * forces.stiffness;
      springs[slot].turning += (both_move ? 2 : 1) * turning;
    };
    add(a, 1, &PairForce::torque_a, forces.turning_a);
    add(b, -1, &PairForce::torque_b, forces.turning_b);
  }
  for (std::uint32_t slot = 0; slot < bodies.size(); ++slot)
    if (of_body_[slot].touches && !bodies[slot].body->now.is_kinematic)
      of_body_[slot].fastest =
          fastest_on(*bodies[slot].body, springs[slot].along, springs[slot].turning);
}

void ContactStep::begin(const ContactData& data, Bodies bodies, double h, double gravity,
                        double reach) {
  h_ = h;
  has_left_ = false;
  of_body_.assign(bodies.size(), {});
  for (std::uint32_t slot = 0; slot < bodies.size(); ++slot) {
    if (!bodies[slot].body) continue;
    const WorldBody& body = *bodies[slot].body;
    const Box3 box = box_of(now_of(body, 0));
    if (box.isEmpty()) continue;
    const double falls = body.now.is_kinematic ? 0 : h * gravity;
    // A body that is at rest may be hit: what it goes then grows with its size, if with nothing
    // else.
    const double hit = (reach - 1) * kHit * box.sizes().norm();
    const Vec3 way = Vec3::Constant(reach * h * (speed_of(body) + falls) + hit);
    of_body_[slot].reach = {box.min() - way, box.max() + way};
  }
  find_pairs(data, bodies);
  find_islands(bodies);
  sum_up(bodies);
}

/// Parts of 1/2 over the frequency, as for water, or of 1/4 where bodies hit each other. A damper
/// that is more than half of critical needs shorter ones than its spring. The energy that a
/// leapfrog conserves depends on its step: in an impact that stays, as long as it is short enough.
double ContactStep::needed(const ContactLaw& law, std::uint32_t slot) const {
  const OfBody& body = of_body_[slot];
  const double count =
      std::ceil((body.is_hit ? 4 : 2) * h_ * body.fastest * std::max(1.0, 2 * law.damping));
  if (!body.is_hit) return count;
  constexpr double kSlack = 1e-9;
  const double before = std::ceil(h_ / body.part - kSlack);
  return kTooLong * before < count ? count : before;
}

void ContactStep::raise(const ContactLaw& law, Bodies bodies, StepParts& parts) const {
  std::vector<double> most(bodies.size(), 0);
  const auto at_least = [&](std::uint32_t slot, double count) {
    double& needed = most[of_body_[slot].island];
    needed = std::max(needed, count);
  };
  for (std::uint32_t slot = 0; slot < bodies.size(); ++slot)
    if (parts[slot] > 0) at_least(slot, std::max(parts[slot], needed(law, slot)));
  for (const Pair& pair : pairs_)
    for (const std::uint32_t slot : {pair.slots.a, pair.slots.b})
      if (parts[slot] > 0)
        at_least(slot, std::max(pair.least_parts, std::ceil(pair.enough * parts[slot])));
  for (std::uint32_t slot = 0; slot < bodies.size(); ++slot)
    if (parts[slot] > 0) parts[slot] = most[of_body_[slot].island];
}

void ContactStep::start_part(Bodies bodies, const StepParts& parts, double k) {
  bool changes = false;
  for (Pair& pair : pairs_) {
    const double count = std::max(parts[pair.slots.a], parts[pair.slots.b]);
    if (!(count > k)) continue;
    changes = changes || pair.share != 1 || pair.past;
    pair.share = 1;
    pair.past.reset();
    if (!pair.meeting) continue;
    const double passed = h_ * k / count;
    pair.power = power_of(pair.meeting->forces.elastic, now_of(*bodies[pair.slots.a].body, passed),
                          now_of(*bodies[pair.slots.b].body, passed));
  }
  if (changes) sum_up(bodies);
}

/// What two bodies do to each other at the end of a part.
///
/// A bed of springs with the energy E that is pressed at the end of a part, and was not at its
/// beginning, has taken E from the bodies, where half a kick of the whole part takes more: the push
/// began within the part. With the share of the kick that takes E - (h^2 / 8) F^T M^-1 F, which is
/// how the leapfrog counts the energy of springs, bodies go in and come out with the same energy to
/// rounding, however the part lies to the touch. A push that ended within the part has given too
/// much at its beginning: what it should not have is taken back at the end.
double ContactStep::queries_in(const StepParts& parts) const {
  double count = 0;
  for (const Pair& pair : pairs_) count += std::max(parts[pair.slots.a], parts[pair.slots.b]);
  return count;
}

void ContactStep::ask(const ContactLaw& law, Bodies bodies, double part, double passed,
                      double max_time, Pair& pair, PairContactSearch& search) const {
  const WorldBody &a = *bodies[pair.slots.a].body, &b = *bodies[pair.slots.b].body;
  const MovingSolid now_a = now_of(a, passed), now_b = now_of(b, passed);
  // What half a kick by `push` gives bodies at rest while `all` acts.
  const auto half_kick_of = [&](const PairForce& push, const PairForce& all) {
    return part * part / 4 *
           (energy_of({push.force, push.torque_a}, {all.force, all.torque_a}, a) +
            energy_of({push.force, push.torque_b}, {all.force, all.torque_b}, b));
  };
  const auto share_of = [&](const PairForces& forces, double power, double sign) {
    PairForce all = forces.elastic;
    all.force += forces.resisting.force;
    all.torque_a += forces.resisting.torque_a;
    all.torque_b += forces.resisting.torque_b;
    const double wanted = forces.pressed - half_kick_of(forces.elastic, forces.elastic);
    return share_of_kick(part / 2 * power, half_kick_of(forces.elastic, all), sign * wanted);
  };
  const std::optional<BodyMeeting> before = std::move(pair.meeting);
  pair.meeting.reset();
  pair.past.reset();
  pair.share = pair.enough = 1;
  pair.done = {};
  if (boxes_meet(box_of(now_a), box_of(now_b))) {
    BodyMeeting now{pair.slots, part, false, before ? before->memory : PairContact(), {}};
    PairLaw of_pair = law_of(law, a, b);
    of_pair.max_time = max_time;
    const Result<PairForces> found = search.forces(now.memory, now_a, now_b, of_pair);
    if (!found) {
      pair.done = found.error();
      return;
    }
    now.forces = *found;
    if (found->overlaps) pair.meeting = now;
  }
  if (pair.meeting) {
    const PairForces& is = pair.meeting->forces;
    const double force = is.elastic.force.norm();
    const double power = power_of(is.elastic, now_a, now_b);
    const double speed = force > 0 ? power / force : 0;  // along the push
    // Of both, and of their motion along the push beside one that moves as it is told.
    const double kinetic = (a.now.is_kinematic ? 0 : kinetic_energy(a.motion, a.inertia)) +
                           (b.now.is_kinematic ? 0 : kinetic_energy(b.motion, b.inertia)) +
                           speed * speed / (2 * (now_a.inverse_mass + now_b.inverse_mass));
    // A flat bed is as stiff from the touch on; an edge or a corner holds 4/3 or 3/2 of what a bed
    // of its stiffness and push would.
    const double change =
        before ? std::fabs(is.stiffness - before->forces.stiffness)
               : std::min(is.stiffness,
                          3 * (2 * is.stiffness * is.pressed / (force * force) - 1) * is.stiffness);
    if (force > 0) pair.enough = times_shorter(change, speed, part, kinetic);
    constexpr double kFlow = 1e-3;  // of the energy, in a part
    pair.meeting->is_impact = std::fabs(power) * part > kFlow * (kinetic + is.pressed);
  }
  if (!before && pair.meeting) {
    const PairForces& forces = pair.meeting->forces;
    pair.share = share_of(forces, power_of(forces.elastic, now_a, now_b), -1);
  } else if (before && !pair.meeting) {
    pair.share = share_of(before->forces, pair.power, 1) - 1;
    pair.past = before->forces;
    const PairContact::Poses& then = *before->memory.last;
    const auto way = [](const Similarity& was, const MovingSolid& now) {
      return Vec3(was * (now.world_from_solid.inverse() * now.center) - now.center);
    };
    for (PairForce* force : {&pair.past->elastic, &pair.past->resisting}) {
      force->torque_a += way(then.a, now_a).cross(force->force);
      force->torque_b -= way(then.b, now_b).cross(force->force);
    }
  }
}

Result<void> ContactStep::meet(const ContactLaw& law, Bodies bodies, const StepParts& parts,
                               double k) {
  asked_.clear();
  for (std::uint32_t slot = 0; slot < bodies.size(); ++slot) {
    if (!(parts[slot] > k) || of_body_[slot].reach.isEmpty()) continue;
    const WorldBody& body = *bodies[slot].body;
    if (!of_body_[slot].reach.contains(box_of(now_of(body, 0)))) has_left_ = true;
  }
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const auto& [a, b] = pairs_[i].slots;
    if (parts[a] > k || parts[b] > k) asked_.push_back(i);
  }
  const std::size_t shares =
      std::min(asked_.size(), static_cast<std::size_t>(std::max(1, thread_limit())));
  if (searches_.size() < shares) searches_.resize(shares);
  const double max_time = law.max_time / queries_in(parts);
  parallel_for_each_index(shares, [&](std::size_t share) {
    for (std::size_t i = share; i < asked_.size(); i += shares) {
      Pair& pair = pairs_[asked_[i]];
      const double part = h_ / std::max(parts[pair.slots.a], parts[pair.slots.b]);
      ask(law, bodies, part, (k + 1) * part, max_time, pair, searches_[share]);
    }
  });
  for (const std::size_t i : asked_) {
    const Pair& pair = pairs_[i];
    if (pair.done) continue;
    Error error = pair.done.error();
    error.message = "contact of \"" + bodies[pair.slots.a].body->name + "\" with \"" +
                    bodies[pair.slots.b].body->name + "\": " + error.message;
    error.where = body_place(pair.slots.a, "");
    return error;
  }
  sum_up(bodies);
  return {};
}

bool ContactStep::is_too_long(const ContactLaw& law, Bodies bodies, const StepParts& parts) const {
  for (std::uint32_t slot = 0; slot < bodies.size(); ++slot)
    if (parts[slot] > 0 && kTooLong * parts[slot] < needed(law, slot)) return true;
  return std::any_of(pairs_.begin(), pairs_.end(),
                     [](const Pair& pair) { return pair.enough > kTooMuch; });
}

std::vector<BodyMeeting> ContactStep::meetings() const {
  std::vector<BodyMeeting> met;
  for (const Pair& pair : pairs_)
    if (pair.meeting) met.push_back(*pair.meeting);
  return met;
}

double ContactStep::energy(const ContactLaw& law, Bodies bodies, double gravity) {
  ContactSearch search;
  double sum = 0;
  for (std::uint32_t slot = 0; slot < bodies.size(); ++slot) {
    if (!touches(slot) || bodies[slot].body->now.is_kinematic) continue;
    const WorldBody& body = *bodies[slot].body;
    const BodyForce weight{Vec3(0, 0, -body.mass.mass * gravity), Vec3::Zero()};
    const BodyForce all{elastic(slot).force + weight.force, elastic(slot).torque};
    const double part = of_body_[slot].part;
    sum -= part * part / 4 * (energy_of(all, all, body) - energy_of(weight, weight, body));
  }
  for (const Pair& pair : pairs_) {
    if (pair.meeting) sum += pair.meeting->forces.held;
    const WorldBody &a = *bodies[pair.slots.a].body, &b = *bodies[pair.slots.b].body;
    const MovingSolid now_a = now_of(a, 0), now_b = now_of(b, 0);
    if (!boxes_meet(box_of(now_a), box_of(now_b))) continue;
    if (law.method == ContactMethod::kSpheres || law.method == ContactMethod::kVolume) {
      PairContact fresh;
      PairContactSearch pushes;
      const Result<PairForces> found = pushes.forces(fresh, now_a, now_b, law_of(law, a, b));
      if (!found) return std::numeric_limits<double>::quiet_NaN();
      sum += found->pressed;
      continue;
    }
    const Result<ContactForces> found =
        search.forces(*now_a.solid, now_a.world_from_solid, *now_b.solid, now_b.world_from_solid,
                      {.potential = potential_of(law.method), .energy = true});
    if (!found) return std::numeric_limits<double>::quiet_NaN();
    sum += law_of(law, a, b).stiffness * found->energy.value_or(0);
  }
  return sum;
}

}  // namespace plimsoll
