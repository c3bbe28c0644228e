// Spheres that fill a body, with the tree over them, or contain it, as a picture.
#pragma once

#include <plimsoll/sphere_tree.h>

#include <optional>
#include <string>
#include <vector>

#include "picture/picture.h"
#include "picture/placed_mesh.h"

namespace plimsoll::picture {

/// What is drawn and said. SI units.
struct SpheresScene {
  PlacedMesh body;  ///< Its pose turns it in the picture; lengths stay those of the mesh.
  std::vector<PlacedSphere> spheres;  ///< At least one.
  bool covers = false;                ///< The spheres contain the body; else they lie inside.
  std::optional<SphereTree> tree;     ///< Over spheres that lie inside, if there is one.
  std::string title;
  /// Of the packing: where only a part of the solid is packed, of that part.
  double coverage = 0;
  /// No point of what is packed is farther from the spheres; of a cover, none of the spheres from
  /// the solid.
  double largest_protrusion = 0;
  Vec3 center_of_mass = Vec3::Zero();
  std::optional<HalfSpace> keep = std::nullopt;  ///< In it is the part, in the frame of the mesh.
};

/// The spheres in the body, colored by size, whole and cut open across that axis of the mesh where
/// most of the cut is seen, and where the plane of the part that is kept cuts the body; below them
/// the levels of the tree side by side, each ball in the color of the root's child that it belongs
/// to, if there is one. In small pictures only the spheres.
[[nodiscard]] Picture draw_spheres(const SpheresScene& scene, PixelSize size);

}  // namespace plimsoll::picture
