#include "floating_scene.h"

#include <fmt/format.h>
#include <plimsoll/elementary.h>
#include <plimsoll/shape.h>

#include <cmath>
#include <numbers>

#include "failure.h"

namespace plimsoll::cli {
namespace {

constexpr const char* kDegree = "°";

/// About the vertical, which brings the body's longest side along x, its end at the right.
Mat3 turned_along(const Shape& shape, const Pose& water_from_body) {
  const Vec3 sizes = bounding_box(shape).sizes();
  Vec3 along = Vec3::UnitX();
  double longest = 0;
  for (int k = 0; k < 3; ++k) {
    Vec3 side = sizes[k] * water_from_body.linear().col(k);
    side[2] = 0;
    if (side.norm() > longest * (1 + 1e-9)) along = side;
    longest = std::max(longest, side.norm());
  }
  const Vec2 x = along.head<2>().normalized();
  Mat3 turn;
  turn << x[0], x[1], 0, -x[1], x[0], 0, 0, 0, 1;
  return turn;
}

TriangleMesh triangles_of(const Shape& shape) {
  const double flatness = 1e-3 * bounding_box(shape).diagonal().norm();
  Result<std::optional<ShapeMesh>> drawn = to_triangles(shape, flatness);
  if (!drawn) throw failure_of(drawn.error());
  if (!*drawn)
    throw failure_of(
        {ErrorCode::kUnavailable, "formulas and Booleans have no triangles to draw", "shape"});
  return std::move((*drawn)->mesh);
}

std::string in_degrees(double angle) {
  const double degrees = angle * 180 / std::numbers::pi;
  return fmt::format("{:.1f}{}", std::fabs(degrees) < 0.05 ? 0.0 : degrees, kDegree);
}

}  // namespace

picture::FloatingScene floating_scene(const Shape& shape, const Pose& water_from_body,
                                      const Submersion& wet, const Vec3& center_of_mass) {
  const Pose drawn_from_body = turned_along(shape, water_from_body) * water_from_body;
  picture::FloatingScene scene;
  scene.mesh = triangles_of(shape);
  double lowest = 0;
  for (Vec3& v : scene.mesh.vertices) {
    v = drawn_from_body * v;
    lowest = std::min(lowest, v[2]);
  }
  scene.center_of_mass = drawn_from_body * center_of_mass;
  if (wet.volume != 0) scene.center_of_buoyancy = drawn_from_body * wet.center_of_buoyancy;
  if (wet.waterplane.area != 0) scene.waterplane_center = drawn_from_body * wet.waterplane.center;
  scene.facts = {{"draught", fmt::format("{:.4g} m", 0 - lowest)},
                 {"submerged volume", fmt::format("{:.4g} m³", wet.volume)},
                 {"waterplane area", fmt::format("{:.4g} m²", wet.waterplane.area)}};
  return scene;
}

picture::FloatingScene floating_scene(const FloatingInput& input, const FloatingState& state,
                                      const std::string& title) {
  picture::FloatingScene scene =
      floating_scene(input.shape, world_from_body(state), state.wet, input.body.center_of_mass);
  scene.title = title;
  const auto [heel, trim] = input.attitude(state);
  // Rounding is not shown as a height.
  const double noise = 1e-12 * elementary::cbrt(input.body.volume);
  const Vec2 gm = (state.metacentric_heights.array().abs() > noise)
                      .select(state.metacentric_heights.array(), 0.0);
  scene.metacenter = scene.center_of_mass;
  scene.metacenter[2] += gm[0];
  std::vector<picture::Fact> facts{
      scene.facts[0], {"heel", in_degrees(heel)}, {"trim", in_degrees(trim)}};
  if (input.is_held && !input.is_at_rest(state))
    facts.emplace_back("RIGHTING ARM", fmt::format("{:.3g} m", state.righting_arm.norm()));
  const picture::Fact more[] = {
      {"GM, the least", fmt::format("{:.3g} m", gm[0])},
      {"GM, the largest", fmt::format("{:.3g} m", gm[1])},
      {"mass", input.mass < 1e4 ? fmt::format("{:.4g} kg", input.mass)
                                : fmt::format("{:.4g} t", input.mass / 1000)},
      {"water", fmt::format("{:g} kg/m³", input.rho)}};
  facts.insert(facts.end(), std::begin(more), std::end(more));
  facts.insert(facts.end(), scene.facts.begin() + 1, scene.facts.end());
  if (const auto rim = input.rim_lowest(state))
    facts.emplace_back(*rim > 0 ? "rim over the water" : "RIM UNDER WATER",
                       fmt::format("{:.3g} m", std::fabs(*rim)));
  scene.facts = std::move(facts);
  return scene;
}

}  // namespace plimsoll::cli
