// Spheres of a body, as files and pictures have them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "packed_body.h"

namespace plimsoll::cli {

/// What a file says of spheres.
struct SphereSet {
  const Body& body;
  Status status;
  std::span<const PlacedSphere> spheres;
  bool covers = false;  ///< They contain the body; else they lie inside.
  double coverage = 0, largest_protrusion = 0;
  std::optional<double> doubtful_share;  ///< PackedBody::doubtful_share.
  const std::optional<HalfSpace>& keep;
  const PackedMass& solid;
  const char* end;
};

/// Of the union of the spheres, of density 1, which the solid has too; of volume 0 if there are
/// none.
[[nodiscard]] PackedMass union_mass(const SphereSet& set);

/// From the file's: "finger" for "meshes/finger.obj".
[[nodiscard]] std::string body_name(const SphereSet& set);

/// The file, what the spheres are, and what the status says against them.
[[nodiscard]] std::vector<std::string> provenance(const SphereSet& set);

}  // namespace plimsoll::cli
