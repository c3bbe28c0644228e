// SHAPE.json: what it says, and how what is wrong with it is told.
#include <doctest/doctest.h>
#include <plimsoll/mesh_generators.h>
#include <plimsoll/mesh_io.h>
#include <plimsoll/shape_io.h>

#include <cmath>
#include <string>
#include <vector>

#include "support/document_place.h"
#include "support/scratch_folder.h"
#include "support/threemf_builder.h"

namespace plimsoll {
namespace {

Result<ShapeFile> read(const std::string& text, const std::filesystem::path& folder = {}) {
  return read_shape(std::as_bytes(std::span(text.data(), text.size())), "part.json", folder);
}

Shape read_sound(const std::string& text) {
  const Result<ShapeFile> file = read(text);
  REQUIRE_MESSAGE(file, text, ": ", file.error().where, " ", file.error().message);
  return file->shape;
}

template <class Solid>
Solid read_as(const std::string& text) {
  const Shape shape = read_sound(text);
  REQUIRE(std::holds_alternative<Solid>(shape.solid));
  return std::get<Solid>(shape.solid);
}

void check_refused(const Result<ShapeFile>& shape, const std::string& where,
                   const std::string& message, ErrorCode code = ErrorCode::kMalformed) {
  REQUIRE_FALSE(shape);
  CAPTURE(shape.error().message);
  CHECK(shape.error().code == code);
  CHECK(test::without_line(shape.error().where) == where);
  CHECK(shape.error().message.find(message) != std::string::npos);
}

TEST_CASE("every kind of shape is read") {
  CHECK(read_as<BoxSolid>(R"({"shape": "box", "size": [1, 2, 3]})").size == Vec3(1, 2, 3));
  CHECK(read_as<Sphere>(R"({"shape": "sphere", "radius": 2.5})").radius == 2.5);
  CHECK(read_as<Ellipsoid>(R"({"shape": "ellipsoid", "radii": [1, 2, 3]})").radii.z() == 3);
  CHECK(read_as<Torus>(R"({"shape": "torus", "major": 3, "minor": 1})").minor == 1);
  CHECK(read_as<Cylinder>(R"({"shape": "cylinder", "radius": 1, "height": 2})").height == 2);
  CHECK(read_as<Capsule>(R"({"shape": "capsule", "radius": 1, "height": 2})").height == 2);
  CHECK(read_as<Cone>(R"({"shape": "cone", "radius": 1, "height": 2})").height == 2);
  const ImplicitSolid implicit = read_as<ImplicitSolid>(
      R"({"shape": "implicit", "expression": "x^2-1", "bounds": [[-2, -2, -2], [2, 2, 2]]})");
  CHECK(implicit.expression({3, 0, 0}) == 8);
  CHECK(implicit.bounds.max() == Vec3(2, 2, 2));
  const Boolean difference = read_as<Boolean>(
      R"({"shape": "difference", "of": [{"shape": "sphere", "radius": 2},
          {"shape": "union", "of": [{"shape": "sphere", "radius": 1}]}]})");
  CHECK(difference.operation == BooleanOperation::kDifference);
  CHECK(difference.of.size() == 2);
}

TEST_CASE("a pose is sixteen numbers, flat or in rows") {
  const Vec3 moved(2 * -1 + 10, 2 * 2 + 20, 2 * 3 + 30);  // twice, turned about z, moved
  for (const char* pose : {"[0, -2, 0, 10, 2, 0, 0, 20, 0, 0, 2, 30, 0, 0, 0, 1]",
                           "[[0, -2, 0, 10], [2, 0, 0, 20], [0, 0, 2, 30], [0, 0, 0, 1]]"}) {
    const Shape shape =
        read_sound(R"({"shape": "sphere", "radius": 1, "pose": )" + std::string(pose) + "}");
    CHECK(shape.pose * Vec3(2, 1, 3) == moved);
  }
}

