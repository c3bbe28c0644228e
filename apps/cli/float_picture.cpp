#include "float_picture.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "failure.h"
#include "floating_scene.h"
#include "picture/waterline_picture.h"

namespace plimsoll::cli {
namespace {

/// Of a family, the member nearest to upright.
Vec3 nearest_up(const Equilibrium& pose, const Vec3& upright) {
  const Vec3& up = pose.state.up;
  if (pose.family == EquilibriumFamily::kAll) return upright;
  if (pose.family != EquilibriumFamily::kAxis) return up;
  const Vec3& axis = pose.family_axis;
  const Vec3 across = upright - axis.dot(upright) * axis;
  if (!(across.norm() > 1e-9)) return up;
  const double along = axis.dot(up);
  return along * axis + std::sqrt(std::max(0.0, 1 - along * along)) * across.normalized();
}

std::string title_of(const FloatingInput& input, std::size_t number, std::size_t count,
                     const Equilibrium& pose) {
  const std::string name = std::filesystem::path(input.name).filename().string();
  if (count == 1) return name + " afloat";
  const char* kind = pose.kind == EquilibriumKind::kMinimum ? "stable" : "unstable";
  return fmt::format("{} afloat: pose {} of {}, {}", name, number, count, kind);
}

}  // namespace

std::size_t nearest_to_upright(const FloatingInput& input, std::span<const Equilibrium> poses) {
  std::size_t best = 0;
  double nearest = -2;
  for (const bool stable : {true, false}) {
    for (std::size_t i = 0; i < poses.size(); ++i) {
      const bool counts = !stable || poses[i].kind == EquilibriumKind::kMinimum;
      const double near = nearest_up(poses[i], input.up).dot(input.up);
      if (!counts || near <= nearest + 1e-12) continue;
      best = i;
      nearest = near;
    }
    if (nearest > -2) break;
  }
  return best;
}

picture::Picture float_picture(const FloatingInput& input, std::span<const Equilibrium> poses,
                               std::optional<std::size_t> number, picture::PixelSize size) {
  if (poses.empty())
    throw Failure{kUnsound, "sinks", "the body is too heavy to float: there is no pose to draw",
                  input.name};
  if (number && *number > poses.size())
    throw usage_failure(
        fmt::format("found {}, expected a pose from 1 to {}", *number, poses.size()),
        "--picture-pose");
  const std::size_t index = number ? *number - 1 : nearest_to_upright(input, poses);
  const Equilibrium& pose = poses[index];
  const FloatingState state = pose.family == EquilibriumFamily::kNone
                                  ? pose.state
                                  : float_upright(input.body, nearest_up(pose, input.up));
  const std::string title = title_of(input, index + 1, poses.size(), pose);
  return picture::draw_waterline(floating_scene(input, state, title), size);
}

}  // namespace plimsoll::cli
