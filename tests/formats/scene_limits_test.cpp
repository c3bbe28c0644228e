// No glTF and no 3MF makes its reader take more than 64 MB + 40 times its size (unpacked) in
// memory, or 2 s per MB: the worst that could be thought of.
#include <doctest/doctest.h>

#include <new>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "formats/long_text.h"
#include "formats/read_text.h"
#include "formats/scene_checks.h"
#include "support/gltf_builder.h"
#include "support/heap_peak.h"
#include "support/processor_time.h"
#include "support/threemf_builder.h"

namespace plimsoll {
namespace {

using test::bytes_of;
using test::GltfPieces;
using test::kBytes;
using test::repeat;
using test::ThreemfPieces;

/// A JSON array: those of `first`, then as many such items as make up the size.
std::string many(const std::string& item, const std::string& first = "[") {
  return first + repeat(item + ",") + item + "]";
}

/// The items of a piece as it usually is, as the start of a longer array.
std::string usual(std::string GltfPieces::* piece) {
  std::string text = GltfPieces().*piece;
  text.back() = ',';
  return text;
}

struct Case {
  std::string what;
  MeshFormat format;
  std::string bytes;
};

Case gltf(const char* what, std::string GltfPieces::* piece, const std::string& text) {
  GltfPieces pieces;
  pieces.*piece = text;
  return {std::string("GLB ") + what, MeshFormat::kGlb, test::glb(pieces)};
}

std::string chain_of_nodes() {
  std::string nodes = "[";
  for (int i = 1; nodes.size() < kBytes; ++i)
    nodes += R"({"scale":[2,1,1],"children":[)" + std::to_string(i) + "]},";
  return nodes + R"({"mesh":0}])";
}

std::string star_of_nodes() {
  std::string children;
  std::string nodes;
  for (int i = 1; children.size() < kBytes / 2; ++i) {
    children += std::to_string(i) + ',';
    nodes += ",{}";
  }
  children.back() = ']';
  return R"([{"mesh":0,"children":[)" + children + "}" + nodes + "]";
}

Case meshes_without_nodes(const std::string& meshes) {
  GltfPieces pieces;
  pieces.scenes.clear();
  pieces.nodes = "[]";
  pieces.meshes = meshes;
  return {"GLB meshes without nodes", MeshFormat::kGlb, test::glb(pieces)};
}

/// One primitive of `indices` bytes of indices, shown by `instances` nodes.
Case gltf_indices(const char* what, int mode, std::size_t indices, std::size_t instances) {
  GltfPieces pieces;
  pieces.binary = std::string(indices, '\1') + test::tetrahedron_bytes().substr(24);
  const std::string count = std::to_string(indices);
  pieces.views = R"([{"buffer":0,"byteLength":)" + count + R"(},{"buffer":0,"byteOffset":)" +
                 count + R"(,"byteLength":48}])";
  pieces.accessors = R"([{"bufferView":0,"componentType":5121,"count":)" + count +
                     R"(,"type":"SCALAR"},
                         {"bufferView":1,"componentType":5126,"count":4,"type":"VEC3"}])";
  pieces.meshes = R"([{"primitives":[{"attributes":{"POSITION":1},"indices":0,"mode":)" +
                  std::to_string(mode) + "}]}]";
  pieces.scenes.clear();
  pieces.nodes = R"([{"mesh":0})";
  for (std::size_t i = 1; i < instances; ++i) pieces.nodes += R"(,{"mesh":0})";
  pieces.nodes += "]";
  return {std::string("GLB ") + what, MeshFormat::kGlb, test::glb(pieces)};
}

/// A mesh of 100,000 vertices at the origin, of accessors without data, and what moves it.
Case moved(const char* what, const std::string& attributes, const std::string& primitive,
           const std::string& mesh, const std::string& nodes, const std::string& more = {}) {
  GltfPieces pieces;
  pieces.accessors = R"([{"componentType":5121,"count":300,"type":"SCALAR"},
                         {"componentType":5126,"count":100000,"type":"VEC3"},
                         {"componentType":5121,"count":100000,"type":"VEC4"},
                         {"componentType":5126,"count":100000,"type":"VEC4"},
                         {"componentType":5126,"count":1000000000000,"type":"VEC3"}])";
  pieces.meshes = R"([{"primitives":[{"attributes":{"POSITION":1)" + attributes +
                  R"(},"indices":0)" + primitive + "}]" + mesh + "}]";
  pieces.scenes.clear();
  pieces.nodes = nodes;
  pieces.more = more;
  return {std::string("GLB ") + what, MeshFormat::kGlb, test::glb(pieces)};
}

