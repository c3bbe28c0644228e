// What a tree of spheres holds.
#pragma once

#include <plimsoll/mass_properties.h>
#include <plimsoll/sphere_tree.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "spheres/near_triangles.h"
#include "spheres/sphere_blocks.h"
#include "spheres/sphere_hierarchy.h"
#include "spheres/sphere_shares.h"

namespace plimsoll {

struct SphereTree::State {
  std::vector<PlacedSphere> spheres;
  SphereShares shares;
  SecondaryRadii secondary;
  SphereHierarchy hierarchy;
  SphereBlocks blocks;
  ClosedMesh solid;
  BalledTriangles triangles;
  double solid_volume, coverage, protrusion;
  Vec3 center_of_mass;

  State(const ClosedMesh& of_solid, std::vector<PlacedSphere> packed, SphereShares parts,
        SecondaryRadii radii, SphereHierarchy tree)
      : spheres(std::move(packed)),
        shares(std::move(parts)),
        secondary(radii),
        hierarchy(std::move(tree)),
        blocks(make_sphere_blocks(hierarchy)),
        solid(of_solid),
        triangles(of_solid) {
    const MassProperties mass = mass_properties(of_solid);
    solid_volume = mass.volume;
    coverage = hierarchy.nodes.front().volume / solid_volume;
    center_of_mass = mass.center_of_mass;
    // A point of the solid is within the reach of the sphere that it is given to.
    protrusion = 0;
    for (std::size_t i = 0; i < spheres.size(); ++i)
      protrusion = std::max(protrusion, shares.shares[i].reach - spheres[i].radius);
  }

  [[nodiscard]] SphereBody body() const { return {hierarchy, shares, triangles, protrusion}; }
};

}  // namespace plimsoll
