// Files from the test suites of other programs. The index tells what a plain reader and assimp make
// of them; where the two differ, or we side with neither, the reason stands here.
#include <doctest/doctest.h>
#include <plimsoll/mesh_io.h>
#include <simdjson.h>

#include <set>
#include <string>
#include <vector>

#include "support/checked.h"
#include "support/shared_data.h"

namespace plimsoll {
namespace {

struct Loaded {
  const char* file;
  std::size_t triangles;
  std::size_t welded_vertices;
  std::size_t notices;
  const char* reason;
};

constexpr std::size_t kQuiet = 0;
const std::vector<Loaded> kLoaded{
    {"OFF_Cube.off", 12, 8, kQuiet, "all agree"},
    {"OBJ_box_longline.obj", 944, 8, kQuiet, "one face of 942 corners: lines have no limit"},
    {"OBJ_concave_polygon.obj", 64, 64, kQuiet, "a polygon of 66 corners, cut where its fan folds"},
    {"OBJ_multiple_spaces.obj", 1, 3, kQuiet, "all agree"},
    {"OBJ_cube_with_vertexcolors.obj", 12, 8, kQuiet, "all agree"},
    {"PLY_cube_binary.ply", 12, 8, kQuiet, "all agree"},
    {"PLY_cube_uv.ply", 12, 8, kQuiet, "all agree"},
    {"STL_triangle_with_two_solids.stl", 2, 6, kQuiet, "several solids are one mesh"},
    {"STL_triangle.stl", 1, 3, kQuiet, "no line end after endsolid"},
    {"STL_Spider_binary.stl", 1368, 722, kQuiet, "all agree"},
    {"trimesh_nancolor.obj", 12, 8, kQuiet, "nan stands only where colors do"},
    {"trimesh_negative_indices.obj", 12, 8, kQuiet, "all agree"},
    {"trimesh_comments.off", 12, 8, kQuiet, "all agree"},
    {"trimesh_whitespace.off", 12, 8, kQuiet, "OFF8 6 12 has only one meaning"},
    {"trimesh_multibody.stl", 32, 20, kQuiet, "the volumes differ by the origin: it is open"},
    {"trimesh_two_objects_mixed_case_names.stl", 24, 16, kQuiet, "all agree"},
    {"trimesh_joined_tetrahedra.obj", 8, 5, kQuiet, "all agree"},
    {"trimesh_shared.STL", 24, 14, kQuiet, "all agree"},
    {"trimesh_wallhole.obj", 66, 35, kQuiet, "all agree"},
    {"trimesh_fuze_ascii.ply", 1000, 502, 1,
     "each face has more numbers on its line than the header declares; lines tell faces apart"},
    {"trimesh_metadata.ply", 2, 4, kQuiet, "all agree"},
    {"tinyobj_issue-161-inconsistent-f.obj", 12, 8, kQuiet, "v and v//vn may be mixed"},
    {"tinyobj_issue-295-trianguation-failure.obj", 28, 16, kQuiet, "all agree"},
    {"tinyobj_issue-330.obj", 3, 5, kQuiet, "the volumes differ by the origin: it is open"},
    {"tinyobj_leading-decimal-dot-issue-201.obj", 1, 3, kQuiet, ".8e-1 is a number"},
    {"tinyobj_cube-vertex-w-component.obj", 12, 8, kQuiet,
     "w weighs rational curves and does not divide the vertices of polygons"},
};

struct Refused {
  const char* file;
  ErrorCode code;
  const char* place;
  const char* reason;
};

const std::vector<Refused> kRefused{
    {"invalid_OutOfMemory.off", ErrorCode::kMalformed, ":2", "3.5e11 vertices in 309 bytes"},
    {"invalid_malformed.obj", ErrorCode::kMalformed, ":28", "index 0"},
    {"OFF_invalid.off", ErrorCode::kMalformed, ":6", "a face of no corners"},
    {"OBJ_box_UTF16BE.obj", ErrorCode::kUnsupported, ": byte 0", "found silently empty by others"},
    {"OBJ_number_formats.obj", ErrorCode::kMalformed, ":11", "3.1+e2 is no number"},
    {"3DS_cubes_with_alpha.3DS", ErrorCode::kUnsupported, "", "3DS is not read"},
    {"3DS_test1.3ds", ErrorCode::kUnsupported, "", "3DS is not read"},
    {"trimesh_notenoughindices.obj", ErrorCode::kMalformed, ":9",
     "a face of two corners: what else is missing cannot be known"},
    {"trimesh_empty.ply", ErrorCode::kNoSolid, ": header", "no triangle"},
    {"trimesh_empty.stl", ErrorCode::kNoSolid, "", "no triangle"},
    {"trimesh_points_emptyface.ply", ErrorCode::kNoSolid, ": header", "no triangle"},
    {"tinyobj_invalid-face-definition.obj", ErrorCode::kMalformed, ":15", "a face of one corner"},
    {"tinyobj_invalid-relative-vertex-index.obj", ErrorCode::kMalformed, ":1",
     "no vertices at all"},
    {"tinyobj_issue-140-zero-face-idx.obj", ErrorCode::kMalformed, ":16", "index 0"},
};

std::size_t used_vertices(const TriangleMesh& mesh) {
  return weld(test::checked(mesh)).vertices.size();
}

TEST_CASE("files found in the wild load where they have one meaning") {
  if (!test::has_shared_data()) return;
  for (const Loaded& expected : kLoaded) {
    CAPTURE(expected.file);
    CAPTURE(expected.reason);
    const auto file = read_mesh(test::shared_data() / "wild" / expected.file);
    REQUIRE_MESSAGE(file, file.error().where, " ", file.error().message);
    CHECK(file->mesh.triangles.size() == expected.triangles);
    CHECK(used_vertices(file->mesh) == expected.welded_vertices);
    CHECK(file->notices.size() == expected.notices);
  }
}

TEST_CASE("files found in the wild are refused where they have none") {
  if (!test::has_shared_data()) return;
  for (const Refused& expected : kRefused) {
    CAPTURE(expected.file);
    CAPTURE(expected.reason);
    const auto path = test::shared_data() / "wild" / expected.file;
    const auto file = read_mesh(path);
    REQUIRE_FALSE(file);
    CAPTURE(file.error().message);
    CHECK(file.error().code == expected.code);
    CHECK(file.error().where == path.string() + expected.place);
  }
}

TEST_CASE("no file found in the wild, of a format in text or plain binary, is left undecided") {
  if (!test::has_shared_data()) return;
  std::set<std::string> decided;
  for (const Loaded& expected : kLoaded) decided.insert(expected.file);
  for (const Refused& expected : kRefused) decided.insert(expected.file);
  simdjson::dom::parser parser;
  const simdjson::dom::element index =
      parser.load((test::shared_data() / "wild" / "index.json").string());
  for (const simdjson::dom::element entry : index["files"].get_array()) {
    const std::string name =
        std::filesystem::path(std::string(entry["file"].get_string().value())).filename();
    const auto format = mesh_format_from_name(name);
    if (format && *format > MeshFormat::kOff) continue;
    CHECK_MESSAGE(decided.count(name) == 1, name);
  }
}

}  // namespace
}  // namespace plimsoll
