// A skinned glTF mesh is measured where its joints are at rest. Boxes, whose volumes have closed
// forms.
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

std::string eight_times(const std::string& lower, const std::string& upper) {
  std::string bytes;
  for (int corner = 0; corner < 8; ++corner) bytes += corner < 4 ? lower : upper;
  return bytes;
}

/// The lower corners hang on joint 0, the upper ones on joint 1: node 1, which stays, and node 2,
/// which was at z = 2 when the skin was made and is at z = 5 in the file, below a node that nothing
/// shows. The node of the mesh is scaled, which does not matter.
struct SkinnedBox : BoxFile {
  std::string upper_joint = R"("translation": [0, 0, 5])";
  int joints = add(5121, "VEC4", 8, eight_times(std::string(4, '\0'), std::string("\1\0\0\0", 4)));
  int weights = add(5126, "VEC4", 8, std::string());
  int binds = add(5126, "MAT4", 2,
                  bytes_of<float>(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1) +
                      bytes_of<float>(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, -2, 1));

  SkinnedBox() { weigh(bytes_of<float>(1, 0, 0, 0), bytes_of<float>(1, 0, 0, 0)); }

  /// The weights of lower and upper corners.
  void weigh(const std::string& lower, const std::string& upper) {
    weights = add(5126, "VEC4", 8, eight_times(lower, upper));
  }
  void join(const std::string& lower, const std::string& upper) {
    joints = add(5121, "VEC4", 8, eight_times(lower, upper));
  }

  SkinnedBox& whole() {
    attributes = R"("POSITION": 1, "JOINTS_0": )" + std::to_string(joints) + R"(, "WEIGHTS_0": )" +
                 std::to_string(weights);
    nodes = R"([{"mesh": 0, "skin": 0, "scale": [7, 7, 7]}, {}, {)" + upper_joint +
            R"(}, {"children": [2]}])";
    more =
        R"("skins": [{"joints": [1, 2], "inverseBindMatrices": )" + std::to_string(binds) + "}],";
    return *this;
  }
  [[nodiscard]] test::PlainProperties measured() {
    return test::plain_properties(whole().file().mesh);
  }
};

TEST_CASE("a skinned mesh is where its joints are, not where it is stored or its node") {
  SkinnedBox box;
  const test::PlainProperties found = box.measured();
  CHECK(std::abs(found.volume - 5) <= kRounding);
  CHECK((found.center - Vec3(0.5, 0.5, 2.5)).norm() <= kRounding);
  CHECK(has_notice(box.file(), "skin", "1 skinned mesh at rest"));
}

TEST_CASE("joints turn and scale what hangs on them") {
  SkinnedBox box;
  // The top is 2 x 1 there: a frustum-like body between 1 x 1 and 2 x 1, of the same depth, is a
  // prism over a trapezoid.
  box.upper_joint = R"("translation": [0, 0, 5], "scale": [2, 1, 1])";
  CHECK(std::abs(box.measured().volume - 5 * 1.5) <= kRounding);
  // Upside down about x the top comes to lie at z = -3 and y in [-1, 0].
  box.join(std::string("\1\0\0\0", 4), std::string("\1\0\0\0", 4));
  box.upper_joint = R"("translation": [0, 0, -3], "rotation": [1, 0, 0, 0])";
  const test::PlainProperties turned = box.measured();
  CHECK(std::abs(turned.volume - 2) <= kRounding);
  CHECK((turned.center - Vec3(0.5, -0.5, -2)).norm() <= kRounding);
}

TEST_CASE("a vertex between joints is where their weights have it, whatever they sum to") {
  SkinnedBox box;
  box.join(std::string(4, '\0'), std::string("\0\1\0\0", 4));
  box.weigh(bytes_of<float>(1, 0, 0, 0), bytes_of<float>(0.5, 0.5, 0, 0));
  CHECK(std::abs(box.measured().volume - 3.5) <= kRounding);
  CHECK_FALSE(has_notice(box.file(), "skin", "do not sum to 1"));
  box.weigh(bytes_of<float>(3, 0, 0, 0), bytes_of<float>(2, 2, 0, 0));
  CHECK(std::abs(box.measured().volume - 3.5) <= kRounding);
  CHECK(has_notice(box.file(), "skin", "8 vertices whose weights"));
  // All 0: the first joint that the vertex names.
  box.weigh(bytes_of<float>(1, 0, 0, 0), bytes_of<float>(0, 0, 0, 0));
  CHECK(std::abs(box.measured().volume - 2) <= kRounding);
  CHECK(has_notice(box.file(), "skin", "4 vertices whose weights"));
  box.weigh(bytes_of<float>(1, 0, 0, 0), bytes_of<float>(-1, 0.5, 0, 0));
  check_error(box.whole().read(), ErrorCode::kMalformed, "accessors[1], element 4",
              "weights of joints that sum to -0.5");
}

