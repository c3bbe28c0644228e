// The bodies that [Weller2009] is repeated with, packed, and how they lie in each other.
#pragma once

#include <plimsoll/mesh.h>
#include <plimsoll/sphere_packing.h>
#include <plimsoll/sphere_tree.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scenarios.h"
#include "spheres/near_triangles.h"
#include "spheres/sphere_hierarchy.h"

namespace plimsoll::bench {

/// An armadillo of 832,000 triangles and a dragon of 871,414, for distances.
[[nodiscard]] std::vector<Scenario> distance_bodies(const std::filesystem::path& cache);

/// A screwdriver of 488,000 triangles and a torso of 470,000, for volumes.
[[nodiscard]] std::vector<Scenario> volume_bodies();

/// A handle with six grooves, a shaft and a flat blade along z, 1 long: 2 slices (rings - 1)
/// triangles.
[[nodiscard]] TriangleMesh make_screwdriver(int rings, int slices);

/// Hips, waist, chest, shoulders, neck and head along z, 0.9 high.
[[nodiscard]] TriangleMesh make_torso(int rings, int slices);

/// A plate of 1 x 1 with `bumps` x `bumps` hills on one side, z up; 2 steps triangles to a side of
/// each square of the plate's lattice.
[[nodiscard]] TriangleMesh make_egg_crate(int bumps, int steps);

/// A solid and its packing.
struct PackedSolid {
  std::string name;
  TriangleMesh mesh;
  ClosedMesh solid;
  SpherePacking packing;
  double volume = 0;           ///< [m^3]
  double size = 0;             ///< The longest side of the box [m].
  Vec3 center = Vec3::Zero();  ///< Of mass.
  double packing_seconds = 0;  ///< CPU time of one thread.
};

[[nodiscard]] Result<PackedSolid> packed(const Scenario& scenario, std::size_t count);
[[nodiscard]] Result<PackedSolid> packed_on_lattice(const Scenario& scenario,
                                                    std::size_t resolution);

struct TimedTree {
  SphereTree tree;
  double seconds = 0;  ///< CPU time of one thread.
};

/// Of the first spheres of a packing, as users ask it.
[[nodiscard]] Result<TimedTree> tree_of(const PackedSolid& body, std::size_t count,
                                        std::size_t resolution = 0);

/// The first spheres of a packing in all that can be asked.
struct PackedTrees {
  std::size_t count = 0;
  double coverage = 0;
  TimedTree timed;
  SphereShares shares;  ///< The same once more, for the published walk.
  SphereHierarchy by_shares, as_published;
  BalledTriangles triangles;

  [[nodiscard]] const SphereTree& tree() const { return timed.tree; }
};

/// `resolution` 0: as SphereTreeOptions has it.
[[nodiscard]] Result<PackedTrees> trees_of(const PackedSolid& body, std::size_t count,
                                           std::size_t resolution = 0);

/// A body's twin, turned at random, that shares about `share` of the body's volume with it.
struct OverlapPose {
  double share = 0;
  Similarity pose = Similarity::Identity();  ///< Body from twin.
};

/// `each` for each share. By the volume that the spheres of `trees` share.
[[nodiscard]] std::vector<OverlapPose> overlap_poses(const PackedSolid& body,
                                                     const PackedTrees& trees,
                                                     const std::vector<double>& shares, int each,
                                                     std::uint64_t seed);

}  // namespace plimsoll::bench
