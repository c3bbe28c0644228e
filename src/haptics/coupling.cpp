#include "haptics/coupling.h"

#include <plimsoll/rotation.h>

#include <algorithm>
#include <cmath>

#include "dynamics/rigid_motion.h"

namespace plimsoll {
namespace {

Mat3 cross_matrix(const Vec3& v) {
  Mat3 matrix;
  matrix << 0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0;
  return matrix;
}

/// The transpose of the inverse of the left Jacobian of exp at t [Sola2018, eq. (146)].
Mat3 gradient_of_turn(const Vec3& t) {
  const double angle = t.norm(), half = angle / 2;
  // (1 - x cot x) / (2 x)^2 = 1/12 + x^2 / 180 + ...
  const double second =
      angle < 1e-2 ? 1.0 / 12 + half * half / 180 : (1 - half / std::tan(half)) / (angle * angle);
  const Mat3 cross = cross_matrix(t);
  return Mat3::Identity() + cross / 2 + second * cross * cross;
}

}  // namespace

Coupling critical_coupling(double mass, double period) {
  const double frequency = 0.25 / period;
  return {mass * frequency * frequency, 2 * mass * frequency};
}

BodyForce CoupledTool::pull(const CoupledEnd& tool, const CoupledEnd& device) const {
  const Vec3 apart = rotation_vector(tool.turn.transpose() * device.turn);
  const Mat3 of_world = tool.turn * inertia_over_mass * tool.turn.transpose();
  BodyForce pull;
  pull.force = coupling.stiffness * (device.point - tool.point) +
               coupling.damping * (device.velocity - tool.velocity);
  pull.torque =
      coupling.stiffness * (tool.turn * (gradient_of_turn(apart) * (inertia_over_mass * apart))) +
      coupling.damping * (of_world * (device.angular_velocity - tool.angular_velocity));
  return pull;
}

void CouplingForce::go(const Pose& from, const Pose& to, double start, double seconds) {
  from_ = from;
  to_ = to;
  turn_ = rotation_vector(to.linear() * from.linear().transpose());
  start_ = start;
  seconds_ = seconds;
}

CoupledEnd CouplingForce::device_at(double time) const {
  const double share = std::clamp((time - start_) / seconds_, 0.0, 1.0);
  CoupledEnd end;
  end.turn = share == 1 ? Mat3(to_.linear()) : Mat3(turn_by(share * turn_) * from_.linear());
  const Vec3 path = to_.translation() - from_.translation();
  const Vec3 arm = end.turn * center_;
  end.point = from_.translation() + share * path + arm;
  end.angular_velocity = turn_ / seconds_;
  end.velocity = path / seconds_ + end.angular_velocity.cross(arm);
  return end;
}

Result<void> CouplingForce::push(const WorldNow& now, std::span<BodyForce> forces) {
  for (std::size_t i = 0; i < now.bodies.size(); ++i) {
    const BodyNow& body = *now.bodies[i];
    if (body.id != tool_) continue;
    const BodyForce pulled = pull(
        {body.world_from_body.linear(), body.center_of_mass, body.velocity, body.angular_velocity},
        now.time);
    forces[i].force += pulled.force;
    forces[i].torque += pulled.torque;
  }
  return {};
}

}  // namespace plimsoll
