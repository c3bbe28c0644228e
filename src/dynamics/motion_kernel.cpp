// Free flight and drag of bodies side by side, compiled once per instruction set. Most of their
// time are divisions that wait for each other, of which eight take little longer than one. No two
// operations are fused, and each is that of one body alone: bits do not depend on the lanes.
#include <algorithm>
#include <cstddef>

#include "dynamics/rigid_motion.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dynamics/motion_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/wide_number.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::HWY_NAMESPACE {
namespace {

constexpr std::size_t kBodies = 8;

HWY_INLINE Plain operator/(Plain a, Plain b) { return {hn::Div(a.v, b.v)}; }
HWY_INLINE Plain operator-(Plain a) { return {hn::Neg(a.v)}; }
HWY_INLINE Plain everywhere(double x) { return {hn::Set(Wide(), x)}; }
HWY_INLINE Plain square_root(Plain a) { return {hn::Sqrt(a.v)}; }

struct Plain3 {
  Plain x, y, z;
};
HWY_INLINE Plain3 operator+(const Plain3& a, const Plain3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
HWY_INLINE Plain3 operator-(const Plain3& a, const Plain3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
HWY_INLINE Plain3 operator*(Plain k, const Plain3& a) { return {k * a.x, k * a.y, k * a.z}; }
HWY_INLINE Plain3 operator/(const Plain3& a, Plain k) { return {a.x / k, a.y / k, a.z / k}; }
HWY_INLINE Plain3 quotient(const Plain3& a, const Plain3& b) {
  return {a.x / b.x, a.y / b.y, a.z / b.z};
}
HWY_INLINE Plain3 cross(const Plain3& a, const Plain3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
HWY_INLINE Plain dot(const Plain3& a, const Plain3& b) {
  return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

/// In the order of operations of Eigen's quaternions, as the rest of the library has it.
struct Turn {
  Plain3 vec;
  Plain w;
};
HWY_INLINE Turn operator*(const Turn& a, const Turn& b) {
  const auto& [x, y, z] = a.vec;
  const auto& [p, q, r] = b.vec;
  return {{(a.w * p + y * r) - (z * q - x * b.w), (a.w * q + y * b.w) + (z * p - x * r),
           (a.w * r - y * p) + (z * b.w + x * q)},
          (a.w * b.w - y * q) - (z * r + x * p)};
}
HWY_INLINE Plain3 operator*(const Turn& turn, const Plain3& v) {
  const Plain3 half = cross(turn.vec, v), whole = half + half;
  return (v + turn.w * whole) + cross(turn.vec, whole);
}
HWY_INLINE Turn conjugate(const Turn& turn) {
  return {{-turn.vec.x, -turn.vec.y, -turn.vec.z}, turn.w};
}

struct Lanes {
  alignas(64) double of[kBodies];

  HWY_INLINE Plain load(std::size_t lane) const { return {hn::Load(Wide(), of + lane)}; }
  HWY_INLINE void store(Plain value, std::size_t lane) { hn::Store(value.v, Wide(), of + lane); }
};
struct Lanes3 {
  Lanes x, y, z;

  HWY_INLINE Plain3 load(std::size_t lane) const {
    return {x.load(lane), y.load(lane), z.load(lane)};
  }
  HWY_INLINE void store(const Plain3& value, std::size_t lane) {
    x.store(value.x, lane), y.store(value.y, lane), z.store(value.z, lane);
  }
  HWY_INLINE void set(std::size_t i, const Vec3& v) {
    x.of[i] = v[0], y.of[i] = v[1], z.of[i] = v[2];
  }
  HWY_INLINE void get(std::size_t i, Vec3& v) const {
    v[0] = x.of[i], v[1] = y.of[i], v[2] = z.of[i];
  }
};
/// What both motions read.
struct MotionLanes {
  Lanes3 vec, spin, moments;
  Lanes w, time;

  HWY_INLINE void set(std::size_t i, const RigidMotion& motion, const Inertia& inertia,
                      double duration) {
    vec.set(i, motion.turn.vec());
    w.of[i] = motion.turn.w();
    spin.set(i, motion.spin);
    moments.set(i, inertia.moments);
    time.of[i] = duration;
  }
  HWY_INLINE Turn turn(std::size_t lane) const { return {vec.load(lane), w.load(lane)}; }
};

// ---- free flight

struct SineCosine {
  Plain sine, cosine;
};

/// As that of rigid_motion.cpp.
HWY_INLINE SineCosine sine_cosine(Plain x) {
  constexpr double kFactors[2][6] = {{6, 20, 42, 72, 110, 156}, {2, 12, 30, 56, 90, 132}};
  const Plain y = x * x, one = everywhere(1);
  Plain sums[2] = {one, one};
  for (int i = 5; i >= 0; --i)
    for (int k = 0; k < 2; ++k) sums[k] = one - y / everywhere(kFactors[k][i]) * sums[k];
  return {x * sums[0], sums[1]};
}

/// A body free to turn about one principal axis only: its angular momentum about it stays, so that
/// the angle is L / I times the time. The other two, j and k, turn backward in the body's frame.
template <Plain Plain3::* kAxis, Plain Plain3::* kJ, Plain Plain3::* kK>
HWY_INLINE void turn_about(Turn& turn, Plain3& spin, const Plain3& moments, Plain time) {
  const Plain angle = time * (spin.*kAxis) / (moments.*kAxis), zero = everywhere(0);
  const auto [s, c] = sine_cosine(angle / everywhere(2));
  Turn by{{zero, zero, zero}, c};
  by.vec.*kAxis = s;
  turn = turn * by;
  const Plain sine = everywhere(2) * s * c, cosine = (c - s) * (c + s);
  const Plain old_j = spin.*kJ, old_k = spin.*kK;
  spin.*kJ = cosine * old_j + sine * old_k;
  spin.*kK = cosine * old_k - sine * old_j;
}

HWY_INLINE void drift_lanes(MotionLanes& bodies, std::size_t lane) {
  Turn turn = bodies.turn(lane);
  Plain3 spin = bodies.spin.load(lane);
  const Plain3 moments = bodies.moments.load(lane);
  const Plain time = bodies.time.load(lane), half = everywhere(0.5) * time;
  using P = Plain3;
  turn_about<&P::x, &P::y, &P::z>(turn, spin, moments, half);
  turn_about<&P::y, &P::z, &P::x>(turn, spin, moments, half);
  turn_about<&P::z, &P::x, &P::y>(turn, spin, moments, time);
  turn_about<&P::y, &P::z, &P::x>(turn, spin, moments, half);
  turn_about<&P::x, &P::y, &P::z>(turn, spin, moments, half);
  const auto& [x, y, z] = turn.vec;
  const Plain length = square_root((x * x + z * z) + (y * y + turn.w * turn.w));
  bodies.spin.store(spin, lane);
  bodies.vec.store(turn.vec / length, lane);
  bodies.w.store(turn.w / length, lane);
}

void drift_turning(const Drifting* const* turning, std::size_t count) {
  MotionLanes bodies;
  for (std::size_t first = 0; first < count; first += kBodies) {
    const std::size_t in = std::min(kBodies, count - first);
    for (std::size_t i = 0; i < kBodies; ++i) {
      const Drifting& body = *turning[first + std::min(i, in - 1)];
      bodies.set(i, *body.motion, *body.inertia, body.time);
    }
    for (std::size_t lane = 0; lane < kBodies; lane += hn::Lanes(Wide())) drift_lanes(bodies, lane);
    for (std::size_t i = 0; i < in; ++i) {
      RigidMotion& motion = *turning[first + i]->motion;
      motion.turn.coeffs() << bodies.vec.x.of[i], bodies.vec.y.of[i], bodies.vec.z.of[i],
          bodies.w.of[i];
      bodies.spin.get(i, motion.spin);
    }
  }
}

// ---- drag

/// exp(-x) and (1 - exp(-x)) / x for x >= 0 by 1 / (1 + x + x^2 / 2): as good as a step of second
/// order is, positive and falling for any x.
struct Decay {
  Plain left, mean;
};
HWY_INLINE Decay decay(Plain x) {
  const Plain one = everywhere(1), two = everywhere(2);
  const Plain left = one / (one + x + x * x / two);
  return {left, (one + x / two) * left};
}

struct DragLanes : MotionLanes {
  Lanes3 center, velocity, drag_center, fluid_velocity;
  Lanes mass, linear, quadratic, angular, lost;

  HWY_INLINE void set(std::size_t i, const Resisting& body) {
    const RigidMotion& motion = *body.motion;
    const Resistance& drag = *body.drag;
    MotionLanes::set(i, motion, *body.inertia, body.time);
    center.set(i, motion.center);
    velocity.set(i, motion.velocity);
    drag_center.set(i, drag.center);
    fluid_velocity.set(i, drag.fluid_velocity);
    mass.of[i] = body.inertia->mass;
    linear.of[i] = drag.linear;
    quadratic.of[i] = drag.quadratic;
    angular.of[i] = drag.angular;
  }
};

/// Along its own direction d the point where drag acts has the inverse mass
/// k = 1 / m + (r x d) . I^-1 (r x d), so that its speed s obeys s' = -(a + b s) k s; solved by
/// s = s0 e / (1 + b k s0 (1 - e) / (a k)), e = exp(-a k t). The impulse along d that does this
/// takes (s0^2 - s^2) / 2 k of energy. It leaves out that other directions are slowed differently
/// where the inverse mass is not the same along all: an error of first order in the step. What does
/// not move stays as it is. Then the turning slows, about each axis by itself.
HWY_INLINE void resist_lanes(DragLanes& bodies, std::size_t lane) {
  const Turn turn = bodies.turn(lane), back = conjugate(turn);
  const Plain3 moments = bodies.moments.load(lane);
  const Plain mass = bodies.mass.load(lane), time = bodies.time.load(lane);
  const Plain one = everywhere(1), two = everywhere(2), zero = everywhere(0);
  Plain3 spin = bodies.spin.load(lane);
  const Plain3 own_velocity = bodies.velocity.load(lane);
  const Plain3 arm = bodies.drag_center.load(lane) - bodies.center.load(lane);
  const Plain3 velocity = own_velocity + cross(turn * quotient(spin, moments), arm);
  const Plain3 relative = velocity - bodies.fluid_velocity.load(lane);
  const Plain speed = square_root(dot(relative, relative));
  const auto moves = hn::Gt(speed.v, zero.v);
  const Plain3 along = relative / speed, twist = cross(arm, along), lever = back * twist;
  const Plain3 squares = {lever.x * lever.x, lever.y * lever.y, lever.z * lever.z};
  const Plain3 parts = quotient(squares, moments);
  const Plain inverse_mass = one / mass + ((parts.x + parts.y) + parts.z);
  const Decay slowed = decay(bodies.linear.load(lane) * inverse_mass * time);
  const Plain slower =
      speed * slowed.left /
      (one + bodies.quadratic.load(lane) * inverse_mass * speed * slowed.mean * time);
  const Plain impulse = (speed - slower) / inverse_mass;
  const auto if_moves = [&](Plain yes, Plain no) -> Plain {
    return {hn::IfThenElse(moves, yes.v, no.v)};
  };
  const Plain3 kicked = own_velocity + (-impulse * along) / mass;
  const Plain3 turned = spin + back * (-impulse * twist);
  bodies.velocity.store({if_moves(kicked.x, own_velocity.x), if_moves(kicked.y, own_velocity.y),
                         if_moves(kicked.z, own_velocity.z)},
                        lane);
  spin = {if_moves(turned.x, spin.x), if_moves(turned.y, spin.y), if_moves(turned.z, spin.z)};
  Plain lost = if_moves(impulse * (dot(velocity, along) - impulse * inverse_mass / two), zero);
  const Plain angular = bodies.angular.load(lane);
  for (Plain Plain3::* const axis : {&Plain3::x, &Plain3::y, &Plain3::z}) {
    const Plain moment = moments.*axis, before = spin.*axis;
    const Plain after = before * decay(angular / moment * time).left;
    lost = lost + (before * before - after * after) / (two * moment);
    spin.*axis = after;
  }
  bodies.spin.store(spin, lane);
  bodies.lost.store(lost, lane);
}

void resist_all(Resisting* resisting, std::size_t count) {
  DragLanes bodies;
  for (std::size_t first = 0; first < count; first += kBodies) {
    const std::size_t in = std::min(kBodies, count - first);
    for (std::size_t i = 0; i < kBodies; ++i) bodies.set(i, resisting[first + std::min(i, in - 1)]);
    for (std::size_t lane = 0; lane < kBodies; lane += hn::Lanes(Wide()))
      resist_lanes(bodies, lane);
    for (std::size_t i = 0; i < in; ++i) {
      Resisting& body = resisting[first + i];
      bodies.velocity.get(i, body.motion->velocity);
      bodies.spin.get(i, body.motion->spin);
      body.lost = bodies.lost.of[i];
    }
  }
}

}  // namespace
}  // namespace plimsoll::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll {
namespace {
HWY_EXPORT(drift_turning);
HWY_EXPORT(resist_all);
}  // namespace

void drift(std::span<const Drifting> bodies) {
  constexpr std::size_t kTogether = 64;
  const Drifting* turning[kTogether];
  std::size_t count = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Drifting& body = bodies[i];
    body.motion->center += body.time * body.motion->velocity;
    if (!body.motion->spin.isZero(0)) turning[count++] = &body;
    if (count < kTogether && i + 1 < bodies.size()) continue;
    HWY_DYNAMIC_DISPATCH(drift_turning)(turning, count);
    count = 0;
  }
}

void resist(std::span<Resisting> bodies) {
  HWY_DYNAMIC_DISPATCH(resist_all)(bodies.data(), bodies.size());
}

}  // namespace plimsoll
#endif  // HWY_ONCE
