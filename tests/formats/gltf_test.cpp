// What a glTF scene says is what is measured: accessors of every kind, instances, transforms.
#include <doctest/doctest.h>
#include <plimsoll/mesh_io.h>

#include <cmath>
#include <limits>
#include <string>

#include "formats/read_text.h"
#include "formats/scene_checks.h"
#include "mesh/mesh_properties.h"
#include "support/gltf_builder.h"

namespace plimsoll {
namespace {

using test::bytes_of;
using test::GltfPieces;
using test::has_notice;

MeshFile read(const GltfPieces& pieces) {
  Result<MeshFile> file = test::read_text(test::glb(pieces), MeshFormat::kGlb);
  REQUIRE_MESSAGE(file, file.error().where, " ", file.error().message);
  return *std::move(file);
}

double volume(const MeshFile& file) { return test::plain_properties(file.mesh).volume; }

// Volumes of a few units from coordinates of a few units, each rounded twice at most.
constexpr double kRounding = 4e-15;

TEST_CASE("a tetrahedron in a GLB is read in meters") {
  const MeshFile file = read({});
  CHECK(file.mesh.vertices.size() == 4);
  CHECK(file.mesh.triangles.size() == 4);
  CHECK(std::abs(volume(file) - 1.0 / 6) <= kRounding);
  REQUIRE(file.meters_per_unit);
  CHECK(file.meters_per_unit->numerator == file.meters_per_unit->denominator);
  CHECK(file.unit.empty());  // it is that of every glTF
  CHECK(file.notices.empty());
}

TEST_CASE("positions without a transform keep their bits") {
  const float odd = std::nextafter(0.1F, 1.0F);
  GltfPieces pieces;
  pieces.binary.replace(24, 12,
                        bytes_of<float>(odd, std::numeric_limits<float>::denorm_min(), -0.0F));
  pieces.nodes = R"([{"mesh": 0, "scale": [1, 1, 1], "rotation": [0, 0, 0, 1]}])";
  const Vec3 vertex = read(pieces).mesh.vertices[0];
  CHECK(vertex.x() == double{odd});
  CHECK(vertex.y() == 0x1p-149);
  CHECK(std::signbit(vertex.z()));
}

TEST_CASE("indices may have 8, 16 or 32 bits, or be absent") {
  const std::string positions = test::tetrahedron_bytes().substr(24);
  const auto with = [&](const std::string& indices, const char* type) {
    GltfPieces pieces;
    pieces.binary = indices + positions;
    const std::string size = std::to_string(indices.size());
    pieces.views = R"([{"buffer": 0, "byteLength": )" + size +
                   R"(}, {"buffer": 0, "byteOffset": )" + size + R"(, "byteLength": 48}])";
    pieces.accessors = std::string(R"([{"bufferView": 0, "componentType": )") + type +
                       R"(, "count": 12, "type": "SCALAR"},
                          {"bufferView": 1, "componentType": 5126, "count": 4, "type": "VEC3"}])";
    return volume(read(pieces));
  };
  CHECK(std::abs(with(bytes_of<std::uint8_t>(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3), "5121") -
                 1.0 / 6) <= kRounding);
  CHECK(std::abs(with(bytes_of<std::uint32_t>(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3), "5125") -
                 1.0 / 6) <= kRounding);
  GltfPieces soup;
  soup.binary = bytes_of<float>(0, 0, 0, 0, 1, 0, 1, 0, 0);
  soup.meshes = R"([{"primitives": [{"attributes": {"POSITION": 0}}]}])";
  soup.accessors = R"([{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}])";
  soup.views = R"([{"buffer": 0, "byteLength": 36}])";
  CHECK(read(soup).mesh.triangles == std::vector<Triangle>{{0, 1, 2}});
}

