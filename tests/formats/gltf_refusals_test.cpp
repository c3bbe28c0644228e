// What is wrong with a glTF document is told with its place in the document.
#include <doctest/doctest.h>
#include <plimsoll/mesh_io.h>

#include <string>
#include <vector>

#include "formats/read_text.h"
#include "formats/scene_checks.h"
#include "support/gltf_builder.h"

namespace plimsoll {
namespace {

using test::bytes_of;
using test::GltfPieces;

void check_refusal(const GltfPieces& pieces, ErrorCode code, const std::string& where,
                   const std::string& message) {
  test::check_error(test::read_text(test::glb(pieces), MeshFormat::kGlb), code, where, message);
}

void check_malformed(const GltfPieces& pieces, const std::string& where,
                     const std::string& message) {
  check_refusal(pieces, ErrorCode::kMalformed, where, message);
}

struct Replacement {
  std::string GltfPieces::* piece;
  const char* text;
  const char* where;
  const char* message;
};

const std::string kIndices =
    R"({"bufferView": 0, "componentType": 5123, "count": 12, "type": "SCALAR"})";
const std::string kPositions =
    R"({"bufferView": 1, "componentType": 5126, "count": 4, "type": "VEC3"})";

TEST_CASE("a value of the wrong kind is named by its path in the document") {
  const std::vector<Replacement> cases{
      {&GltfPieces::asset, "[]", "part: asset", "found an array, expected an object"},
      {&GltfPieces::asset, "{}", "part: asset", "found no \"version\""},
      {&GltfPieces::asset, R"({"version": 2})", "asset.version",
       "found the number 2, expected a string"},
      {&GltfPieces::nodes, "{}", "part: nodes", "found an object, expected an array"},
      {&GltfPieces::nodes, "[7]", "nodes[0]", "expected an object"},
      {&GltfPieces::nodes, R"([{"mesh": "x"}])", "nodes[0].mesh", "found the string \"x\""},
      {&GltfPieces::nodes, R"([{"mesh": -1}])", "nodes[0].mesh", "expected a whole number"},
      {&GltfPieces::nodes, R"([{"mesh": 0.5}])", "nodes[0].mesh", "found the number 0.5"},
      {&GltfPieces::nodes, R"([{"mesh": null}])", "nodes[0].mesh", "found null"},
      {&GltfPieces::nodes, R"([{"mesh": 1}])", "nodes[0].mesh",
       "expected one below 1, the number of meshes"},
      {&GltfPieces::nodes, R"([{"mesh": 0, "mesh": 0}])", "nodes[0].mesh", "twice"},
      {&GltfPieces::nodes, R"([{"mesh": 0, "scale": [1, 1]}])", "nodes[0].scale",
       "expected 3 numbers"},
      {&GltfPieces::nodes, R"([{"mesh": 0, "scale": [1, true, 1]}])", "nodes[0].scale[1]",
       "found true, expected a number"},
      {&GltfPieces::meshes, "[{}]", "meshes[0]", "found no \"primitives\""},
      {&GltfPieces::meshes, R"([{"primitives": [{}]}])", "meshes[0].primitives[0]",
       "\"attributes\""},
      {&GltfPieces::meshes, R"([{"primitives": [{"attributes": {"POSITION": 9}}]}])",
       "meshes[0].primitives[0].attributes.POSITION", "found index 9"},
      {&GltfPieces::meshes, R"([{"primitives": [{"attributes": {"POSITION": 1}, "mode": 7}]}])",
       "meshes[0].primitives[0].mode", "number of primitive modes"},
      {&GltfPieces::views, R"([{"byteLength": 24}])", "bufferViews[0]", "found no \"buffer\""},
      {&GltfPieces::views, R"([{"buffer": 0, "byteLength": 24, "byteStride": 2}])",
       "bufferViews[0].byteStride", "from 4 to 252"},
      {&GltfPieces::views, R"([{"buffer": 0, "byteLength": 24, "byteStride": 3}])",
       "bufferViews[0].byteStride", "found the number 3, expected a stride from 4 to 252 bytes"},
      {&GltfPieces::views, R"([{"buffer": 0, "byteLength": 24, "byteStride": 253}])",
       "bufferViews[0].byteStride", "found the number 253, expected a stride from 4 to 252 bytes"},
      {&GltfPieces::buffers, R"([{"byteLength": 1e300}])", "buffers[0].byteLength",
       "found the number 1e+300"},
      {&GltfPieces::scenes, R"("scene": 3, "scenes": [{}],)", "scene", "found index 3"},
      {&GltfPieces::scenes, R"("scenes": [{"nodes": [5]}],)", "scenes[0].nodes[0]",
       "found index 5"},
  };
  for (const Replacement& c : cases) {
    CAPTURE(c.text);
    GltfPieces pieces;
    pieces.*c.piece = c.text;
    check_malformed(pieces, c.where, c.message);
  }
}

TEST_CASE("accessors must fit their use and their buffer view") {
  const std::string& i = kIndices;
  const std::string& p = kPositions;
  const auto check = [](const std::string& accessors, const char* where, const char* message) {
    CAPTURE(accessors);
    GltfPieces pieces;
    pieces.accessors = "[" + accessors + "]";
    check_malformed(pieces, where, message);
  };
  const auto with = [](std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  };
  check(with(i, "12,", "13,") + "," + p, "accessors[0]", "found 13 elements of 2 bytes");
  check(with(i, "12,", "11,") + "," + p, "accessors[0]", "expected a multiple of 3");
  check(with(i, "5123", "5122") + "," + p, "accessors[0]", "expected 5121, 5123 or 5125");
  check(with(i, "SCALAR", "VEC2") + "," + p, "accessors[0]", "expected SCALAR");
  check(i + "," + with(p, "5126", "5121"), "accessors[1]", "KHR_mesh_quantization is not in use");
  check(i + "," + with(p, "VEC3", "VEC4"), "accessors[1]", "expected VEC3");
  check(i + "," + with(p, "4,", "3,"), "accessors[0], element 5",
        "found index 3, expected one below 3");
  check(i + "," + with(p, "4,", "18446744073709551615,"), "accessors[1].count", "at most 2^53");
  check(i + "," + with(p, "4,", "9007199254740992,"), "accessors[1]",
        "expected them to lie within");
  check(i + "," + with(p, "4,", "4, \"byteOffset\": 9007199254740991,"), "accessors[1]",
        "lie within");
  const std::string sparse = R"(4, "sparse": {"count": 2, "indices": {"bufferView": 0,
      "componentType": 5121, "byteOffset": 0}, "values": {"bufferView": 1}},)";
  // The indices are bytes 0 and 0 of the index buffer: they do not rise.
  check(i + "," + with(p, "4,", sparse), "accessors[1].sparse", "do not rise");
  check(i + "," + with(p, "4,", with(sparse, "\"count\": 2", "\"count\": 5")), "accessors[1]",
        "found sparse.count 5");
  check(i + "," + with(p, "4,", with(sparse, "5121", "5126")), "accessors[1]",
        "for sparse indices");
}

