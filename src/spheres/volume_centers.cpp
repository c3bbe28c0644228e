#include "spheres/sphere_hierarchy.h"

namespace plimsoll {

// Children come after their parents, so that the last nodes are done first.
void set_volume_centers(SphereHierarchy& hierarchy) {
  for (std::size_t number = hierarchy.nodes.size(); number-- > 0;) {
    SphereNode& node = hierarchy.nodes[number];
    node.volume_center = node.secondary_center = node.center;
    if (node.children == 0) continue;
    Vec3 moment = Vec3::Zero(), secondary_moment = Vec3::Zero();  // about the node's center
    for (std::uint32_t k = 0; k < node.children; ++k) {
      const SphereNode& child = hierarchy.nodes[node.first + k];
      moment += child.volume * (child.volume_center - node.center);
      secondary_moment += child.secondary_volume * (child.secondary_center - node.center);
    }
    if (node.volume > 0) node.volume_center += moment / node.volume;
    if (node.secondary_volume > 0)
      node.secondary_center += secondary_moment / node.secondary_volume;
  }
}

}  // namespace plimsoll
