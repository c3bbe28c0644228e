// Meshes of the data folder.
#pragma once

#include <plimsoll/mesh_io.h>

#include <string>
#include <string_view>

#include "support/checked.h"
#include "support/shared_data.h"

namespace plimsoll::test {

inline TriangleMesh load(const std::string& name) {
  const Result<MeshFile> file = read_mesh(shared_data() / name);
  REQUIRE_MESSAGE(file, file.error().where, " ", file.error().message);
  return weld(test::checked(file->mesh));
}

/// Whether the file holds one mesh and no scene.
inline bool holds_plain_mesh(std::string_view name) {
  const auto format = mesh_format_from_name(name);
  return format && *format <= MeshFormat::kOff;
}

/// Whether the tables about a mesh belong to fans of its polygons that fold: the readers cut these
/// as ears.
inline bool has_folded_truth(std::string_view name) {
  return name.ends_with("double-torus-example.off") || name.ends_with("mpi.off") ||
         name.ends_with("corner_poly.off");
}

}  // namespace plimsoll::test
