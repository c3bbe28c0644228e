#include "shared/afloat.h"
#include "checked.h"

#include <plimsoll/mass_properties.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/patches.h>
#include <plimsoll/submersion.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace plimsoll::bench {
namespace {

double submerged_volume(const MeshView& mesh, const Immersion& pose) {
  // The water moves, not the body.
  const Vec3 up = pose.world_from_body.linear().transpose() * Vec3::UnitZ();
  return submersion(checked(mesh), {up, pose.level - pose.world_from_body.translation()[2]}).volume;
}

}  // namespace

TriangleMesh centered(TriangleMesh mesh) {
  const Vec3 middle = bounding_box(checked(mesh)).center();
  for (Vec3& v : mesh.vertices) v -= middle;
  return mesh;
}

std::vector<PaperObject> floating_objects() {
  return {{"sphere", centered(make_sphere(1, 22, 20))},
          {"box", centered(make_box({1, 0.7, 0.5}))},
          {"torus", centered(make_torus(1, 0.4, 31, 31))},
          {"teapot", centered(make_teapot(5))}};
}

std::vector<Immersion> immersions(const MeshView& mesh) {
  constexpr int kHeaves = 40, kRolls = 72;
  std::vector<Immersion> poses;
  for (const bool is_askew : {false, true}) {
    const Eigen::AngleAxisd turn(is_askew ? 40 * std::numbers::pi / 180 : 0,
                                 Vec3(1, 2, 3).normalized());
    const std::string attitude = is_askew ? "askew" : "upright";
    const Similarity upright(turn);
    Box3 box;
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v) box.extend(upright * mesh.vertex(v));
    for (int i = 0; i <= kHeaves; ++i) {
      const double share = static_cast<double>(i) / kHeaves;
      poses.push_back({attitude, "heave", share, upright,
                       box.min()[2] + share * (box.max()[2] - box.min()[2])});
    }
    for (int i = 0; i < kRolls; ++i) {
      const double angle = 360.0 * i / kRolls;
      const Eigen::AngleAxisd roll(angle * std::numbers::pi / 180, Vec3::UnitX());
      poses.push_back({attitude, "roll", angle, roll * upright, 0});
    }
  }
  return poses;
}

Result<std::vector<ImmersionError>> errors_afloat(const MeshView& mesh,
                                                  const MeasureAfloat& measure) {
  const double whole = mass_properties(checked(mesh)).volume;
  std::vector<ImmersionError> errors;
  for (const Immersion& pose : immersions(mesh)) {
    const Result<FreeSurface> water = FreeSurface::create(StillWater{pose.level});
    if (!water) return water.error();
    const Result<WaterImage> image = measure(pose.world_from_body, *water->at(0, 9.80665));
    if (!image) return image.error();
    const double exact = submerged_volume(mesh, pose);
    constexpr double kTouch = 1e-12;  // of the body: rounding alone
    const double error = std::fabs(image->buoyancy.volume - exact);
    errors.push_back(
        {pose, error / whole,
         exact > kTouch * whole ? error / exact : std::numeric_limits<double>::quiet_NaN(),
         image->peels, image->unbalanced_columns});
  }
  return errors;
}

}  // namespace plimsoll::bench
