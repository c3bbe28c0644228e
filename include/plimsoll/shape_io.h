// From files to solids: meshes welded, in a unit, with what that moves; SHAPE.json, the solids of
// shape.h by name.
#pragma once

#include <plimsoll/mass.h>
#include <plimsoll/mesh_io.h>
#include <plimsoll/shape.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] plimsoll {

/// What is done about seams: rims of an open surface that run along each other so near that the
/// file's own rounding may have parted them.
enum class Seams {
  kWeld,  ///< They are made one where that closes the surface.
  kKeep,
};

struct WeldOptions {
  Seams seams = Seams::kWeld;
  double tolerance = 0;  ///< Vertices closer than that are made one in any case [file's unit].
};

/// Vertices made one beyond those of equal coordinates.
struct SeamWeld {
  double tolerance = 0;       ///< No two of those that are left are closer [unit of the mesh].
  std::size_t merged = 0;     ///< As Welding has them.
  std::size_t collapsed = 0;  ///< Triangles.
  double farthest_move = 0;   ///< [unit of the mesh]
};

/// A body as a file has it.
struct MeshBody {
  TriangleMesh mesh;                     ///< Welded [file's unit].
  double vertex_error = 0;               ///< As MeshSolid has it [file's unit].
  std::optional<SeamWeld> by_seam;       ///< What closed the surface, where vertices differed.
  std::optional<SeamWeld> by_tolerance;  ///< What the given one did.
};

/// The only way from a file to a body. Vertices of equal coordinates are made one, then those
/// closer than the given tolerance. Where the surface is still open and closes when vertices no
/// farther apart than MeshFile::resolution in any coordinate are made one, so it is closed, by the
/// least tolerance that does: binary STL of a CAD system has 0 in one triangle and -3.9e-18 in the
/// next. A resolution above 1e-3 of the body's size is not made use of: real gaps are as narrow.
/// Errors: as check_mesh; `InvalidArgument` unless the tolerance is finite and not below 0. O(n log
/// n).
[[nodiscard]] Result<MeshBody> mesh_body(const MeshFile& file, const WeldOptions& options = {});

/// What there is to say of `seam`, of the code "weld"; `meters`: what its unit is.
[[nodiscard]] Notice notice_of(const SeamWeld& seam, double meters = 1);

/// What there is to say of a body whose file names no unit, where its numbers are taken for meters:
/// of the code "unit", ending in `if_large` where it measures more than 30 m, in `if_small` where
/// it measures less than 1 mm; nothing between. Robots and their parts measure centimeters to some
/// meters: above 30 m the numbers are more likely millimeters (of a thing of 3 cm or more), and
/// below 1 mm they cannot be those of a thing drawn in meters.
[[nodiscard]] std::optional<Notice> notice_of_size(const Box3& box, std::string_view if_large,
                                                   std::string_view if_small);

/// The body in meters: its coordinates times `unit`, and the rounding of that in its vertex_error.
[[nodiscard]] MeshSolid mesh_solid(MeshBody body, const LengthUnit& unit = {});

/// What a document holds.
struct ShapeFile {
  Shape shape;
  /// Of the codes "pose": matrices that were replaced; "weld": seams that were closed; "unit":
  /// meshes without a scale of which notice_of_size has something to say.
  std::vector<Notice> notices;
  std::optional<SeamWeld> welded;  ///< Of its meshes: counts added up, the largest lengths [m].
};

/// Reads `path`, at most 64 MB of JSON. Files that it names are looked up from its folder; meshes
/// become bodies (mesh_body), scaled where the document says so: it must, where a mesh has another
/// unit than the meter (3MF). A mesh of which a part is not read is refused. Each "pose" becomes
/// its nearest_similarity, which a notice says where it differs. What comes back passes
/// check_shape. Errors: `Malformed` for what is not JSON or not a shape: unknown kinds and keys are
/// refused by name; `ResourceLimit` beyond kMaxShapeDepth or kMaxShapeCount; those of read_mesh,
/// read_bpt and to_bezier. `where` is the path with line, column and the place in the document:
/// "part.json:2:9: of[1].radius".
[[nodiscard]] Result<ShapeFile> read_shape(const std::filesystem::path& path,
                                           Seams seams = Seams::kWeld);

/// The same from memory. `name` stands for the file in messages.
[[nodiscard]] Result<ShapeFile> read_shape(std::span<const std::byte> text, const std::string& name,
                                           const std::filesystem::path& folder,
                                           Seams seams = Seams::kWeld);

/// Reads sixteen numbers in JSON, in one array or in four: a 4x4 matrix, row by row, as it is
/// there: nearest_similarity, which accepts it, makes a pose of it. Errors: `Malformed`,
/// `Unreadable`, `ResourceLimit`.
[[nodiscard]] Result<Similarity> read_pose(const std::filesystem::path& path);
[[nodiscard]] Result<Similarity> read_pose(std::span<const std::byte> text,
                                           const std::string& name);

}  // namespace plimsoll