// As --pose of the command line does, and World.
TEST_CASE("a rotation that was rounded becomes the nearest, and that is said") {
  const char* boolean = R"({"shape": "union", "of": [{"shape": "sphere", "radius": 1}, {"shape":
      "sphere", "radius": 2, "pose": [0.955336, -0.29552, 0, 1, 0.29552, 0.955336, 0, 2,
                                      0, 0, 1, 3, 0, 0, 0, 1]}]%s})";
  const auto with = [&](const std::string& pose) {
    std::string text = boolean;
    return text.replace(text.find("%s"), 2, pose);
  };
  const Result<ShapeFile> one = read(with(""));
  REQUIRE(one);
  const Similarity pose = std::get<Boolean>(one->shape.solid).of[1].pose;
  CHECK(check_pose(pose));
  CHECK((pose.linear() - Eigen::AngleAxisd(0.3, Vec3::UnitZ()).matrix()).norm() <= 2e-6);
  REQUIRE(one->notices.size() == 1);
  CHECK(one->notices[0].code == "pose");
  CHECK(one->notices[0].message.starts_with("of[1].pose is no rotation times one scale"));
  const Result<ShapeFile> two = read(with(R"(, "pose": [1, 0, 0, 0, 0, 0.99999, 0, 0,
                                                        0, 0, 1, 0, 0, 0, 0, 1])"));
  REQUIRE(two);
  REQUIRE(two->notices.size() == 1);
  CHECK(two->notices[0].message.starts_with("2 matrices, the first of[1].pose, are no rotations"));
  CHECK(two->notices[0].message.ends_with("by the nearest, 6.7e-06 off in an entry at most"));
  CHECK(read(R"({"shape": "sphere", "radius": 1})")->notices.empty());
}

TEST_CASE("what is wrong is named by its place in the document") {
  const auto check = [](const char* text, const char* place, const char* message) {
    CAPTURE(text);
    const std::string where = place[0] == 0 ? "part.json" : "part.json: " + std::string(place);
    check_refused(read(text), where, message);
  };
  check("[]", "", "found an array, expected an object");
  check("{}", "", "found no \"shape\"");
  check(R"({"shape": 3})", "shape", "found the number 3, expected a string");
  check(R"({"shape": "sfere", "radius": 1})", "shape", "found \"sfere\", expected box, sphere");
  check(R"({"shape": "sphere", "radus": 1})", "",
        "found the key \"radus\", expected shape, radius or pose");
  check(R"({"shape": "sphere"})", "", "found no \"radius\"");
  check(R"({"shape": "sphere", "radius": "1"})", "radius", "found the string \"1\"");
  check(R"({"shape": "sphere", "radius": 1, "radius": 2})", "radius", "twice");
  check(R"({"shape": "sphere", "radius": -1})", "radius", "found -1, expected a positive number");
  check(R"({"shape": "box", "size": [1, 2]})", "size", "found 2 items, expected 3 numbers");
  check(R"({"shape": "box", "size": [1, null, 2]})", "size[1]", "found null, expected a number");
  check(R"({"shape": "torus", "major": 1, "minor": 2})", "minor", "at most the major radius");
  check(R"({"shape": "union", "of": []})", "of", "found no shape");
  check(R"({"shape": "union", "of": {}})", "of", "found an object, expected an array");
  check(
      R"({"shape": "union", "of": [{"shape": "sphere", "radius": 1}, {"shape": "sphere", "radius": 0}]})",
      "of[1].radius", "found 0");
  check(R"({"shape": "union", "of": [{"shape": "union", "of": [7]}]})", "of[0].of[0]",
        "expected an object");
  check(R"({"shape": "sphere", "radius": 1, "pose": [1, 2, 3]})", "pose",
        "found 3 items, expected 16 numbers");
  check(R"({"shape": "sphere", "radius": 1, "pose": [[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,1,1]]})",
        "pose", "expected 0, 0, 0, 1");
  check(R"({"shape": "sphere", "radius": 1, "pose": [[1,0,0,0],[0,1,0],[0,0,1,0],[0,0,0,1]]})",
        "pose[1]", "found 3 items, expected 4 numbers");
  check(R"({"shape": "sphere", "radius": 1, "pose": [1,0,0,0, 0,2,0,0, 0,0,1,0, 0,0,0,1]})", "pose",
        "expected a rotation times one positive scale");
  check(R"({"shape": "sphere", "radius": 1, "pose": [1,0,0,0, 0,-1,0,0, 0,0,1,0, 0,0,0,1]})",
        "pose", "expected a rotation times one positive scale");
  check(R"({"shape": "implicit", "expression": "x+", "bounds": [[0,0,0],[1,1,1]]})", "expression",
        "column 3: found the end");
  check(R"({"shape": "implicit", "expression": "x", "bounds": [[0,0,0]]})", "bounds",
        "expected two corners");
  check(R"({"shape": "implicit", "expression": "x", "bounds": [[0,0,0],[1,0,1]]})", "bounds",
        "not in order");
  check(R"({"shape": "nurbs", "degree": [3], "knots": [[],[]], "points": []})", "degree",
        "found 1 items, expected 2");
  check(R"({"shape": "nurbs", "degree": [3, 1000], "knots": [[],[]], "points": []})", "degree[1]",
        "found the degree 1000, expected 1 to 25");
  check(
      R"({"shape": "nurbs", "degree": [1, 1], "knots": [[],[]], "points": [[[0,0,0,1]], [[0,0,0,1],[0,0,0,1]]]})",
      "points[1]", "found 2 points, expected 1 as in the first row");
  check("{\"shape\"", "", "found no JSON");
  check("{\"shape\": \"sphere\", \"radius\": 1e999}", "", "found no JSON");
  check("", "", "found no JSON");
}

