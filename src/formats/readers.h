// One reader per format, each in its own file, called by read_mesh (mesh_io.cpp), which has taken
// the file into memory and afterwards checks what all of them must keep: at least one triangle,
// every index below the number of vertices, every coordinate that a triangle names finite.
//
// A reader fills mesh, notices, partial and, where the format has one, the unit; the caller sets
// the format.
// `where` of an Error is `input.name` with the place: "bunny.obj:812", "part.stl: byte 684".
#pragma once

#include <plimsoll/mesh_io.h>

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "mesh/polygon.h"

namespace plimsoll {

struct ReaderInput {
  std::span<const std::byte> data;
  std::string_view name;            ///< Stands for the file in messages.
  std::filesystem::path directory;  ///< Where external buffers lie; empty: nowhere.
};

[[nodiscard]] Result<MeshFile> read_stl(const ReaderInput& input);
[[nodiscard]] Result<MeshFile> read_obj(const ReaderInput& input);
[[nodiscard]] Result<MeshFile> read_ply(const ReaderInput& input);
[[nodiscard]] Result<MeshFile> read_off(const ReaderInput& input);
[[nodiscard]] Result<MeshFile> read_gltf(const ReaderInput& input);
[[nodiscard]] Result<MeshFile> read_glb(const ReaderInput& input);
[[nodiscard]] Result<MeshFile> read_3mf(const ReaderInput& input);

/// A float is rounded to less than this part of itself.
inline constexpr double kFloatRounding = 0x1p-23;

/// The largest absolute value of the mesh's coordinates, of those that are finite.
[[nodiscard]] inline double largest_coordinate(const TriangleMesh& mesh) {
  double largest = 0;
  for (const Vec3& vertex : mesh.vertices)
    if (const double x = vertex.cwiseAbs().maxCoeff(); x > largest && std::isfinite(x)) largest = x;
  return largest;
}

/// Polygons::split_folded with its notice.
inline void split_folded(const Polygons& polygons, MeshFile& file) {
  if (std::string crossing = polygons.split_folded(file.mesh); !crossing.empty())
    file.notices.push_back({"polygons", std::move(crossing)});
}

}  // namespace plimsoll