TEST_CASE("a strip of two corners, a stride below the element and positions off the number line") {
  GltfPieces strip;
  strip.meshes = R"([{"primitives": [{"attributes": {"POSITION": 1}, "mode": 5}]}])";
  strip.accessors =
      "[" + kIndices + R"(,{"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3"}])";
  check_malformed(strip, "accessors[1]", "expected at least 3");

  GltfPieces stride;
  stride.views = R"([{"buffer": 0, "byteLength": 24},
                     {"buffer": 0, "byteOffset": 24, "byteLength": 48, "byteStride": 8}])";
  check_malformed(stride, "accessors[1]", "found byteStride 8 in bufferViews[1]");

  GltfPieces infinite;
  infinite.binary.replace(36, 4, bytes_of<float>(1e39));
  check_malformed(infinite, "accessors[1], element 1", "not finite");

  GltfPieces far;
  far.nodes =
      R"([{"mesh": 0, "scale": [1e308, 1, 1], "children": [1]}, {"mesh": 0, "scale": [10, 1, 1]}])";
  check_malformed(far, "accessors[1], element", "out of the range of doubles");
}

TEST_CASE("the largest index of a type is refused, since it restarts strips in graphics hardware") {
  GltfPieces pieces;  // 256 vertices, so that 255 would name one
  pieces.binary = bytes_of<std::uint8_t>(0, 1, 255, 0) + std::string(256 * 12, '\0');
  pieces.views = R"([{"buffer": 0, "byteLength": 4},
                     {"buffer": 0, "byteOffset": 4, "byteLength": 3072}])";
  pieces.accessors = R"([{"bufferView": 0, "componentType": 5121, "count": 3, "type": "SCALAR"},
                         {"bufferView": 1, "componentType": 5126, "count": 256, "type": "VEC3"}])";
  check_malformed(pieces, "accessors[0], element 2", "found index 255, which restarts a strip");
}

