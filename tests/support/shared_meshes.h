// Meshes of the data folder.
#pragma once

#include <plimsoll/mesh_io.h>

#include <string>
#include <string_view>

#include "support/shared_data.h"

namespace plimsoll::test {

inline TriangleMesh load(const std::string& name) {
  const Result<MeshFile> file = read_mesh(shared_data() / name);
  REQUIRE_MESSAGE(file, file.error().where, " ", file.error().message);
  return weld(file->mesh);
}

/// Whether the file holds one mesh and no scene.
inline bool holds_plain_mesh(std::string_view name) {
  const auto format = mesh_format_from_name(name);
  return format && *format <= MeshFormat::kOff;
}

}  // namespace plimsoll::test
