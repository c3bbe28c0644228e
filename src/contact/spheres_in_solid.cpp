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
  const auto is_later = [](const Open& a, const Open& b) { return a.nearest > b.nearest; };
  const auto open = [&](std::uint32_t number, bool was_inside) {
    const Vec3 center = world_from_spheres * nodes[number].center;
    const double radius = scale * nodes[number].radius;
    const NearestPlace place = surface.place_at(center);
    const bool is_whole = was_inside || place.distance >= radius;  // on one side
    const bool is_inside =
        was_inside || (place.is_below ? place.height < 0 : winding_number(posed, center) != 0);
    if (is_whole && !is_inside) return;
    const double distance = is_inside ? -place.distance : place.distance;
    const Vec3 apart = is_inside ? Vec3(place.at - center) : Vec3(center - place.at);
    open_.push_back({number, is_whole, distance, distance - radius, place.at,
                     place.is_below ? place.outward : Vec3(apart.stableNormalized())});
    std::push_heap(open_.begin(), open_.end(), is_later);
  };
  const auto add = [&](const Open& of) {
    const SphereNode& node = nodes[of.node];
    const Cap cap(scale * node.radius, of.distance);
    const double volume = scale * scale * scale * node.volume;
    if (!(cap.volume > 0)) return;
    found.points.push_back({of.at, of.way, volume * cap.area, volume * cap.volume,
                            volume * cap.energy, Vec3(-of.way)});
    found.area += volume * cap.area;
    found.volume += volume * cap.volume;
  };
  open_.clear();
  open(0, false);
  for (std::size_t steps = 0; !open_.empty(); ++steps) {
    constexpr std::size_t kStepsPerLook = 2;
    if (steps % kStepsPerLook == 0 && deadline.is_near(0)) break;
    std::pop_heap(open_.begin(), open_.end(), is_later);
    const Open of = open_.back();
    open_.pop_back();
    const SphereNode& node = nodes[of.node];
    if (node.children == 0) {
      add(of);
      continue;
    }
    for (std::uint32_t child = node.first; child < node.first + node.children; ++child)
      open(child, of.is_whole);
  }
  // What there was no time for: of nodes that lie across the surface nothing is known but that.
  for (const Open& of : open_)
    if (of.is_whole || nodes[of.node].children == 0)
      add(of);
    else
      found.is_complete = false;
  return found;
}

}  // namespace plimsoll
