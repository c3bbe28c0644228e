#include <doctest/doctest.h>

#include <cmath>

#include "core/random.h"
#include "haptics/coupling.h"
#include "support/approx.h"
#include "support/campaign.h"

namespace plimsoll {
namespace {

Vec3 vector(Random& random, double size) {
  const auto number = [&] { return random.uniform(-size, size); };
  return {number(), number(), number()};
}

Mat3 turn_by(const Vec3& vector) {
  return Eigen::AngleAxisd(vector.norm(), vector.stableNormalized()).toRotationMatrix();
}

CoupledTool random_tool(Random& random, double damping) {
  const Vec3 moments(random.uniform(0.5, 1), random.uniform(0.5, 1), random.uniform(0.5, 1));
  const Mat3 axes = turn_by(vector(random, 2));
  return {{random.uniform(1, 10), damping}, axes * moments.asDiagonal() * axes.transpose()};
}

/// Of the springs, from the logarithm of a quaternion.
double potential(const CoupledTool& tool, const CoupledEnd& end, const CoupledEnd& device) {
  const Eigen::Quaterniond apart(Mat3(end.turn.transpose() * device.turn));
  const Vec3 way = (apart.w() < 0 ? -1 : 1) * apart.vec();
  const Vec3 turn = 2 * std::atan2(way.norm(), std::fabs(apart.w())) * way.stableNormalized();
  return tool.coupling.stiffness / 2 *
         ((end.point - device.point).squaredNorm() + turn.dot(tool.inertia_over_mass * turn));
}

TEST_CASE("the springs of the coupling pull with minus the gradient of their potential") {
  Random random(41);
  for (int run = 0; run < test::campaign(20000); ++run) {
    const CoupledTool tool = random_tool(random, 0);
    const Vec3 apart = random.uniform(0, 2.5) * vector(random, 1).normalized();
    CoupledEnd end{turn_by(vector(random, 3)), vector(random, 1)};
    const CoupledEnd device{end.turn * turn_by(apart), vector(random, 1)};
    const BodyForce pull = tool.pull(end, device);
    // Differences of a potential of up to 100: rounding of 1e-14 over the step, and its square
    // times third derivatives, which 2.5 of pi radians keep below 1e3.
    constexpr double kStep = 1e-5, kOff = 1e-6;
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3 way = kStep * Vec3::Unit(axis);
      CoupledEnd ahead = end, behind = end;
      ahead.point += way;
      behind.point -= way;
      CHECK(pull.force[axis] ==
            test::approx((potential(tool, behind, device) - potential(tool, ahead, device)) /
                         (2 * kStep))
                .epsilon(kOff));
      ahead = behind = end;
      ahead.turn = turn_by(way) * end.turn;
      behind.turn = turn_by(-way) * end.turn;
      const double slope =
          (potential(tool, behind, device) - potential(tool, ahead, device)) / (2 * kStep);
      CHECK(std::fabs(pull.torque[axis] - slope) <= kOff * 100);
    }
  }
}

TEST_CASE("the dampers of the coupling only take energy, and nothing of what moves as one") {
  Random random(43);
  for (int run = 0; run < test::campaign(20000); ++run) {
    CoupledTool tool = random_tool(random, random.uniform(0.1, 5));
    tool.coupling.stiffness = 0;
    const CoupledEnd end{turn_by(vector(random, 3)), vector(random, 1), vector(random, 1),
                         vector(random, 1)};
    CoupledEnd device{turn_by(vector(random, 3)), vector(random, 1), vector(random, 1),
                      vector(random, 1)};
    const BodyForce pull = tool.pull(end, device);
    const Mat3 inertia = end.turn * tool.inertia_over_mass * end.turn.transpose();
    const Vec3 turning = device.angular_velocity - end.angular_velocity;
    CHECK((pull.torque - tool.coupling.damping * inertia * turning).norm() <=
          1e-11);  // of up to 100
    CHECK(pull.force.dot(end.velocity - device.velocity) +
              pull.torque.dot(end.angular_velocity - device.angular_velocity) <
          0);
    device.velocity = end.velocity;
    device.angular_velocity = end.angular_velocity;
    CHECK(tool.pull(end, device).force.isZero(0));
    CHECK(tool.pull(end, device).torque.isZero(0));
  }
}

TEST_CASE("a device goes evenly from pose to pose, and its point with it") {
  Random random(47);
  const Vec3 center(0.1, -0.2, 0.3);
  CouplingForce force({0, 0}, {}, center);
  for (int run = 0; run < test::campaign(2000); ++run) {
    Pose from = Pose::Identity(), to = Pose::Identity();
    from.linear() = turn_by(vector(random, 3));
    from.translation() = vector(random, 1);
    to.linear() = turn_by(vector(random, 1)) * from.linear();
    to.translation() = vector(random, 1);
    force.go(from, to, 5, 0.5);
    // Roundings of numbers of up to 3, and of times of 5 s in steps of 0.5 s.
    constexpr double kOff = 1e-13;
    CHECK((force.device_at(5).point - from * center).norm() <= kOff);
    CHECK((force.device_at(5.5).point - to * center).norm() <= kOff);
    CHECK((force.device_at(5.5).turn - to.linear()).norm() <= kOff);
    // The velocity is the slope of the path: the square of the step times third derivatives.
    constexpr double kStep = 1e-5;
    const CoupledEnd middle = force.device_at(5.2);
    const Vec3 slope =
        (force.device_at(5.2 + kStep).point - force.device_at(5.2 - kStep).point) / (2 * kStep);
    CHECK((middle.velocity - slope).norm() <= 1e-7);
  }
}

// The gradient is a series below 0.01 rad, and a closed form above.
TEST_CASE("the torque of the coupling does not jump where its formula changes") {
  Random random(49);
  for (int run = 0; run < test::campaign(200); ++run) {
    const CoupledTool tool = random_tool(random, 0);
    const Vec3 axis = vector(random, 1).normalized();
    const auto torque_at = [&](double angle) {
      const CoupledEnd end{Mat3::Identity()}, device{turn_by(angle * axis)};
      return Vec3(tool.pull(end, device).torque / angle);
    };
    CHECK((torque_at(0.01 * (1 + 1e-9)) - torque_at(0.01 * (1 - 1e-9))).norm() < 1e-8);
  }
}

TEST_CASE("a critical coupling is damped by 2 sqrt(k m)") {
  for (const double mass : {0.01, 3.0}) {
    const Coupling coupling = critical_coupling(mass, 1e-3);
    CHECK(coupling.damping == test::approx(2 * std::sqrt(coupling.stiffness * mass)));
    CHECK(coupling.stiffness == test::approx(mass * 250 * 250));
  }
}

}  // namespace
}  // namespace plimsoll
