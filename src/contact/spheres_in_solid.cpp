#include "contact/spheres_in_solid.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "contact/surface_depth.h"
#include "hydro/moment_tree.h"
#include "proximity/winding_number.h"
#include "shape/similarity_parts.h"
#include "spheres/deadline.h"
#include "spheres/sphere_hierarchy.h"

namespace plimsoll {
namespace {

/// Of a ball of radius r, what a plane at the distance s of its center cuts off, h = r - s high,
/// over the volume of the ball.
struct Cap {
  double volume = 0;  // h^2 (3 r - h) / (4 r^3)
  double area = 0;    // minus its derivative with respect to s
  double energy = 0;  // the integral of the volume from s up

  Cap(double r, double s) {
    const double h = std::clamp(r - s, 0.0, 2 * r), whole = 4 * r * r * r;
    volume = h * h * (3 * r - h) / whole;
    area = 3 * h * (2 * r - h) / whole;
    energy = h * h * h * (r - h / 4) / whole + std::max(0.0, -r - s);
  }
};

}  // namespace

SpheresInSolid SpheresInSolidSearch::find(const SphereTree& spheres,
                                          const Similarity& world_from_spheres,
                                          const SolidTree& solid,
                                          const Similarity& world_from_solid, double max_time) {
  const std::vector<SphereNode>& nodes = hierarchy_of(spheres).nodes;
  const double scale = SimilarityParts(world_from_spheres).scale;
  const PosedTree posed{&triangles_of(solid), world_from_solid};
  SurfaceDepth surface(posed, solid.signed_volume() < 0 ? -1 : 1);
  const Deadline deadline(max_time);
  SpheresInSolid found;
  open_.assign(1, {0, false});
  for (std::size_t next = 0; next < open_.size(); ++next) {
    const auto [number, was_inside] = open_[next];
    const SphereNode& node = nodes[number];
    const Vec3 center = world_from_spheres * node.center;
    const double radius = scale * node.radius;
    const NearestPlace place = surface.place_at(center);
    const auto is_center_inside = [&] {
      return place.is_below ? place.height < 0 : winding_number(posed, center) != 0;
    };
    const bool is_whole = was_inside || place.distance >= radius;  // on one side
    if (is_whole && !was_inside && !is_center_inside()) continue;
    const bool is_leaf = node.children == 0;
    if (!is_leaf) {
      constexpr std::size_t kNodesPerLook = 2;
      if (found.is_complete && next % kNodesPerLook == 0 && deadline.is_near(0))
        found.is_complete = false;
      if (found.is_complete) {
        for (std::uint32_t child = node.first; child < node.first + node.children; ++child)
          open_.push_back({child, is_whole});
        continue;
      }
    }
    const bool is_inside = is_whole || is_center_inside();
    const double distance = is_inside ? -place.distance : place.distance;
    const Cap cap(radius, distance);
    if (!(cap.volume > 0)) continue;
    const double volume = scale * scale * scale * node.volume;
    const Vec3 apart = is_inside ? Vec3(place.at - center) : Vec3(center - place.at);
    const Vec3 way = place.is_below ? place.outward : Vec3(apart.stableNormalized());
    found.points.push_back(
        {place.at, way, is_leaf ? volume * cap.area : 0, volume * cap.volume, volume * cap.energy});
    found.area += volume * cap.area;
    found.volume += volume * cap.volume;
  }
  return found;
}

}  // namespace plimsoll
