// Finds out which format a file has, calls its reader, and checks what all of them must keep.
#include <plimsoll/mesh_io.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <exception>
#include <limits>
#include <new>

#include "core/counted.h"
#include "formats/file_bytes.h"
#include "formats/file_kind.h"
#include "formats/off_header.h"
#include "formats/readers.h"
#include "formats/stl_layout.h"

namespace plimsoll {
namespace {

struct FormatName {
  MeshFormat format;
  const char* name;
};
constexpr std::array<FormatName, 7> kFormatNames{{{MeshFormat::kStl, "stl"},
                                                  {MeshFormat::kObj, "obj"},
                                                  {MeshFormat::kPly, "ply"},
                                                  {MeshFormat::kOff, "off"},
                                                  {MeshFormat::kGltf, "gltf"},
                                                  {MeshFormat::kGlb, "glb"},
                                                  {MeshFormat::k3mf, "3mf"}}};

std::string_view as_text(std::span<const std::byte> data) {
  return {reinterpret_cast<const char*>(data.data()), data.size()};
}

/// The format whose mark `data` begins with.
std::optional<MeshFormat> format_from_mark(std::string_view data) {
  if (data.starts_with("\xEF\xBB\xBF")) data.remove_prefix(3);
  if (data.starts_with("ply\n") || data.starts_with("ply\r")) return MeshFormat::kPly;
  if (data.starts_with("glTF")) return MeshFormat::kGlb;
  if (data.starts_with("PK\x03\x04")) return MeshFormat::k3mf;
  const std::size_t blanks = std::min(data.find_first_not_of(" \t\r\n"), data.size());
  if (parse_off_keyword(data.substr(blanks)).length > 0) return MeshFormat::kOff;
  return std::nullopt;
}

Result<MeshFormat> find_format(std::span<const std::byte> data, const std::string& name) {
  const std::optional<MeshFormat> named = mesh_format_from_name(name);
  const bool whole_stl = is_whole_binary_stl(data);
  if (named == MeshFormat::kStl && whole_stl) return MeshFormat::kStl;
  const std::string_view text = as_text(data);
  if (const auto marked = format_from_mark(text)) return *marked;
  if (text.starts_with("\x1F\x8B\x08"))
    return Error{ErrorCode::kUnsupported,
                 "found a compressed file, expected a mesh: unpack it with gunzip first", name};
  if (named) return *named;
  if (whole_stl) return MeshFormat::kStl;
  if (std::string kind = foreign_kind(text); !kind.empty())
    return Error{ErrorCode::kUnsupported, std::move(kind), name};
  return Error{ErrorCode::kUnsupported,
               "the name ends in none of .stl .obj .ply .off .gltf .glb .3mf, and the "
               "content is none of these for certain",
               name};
}

Result<MeshFile> call_reader(MeshFormat format, const ReaderInput& input) {
  switch (format) {
    case MeshFormat::kStl:
      return read_stl(input);
    case MeshFormat::kObj:
      return read_obj(input);
    case MeshFormat::kPly:
      return read_ply(input);
    case MeshFormat::kOff:
      return read_off(input);
    case MeshFormat::kGltf:
      return read_gltf(input);
    case MeshFormat::kGlb:
      return read_glb(input);
    case MeshFormat::k3mf:
      return read_3mf(input);
  }
  return Error{ErrorCode::kInvalidArgument, "found no such format", std::string(input.name)};
}

// Faces of a few bytes can name a few vertices over and over: 10 MB hold ten million triangles
// among 256. Tetrahedra that fill space between V points are V^2 / 2 at most, but for lower powers
// [Stanley1975, for spheres of V + 1], and have 2 V^2 faces. Four times as many pass, and what
// takes little memory.
constexpr std::size_t kFewTriangles = std::size_t{1} << 16;

constexpr std::size_t max_triangles(std::size_t vertices) {
  return kFewTriangles + 8 * vertices * vertices;
}

/// How many vertices the triangles name, or nothing if that is enough for so many triangles.
std::optional<std::size_t> too_few_vertices(const TriangleMesh& mesh) {
  if (mesh.triangles.size() <= kFewTriangles) return std::nullopt;
  std::vector<bool> is_named(mesh.vertices.size(), false);
  std::size_t named = 0;
  for (const Triangle& t : mesh.triangles)
    for (const std::uint32_t v : t) {
      if (is_named[v]) continue;
      is_named[v] = true;
      if (mesh.triangles.size() <= max_triangles(++named)) return std::nullopt;
    }
  return named;
}

/// What every mesh must keep, whichever reader it comes from.
Result<MeshFile> checked(MeshFile file, const ReaderInput& input) {
  const TriangleMesh& mesh = file.mesh;
  if (mesh.triangles.empty())
    return Error{ErrorCode::kNoSolid, "found no triangle, expected the surface of a solid",
                 std::string(input.name)};
  if (const std::optional<std::size_t> few = too_few_vertices(mesh))
    return Error{ErrorCode::kNoSolid,
                 "found " + std::to_string(mesh.triangles.size()) + " triangles between " +
                     counted(*few, "vertex", "vertices") +
                     ", expected the surface of a solid: tetrahedra that fill space "
                     "between so few have some " +
                     std::to_string(2 * *few * *few) + " faces at most",
                 std::string(input.name)};
  // Faster than to check the corners: usually every vertex is finite, whether named or not.
  const bool finite = std::all_of(mesh.vertices.begin(), mesh.vertices.end(),
                                  [](const Vec3& vertex) { return vertex.allFinite(); });
  const bool too_many = mesh.triangles.size() > std::numeric_limits<std::uint32_t>::max() / 3;
  PLIMSOLL_ASSERT(!finite || too_many || check_mesh(mesh), "a reader let a wrong index pass");
  if (finite && !too_many) return file;
  if (const Result<void> sound = check_mesh(mesh); !sound)
    return Error{too_many ? ErrorCode::kResourceLimit : ErrorCode::kMalformed,
                 sound.error().message, std::string(input.name) + ": " + sound.error().where};
  return file;
}

Result<MeshFile> read_bytes(MeshFormat format, const ReaderInput& input) {
  if (input.data.empty())
    return Error{ErrorCode::kMalformed, "the file is empty", std::string(input.name)};
  if (input.data.size() > kMaxFileBytes)
    return Error{ErrorCode::kResourceLimit, "the file is larger than 8 GiB",
                 std::string(input.name)};
  const std::string_view text = as_text(input.data);
  if (std::string kind = foreign_kind(text); !kind.empty() && !is_whole_binary_stl(input.data))
    return Error{ErrorCode::kUnsupported, std::move(kind), std::string(input.name)};
  Result<MeshFile> file = call_reader(format, input);
  if (file) {
    file->format = format;
    file = checked(*std::move(file), input);
  }
  if (file) return file;
  const std::optional<MeshFormat> likely = likely_format(text);
  if (!likely || *likely == format) return file;
  Error error = file.error();
  error.message += "; the text looks like " + std::string(to_string(*likely)) + ", not " +
                   to_string(format) + ": rename the file, or name the format that it has";
  return error;
}

/// Calls `read` and turns what it throws into an Error.
template <class Read>
Result<MeshFile> without_exceptions(std::string_view name, const Read& read) {
  try {
    return read();
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kResourceLimit, "not enough memory", std::string(name)};
  } catch (const std::exception& exception) {
    return Error{ErrorCode::kUnreadable, exception.what(), std::string(name)};
  }
}

}  // namespace