TEST_CASE("nodes must be a forest of affine maps") {
  const auto check = [](const char* nodes, const char* where, const char* message) {
    CAPTURE(nodes);
    GltfPieces pieces;
    pieces.nodes = nodes;
    check_malformed(pieces, where, message);
  };
  check(R"([{"mesh": 0, "children": [0]}])", "nodes[0]", "its own descendants");
  check(R"([{"mesh": 0}, {"children": [2]}, {"children": [1]}])", "nodes[1]",
        "its own descendants");
  check(R"([{"children": [2]}, {"children": [2]}, {"mesh": 0}])", "nodes[1].children[0]",
        "already a child of node 0");
  check(R"([{"mesh": 0}, {"children": [0]}])", "scenes[0].nodes[0]", "expected a root");
  check(R"([{"mesh": 0, "matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,2]}])", "nodes[0].matrix",
        "expected an affine map");
  check(R"([{"mesh": 0, "scale": [1,1,1], "matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1]}])",
        "nodes[0].matrix", "one or the other");
  check(R"([{"mesh": 0, "rotation": [0, 0, 0, 0]}])", "nodes[0].rotation", "expected 1");
}

TEST_CASE("what needs an extension that is not read is refused by its name") {
  GltfPieces pieces;
  pieces.more = R"("extensionsRequired": ["EXT_meshopt_compression"],)";
  check_refusal(pieces, ErrorCode::kUnsupported, "extensionsRequired[0]",
                "EXT_meshopt_compression, which is not read here: decompress it first");
  pieces.more = R"("extensionsRequired": ["KHR_texture_transform", "VENDOR_secret"],)";
  check_refusal(pieces, ErrorCode::kUnsupported, "extensionsRequired[1]", "\"VENDOR_secret\"");
  // Plain data may stand beside the compressed; without it the accessor's zeros would be a lie.
  pieces.more.clear();
  pieces.meshes = R"([{"primitives": [{"attributes": {"POSITION": 1}, "indices": 0,
                        "extensions": {"KHR_draco_mesh_compression": {}}}]}])";
  CHECK(test::read_text(test::glb(pieces), MeshFormat::kGlb).has_value());
  pieces.accessors = "[" + kIndices + R"(,{"componentType": 5126, "count": 4, "type": "VEC3"}])";
  check_refusal(pieces, ErrorCode::kUnsupported, "accessors[1]", "KHR_draco_mesh_compression");
  pieces.accessors =
      R"([{"componentType": 5123, "count": 12, "type": "SCALAR"},)" + kPositions + "]";
  check_refusal(pieces, ErrorCode::kUnsupported, "accessors[1]", "KHR_draco_mesh_compression");
  GltfPieces old;
  old.asset = R"({"version": "1.0"})";
  check_refusal(old, ErrorCode::kUnsupported, "asset.version", "found glTF version \"1.0\"");
  old.asset = R"({"version": "2.0", "minVersion": "2.1"})";
  check_refusal(old, ErrorCode::kUnsupported, "asset.minVersion", "\"2.1\"");
}