TEST_CASE("meshes are looked up beside the document, welded and scaled") {
  const test::ScratchFolder folder;
  TriangleMesh doubled = make_torus(2, 0.5, 8, 6, true);
  REQUIRE(write_mesh(doubled, folder / "torus.obj"));
  test::write_bytes(folder / "part.json",
                    R"({"shape": "union", "of": [{"shape": "mesh", "file": "torus.obj", "scale": 2},
                        {"shape": "mesh", "file": "torus.obj", "scale": 2}]})");
  const Result<ShapeFile> shape = read_shape(folder / "part.json");
  REQUIRE_MESSAGE(shape, shape.error().where, shape.error().message);
  const std::vector<Shape>& parts = std::get<Boolean>(shape->shape.solid).of;
  const TriangleMesh& mesh = *std::get<MeshSolid>(parts[0].solid).mesh;
  CHECK(mesh.vertices.size() == 48);
  CHECK(bounding_box(shape->shape).max().x() == 5);
  CHECK(std::get<MeshSolid>(parts[1].solid).mesh.get() == &mesh);  // read once
}

/// A text STL of a unit cube whose first corner of the first triangle is a millionth off along as
/// many axes: a unit of its own rounding.
std::string seamed_cube(int axes) {
  std::string text = "solid\n";
  const TriangleMesh cube = make_box({1, 1, 1});
  for (const Triangle& triangle : cube.triangles) {
    text += "facet normal 0 0 0\nouter loop\n";
    for (std::size_t k = 0; k < 3; ++k) {
      const bool is_off = &triangle == cube.triangles.data() && k == 0;
      text += "vertex";
      for (int axis = 0; axis < 3; ++axis)
        text += (cube.vertices[triangle[k]][axis] < 0 ? " -0.5" : " 0.5") +
                std::string(is_off && axis < axes ? "00001" : "00000");
      text += '\n';
    }
    text += "endloop\nendfacet\n";
  }
  return text + "endsolid\n";
}

// Each file has one vertex off, by 1e-6 times the root of its number of axes, and the document
// doubles one of them. A file that is read once has its seam once; coordinates are rounded to
// 2^-53, which moves such small distances by less than 1e-9 of them.
TEST_CASE("the seams of all meshes of a document are added up, and the longest lengths kept") {
  const test::ScratchFolder folder;
  test::write_bytes(folder / "one.stl", seamed_cube(1));
  test::write_bytes(folder / "two.stl", seamed_cube(2));
  REQUIRE(write_mesh(make_box({1, 1, 1}), folder / "sound.obj"));
  const std::string one = R"({"shape": "mesh", "file": "one.stl"})";
  const std::string doubled = R"({"shape": "mesh", "file": "one.stl", "scale": 2})";
  const std::string two = R"({"shape": "mesh", "file": "two.stl"})";
  const std::string sound = R"({"shape": "mesh", "file": "sound.obj"})";
  const auto check = [&](const std::vector<std::string>& parts, std::size_t merged,
                         double farthest) {
    std::string text = R"({"shape": "union", "of": [)";
    for (const std::string& part : parts) text += part + ',';
    text.back() = ']';
    CAPTURE(text);
    const Result<ShapeFile> file = read(text + "}", folder.path());
    REQUIRE_MESSAGE(file, file.error().where, file.error().message);
    REQUIRE(file->welded);
    CHECK(file->welded->merged == merged);
    CHECK(file->welded->collapsed == 0);
    CHECK(std::abs(file->welded->farthest_move - farthest) <= 1e-9 * farthest);
    CHECK(file->welded->tolerance > file->welded->farthest_move);
    CHECK(file->welded->tolerance <= 2 * file->welded->farthest_move);
    REQUIRE(file->notices.size() == merged);
    for (const Notice& notice : file->notices) CHECK(notice.code == "weld");
  };
  check({one}, 1, 1e-6);
  check({one, one}, 1, 1e-6);
  check({two, sound, one}, 2, std::sqrt(2) * 1e-6);
  check({one, two, sound}, 2, std::sqrt(2) * 1e-6);
  check({doubled, two, one}, 3, 2e-6);
  check({two, one, doubled}, 3, 2e-6);
  CHECK_FALSE(read(sound, folder.path())->welded);
  CHECK(read(R"({"shape": "union", "of": [)" + sound + ',' + two + "]}", folder.path())
            ->notices[0]
            .message.starts_with("of[1]: 1 vertex that is up to "));
}

