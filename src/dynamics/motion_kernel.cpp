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

#include "simd/wide_triple.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::HWY_NAMESPACE {
namespace {

constexpr std::size_t kBodies = 8;

using Plain3 = Triple<Plain>;

HWY_INLINE Plain3 quotients(const Plain3& a, const Plain3& b) {
  return {a[0] / b[0], a[1] / b[1], a[2] / b[2]};
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
  return {{-turn.vec[0], -turn.vec[1], -turn.vec[2]}, turn.w};
}

/// A number of each body.
struct BodyNumbers {
  alignas(64) double of[kBodies];

  HWY_INLINE Plain read(std::size_t lane) const { return load(of + lane); }
  HWY_INLINE void write(Plain value, std::size_t lane) { store(value, of + lane); }
};
/// A vector of each body.
struct BodyVectors {
  alignas(64) double of[3][kBodies];

  HWY_INLINE Plain3 read(std::size_t lane) const { return load(of, lane); }
  HWY_INLINE void write(const Plain3& value, std::size_t lane) { store(value, of, lane); }
  HWY_INLINE void set(std::size_t i, const Vec3& v) {
    for (int k = 0; k < 3; ++k) of[k][i] = v[k];
  }
  HWY_INLINE void get(std::size_t i, Vec3& v) const {
    for (int k = 0; k < 3; ++k) v[k] = of[k][i];
  }
};
/// What both motions read.
struct MotionNumbers {
  BodyVectors vec, spin, moments;
  BodyNumbers w, time;