TEST_CASE("a scene without triangles has no solid") {
  GltfPieces pieces;
  pieces.nodes = "[{}]";
  check_refusal(pieces, ErrorCode::kNoSolid, "part",
                "found no triangles in 1 mesh, shown by 0 nodes");
}

TEST_CASE("a file that shows one mesh too often, or counts what it does not hold, is refused") {
  GltfPieces zeros;
  zeros.accessors =
      "[" + kIndices + R"(,{"componentType": 5126, "count": 9007199254740992, "type": "VEC3"}])";
  check_refusal(zeros, ErrorCode::kResourceLimit, "part",
                "more than a file of this size may describe");

  GltfPieces often;  // 12,000 corners shown by each of 20,000 nodes
  std::string indices;
  for (int i = 0; i < 12000; ++i) indices += bytes_of<std::uint8_t>(i % 4);
  often.binary = indices + test::tetrahedron_bytes().substr(24);
  often.views =
      R"([{"buffer": 0, "byteLength": 12000}, {"buffer": 0, "byteOffset": 12000, "byteLength": 48}])";
  often.accessors =
      R"([{"bufferView": 0, "componentType": 5121, "count": 12000, "type": "SCALAR"},)" +
      kPositions + "]";
  often.scenes.clear();
  often.nodes = "[{}";
  for (int i = 0; i < 20000; ++i) often.nodes += R"(,{"mesh":0})";
  often.nodes += "]";
  check_refusal(often, ErrorCode::kResourceLimit, "part", "80000000 triangles");
}

TEST_CASE("a container that is not whole is refused at its byte") {
  const auto check = [](const std::string& bytes, const char* where, const char* message) {
    test::check_error(test::read_text(bytes, MeshFormat::kGlb), ErrorCode::kMalformed, where,
                      message);
  };
  const std::string whole = test::glb({});
  for (std::size_t size = 1; size < whole.size(); ++size)
    REQUIRE_FALSE(test::read_text(whole.substr(0, size), MeshFormat::kGlb).has_value());
  check("glTF", "byte 0", "found 4 bytes");
  check(test::glb_file(""), "byte 12", "found no JSON chunk");
  check(test::glb_file(test::glb_chunk(std::string_view("BIN\0", 4), "1234", 0)), "byte 12",
        "found chunk 0 of type \"BIN\\x00\", expected one JSON chunk");
  check(test::glb_file(test::glb_chunk("JSON", test::gltf_json({}), ' ')), "buffers[0]",
        "without \"uri\"");
  GltfPieces longer;
  longer.buffers = R"([{"byteLength": 73}])";
  check(test::glb(longer), "buffers[0]", "found 72 bytes in the binary chunk");
  test::check_error(test::read_text("glTF\1\0\0\0\0\0\0\0", MeshFormat::kGltf),
                    ErrorCode::kMalformed, "byte 0", "found a binary glTF");
  std::string first_version = whole;
  first_version[4] = 1;
  test::check_error(test::read_text(first_version, MeshFormat::kGlb), ErrorCode::kUnsupported,
                    "byte 4", "version 1");
}

TEST_CASE("JSON nested without end is refused, balanced or not") {
  for (const std::size_t closed : {0, 100000}) {
    std::string deep;
    for (int i = 0; i < 100000; ++i) deep += R"({"a":)";
    deep += '1';
    deep.append(closed, '}');
    test::check_error(test::read_text(deep, MeshFormat::kGltf), ErrorCode::kMalformed, "part",
                      "JSON");
  }
  test::check_error(test::read_text("[]", MeshFormat::kGltf), ErrorCode::kMalformed, "part",
                    "found an array, expected a glTF document");
  test::check_error(test::read_text("  ", MeshFormat::kGltf), ErrorCode::kMalformed, "part",
                    "glTF document");
}

}  // namespace
}  // namespace plimsoll
