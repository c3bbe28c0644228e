// Reading and writing triangle meshes.
//
// Readers trust nothing a file declares: memory stays below 64 MB + 40 times the file's (unpacked)
// size, recursion is bounded, and what is refused is refused with the line, byte or element at
// fault. A polygon becomes the fan from its first corner where that does not fold (each triangle is
// turned like the vector area of the polygon), else ears are cut off: always corners - 2 triangles.
// An outline that crosses itself stays a fan, with a notice. Decimal text is the nearest double;
// binary floats are widened exactly.
#pragma once

#include <plimsoll/mass.h>
#include <plimsoll/mesh.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] plimsoll {

enum class MeshFormat { kStl, kObj, kPly, kOff, kGltf, kGlb, k3mf };

[[nodiscard]] const char* to_string(MeshFormat format);  ///< "stl", ...

/// The format that a name ("stl", ".STL", "part.stl") stands for, by its ending.
[[nodiscard]] std::optional<MeshFormat> mesh_format_from_name(std::string_view name);

/// Something to know about a file that no error stands for.
struct Notice {
  std::string code;     ///< What it is about, for programs: "partial", "unit", "pose".
  std::string message;  ///< One sentence, for people.
};

/// What a file holds.
struct MeshFile {
  TriangleMesh mesh;  ///< As the file has it: not welded, in the file's unit and frame.
  MeshFormat format = MeshFormat::kStl;
  std::optional<LengthUnit> meters_per_unit;  ///< Where the format has a unit: 3MF and glTF.
  std::string unit;  ///< Where the file itself names it: "millimeter"; else empty.
  /// No vertex is farther from where the file's transforms, and weights of joints and morph
  /// targets, take it: they round what lies far from the origin [file's unit].
  double placement_error = 0;
  /// One unit of the file's own rounding at its largest coordinate [file's unit]: 2^-23 of that
  /// where coordinates are floats; in text one of its last decimal, for as many digits as the
  /// coordinate with the most has. 0 where coordinates are doubles, or whole numbers in text.
  double resolution = 0;
  std::vector<Notice> notices;
  bool partial = false;  ///< The file holds geometry that was not read and would change the answer:
                         ///< each notice of the code "partial" says what.
};

/// What devices and pipes may give, which need not end [bytes]. Files may have 8 GiB.
inline constexpr std::uint64_t kMaxStreamBytes = std::uint64_t{1} << 30;

/// Reads `path`. The format is found by content where that is certain, else by the name's ending.
/// Errors: `Unreadable`, `Malformed`, `Unsupported`, `NoSolid`, `ResourceLimit`; `where` is the
/// path with line, byte offset or element.
[[nodiscard]] Result<MeshFile> read_mesh(const std::filesystem::path& path);

/// The same from memory. `name` stands for the file in messages. A glTF's external buffers are
/// looked up beside `directory` and nowhere else; with an empty one they are refused.
[[nodiscard]] Result<MeshFile> read_mesh(std::span<const std::byte> data, MeshFormat format,
                                         std::string_view name,
                                         const std::filesystem::path& directory = {});

/// Writes `mesh` as binary STL, binary PLY (double coordinates), OBJ or OFF (shortest decimals that
/// bring the same doubles back), by the ending of `path`. The file appears whole or not at all.
/// All but STL, which holds floats and no indices, bring back the same bits.
/// A mesh need not have been checked before: to do so here costs little beside writing it.
/// Errors: `Unsupported` for another ending; `Unreadable` if it cannot be written;
/// `InvalidArgument` as check_mesh, or where a coordinate does not fit a float (STL) or is not
/// finite (OBJ, OFF).
[[nodiscard]] Result<void> write_mesh(const MeshView& mesh, const std::filesystem::path& path);
[[nodiscard]] Result<void> write_mesh(const TriangleMesh& mesh, const std::filesystem::path& path);

/// Reads points: CSV with the header x,y,z, a row of three finite numbers for each. Errors:
/// `Malformed`, with the line, also for a table without points; as files.
[[nodiscard]] Result<std::vector<Vec3>> read_points(const std::filesystem::path& path);
/// Reads from memory. `name` stands for the file in messages.
[[nodiscard]] Result<std::vector<Vec3>> read_points(std::span<const std::byte> text,
                                                    const std::string& name);

}  // namespace plimsoll