TEST_CASE("strips and fans are split as the standard says") {
  GltfPieces pieces;
  pieces.binary = bytes_of<float>(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0);
  pieces.accessors = R"([{"bufferView": 0, "componentType": 5126, "count": 5, "type": "VEC3"}])";
  pieces.views = R"([{"buffer": 0, "byteLength": 60}])";
  pieces.meshes = R"([{"primitives": [{"attributes": {"POSITION": 0}, "mode": 5}]}])";
  CHECK(read(pieces).mesh.triangles == std::vector<Triangle>{{0, 1, 2}, {1, 3, 2}, {2, 3, 4}});
  pieces.meshes = R"([{"primitives": [{"attributes": {"POSITION": 0}, "mode": 6}]}])";
  CHECK(read(pieces).mesh.triangles == std::vector<Triangle>{{1, 2, 0}, {2, 3, 0}, {3, 4, 0}});
}

TEST_CASE("points and lines are passed over with a warning") {
  GltfPieces pieces;
  pieces.meshes = R"([{"primitives": [{"attributes": {"POSITION": 1}, "mode": 0},
                                      {"attributes": {"POSITION": 1}, "mode": 3},
                                      {"attributes": {"POSITION": 1}, "indices": 0}]}])";
  const MeshFile file = read(pieces);
  CHECK(file.mesh.triangles.size() == 4);
  CHECK(has_notice(file, "passed_over", "2 primitives of points or lines"));
}

TEST_CASE("positions may be interleaved with other attributes, at any offset") {
  GltfPieces pieces;
  pieces.binary = pieces.binary.substr(0, 24) + bytes_of<std::uint32_t>(7);
  for (const auto& [x, y, z] : {std::array{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}})
    pieces.binary += bytes_of<float>(9, x, y, z);
  pieces.views = R"([{"buffer": 0, "byteLength": 24},
                     {"buffer": 0, "byteOffset": 24, "byteLength": 68, "byteStride": 16}])";
  pieces.accessors = R"([{"bufferView": 0, "componentType": 5123, "count": 12, "type": "SCALAR"},
      {"bufferView": 1, "byteOffset": 8, "componentType": 5126, "count": 4, "type": "VEC3"}])";
  CHECK(std::abs(volume(read(pieces)) - 1.0 / 6) <= kRounding);
}

TEST_CASE("positions may be as far apart as a stride can say") {
  GltfPieces pieces;
  pieces.binary.resize(24);
  for (const auto& [x, y, z] : {std::array{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}) {
    pieces.binary += bytes_of<float>(x, y, z);
    pieces.binary += std::string(240, '\x7F');
  }
  pieces.views = R"([{"buffer": 0, "byteLength": 24},
                     {"buffer": 0, "byteOffset": 24, "byteLength": 1008, "byteStride": 252}])";
  CHECK(std::abs(volume(read(pieces)) - 1.0 / 6) <= kRounding);
}

TEST_CASE("sparse values replace positions and indices, also those of an accessor of zeros") {
  GltfPieces pieces;
  // Three unit corners at 1, 2, 3 and nothing at 0; index 11 becomes 3.
  pieces.binary = bytes_of<std::uint16_t>(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 0) +
                  bytes_of<std::uint8_t>(1, 2, 3, 11) + bytes_of<std::uint16_t>(3, 0) +
                  bytes_of<float>(1, 0, 0, 0, 1, 0, 0, 0, 1);
  pieces.views = R"([{"buffer": 0, "byteLength": 24},
                     {"buffer": 0, "byteOffset": 24, "byteLength": 4},
                     {"buffer": 0, "byteOffset": 28, "byteLength": 4},
                     {"buffer": 0, "byteOffset": 32, "byteLength": 36}])";
  pieces.accessors = R"([
      {"bufferView": 0, "componentType": 5123, "count": 12, "type": "SCALAR",
       "sparse": {"count": 1, "indices": {"bufferView": 1, "byteOffset": 3, "componentType": 5121},
                  "values": {"bufferView": 2}}},
      {"componentType": 5126, "count": 4, "type": "VEC3",
       "sparse": {"count": 3, "indices": {"bufferView": 1, "componentType": 5121},
                  "values": {"bufferView": 3}}}])";
  CHECK(std::abs(volume(read(pieces)) - 1.0 / 6) <= kRounding);
}

