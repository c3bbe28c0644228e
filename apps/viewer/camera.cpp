#include "camera.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::viewer {
namespace {

const double kTangent = std::tan(20 * std::numbers::pi / 180);  // half the height that is seen

}  // namespace

Vec3 Camera::forward() const {
  return {std::cos(fall) * std::cos(heading), std::cos(fall) * std::sin(heading), -std::sin(fall)};
}

Vec3 Camera::right() const { return {std::sin(heading), -std::cos(heading), 0}; }

Eigen::Matrix4d Camera::clip_from_near(double aspect) const {
  const double n = near_plane(), f = far_plane();
  Eigen::Matrix4d projection = Eigen::Matrix4d::Zero();
  projection(0, 0) = 1 / (kTangent * aspect);
  projection(0, 2) = -aside;
  projection(1, 1) = 1 / kTangent;
  projection(2, 2) = (n + f) / (n - f);
  projection(2, 3) = 2 * n * f / (n - f);
  projection(3, 2) = -1;
  Eigen::Matrix4d turn = Eigen::Matrix4d::Identity();
  turn.block<1, 3>(0, 0) = right().transpose();
  turn.block<1, 3>(1, 0) = up().transpose();
  turn.block<1, 3>(2, 0) = -forward().transpose();
  return projection * turn;
}

Ray Camera::ray(double x, double y, double width, double height) const {
  const double half = std::max(1.0, height) / 2;
  const double across = (x - (1 + aside) * width / 2) / half * kTangent;
  const double upward = (height / 2 - y) / half * kTangent;
  return {eye(), (forward() + across * right() + upward * up()).normalized()};
}

void Camera::orbit(double x, double y) {
  constexpr double kTurn = 0.006;  // for each pixel [rad]
  heading = std::remainder(heading - kTurn * x, 2 * std::numbers::pi);
  fall = std::clamp(fall + kTurn * y, -1.5, 1.5);
}

void Camera::zoom(double clicks) {
  distance = std::clamp(distance * std::pow(0.88, clicks), 1e-3 * size, 10 * size);
}

void Camera::pan(double x, double y, double height) {
  const double pixel = 2 * kTangent * distance / std::max(1.0, height);
  target += pixel * (y * up() - x * right());
}

Camera overview(const Box3& box) {
  Camera camera;
  camera.size = std::max(box.diagonal().norm(), 1e-9);
  camera.target = box.center();
  camera.distance = Camera::kOverview * camera.size;
  camera.heading += 0.35;
  return camera;
}

}  // namespace plimsoll::viewer