std::string joints() {
  std::string list;
  for (int i = 0; list.size() < kBytes / 2; ++i) list += (i == 0 ? "" : ",") + std::to_string(i);
  return list;
}

std::vector<Case> moved_documents() {
  const std::string skin = R"(,"JOINTS_0":2,"WEIGHTS_0":3)";
  const std::string targets = R"(,"targets":)" + many(R"({"POSITION":1})");
  const std::string weights = R"(,"weights":)" + many("1");
  const std::string instances =
      R"([{"mesh":0,"extensions":{"EXT_mesh_gpu_instancing":{"attributes":{"TRANSLATION":4}}}}])";
  const std::string few_nodes = many("{}", R"([{"mesh":0,"skin":0},)");
  return {
      moved("targets", "", targets, weights, R"([{"mesh":0}])"),
      moved("targets without weights", "", targets, "", R"([{"mesh":0}])"),
      moved("targets without nodes", "", targets, weights, "[]"),
      moved("weights of a mesh", "", R"(,"targets":[{"POSITION":1}])", weights,
            many(R"({"mesh":0})")),
      moved("weights of nodes", "", R"(,"targets":[{"POSITION":1}])", "",
            many(R"({"mesh":0,"weights":[1]})")),
      moved("instances", "", "", "", instances),
      moved("instanced nodes", "", "", "", many(instances.substr(1, instances.size() - 2))),
      moved("skinned nodes", skin, "", "", many(R"({"mesh":0,"skin":0})"),
            R"("skins":[{"joints":[0]}],)"),
      moved("skins", skin, "", "", many("{}", R"([{"mesh":0,"skin":0},)"),
            R"("skins":)" + many(R"({"joints":[0]})") + ","),
      moved("joints", skin, "", "", few_nodes, R"("skins":[{"joints":[)" + joints() + "]}],"),
      moved("equal joints", skin, "", "", few_nodes, R"("skins":[{"joints":)" + many("0") + "}],"),
      moved(
          "influences",
          [] {
            std::string list;
            for (int i = 0; list.size() < kBytes; ++i)
              list +=
                  ",\"JOINTS_" + std::to_string(i) + "\":2,\"WEIGHTS_" + std::to_string(i) + "\":3";
            return list;
          }(),
          "", "", R"([{"mesh":0,"skin":0}])", R"("skins":[{"joints":[0]}],)"),
  };
}