TEST_CASE("quantized positions are widened as the extension says") {
  GltfPieces pieces;
  pieces.binary.resize(24);
  pieces.binary +=
      bytes_of<std::int8_t>(0, 0, 0, 0, 127, 0, 0, 0, 0, 127, 0, 0, -127, -128, 127, 0);
  pieces.views = R"([{"buffer": 0, "byteLength": 24},
                     {"buffer": 0, "byteOffset": 24, "byteLength": 16, "byteStride": 4}])";
  pieces.accessors = R"([{"bufferView": 0, "componentType": 5123, "count": 12, "type": "SCALAR"},
      {"bufferView": 1, "componentType": 5120, "count": 4, "type": "VEC3", "normalized": true}])";
  pieces.more = R"("extensionsRequired": ["KHR_mesh_quantization"],)";
  const MeshFile normalized = read(pieces);
  CHECK(normalized.mesh.vertices[1] == Vec3(1, 0, 0));
  CHECK(normalized.mesh.vertices[3] == Vec3(-1, -1, 1));
  pieces.accessors = R"([{"bufferView": 0, "componentType": 5123, "count": 12, "type": "SCALAR"},
      {"bufferView": 1, "componentType": 5121, "count": 4, "type": "VEC3"}])";
  CHECK(read(pieces).mesh.vertices[3] == Vec3(129, 128, 127));
}

/// A triangle of normalized numbers, the corners (0, 0, high), (0, high, 0) and (low, 1, 0).
template <class T>
Vec3 widened_corner(int component_type, int corner) {
  constexpr T kLow = std::numeric_limits<T>::min(), kHigh = std::numeric_limits<T>::max();
  GltfPieces pieces;
  pieces.binary.clear();
  for (const T number : {T{0}, T{0}, kHigh, T{0}, T{0}, kHigh, T{0}, T{0}, kLow, T{1}, T{0}, T{0}})
    pieces.binary += bytes_of<T>(number);
  pieces.views = R"([{"buffer": 0, "byteLength": )" + std::to_string(12 * sizeof(T)) +
                 R"(, "byteStride": )" + std::to_string(4 * sizeof(T)) + "}]";
  pieces.meshes = R"([{"primitives": [{"attributes": {"POSITION": 0}}]}])";
  pieces.accessors = R"([{"bufferView": 0, "componentType": )" + std::to_string(component_type) +
                     R"(, "count": 3, "type": "VEC3", "normalized": true}])";
  pieces.more = R"("extensionsRequired": ["KHR_mesh_quantization"],)";
  return read(pieces).mesh.vertices[static_cast<std::size_t>(corner)];
}

// f = max(c / 127, -1), c / 255, max(c / 32767, -1), c / 65535 [glTF 2.0, sec. 3.11]: the largest
// number is 1, and one is one step.
TEST_CASE("normalized numbers of any type reach from -1 or 0 to 1") {
  CHECK(widened_corner<std::int8_t>(5120, 0) == Vec3(0, 0, 1));
  CHECK(widened_corner<std::int8_t>(5120, 2) == Vec3(-1, 1. / 127, 0));
  CHECK(widened_corner<std::uint8_t>(5121, 0) == Vec3(0, 0, 1));
  CHECK(widened_corner<std::uint8_t>(5121, 2) == Vec3(0, 1. / 255, 0));
  CHECK(widened_corner<std::int16_t>(5122, 0) == Vec3(0, 0, 1));
  CHECK(widened_corner<std::int16_t>(5122, 2) == Vec3(-1, 1. / 32767, 0));
  CHECK(widened_corner<std::uint16_t>(5123, 0) == Vec3(0, 0, 1));
  CHECK(widened_corner<std::uint16_t>(5123, 2) == Vec3(0, 1. / 65535, 0));
}

