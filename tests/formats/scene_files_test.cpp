// glTF, GLB and 3MF files from the data folder: broken ones and other programs'.
#include <doctest/doctest.h>
#include <plimsoll/mesh_io.h>
#include <simdjson.h>

#include <array>
#include <cmath>
#include <string>

#include "mesh/mesh_properties.h"
#include "support/shared_data.h"

namespace plimsoll {
namespace {

bool is_scene(MeshFormat format) { return format >= MeshFormat::kGltf; }

TEST_CASE("every malformed glTF, GLB and 3MF is refused with its place and its fault") {
  if (!test::has_shared_data()) return;
  simdjson::dom::parser parser;
  const simdjson::dom::element index =
      parser.load((test::shared_data() / "malformed" / "index.json").string());
  int refused = 0;
  for (const simdjson::dom::element entry : index["files"].get_array()) {
    const std::string name(entry["file"].get_string().value());
    const auto format = mesh_format_from_name(name);
    if (!format || !is_scene(*format)) continue;
    CAPTURE(name);
    const Result<MeshFile> file = read_mesh(test::shared_data() / name);
    REQUIRE_FALSE(file.has_value());
    CHECK(file.error().where.find(name) != std::string::npos);
    CHECK(file.error().message.size() >= 15);
    ++refused;
  }
  CHECK(refused == 20);
}

struct Broken {
  const char* file;
  ErrorCode code;
  const char* where;
  const char* message;
};

constexpr std::array<Broken, 15> kBroken{{
    {"glb-bad-magic.glb", ErrorCode::kMalformed, "byte 0", "found \"glTX\""},
    {"glb-length-long.glb", ErrorCode::kMalformed, "byte 8", "total length of 1000000000"},
    {"glb-chunk-long.glb", ErrorCode::kMalformed, "byte 12", "chunk of 4294967280 bytes"},
    {"glb-cut.glb", ErrorCode::kMalformed, "byte 8", "but the file has 688 bytes"},
    {"glb-view-range.glb", ErrorCode::kMalformed, "bufferViews[1]", "168 bytes of buffers[0]"},
    {"glb-accessor-count.glb", ErrorCode::kMalformed, "accessors[1]", "1431655766 elements"},
    {"glb-index-high.glb", ErrorCode::kMalformed, "accessors[0], element", "index 99"},
    {"glb-node-cycle.glb", ErrorCode::kMalformed, "nodes[0]", "its own descendants"},
    {"gltf-bad-json.gltf", ErrorCode::kMalformed, "", "not JSON"},
    {"gltf-missing-bin.gltf", ErrorCode::kUnsupported, "buffers[0].uri", "climbs out"},
    {"3mf-index-high.3mf", ErrorCode::kMalformed, "object \"1\"", "below 1"},
    {"3mf-self-reference.3mf", ErrorCode::kMalformed, "object 1", "its own components"},
    {"3mf-entities.3mf", ErrorCode::kMalformed, "3D/3dmodel.model", "document type definition"},
    {"3mf-cut.3mf", ErrorCode::kMalformed, "", "zip"},
    {"3mf-bomb.3mf", ErrorCode::kResourceLimit, "3D/3dmodel.model", "found 50000015 bytes"},
}};

TEST_CASE("the fault of a malformed file is named") {
  if (!test::has_shared_data()) return;
  for (const Broken& broken : kBroken) {
    CAPTURE(broken.file);
    const Result<MeshFile> file = read_mesh(test::shared_data() / "malformed" / broken.file);
    REQUIRE_FALSE(file.has_value());
    CHECK(file.error().code == broken.code);
    CHECK(file.error().where.find(broken.where) != std::string::npos);
    CHECK(file.error().message.find(broken.message) != std::string::npos);
  }
}

// Loaded: triangles and volume. The index has assimp's: 6000, 1 and 0.898779064, the last one good
// to the seven digits of float; it is the sum over three nested nodes of 8 times the scales'
// product. Where assimp crashes the volume is a separate sum over the XML by a few lines of Python.
// Refused: why.
struct Wild {
  const char* file;
  std::size_t triangles;  ///< 0: refused.
  double volume;
  const char* reason;  ///< Part of the message.
};

constexpr std::array<Wild, 11> kWild{{
    {"3MF_box.3mf", 12, 6000, ""},
    {"glTF2_BoxTextured-glTF-Binary_BoxTextured.glb", 12, 1, ""},
    {"trimesh_nested.glb", 36, 0.8987790543021931, ""},
    {"trimesh_cube_and_sphere_same_name.3mf", 5132, 97431.90551010518, ""},
    {"trimesh_counterXP.3MF", 83750, 888808.1287328098, ""},
    // assimp reads twelve triangles without a volume: every position is infinite or not a number.
    {"glTF2_BoxWithInfinites-glTF-Binary_BoxWithInfinites.glb", 0, 0, "not finite"},
    // The three that follow name a buffer in a file that is not there; assimp finds IndexOutOfRange
    // in a folder of its own and leaves out a triangle. gltf_test.cpp has that case.
    {"glTF2_IndexOutOfRange_IndexOutOfRange.gltf", 0, 0, "\"IndexOutOfRange.bin\""},
    {"glTF2_MissingBin_BoxTextured.gltf", 0, 0, "\"BoxTextured0.bin\""},
    {"trimesh_Mesh_PrimitiveMode_04.gltf", 0, 0, "\"Mesh_PrimitiveMode_04.bin\""},
    // assimp refuses the string in a material's scale, which has no bearing on the shape; the
    // buffer is missing too.
    {"glTF2_wrongTypes_badNumber.gltf", 0, 0, "\"BoxTextured0.bin\""},
    {"glTF2_RecursiveNodes_RecursiveNodes.gltf", 0, 0, "its own descendants"},
}};

TEST_CASE("glTF, GLB and 3MF files of other programs load or are refused on their merits") {
  if (!test::has_shared_data()) return;
  for (const Wild& wild : kWild) {
    CAPTURE(wild.file);
    const Result<MeshFile> file = read_mesh(test::shared_data() / "wild" / wild.file);
    CHECK(file.has_value() == (wild.triangles > 0));
    if (!file) {
      CAPTURE(file.error().message);
      CHECK(file.error().message.find(wild.reason) != std::string::npos);
      continue;
    }
    CHECK(file->mesh.triangles.size() == wild.triangles);
    // The rounding of Python's sum of 84,000 terms of up to 1e5 each.
    CHECK(std::abs(test::plain_properties(file->mesh).volume / wild.volume - 1) <= 1e-10);
  }
}

}  // namespace
}  // namespace plimsoll
