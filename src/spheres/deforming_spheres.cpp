#include <plimsoll/deforming_spheres.h>
#include <plimsoll/mesh_tree.h>
#include <plimsoll/surface_queries.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "core/power_of_two.h"
#include "proximity/winding_number.h"
#include "spheres/check_inner_spheres.h"
#include "spheres/clearance.h"
#include "spheres/sphere_groups.h"
#include "spheres/sphere_shares.h"
#include "spheres/sphere_tree_state.h"
#include "spheres/surface_anchors.h"

namespace plimsoll {
namespace {

/// How deep a point lies in the solid, in units of the tree's frame, less what rounding may have
/// added; 0 outside.
double depth_of(const TriangleTree& surface, const Vec3& point) {
  const Vec3 place = surface.frame.from_center(point);  // each coordinate rounded by 2^-53 of it
  const NearestWall wall = nearest_wall(surface, place, 4 * surface.frame.reach);
  const double depth = (wall.distance - 0x1p-53 * place.lpNorm<1>()) * (1 - 0x1p-52);
  const bool is_inside =
      depth > 0 && winding_number({&surface, Similarity::Identity()}, point) != 0;
  return is_inside ? depth : 0;
}

/// Spheres about the centers that lie in the solid and do not overlap, at first no larger than at
/// rest.
std::vector<PlacedSphere> fitting_spheres(const MeshTree& solid, const SphereGroups& groups,
                                          std::span<const Vec3> centers,
                                          std::span<const double> radii_at_rest) {
  constexpr std::size_t kWorthwhile = 64;
  const TriangleTree& surface = triangles_of(solid);
  const int exponent = surface.frame.exponent;
  std::vector<double> depths(centers.size()), first_radii(centers.size());
  std::vector<Vec3> places(centers.size());  // in units of the frame, from the mesh's origin
  parallel_for_each_index(centers.size(), kWorthwhile, [&](std::size_t i) {
    const auto in_units = [&](double x) { return times_power_of_two(x, -exponent); };
    depths[i] = depth_of(surface, centers[i]);
    first_radii[i] = in_units(radii_at_rest[i]);
    places[i] = centers[i].unaryExpr(in_units);
  });
  const std::vector<double> radii = groups.radii_in_turn(places, depths, first_radii);
  std::vector<PlacedSphere> spheres;
  for (std::size_t i = 0; i < centers.size(); ++i)
    spheres.push_back({centers[i], times_power_of_two(radii[i], exponent)});
  return spheres;
}

std::vector<Vec3> centers_of(std::span<const PlacedSphere> spheres) {
  std::vector<Vec3> centers;
  for (const PlacedSphere& sphere : spheres) centers.push_back(sphere.center);
  return centers;
}

}  // namespace

struct DeformingSpheres::State {
  SphereTreeOptions options;
  MeshTree surface;
  SurfaceAnchors anchors;
  SphereGroups groups;
  NearestOfParts nearest;             // at rest
  std::vector<double> radii_at_rest;  // of all spheres
  std::vector<PlacedSphere> spheres;
  SphereTree tree;

  /// The rows of the spheres that have a radius above 0.
  [[nodiscard]] NearestOfParts nearest_of_present(std::span<const PlacedSphere> all) const {
    NearestOfParts rows;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!(all[i].radius > 0)) continue;
      const std::span<const NearestOfPart> row = nearest.of(i);
      rows.triangles.insert(rows.triangles.end(), row.begin(), row.end());
      rows.first.push_back(rows.triangles.size());
    }
    return rows;
  }
};

DeformingSpheres::DeformingSpheres(std::unique_ptr<State> state) : state_(std::move(state)) {}
DeformingSpheres::DeformingSpheres(DeformingSpheres&&) noexcept = default;
DeformingSpheres& DeformingSpheres::operator=(DeformingSpheres&&) noexcept = default;
DeformingSpheres::~DeformingSpheres() = default;

Result<DeformingSpheres> DeformingSpheres::create(const ClosedMesh& at_rest,
                                                  std::span<const PlacedSphere> spheres,
                                                  const SphereTreeOptions& options) {
  if (const Result<void> usable = check_tree_of_spheres(at_rest, spheres, options); !usable)
    return usable.error();
  SphereTreeOptions resolved = options;
  resolved.resolution = share_resolution(options, spheres.size());
  Result<DividedSolid> divided = divide_solid(at_rest, spheres, resolved.resolution);
  if (!divided) return divided.error();
  if (const Result<void> usable = check_volumes(divided->shares); !usable) return usable.error();
  SphereHierarchy hierarchy =
      make_sphere_hierarchy(spheres, divided->shares.shares, options.secondary, options.branching);
  SphereGroups groups(layout_of(hierarchy));
  MeshTree surface(at_rest);
  Result<SurfaceAnchors> anchors = SurfaceAnchors::of(at_rest, surface, centers_of(spheres));
  if (!anchors) return anchors.error();
  std::vector<PlacedSphere> packed(spheres.begin(), spheres.end());
  std::vector<double> radii;
  for (const PlacedSphere& sphere : spheres) radii.push_back(sphere.radius);
  SphereTree tree(std::make_shared<const SphereTree::State>(
      at_rest, packed, std::move(divided->shares), options.secondary, std::move(hierarchy)));
  return DeformingSpheres(std::make_unique<State>(
      State{resolved, std::move(surface), *std::move(anchors), std::move(groups),
            std::move(divided->nearest), std::move(radii), std::move(packed), std::move(tree)}));
}

Result<void> DeformingSpheres::follow(const ClosedMesh& deformed) {
  State& state = *state_;
  // The tree of the surface keeps nothing but the order of its triangles from one shape to another.
  if (Result<void> fitted = state.surface.refit(deformed); !fitted) return fitted;
  if (const Result<SurfaceProbe> probe = SurfaceProbe::of(state.surface); !probe)
    return probe.error();
  std::vector<PlacedSphere> spheres = fitting_spheres(
      state.surface, state.groups, state.anchors.carried(deformed.view()), state.radii_at_rest);
  std::vector<PlacedSphere> present;
  for (const PlacedSphere& sphere : spheres)
    if (sphere.radius > 0) present.push_back(sphere);
  if (present.empty())
    return Error{ErrorCode::kInvalidArgument,
                 "found no room for any of " + std::to_string(spheres.size()) +
                     " spheres, expected a shape that one center still lies in",
                 "deformed"};
  Result<SphereShares> shares =
      share_solid(deformed, present, state.options.resolution, state.nearest_of_present(spheres));
  if (!shares) return shares.error();
  if (Result<void> usable = check_volumes(*shares); !usable) return usable;
  SphereHierarchy hierarchy = make_sphere_hierarchy(
      present, shares->shares, state.options.secondary, state.groups.layout_of_present(spheres));
  state.tree = SphereTree(
      std::make_shared<const SphereTree::State>(deformed, std::move(present), std::move(*shares),
                                                state.options.secondary, std::move(hierarchy)));
  state.spheres = std::move(spheres);
  return {};
}

std::span<const PlacedSphere> DeformingSpheres::spheres() const { return state_->spheres; }
const SphereTree& DeformingSpheres::tree() const { return state_->tree; }

std::size_t DeformingSpheres::memory() const {
  const State& state = *state_;
  return state.surface.memory() + state.anchors.memory() + state.groups.memory() +
         state.nearest.first.size() * sizeof(std::size_t) +
         state.nearest.triangles.size() * sizeof(NearestOfPart) +
         state.spheres.size() * (sizeof(PlacedSphere) + sizeof(double));
}

}  // namespace plimsoll
