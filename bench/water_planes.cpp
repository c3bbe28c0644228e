#include "water_planes.h"
#include "checked.h"

#include <plimsoll/equilibrium.h>
#include <plimsoll/mass_properties.h>

#include <cmath>
#include <numbers>

namespace plimsoll::bench {
namespace {

/// Where a body of half the density of water comes to rest.
FloatingState at_rest(const MeshView& mesh, const SolidTree& tree) {
  const FloatingBody body =
      floating_body(tree, mass_properties(checked(mesh)).center_of_mass, tree.signed_volume() / 2);
  const Vec3 up = Vec3(0.1, 0.2, 1).normalized();  // along no axis of a generated mesh
  const std::optional<Equilibrium> rest = come_to_rest(body, up);
  return rest ? rest->state : float_upright(body, up);
}

}  // namespace

std::vector<WaterPlane> hot_planes(const MeshView& mesh, const SolidTree& tree) {
  const FloatingState rest = at_rest(mesh, tree);
  const Vec3 pivot = rest.wet.waterplane.center;
  const Vec3 roll = rest.heel_axes.row(0);
  const double size = tree.box().sizes().maxCoeff();
  std::vector<WaterPlane> planes;
  for (int i = 0; i < 1024; ++i) {
    const double phase = 2 * std::numbers::pi * i / 102.4;
    const Vec3 up = (rest.up + 1e-3 * std::sin(phase / 2.5) * roll).normalized();
    planes.push_back({up, up.dot(pivot) + 1e-3 * size * std::sin(phase)});
  }
  return planes;
}

std::vector<WaterPlane> random_planes(const SolidTree& tree) {
  Random random(1);
  const Box3 box = tree.box();
  const double whole = std::abs(tree.signed_volume());
  std::vector<WaterPlane> planes;
  while (planes.size() < 4096) {
    const Vec3 up = random.direction();
    const double reach = up.cwiseAbs().dot(box.sizes()) / 2;  // of the box, beyond the body's
    const WaterPlane plane{up, up.dot(box.center()) + reach * (2 * random.number() - 1)};
    const double wet = tree.submersion(plane, {.wetted_area = false, .waterplane = false}).volume;
    if (wet > 0 && wet < whole) planes.push_back(plane);
  }
  return planes;
}

std::vector<Vec3> random_directions(int count) {
  Random random(2);
  std::vector<Vec3> directions;
  for (int i = 0; i < count; ++i) directions.push_back(random.direction());
  return directions;
}

}  // namespace plimsoll::bench
