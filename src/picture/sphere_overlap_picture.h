// Two bodies that share volume, and the spheres by which that was found, as a picture.
#pragma once

#include <plimsoll/sphere_tree.h>

#include <array>
#include <string>

#include "picture/picture.h"
#include "picture/placed_mesh.h"

namespace plimsoll::picture {

/// What is drawn and said. SI units.
struct SphereOverlapScene {
  std::array<PlacedMesh, 2> bodies;
  std::array<SphereTree, 2> trees;
  SphereVolume shared;
  std::string title;
};

/// The bodies as glass, in it the spheres of either that meet one of the other, the center of what
/// they share, and from there the directions of both forces, as far as these have one. Spheres that
/// hide the other body's are glass too.
[[nodiscard]] Picture draw_sphere_overlap(const SphereOverlapScene& scene, PixelSize size);

}  // namespace plimsoll::picture
