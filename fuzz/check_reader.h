// What must hold of a reader whatever it is given: an error that says what and where, or a mesh
// that every algorithm can take.
#pragma once

#include <plimsoll/shape_io.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>

namespace plimsoll::fuzz {

inline void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

inline int check_reader(const std::uint8_t* data, std::size_t size, MeshFormat format) {
  const Result<MeshFile> file = read_mesh(std::as_bytes(std::span(data, size)), format, "input");
  if (!file) {
    require(!file.error().message.empty(), "an error without a message");
    require(file.error().where.starts_with("input"), "an error that does not name the file");
    return 0;
  }
  require(file->format == format, "another format than was asked for");
  require(!file->mesh.triangles.empty(), "a mesh without triangles");
  require(check_mesh(file->mesh).has_value(), "a wrong index or a coordinate that is not finite");
  require(file->resolution >= 0, "a resolution that is no number");
  const Result<MeshBody> body = mesh_body(*file);
  require(body.has_value(), "a mesh that makes no body");
  require(body->mesh.triangles.size() == file->mesh.triangles.size(), "welding lost a triangle");
  require(check_mesh(body->mesh).has_value(), "welding broke the mesh");
  require(body->vertex_error >= 0, "an error that is no number");
  return 0;
}

}  // namespace plimsoll::fuzz