  HWY_INLINE void set(std::size_t i, const RigidMotion& motion, const Inertia& inertia,
                      double duration) {
    vec.set(i, motion.turn.vec());
    w.of[i] = motion.turn.w();
    spin.set(i, motion.spin);
    moments.set(i, inertia.moments);
    time.of[i] = duration;
  }
  HWY_INLINE Turn turn(std::size_t lane) const { return {vec.read(lane), w.read(lane)}; }
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
template <std::size_t kAxis>
HWY_INLINE void turn_about(Turn& turn, Plain3& spin, const Plain3& moments, Plain time) {
  constexpr std::size_t kJ = (kAxis + 1) % 3, kK = (kAxis + 2) % 3;
  const Plain angle = time * spin[kAxis] / moments[kAxis], zero = everywhere(0);
  const auto [s, c] = sine_cosine(angle / everywhere(2));
  Turn by{{zero, zero, zero}, c};
  by.vec[kAxis] = s;
  turn = turn * by;
  const Plain sine = everywhere(2) * s * c, cosine = (c - s) * (c + s);
  const Plain old_j = spin[kJ], old_k = spin[kK];
  spin[kJ] = cosine * old_j + sine * old_k;
  spin[kK] = cosine * old_k - sine * old_j;
}

HWY_INLINE void drift_lanes(MotionNumbers& bodies, std::size_t lane) {
  Turn turn = bodies.turn(lane);
  Plain3 spin = bodies.spin.read(lane);
  const Plain3 moments = bodies.moments.read(lane);
  const Plain time = bodies.time.read(lane), half = everywhere(0.5) * time;
  turn_about<0>(turn, spin, moments, half);
  turn_about<1>(turn, spin, moments, half);
  turn_about<2>(turn, spin, moments, time);
  turn_about<1>(turn, spin, moments, half);
  turn_about<0>(turn, spin, moments, half);
  const auto& [x, y, z] = turn.vec;
  const Plain length = square_root((x * x + z * z) + (y * y + turn.w * turn.w));
  bodies.spin.write(spin, lane);
  bodies.vec.write(turn.vec / length, lane);
  bodies.w.write(turn.w / length, lane);
}

void drift_turning(const Drifting* const* turning, std::size_t count) {
  MotionNumbers bodies;
  for (std::size_t first = 0; first < count; first += kBodies) {
    const std::size_t in = std::min(kBodies, count - first);
    for (std::size_t i = 0; i < kBodies; ++i) {
      const Drifting& body = *turning[first + std::min(i, in - 1)];
      bodies.set(i, *body.motion, *body.inertia, body.time);
    }
    for (std::size_t lane = 0; lane < kBodies; lane += Plain::kWidth) drift_lanes(bodies, lane);
    for (std::size_t i = 0; i < in; ++i) {
      RigidMotion& motion = *turning[first + i]->motion;
      motion.turn.coeffs() << bodies.vec.of[0][i], bodies.vec.of[1][i], bodies.vec.of[2][i],
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

struct DragNumbers : MotionNumbers {
  BodyVectors center, velocity, drag_center, fluid_velocity;
  BodyNumbers mass, linear, quadratic, angular, lost;

  HWY_INLINE void set(std::size_t i, const Resisting& body) {
    const RigidMotion& motion = *body.motion;
    const Resistance& drag = *body.drag;
    MotionNumbers::set(i, motion, *body.inertia, body.time);
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
HWY_INLINE void resist_lanes(DragNumbers& bodies, std::size_t lane) {
  const Turn turn = bodies.turn(lane), back = conjugate(turn);
  const Plain3 moments = bodies.moments.read(lane);
  const Plain mass = bodies.mass.read(lane), time = bodies.time.read(lane);
  const Plain one = everywhere(1), two = everywhere(2), zero = everywhere(0);
  Plain3 spin = bodies.spin.read(lane);
  const Plain3 own_velocity = bodies.velocity.read(lane);
  const Plain3 arm = bodies.drag_center.read(lane) - bodies.center.read(lane);
  const Plain3 velocity = own_velocity + cross(turn * quotients(spin, moments), arm);
  const Plain3 relative = velocity - bodies.fluid_velocity.read(lane);
  const Plain speed = square_root(dot(relative, relative));
  const auto moves = speed > zero;
  const Plain3 along = relative / speed, twist = cross(arm, along), lever = back * twist;
  const Plain3 squares = {lever[0] * lever[0], lever[1] * lever[1], lever[2] * lever[2]};
  const Plain3 parts = quotients(squares, moments);
  const Plain inverse_mass = one / mass + ((parts[0] + parts[1]) + parts[2]);
  const Decay slowed = decay(bodies.linear.read(lane) * inverse_mass * time);
  const Plain slower =
      speed * slowed.left /
      (one + bodies.quadratic.read(lane) * inverse_mass * speed * slowed.mean * time);
  const Plain impulse = (speed - slower) / inverse_mass;
  const auto if_moves = [&](const Plain3& yes, const Plain3& no) -> Plain3 {
    return {select(moves, yes[0], no[0]), select(moves, yes[1], no[1]),
            select(moves, yes[2], no[2])};
  };
  const Plain3 kicked = own_velocity + (-impulse * along) / mass;
  const Plain3 turned = spin + back * (-impulse * twist);
  bodies.velocity.write(if_moves(kicked, own_velocity), lane);
  spin = if_moves(turned, spin);
  Plain lost =
      select_or_zero(moves, impulse * (dot(velocity, along) - impulse * inverse_mass / two));
  const Plain angular = bodies.angular.read(lane);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Plain moment = moments[axis], before = spin[axis];
    const Plain after = before * decay(angular / moment * time).left;
    lost = lost + (before * before - after * after) / (two * moment);
    spin[axis] = after;
  }
  bodies.spin.write(spin, lane);
  bodies.lost.write(lost, lane);
}

void resist_all(Resisting* resisting, std::size_t count) {
  DragNumbers bodies;
  for (std::size_t first = 0; first < count; first += kBodies) {
    const std::size_t in = std::min(kBodies, count - first);
    for (std::size_t i = 0; i < kBodies; ++i) bodies.set(i, resisting[first + std::min(i, in - 1)]);
    for (std::size_t lane = 0; lane < kBodies; lane += Plain::kWidth) resist_lanes(bodies, lane);
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