TEST_CASE("more than four joints hold a vertex by further attributes") {
  SkinnedBox box;
  box.join(std::string(4, '\0'), std::string(4, '\0'));
  const int four = box.joints;
  box.weigh(bytes_of<float>(1, 0, 0, 0), bytes_of<float>(0.25, 0.25, 0, 0));
  const std::string first = box.whole().attributes;
  box.join(std::string("\1\1\1\1", 4), std::string("\1\1\1\1", 4));
  const int more_weights = box.add(
      5123, "VEC4", 8,
      eight_times(bytes_of<std::uint16_t>(0, 0, 0, 0), bytes_of<std::uint16_t>(0, 0, 0x7FFF, 0)),
      R"(, "normalized": true)");
  const int eight = box.joints;
  box.joints = four;
  box.attributes = first + R"(, "JOINTS_1": )" + std::to_string(eight) + R"(, "WEIGHTS_1": )" +
                   std::to_string(more_weights);
  const MeshFile file = box.file();
  const double half = 0x7FFF / 65535.0;  // beside 0.25 twice
  CHECK(std::abs(test::plain_properties(file.mesh).volume - (2 + 3 * half / (0.5 + half))) <=
        kRounding);
}

TEST_CASE("joints that mirror keep the outside of what hangs on them") {
  SkinnedBox box;
  box.join(std::string("\1\0\0\0", 4), std::string("\1\0\0\0", 4));
  box.more.clear();
  box.upper_joint = R"("scale": [1, 1, -1])";
  CHECK(std::abs(box.measured().volume + 2) <= kRounding);  // the other joint does not mirror
  box.whole();
  box.more = R"("skins": [{"joints": [2]}],)";
  box.join(std::string(4, '\0'), std::string(4, '\0'));
  box.attributes = R"("POSITION": 1, "JOINTS_0": )" + std::to_string(box.joints) +
                   R"(, "WEIGHTS_0": )" + std::to_string(box.weights);
  CHECK(std::abs(test::plain_properties(box.file().mesh).volume - 2) <= kRounding);
}

TEST_CASE("morph targets come before joints") {
  SkinnedBox box;
  const int wide =
      box.add(5126, "VEC3", 8, eight_times(bytes_of<float>(0, 0, 0), bytes_of<float>(0, 0, 0.5)));
  box.primitive = R"(, "targets": [{"POSITION": )" + std::to_string(wide) + "}]";
  box.mesh = R"(, "weights": [1])";
  box.upper_joint = R"("translation": [0, 0, 5], "scale": [1, 1, 4])";  // 0.5 over it becomes 2
  CHECK(std::abs(box.measured().volume - 7) <= kRounding);
}

TEST_CASE("what a skin lacks is said, and what is wrong with it is refused") {
  SkinnedBox box;
  box.whole().attributes = R"("POSITION": 1)";
  CHECK(std::abs(test::plain_properties(box.file().mesh).volume - 2 * 343) <= 343 * kRounding);
  CHECK(has_notice(box.file(), "skin", "1 primitive without joints"));

  box.join(std::string(4, '\0'), std::string("\2\0\0\0", 4));
  check_error(box.whole().read(), ErrorCode::kMalformed, "accessors[1], element 4",
              "found joint 2, expected one below 2");
  box.joints = 1;
  check_error(box.whole().read(), ErrorCode::kMalformed, "accessors[1]",
              "found 3 components of type 5126 for joints");
  box.whole().more = R"("skins": [{"joints": [1, 1]}],)";
  check_error(box.read(), ErrorCode::kMalformed, "skins[0].joints", "found node 1 twice");
  box.more = R"("skins": [{"joints": []}],)";
  check_error(box.read(), ErrorCode::kMalformed, "skins[0]", "no joints");
  box.more = R"("skins": [{"joints": [1, 2, 3], "inverseBindMatrices": )" +
             std::to_string(box.binds) + "}],";
  check_error(box.read(), ErrorCode::kMalformed, "accessors[" + std::to_string(box.binds),
              "found 2 matrices, expected one for each of the 3 joints");
}

TEST_CASE("instances of a skinned mesh are not read, and the file is partial") {
  SkinnedBox box;
  const int t = box.add(5126, "VEC3", 2, bytes_of<float>(0, 0, 0, 9, 0, 0));
  box.whole().nodes.replace(1, 1,
                            R"({"extensions": {"EXT_mesh_gpu_instancing": {"attributes":
                                     {"TRANSLATION": )" +
                                std::to_string(t) + "}}}, ");
  const Result<MeshFile> file = box.read();
  REQUIRE_MESSAGE(file, file.error().where, " ", file.error().message);
  CHECK(file->partial);
  CHECK(has_notice(*file, "partial", "only once"));
  CHECK_FALSE(has_notice(*file, "instances", "every instance"));
}

}  // namespace
}  // namespace plimsoll
