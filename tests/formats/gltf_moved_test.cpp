// What moves the vertices of a glTF mesh is followed: instances and morph targets. Boxes, whose
// volumes have closed forms.
#include <doctest/doctest.h>
#include <plimsoll/mesh_io.h>

#include <cmath>
#include <string>

#include "formats/gltf_box.h"
#include "formats/scene_checks.h"
#include "mesh/mesh_properties.h"

namespace plimsoll {
namespace {

using test::BoxFile;
using test::bytes_of;
using test::check_error;
using test::has_notice;
using test::kRounding;

double volume(const MeshFile& file) { return test::plain_properties(file.mesh).volume; }

// ---- instances

/// Three: as it is; turned by 90 degrees about z, scaled by 2; mirrored and stretched to 6 times.
BoxFile instanced_boxes() {
  BoxFile box;
  const int t = box.add(5126, "VEC3", 3, bytes_of<float>(0, 0, 0, 10, 0, 0, 20, 0, 0));
  const float h = std::sqrt(0.5F);
  const int r = box.add(5126, "VEC4", 3, bytes_of<float>(0, 0, 0, 1, 0, 0, h, h, 0, 0, 0, 1));
  const int s = box.add(5126, "VEC3", 3, bytes_of<float>(1, 1, 1, 2, 2, 2, -1, 2, 3));
  box.nodes = R"([{"mesh": 0, "scale": [1, 1, 2], "extensions": {"EXT_mesh_gpu_instancing": {
                   "attributes": {"TRANSLATION": )" +
              std::to_string(t) + R"(, "ROTATION": )" + std::to_string(r) + R"(, "SCALE": )" +
              std::to_string(s) + "}}}}]";
  box.more = R"("extensionsRequired": ["EXT_mesh_gpu_instancing"],)";
  return box;
}

TEST_CASE("a node with instances shows its mesh at each of them") {
  const MeshFile file = instanced_boxes().file();
  CHECK(file.mesh.triangles.size() == 36);
  const test::PlainProperties found = test::plain_properties(file.mesh);
  // The node doubles the height: volumes 4, 32 and 24. The second turns x to y and y to -x.
  CHECK(std::abs(found.volume - 60) <= 60 * kRounding);
  const Vec3 moment = 4 * Vec3(0.5, 0.5, 2) + 32 * Vec3(10 - 1, 1, 4) + 24 * Vec3(20 - 0.5, 1, 6);
  CHECK((found.center - moment / 60).norm() <= 100 * kRounding);
  CHECK(has_notice(file, "instances", "every instance of 1 node"));
}

TEST_CASE("instances of bytes that are far from unit quaternions are turned, and that is said") {
  BoxFile box;
  const int r = box.add(5120, "VEC4", 2, bytes_of<std::int8_t>(0, 0, 90, 90, 0, 0, 0, 127),
                        R"(, "normalized": true)");
  const int t = box.add(5126, "VEC3", 2, bytes_of<float>(0, 0, 0, 5, 0, 0));
  const auto node = [&](const std::string& rotations) {
    return R"([{"mesh": 0, "extensions": {"EXT_mesh_gpu_instancing": {"attributes": {
                "ROTATION": )" +
           rotations + R"(, "TRANSLATION": )" + std::to_string(t) + "}}}}]";
  };
  box.nodes = node(std::to_string(r));
  const MeshFile file = box.file();  // (90, 90) / 127 has the length 1.0022
  CHECK(std::abs(volume(file) - 4) <= kRounding);
  CHECK_FALSE(has_notice(file, "rotation", ""));
  const int far = box.add(5126, "VEC4", 2, bytes_of<float>(0, 0, 3, 3, 0, 0, 0, 1));
  box.nodes = node(std::to_string(far));
  CHECK(std::abs(volume(box.file()) - 4) <= kRounding);
  CHECK(has_notice(box.file(), "rotation", "1 quaternion"));
  const int zero = box.add(5126, "VEC4", 2, bytes_of<float>(0, 0, 0, 1, 0, 0, 0, 0));
  box.nodes = node(std::to_string(zero));
  check_error(box.read(), ErrorCode::kMalformed, "element 1", "a quaternion of length 0");
}

TEST_CASE("instances without a transform coincide: the mesh counts once") {
  BoxFile box;
  const int id = box.add(5126, "VEC3", 3, std::string(36, '\0'));
  box.nodes = R"([{"mesh": 0, "extensions": {"EXT_mesh_gpu_instancing": {"attributes": {"_ID": )" +
              std::to_string(id) + "}}}}]";
  CHECK(std::abs(volume(box.file()) - 2) <= kRounding);
}

TEST_CASE("attributes of instances must fit each other and their use") {
  BoxFile box = instanced_boxes();
  const int two = box.add(5126, "VEC3", 2, std::string(24, '\0'));
  const std::string before = box.nodes;
  box.nodes.replace(box.nodes.find(R"("SCALE": 4)"), 10, R"("SCALE": )" + std::to_string(two));
  check_error(box.read(), ErrorCode::kMalformed, "EXT_mesh_gpu_instancing.attributes",
              "found 2 elements of SCALE beside 3");
  box.nodes = before;
  box.nodes.replace(box.nodes.find(R"("SCALE": 4)"), 10, R"("SCALE": 3)");
  check_error(box.read(), ErrorCode::kMalformed, "accessors[3]", "expected VEC3 of 5126 (float)");
}

// ---- morph targets

/// The second target lifts the top by 4, the first widens the whole.
BoxFile morphed_box() {
  BoxFile box;
  box.add(5126, "VEC3", 8,
          bytes_of<float>(0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0));
  // Sparse: the lower corners stay.
  const int lift = box.add(5126, "VEC3", 4, bytes_of<float>(0, 0, 4, 0, 0, 4, 0, 0, 4, 0, 0, 4));
  const int upper = box.add(5121, "SCALAR", 4, std::string("\4\5\6\7"));
  const std::string sparse =
      R"(, "sparse": {"count": 4, "indices": {"bufferView": )" + std::to_string(upper) +
      R"(, "componentType": 5121}, "values": {"bufferView": )" + std::to_string(lift) + "}}";
  box.add(5126, "VEC3", 8, std::string(96, '\0'), sparse);
  box.primitive = R"(, "targets": [{"POSITION": 2}, {"POSITION": 5}, {"NORMAL": 1}])";
  return box;
}

TEST_CASE("morph targets move vertices by their weights: the node's, else the mesh's, else none") {
  BoxFile box = morphed_box();
  const MeshFile still = box.file();
  CHECK(std::abs(volume(still) - 2) <= kRounding);
  CHECK(still.notices.empty());
  box.mesh = R"(, "weights": [0, 0.5, 1])";
  const MeshFile lifted = box.file();
  CHECK(std::abs(volume(lifted) - 4) <= kRounding);
  CHECK(has_notice(lifted, "morph", "1 mesh with morph targets"));
  BoxFile without_nodes = box;
  without_nodes.nodes = "[]";
  CHECK(std::abs(volume(without_nodes.file()) - 4) <= kRounding);
  box.nodes = R"([{"mesh": 0, "weights": [2, 0.25]}])";  // of the third: 0
  CHECK(std::abs(volume(box.file()) - 3 * 3) <= kRounding);
  box.nodes = R"([{"mesh": 0, "weights": [0, 0, 0], "translation": [5, 0, 0]}])";
  CHECK(std::abs(volume(box.file()) - 2) <= kRounding);
}

TEST_CASE("primitives that share positions but not their morph targets are moved apart") {
  BoxFile box = morphed_box();
  box.primitive += R"(}, {"attributes": {"POSITION": 1}, "indices": 0)";
  box.mesh = R"(, "weights": [0, 1])";
  const MeshFile file = box.file();
  CHECK(file.mesh.vertices.size() == 16);
  CHECK(std::abs(volume(file) - (6 + 2)) <= kRounding);
}

TEST_CASE("a morph target that moves nothing need not be sound, one that does must be") {
  BoxFile box = morphed_box();
  box.primitive = R"(, "targets": [{"POSITION": 0}])";
  CHECK(std::abs(volume(box.file()) - 2) <= kRounding);
  box.mesh = R"(, "weights": [1])";
  check_error(box.read(), ErrorCode::kMalformed, "accessors[0]", "expected VEC3");
  box.primitive = R"(, "targets": [{"POSITION": 3}])";
  check_error(box.read(), ErrorCode::kMalformed, "accessors[3]",
              "found 4 elements, expected one for each of the 8 vertices");
}

}  // namespace
}  // namespace plimsoll