std::vector<Case> dense_documents() {
  const std::string shape = R"({"primitives":[{"attributes":{"POSITION":1},"indices":0}]})";
  GltfPieces zeros;
  zeros.accessors = R"([{"componentType":5121,"count":3000000,"type":"SCALAR"},
                        {"componentType":5126,"count":100000,"type":"VEC3"}])";
  return {
      gltf("empty nodes", &GltfPieces::nodes, many("{}")),
      gltf("nodes that show a mesh", &GltfPieces::nodes, many(R"({"mesh":0})")),
      gltf("scaled nodes", &GltfPieces::nodes, many(R"({"scale":[1,1,2]})")),
      gltf("chain of nodes", &GltfPieces::nodes, chain_of_nodes()),
      gltf("star of nodes", &GltfPieces::nodes, star_of_nodes()),
      gltf("meshes", &GltfPieces::meshes, many(shape)),
      meshes_without_nodes(many(shape)),
      gltf("empty meshes", &GltfPieces::meshes, many(R"({"primitives":[]})")),
      gltf("primitives", &GltfPieces::meshes,
           R"([{"primitives":)" + many(R"({"attributes":{"POSITION":1},"indices":0})") + "}]"),
      gltf("pointless primitives", &GltfPieces::meshes,
           R"([{"primitives":)" + many(R"({"attributes":{}})") + "}]"),
      gltf("accessors", &GltfPieces::accessors,
           many(R"({"componentType":0,"count":1,"type":""})", usual(&GltfPieces::accessors))),
      gltf("sparse accessors", &GltfPieces::accessors,
           many(R"({"componentType":0,"count":1,"type":"","sparse":{"count":1,"indices":)"
                R"({"bufferView":0,"componentType":0},"values":{"bufferView":0}}})",
                usual(&GltfPieces::accessors))),
      gltf("views", &GltfPieces::views,
           many(R"({"buffer":0,"byteLength":1})", usual(&GltfPieces::views))),
      gltf("buffers", &GltfPieces::buffers, many(R"({"byteLength":72})")),
      gltf("embedded buffers", &GltfPieces::buffers,
           many(R"({"byteLength":1,"uri":"data:;base64,AA"})", R"([{"byteLength":72},)")),
      gltf("a large embedded buffer", &GltfPieces::buffers,
           R"([{"byteLength":72},{"byteLength":1,"uri":"data:;base64,)" + repeat("AAAA") + "\"}]"),
      gltf("external buffers", &GltfPieces::buffers,
           many(R"({"byteLength":1,"uri":"a"})", R"([{"byteLength":72},)")),
      gltf("scenes", &GltfPieces::scenes, R"("scenes":)" + many("{}") + ","),
      gltf("names of extensions", &GltfPieces::more, R"("extensionsUsed":)" + many("\"\"") + ","),
      gltf("numbers", &GltfPieces::more, R"("extras":)" + many("0") + ","),
      gltf("long numbers", &GltfPieces::more,
           R"("extras":)" + many("1.2345678901234567890e-300") + ","),
      gltf("strings", &GltfPieces::more, R"("extras":)" + many("\"\"") + ","),
      gltf("members", &GltfPieces::asset, R"({"version":"2.0")" + repeat(R"(,"":0)") + "}"),
      gltf("blanks", &GltfPieces::more, repeat(" ")),
      {"glTF brackets", MeshFormat::kGltf, repeat("[")},
      {"glTF quotes", MeshFormat::kGltf, repeat("\\\"")},
      {"GLB chunks", MeshFormat::kGlb,
       test::glb_file(test::glb_chunk("JSON", test::gltf_json({}), ' ') +
                      repeat(std::string("\0\0\0\0XTRA", 8)))},
      {"GLB zeros", MeshFormat::kGlb, test::glb(zeros)},
      gltf_indices("triangles", 4, 3'999'999, 1),
      gltf_indices("strip of bytes", 5, kBytes, 1),
      gltf_indices("instances up to the limit", 4, 399'999, 30),
      gltf_indices("instances beyond the limit", 4, 399'999, 40),
  };
}

Case threemf(const char* what, std::string ThreemfPieces::* piece, const std::string& text) {
  ThreemfPieces pieces;
  pieces.*piece = text;
  return {std::string("3MF ") + what, MeshFormat::k3mf, test::threemf(pieces)};
}

Case threemf_mesh(const char* what, const std::string& vertices, const std::string& triangles) {
  return threemf(what, &ThreemfPieces::resources,
                 R"(<object id="1"><mesh><vertices>)" + vertices + "</vertices><triangles>" +
                     triangles + "</triangles></mesh></object>");
}

std::string numbered(const std::string& before, const std::string& after) {
  std::string text;
  for (int i = 10; text.size() < kBytes; ++i) text += before + std::to_string(i) + after;
  return text;
}