TEST_CASE("a mesh in millimeters needs a scale, and one that is read in part is refused") {
  const test::ScratchFolder folder;
  test::write_bytes(folder / "part.3mf", test::threemf(test::ThreemfPieces()));
  const std::string part = R"({"shape": "mesh", "file": "part.3mf")";
  const auto found = [&](const std::string& scale) {
    const Result<ShapeFile> shape = read(part + scale + "}", folder.path());
    REQUIRE_MESSAGE(shape, shape.error().where, shape.error().message);
    return bounding_box(shape->shape).sizes().x();
  };
  CHECK(found(R"(, "scale": 0.001)") == 0.001);
  CHECK(found(R"(, "scale": 1)") == 1);
  check_refused(read(part + "}", folder.path()), "part.json", "0.001 takes it to meters",
                ErrorCode::kUnsupported);
  test::ThreemfPieces lattice;
  lattice.resources.insert(lattice.resources.find("</mesh>"), R"(<b:beamlattice xmlns:b="b"/>)");
  test::write_bytes(folder / "part.3mf", test::threemf(lattice));
  check_refused(read(part + R"(, "scale": 0.001})", folder.path()), "part.json",
                "the beam lattice of 1 object", ErrorCode::kUnsupported);
}

TEST_CASE("a file that is not there, or is no file, is told by name") {
  const test::ScratchFolder folder;
  const std::string missing = R"({"shape": "mesh", "file": "no.stl"})";
  check_refused(read(missing, folder.path()), "part.json: file", "no.stl", ErrorCode::kUnreadable);
  check_refused(read(missing), "part.json: file", "no folder", ErrorCode::kUnsupported);
  check_refused(read(R"({"shape": "mesh", "file": "/dev/zero"})", folder.path()), "part.json: file",
                "not a file", ErrorCode::kUnreadable);
  test::write_bytes(folder / "bad.stl", "solid\nfacet");
  const Result<ShapeFile> bad =
      read(R"({"shape": "union", "of": [{"shape": "mesh", "file": "bad.stl"}]})", folder.path());
  REQUIRE_FALSE(bad);
  CHECK(test::without_line(bad.error().where) == "part.json: of[0]");
  CHECK(bad.error().message.find("bad.stl") != std::string::npos);
  CHECK(read_shape(folder / "none.json").error().code == ErrorCode::kUnreadable);
}

TEST_CASE("hostile documents meet a limit") {
  std::string deep = R"({"shape": "sphere", "radius": 1})";
  for (int i = 0; i < kMaxShapeDepth; ++i) deep = R"({"shape": "union", "of": [)" + deep + "]}";
  CHECK(read(deep));
  deep = R"({"shape": "union", "of": [)" + deep + "]}";
  CHECK(read(deep).error().code == ErrorCode::kResourceLimit);
  const std::string deeper = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  CHECK(read(deeper).error().code == ErrorCode::kResourceLimit);
  std::string wide = R"({"shape": "union", "of": [)";
  for (int i = 0; i < kMaxShapeCount; ++i) wide += R"({"shape": "sphere", "radius": 1},)";
  wide.back() = ']';
  CHECK(read(wide + "}").error().code == ErrorCode::kResourceLimit);
}

}  // namespace
}  // namespace plimsoll
