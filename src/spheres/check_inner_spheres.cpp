#include "spheres/check_inner_spheres.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/number_text.h"
#include "core/parallel.h"
#include "spheres/ball_tree.h"
#include "spheres/clearance.h"
#include "spheres/unit_solid.h"

namespace plimsoll {
namespace {

constexpr double kRoom = 0x1p-30;  // of the reach: by so much a sphere may be wrong

bool is_ball(const PlacedSphere& sphere) {
  return sphere.center.allFinite() && sphere.radius > 0 && std::isfinite(sphere.radius);
}

std::string described(const PlacedSphere& sphere) {
  return "of radius " + to_text(sphere.radius) + " about (" + to_text(sphere.center.x()) + ", " +
         to_text(sphere.center.y()) + ", " + to_text(sphere.center.z()) + ")";
}

}  // namespace

Result<void> check_inner_spheres(const ClosedMesh& solid, std::span<const PlacedSphere> spheres) {
  const auto error = [&](const char* fault, std::size_t number, const char* expected) {
    return Error{ErrorCode::kInvalidArgument,
                 std::string("found a sphere ") + fault + " (" + described(spheres[number]) +
                     "), expected " + expected,
                 "spheres[" + std::to_string(number) + "]"};
  };
  constexpr const char* kInside = "spheres inside the solid";
  for (std::size_t i = 0; i < spheres.size(); ++i)
    if (!is_ball(spheres[i]))
      return error("that is none", i, "finite numbers and a radius above 0");
  const UnitSolid unit(solid);
  const double reach = unit.tree.frame.reach, room = kRoom * reach;
  std::vector<PlacedSphere> balls;
  balls.reserve(spheres.size());
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    balls.push_back({unit.from_mesh(spheres[i].center), spheres[i].radius / unit.to_mesh(1.0)});
    if (!(balls[i].center.cwiseAbs().maxCoeff() <= reach))
      return error("that leaves the solid", i, kInside);
  }
  const auto first_where = [&](const auto& is_wrong) {
    std::vector<char> wrong(balls.size());
    parallel_for_each_index(balls.size(), 64,
                            [&](std::size_t i) { wrong[i] = is_wrong(balls[i]) ? 1 : 0; });
    return static_cast<std::size_t>(std::find(wrong.begin(), wrong.end(), 1) - wrong.begin());
  };
  const std::size_t outside = first_where([&](const PlacedSphere& ball) {
    const NearestWall wall = nearest_wall(unit.tree, ball.center, ball.radius);
    return (wall.found() && wall.distance < ball.radius - room) || !unit.contains(ball.center);
  });
  if (outside < balls.size()) return error("that leaves the solid", outside, kInside);
  const BallTree tree(balls, reach);
  const std::size_t overlapping = first_where([&](const PlacedSphere& ball) {
    const double clear = ball.radius - room;
    return clear > 0 && tree.near(ball.center, clear, 1).size() > 1;  // one is itself
  });
  if (overlapping < balls.size())
    return error("that overlaps another", overlapping, "spheres that only touch");
  return {};
}

Result<void> check_tree_of_spheres(const ClosedMesh& solid, std::span<const PlacedSphere> spheres,
                                   const SphereTreeOptions& options) {
  const auto error = [](const char* message, const char* where) {
    return Error{ErrorCode::kInvalidArgument, message, where};
  };
  if (spheres.empty()) return error("found no spheres, expected one or more", "spheres");
  if (options.branching < 2 || options.branching > 16)
    return error("expected from 2 to 16 children", "branching");
  return check_inner_spheres(solid, spheres);
}

}  // namespace plimsoll
