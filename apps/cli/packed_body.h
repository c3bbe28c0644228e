// A body as the commands about one packing have it.
#pragma once

#include <plimsoll/mass_properties.h>
#include <plimsoll/sphere_tree.h>

#include <optional>

#include "mass_report.h"
#include "output.h"
#include "solid_input.h"

namespace plimsoll::cli {

class JsonWriter;

/// What is packed, of density 1: a solid, or the part of it that is kept.
struct PackedMass {
  double volume = 0;                   ///< [m^3]
  Vec3 center_of_mass = Vec3::Zero();  ///< [m]
  std::optional<Mat3> inertia;         ///< About that center; nothing for a part [m^5].
};

struct PackedBody {
  Body body;
  Status status = Status::kOk;
  PackedMass mass;
  PackingOptions options;
  SpherePacking packing;
  std::optional<SphereTree> tree;         ///< Nothing where there are no spheres, and of shapes.
  std::optional<std::size_t> resolution;  ///< Of the lattice, where it was packed on one.
  std::optional<double> doubtful_share;   ///< Of a mesh that does not close: OpenPacking.
  double build_seconds = 0;               ///< Of packing and tree.
};

/// The body's mesh, which must be one. Throws Failure for what bounds no solid, with the word of
/// the status.
[[nodiscard]] ClosedMesh solid_of(const Body& body, Status status);

/// Of the solid, or of the part of it that is kept.
[[nodiscard]] PackedMass mass_of_solid(const ClosedMesh& solid,
                                       const std::optional<HalfSpace>& keep = std::nullopt);

/// What becomes of a mesh that does not close.
enum class OpenMeshes { kRefuse, kPackOnLattice };

/// Packs the body; a mesh off the lattice, with the tree, a shape that is no mesh on a lattice that
/// suits the count. The first signal ends the packing early. Says why there are fewer spheres than
/// asked for, and on which lattice. Throws Failure, for what bounds no solid too.
[[nodiscard]] PackedBody pack_body(Body body, const PackingOptions& options, Progress& progress,
                                   OpenMeshes open = OpenMeshes::kRefuse);

/// Throws Failure unless the body is a mesh; `what`: "trees of spheres".
void require_mesh(const Body& body, const char* what);

/// Why the packing has ended, for programs: "count".
[[nodiscard]] const char* end_name(const PackedBody& packed);

/// Why the packing has ended.
[[nodiscard]] std::string end_in_words(const PackedBody& packed);

/// What `plimsoll spheres` says of it, and the members of its JSON object.
[[nodiscard]] std::string text_report(const PackedBody& packed);
void write_members(JsonWriter& out, const PackedBody& packed);

}  // namespace plimsoll::cli
