// Reading shapes from JSON: SHAPE.json, the solids of shape.h by name.
#pragma once

#include <plimsoll/mesh_io.h>
#include <plimsoll/shape.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] plimsoll {

/// What a document holds.
struct ShapeFile {
  Shape shape;
  std::vector<Notice> notices;  ///< Of the code "pose": matrices that were replaced.
};

/// Reads `path`, at most 64 MB of JSON. Files that it names are looked up from its folder; meshes
/// are welded, and scaled where the document says so: it must, where a mesh has another unit than
/// the meter (3MF). A mesh of which a part is not read is refused. Each "pose" becomes its
/// nearest_similarity, which a notice says where it differs. What comes back passes check_shape.
/// Errors: `Malformed` for what is not JSON or not a shape: unknown kinds and keys are refused by
/// name; `ResourceLimit` beyond kMaxShapeDepth or kMaxShapeCount; those of read_mesh, read_bpt and
/// to_bezier. `where` is the path with line, column and the place in the document:
/// "part.json:2:9: of[1].radius".
[[nodiscard]] Result<ShapeFile> read_shape(const std::filesystem::path& path);

/// The same from memory. `name` stands for the file in messages.
[[nodiscard]] Result<ShapeFile> read_shape(std::span<const std::byte> text, const std::string& name,
                                           const std::filesystem::path& folder);

/// Reads sixteen numbers in JSON, in one array or in four: a 4x4 matrix, row by row, as it is
/// there: nearest_similarity, which accepts it, makes a pose of it. Errors: `Malformed`,
/// `Unreadable`, `ResourceLimit`.
[[nodiscard]] Result<Similarity> read_pose(const std::filesystem::path& path);
[[nodiscard]] Result<Similarity> read_pose(std::span<const std::byte> text,
                                           const std::string& name);

}  // namespace plimsoll