const char* to_string(MeshFormat format) {
  for (const FormatName& known : kFormatNames)
    if (known.format == format) return known.name;
  return "unknown";
}

std::optional<MeshFormat> mesh_format_from_name(std::string_view name) {
  name.remove_prefix(name.find_last_of("./\\") + 1);  // npos + 1 is 0
  std::string ending(name);
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const FormatName& known : kFormatNames)
    if (ending == known.name) return known.format;
  return std::nullopt;
}

Result<MeshFile> read_mesh(const std::filesystem::path& path) {
  const std::string name = path.string();
  return without_exceptions(name, [&]() -> Result<MeshFile> {
    const Result<FileBytes> bytes = read_file(path);
    if (!bytes) return bytes.error();
    const ReaderInput input{bytes->span(), name, path.has_parent_path() ? path.parent_path() : "."};
    if (input.data.empty()) return read_bytes(MeshFormat::kStl, input);
    const Result<MeshFormat> format = find_format(input.data, name);
    if (!format) return format.error();
    return read_bytes(*format, input);
  });
}

Result<MeshFile> read_mesh(std::span<const std::byte> data, MeshFormat format,
                           std::string_view name, const std::filesystem::path& directory) {
  return without_exceptions(name,
                            [&] { return read_bytes(format, ReaderInput{data, name, directory}); });
}

}  // namespace plimsoll