TEST_CASE("a mesh shown by several nodes counts once for each") {
  GltfPieces pieces;
  pieces.scenes = R"("scenes": [{"nodes": [0, 3]}],)";
  // 1/6 (2^3 + 2^3 x 3 + 1): the child of a scaled node, scaled itself, and one more.
  pieces.nodes = R"([{"mesh": 0, "children": [1], "scale": [2, 2, 2]},
                     {"children": [2], "translation": [5, 0, 0]},
                     {"mesh": 0, "matrix": [3,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,7,1]},
                     {"mesh": 0, "rotation": [0, 0, 0.70710678, 0.70710678]}])";
  const MeshFile file = read(pieces);
  CHECK(std::abs(volume(file) - 33.0 / 6) <= 40 * kRounding);
  REQUIRE(file.mesh.vertices.size() == 12);
  CHECK(file.mesh.vertices[4] == Vec3(10, 0, 14));
  CHECK(file.mesh.vertices[5] == Vec3(16, 0, 14));
  // The quaternion's 8 digits are those of a rotation once its length is taken out.
  CHECK((file.mesh.vertices[9] - Vec3(0, 1, 0)).norm() <= 1e-15);
}

TEST_CASE("a mirrored solid keeps its outside, and one mirrored twice too") {
  GltfPieces pieces;
  pieces.nodes = R"([{"mesh": 0, "scale": [-1, 2, 1]}])";
  const MeshFile once = read(pieces);
  CHECK(std::abs(volume(once) - 2.0 / 6) <= kRounding);
  CHECK(once.mesh.triangles[0] == Triangle{0, 1, 2});
  pieces.nodes = R"([{"children": [1], "scale": [1, 1, -1]}, {"mesh": 0, "scale": [-1, 2, 1]}])";
  CHECK(std::abs(volume(read(pieces)) - 2.0 / 6) <= kRounding);
  // The determinant is 1e-600, below every double.
  pieces.nodes = R"([{"mesh": 0, "scale": [-1e-200, 1e-200, 1e-200]}])";
  CHECK(read(pieces).mesh.triangles[0] == Triangle{0, 1, 2});
}

TEST_CASE("a mesh flattened by its node is said to have no volume") {
  GltfPieces pieces;
  pieces.nodes = R"([{"mesh": 0, "scale": [1, 0, 1]}])";
  const MeshFile file = read(pieces);
  CHECK(file.mesh.triangles.size() == 4);
  CHECK(volume(file) == 0);
  CHECK(has_notice(file, "flat", "flattened"));
}

TEST_CASE("the default scene is measured, else all scenes, else all nodes, else all meshes") {
  GltfPieces pieces;
  pieces.nodes = R"([{"mesh": 0}, {"mesh": 0, "scale": [2, 2, 2]}])";
  pieces.scenes = R"("scene": 1, "scenes": [{"nodes": [0]}, {"nodes": [1]}],)";
  const MeshFile second = read(pieces);
  CHECK(std::abs(volume(second) - 8.0 / 6) <= kRounding);
  CHECK(has_notice(second, "passed_over", "left out 1 node with a mesh"));

  pieces.scenes = R"("scenes": [{"nodes": [0]}, {"nodes": [0, 1]}],)";
  const MeshFile all = read(pieces);
  CHECK(std::abs(volume(all) - 9.0 / 6) <= kRounding);
  CHECK(has_notice(all, "scene", "no default scene"));

  pieces.scenes.clear();
  const MeshFile nodes = read(pieces);
  CHECK(std::abs(volume(nodes) - 9.0 / 6) <= kRounding);
  CHECK(has_notice(nodes, "scene", "no scene"));

  pieces.nodes = "[]";
  const MeshFile meshes = read(pieces);
  CHECK(std::abs(volume(meshes) - 1.0 / 6) <= kRounding);
  CHECK(has_notice(meshes, "scene", "no nodes"));
}

TEST_CASE("primitives that share positions share vertices") {
  GltfPieces pieces;
  pieces.meshes = R"([{"primitives": [{"attributes": {"POSITION": 1}, "indices": 0},
                                      {"attributes": {"POSITION": 1}, "indices": 0}]}])";
  const MeshFile file = read(pieces);
  CHECK(file.mesh.vertices.size() == 4);
  CHECK(file.mesh.triangles.size() == 8);
}