std::vector<Case> dense_packages() {
  const std::string empty = R"(<vertex x="0" y="0" z="0"/>)";
  const std::string mesh = R"(<object id="1">)" + test::kTetrahedronMesh + "</object>";
  const std::string production =
      R"( xmlns:p="http://schemas.microsoft.com/3dmanufacturing/production/2015/06")";
  std::string deep_uses = mesh;  // as many meshes as the limit allows, below 200 objects
  for (int id = 2; id <= 200; ++id)
    deep_uses += "<object id=\"" + std::to_string(id) + R"("><components><component objectid=")" +
                 std::to_string(id - 1) +
                 R"(" transform="1 0 0 0 1 0 0 0 1 1 0 0"/></components></object>)";
  ThreemfPieces deep;
  deep.resources = deep_uses;
  deep.items = repeat(R"(<item objectid="200"/>)");
  return {
      threemf("elements and text", &ThreemfPieces::resources, repeat("<a/>x")),
      threemf("elements", &ThreemfPieces::resources, repeat("<a/>")),
      threemf("attributes", &ThreemfPieces::attributes, test::kCoreNamespace + repeat(" b=''")),
      threemf("nested elements", &ThreemfPieces::resources,
              repeat("<a>", kBytes / 2) + repeat("</a>", kBytes * 2 / 3)),
      threemf("comments", &ThreemfPieces::resources, repeat("<!---->")),
      threemf("character data", &ThreemfPieces::resources, repeat("<![CDATA[]]>")),
      threemf("entities", &ThreemfPieces::items, "<item objectid=\"" + repeat("&#49;") + "\"/>"),
      threemf("prefixes", &ThreemfPieces::attributes,
              test::kCoreNamespace + " requiredextensions=\"" + repeat("a ") + "\""),
      threemf_mesh("vertices", repeat(empty), R"(<triangle v1="0" v2="1" v3="2"/>)"),
      threemf_mesh("triangles", repeat(empty, 99), repeat(R"(<triangle v1="0" v2="0" v3="0"/>)")),
      threemf_mesh("unknown elements", repeat(empty, 99), repeat("<b/>")),
      threemf_mesh("long numbers", R"(<vertex x=")" + repeat("1") + R"(" y="0" z="0"/>)", ""),
      threemf("empty objects", &ThreemfPieces::resources, numbered("<object id=\"", "\"/>")),
      threemf("objects of objects", &ThreemfPieces::resources,
              mesh + numbered("<object id=\"",
                              "\"><components><component objectid=\"1\"/></components></object>")),
      threemf("components", &ThreemfPieces::resources,
              mesh + R"(<object id="2"><components>)" + repeat("<component objectid='1'/>") +
                  "</components></object>"),
      threemf("placed components", &ThreemfPieces::resources,
              mesh + R"(<object id="2"><components>)" +
                  repeat("<component objectid='1' transform='1 0 0 0 1 0 0 0 1 1 0 0'/>") +
                  "</components></object>"),
      threemf("items", &ThreemfPieces::items, repeat("<item objectid='1'/>")),
      threemf("items with paths", &ThreemfPieces::items,
              "<item objectid='1'" + production + " p:path='/a'/>" +
                  repeat("<item objectid='1'" + production + " p:path='/'/>")),
      {"3MF items below 200 objects", MeshFormat::k3mf, test::threemf(deep)},
  };
}

void check_limits(const std::vector<Case>& files) {
  for (const Case& file : files) {
    CAPTURE(file.what);
    test::reset_heap_peak();
    const double start = test::processor_seconds();
    const Result<MeshFile> result = test::read_text(file.bytes, file.format);
    const double seconds = test::processor_seconds() - start;
    const std::size_t size = file.bytes.size();
    // read_mesh(path) holds the file as well.
    CHECK(test::heap_peak() + size <= (std::size_t{64} << 20) + 40 * size);
    // A small file may show one mesh as often as the 64 MB allow; that takes this long.
    constexpr double kBuilding = 0.5;
    constexpr double kPerByte = 2e-6;  // 3.3 s for 4 MB, twice that on a busy machine
    const double limit = kBuilding + kPerByte * static_cast<double>(size);
    if (test::kTimed) CHECK(seconds <= test::kSlowdown * limit);
    if (!result) CHECK(result.error().message.size() < 400);
  }
}

TEST_CASE("no glTF makes its reader take more than 64 MB and 40 times its size, or 2 s per MB") {
  check_limits(dense_documents());
  check_limits(moved_documents());
}

// pugixml takes memory by malloc unless told otherwise.
TEST_CASE("no 3MF makes its reader take more than 64 MB and 40 times its size, or 2 s per MB") {
  pugi::set_memory_management_functions(
      [](std::size_t size) { return ::operator new(size, std::nothrow); },
      [](void* memory) { ::operator delete(memory); });
  check_limits(dense_packages());
}

}  // namespace
}  // namespace plimsoll
