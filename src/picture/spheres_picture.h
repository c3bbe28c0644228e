// A packing of spheres and the tree over it, as a picture.
#pragma once

#include <plimsoll/sphere_tree.h>

#include <string>

#include "picture/picture.h"
#include "picture/placed_mesh.h"

namespace plimsoll::picture {

/// What is drawn and said. SI units.
struct SpheresScene {
  PlacedMesh body;  ///< Its pose turns it in the picture; lengths stay those of the mesh.
  SphereTree tree;
  double largest_protrusion = 0;  ///< No point of the solid is farther from the spheres.
  std::string title;
};

/// The spheres in the body, colored by size, whole and cut open; below them the levels of the tree
/// side by side, each ball in the color of the root's child that it belongs to. In small pictures
/// only the spheres.
[[nodiscard]] Picture draw_spheres(const SpheresScene& scene, PixelSize size);

}  // namespace plimsoll::picture