TEST_CASE("extensions of looks do not matter, even where they are required") {
  for (const char* name :
       {"KHR_materials_unlit", "KHR_materials_pbrSpecularGlossiness", "KHR_texture_transform",
        "KHR_texture_basisu", "EXT_texture_webp", "MSFT_texture_dds", "KHR_lights_punctual",
        "EXT_lights_ies", "ADOBE_materials_thin_transparency", "KHR_xmp_json_ld", "KHR_xmp",
        "MSFT_packing_occlusionRoughnessMetallic", "KHR_animation_pointer",
        "KHR_technique_webgl"}) {
    CAPTURE(name);
    GltfPieces pieces;
    pieces.more = R"("extensionsRequired": [")" + std::string(name) + R"("],)";
    CHECK(read(pieces).mesh.triangles.size() == 4);
  }
}

TEST_CASE("extensions that are used and not known are said, and so are hidden nodes") {
  GltfPieces pieces;
  pieces.more = R"("extensionsUsed": ["KHR_materials_unlit", "ACME_hole"],)";
  CHECK(has_notice(read(pieces), "passed_over", "1 extension not known here, \"ACME_hole\""));
  pieces.more = R"("extensionsUsed": ["ACME_hole", "ACME_more"],)";
  CHECK(has_notice(read(pieces), "passed_over", "2 extensions not known here, the first"));
  pieces.more = R"("extensionsUsed": ["KHR_materials_unlit", "KHR_mesh_quantization"],)";
  CHECK(read(pieces).notices.empty());
  pieces.more = R"("extensionsUsed": ["KHR_node_visibility"],
                   "extensionsRequired": ["KHR_node_visibility"],)";
  CHECK(has_notice(read(pieces), "hidden", "KHR_node_visibility hides"));
}

// (1, 1, 1, 1) / 2 turns about the diagonal by 120 degrees.
TEST_CASE("a quaternion that is far from unit length turns, and that is said") {
  GltfPieces pieces;
  pieces.nodes = R"([{"mesh": 0, "rotation": [1, 1, 1, 1], "translation": [5, 0, 0]}])";
  const MeshFile file = read(pieces);
  CHECK(std::abs(volume(file) - 1.0 / 6) <= kRounding);
  CHECK((file.mesh.vertices[1] - Vec3(5, 1, 0)).norm() <= kRounding);  // x to y
  CHECK(has_notice(file, "rotation", "1 quaternion"));
  pieces.nodes = R"([{"mesh": 0, "rotation": [1e-200, 1e-200, 1e-200, 1e-200]}])";
  CHECK(std::abs(volume(read(pieces)) - 1.0 / 6) <= kRounding);
  pieces.nodes = R"([{"mesh": 0, "rotation": [0, 0, 0.7071, 0.7071]}])";
  CHECK(read(pieces).notices.empty());
}

TEST_CASE("nodes may nest a hundred thousand deep") {
  GltfPieces pieces;
  pieces.nodes = "[";
  for (int i = 1; i <= 100000; ++i) pieces.nodes += R"({"children":[)" + std::to_string(i) + "]},";
  pieces.nodes += R"({"mesh": 0}])";
  CHECK(read(pieces).mesh.triangles.size() == 4);
}

TEST_CASE("bytes after a binary glTF and unknown chunks in it are passed over") {
  const std::string json = test::glb_chunk("JSON", test::gltf_json({}), ' ');
  const std::string binary =
      test::glb_chunk(std::string_view("BIN\0", 4), test::tetrahedron_bytes(), 0);
  const std::string whole = test::glb_file(json + binary + test::glb_chunk("XTRA", "12345678", 0));
  const Result<MeshFile> file = test::read_text(whole + "after", MeshFormat::kGlb);
  REQUIRE(file);
  CHECK(has_notice(*file, "passed_over", "5 bytes after the end"));
}

}  // namespace
}  // namespace plimsoll
